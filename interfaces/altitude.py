"""At which altitude a prompt was judged: its subject domain, and who said it; and how it was put besides.

given      by whoever asked (`--intent`)
a model    that decomposed the prompt
taxonomy   offline: the path under which most of what was found is filed, by its score; where little of it is
           filed, the path whose description is nearest to the prompt. It is stated and
           judges nothing: on the funnel set an intent only costs the offline filter relevant notes
           (`docs/retrieval.md`)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from curation.filing.taxonomy import TaxonomyBranch, read_taxonomy
from inference import load_embedder
from inference.language_model import LanguageModel
from retrieval import Package, Question
from retrieval.package import Altitude
from retrieval.rank.thresholds import CONFIDENCE_FLOOR
from retrieval.search.decomposition import put, ways_of
from retrieval.search.model_decomposition import Decomposition, decompose_with
from schemas.semantic_path import UNSORTED
from vault.path_queries import paths_of_notes
from vault.paths_now import path_tables
from vault.reader import VaultReader

LEVELS = 2
"""Of a path: its third name is the narrow angle."""

LEAST_SHARE = 1 / 3
"""Of the scores of what was found, what has to lie at a path that is to be the domain."""

LEAST_COSINE = CONFIDENCE_FLOOR
"""Of a description to the prompt: below it, the memory's own floor holds that nothing comes close."""


def decomposition_of(
    query: str, given: Mapping[str, Any], model: LanguageModel | None
) -> Decomposition | None:
    """The prompt as a model decomposes it; None where none is asked to."""
    asked = model is not None and given["decompose_by"] == "model"
    return decompose_with(model)(query) if asked and model else None


def intent_of(given: Mapping[str, Any], decomposition: Decomposition | None) -> str | None:
    """What the relevance filter judges by: what was given, else, where a model judges, what a model said."""
    if given["intent"]:
        return str(given["intent"])
    return decomposition.altitude if decomposition and given.get("gate") == "model" else None


def with_ways(package: Package, question: Question) -> Package:
    """The package, saying how its prompt was put besides, where it was decomposed."""
    if not question.decomposed:
        return package
    read = replace(question, text=package.query)
    ways = tuple(f"{way.aim}: {way.text}" for way, _ in put(ways_of(read), read))
    return package.model_copy(update={"ways": ways})


def with_altitude(
    reader: VaultReader, package: Package, intent: str | None, decomposition: Decomposition | None
) -> Package:
    """The package, saying at which altitude its prompt lies, where anybody can say."""
    if intent and not (decomposition and decomposition.altitude == intent):
        found: Altitude | None = Altitude(domain=intent, by="given")
    elif decomposition and decomposition.altitude:
        found = Altitude(domain=decomposition.altitude, by=decomposition.by)
    else:
        found = _by_taxonomy(reader, package)
    return package.model_copy(update={"altitude": found})


def _by_taxonomy(reader: VaultReader, package: Package) -> Altitude | None:
    abouts = dict(_described("", read_taxonomy(reader.layout.taxonomy).paths))
    path, by = _filed(reader, package), "taxonomy, by what was found"
    if path is None:
        path, by = _described_nearest(package.query, abouts), "taxonomy, by its description"
    if path is None:
        return None
    return Altitude(domain=f"{path}: {abouts[path]}" if path in abouts else path, by=by)


def _filed(reader: VaultReader, package: Package) -> str | None:
    """The path at which LEAST_SHARE and most of what was found lies; None where less than that is filed."""
    scores = {unit: hit.score for hit in package.hits for unit in (hit.id, *hit.also)}
    paths = paths_of_notes(reader.ledger, path_tables(reader), package.account, sorted(scores))
    weights: dict[str, float] = defaultdict(float)
    for unit, own in paths.items():
        for place in {".".join(path.split(".")[:LEVELS]) for path in own if path.split(".")[0] != UNSORTED}:
            weights[place] += scores[unit]
    best = max(weights, key=lambda place: (weights[place], place), default=None)
    found = sum(hit.score for hit in package.hits)
    return best if best is not None and weights[best] >= LEAST_SHARE * found else None


def _described_nearest(prompt: str, abouts: Mapping[str, str]) -> str | None:
    embedder = load_embedder()
    cosines = embedder.embed(list(abouts.values())) @ embedder.embed_query(prompt)
    cosine, path = max(zip(cosines.tolist(), abouts, strict=True), default=(0.0, None))
    return path if cosine >= LEAST_COSINE else None


def _described(above: str, branches: Mapping[str, TaxonomyBranch]) -> Iterator[tuple[str, str]]:
    """(path, what it is about) of the first LEVELS levels."""
    for name, branch in branches.items():
        yield f"{above}{name}", branch.about
        if (above + name).count(".") + 1 < LEVELS:
            yield from _described(f"{above}{name}.", branch.below)
