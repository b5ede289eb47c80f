"""`recall --mode single|tiered`: the drill over a vault's paths, its notes with their relevance."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
import numpy.typing as npt

from chunking import estimate_tokens
from curation.filing.taxonomy import TaxonomyBranch as Topic
from curation.filing.taxonomy import read_taxonomy
from inference.embedder import Embedder
from inference.secret_cover import masked_throughout
from interfaces.history_answers import lying_then, then_of
from interfaces.path_survey import milliseconds_since
from retrieval import QUOTED
from retrieval.by_path.drill import Drilled, DrillMode, Picker, drilled, memory_of
from retrieval.by_path.pickers import NearestPaths
from schemas.ids import point_id
from vault.history import PastGeneration, first_generation
from vault.index import Index, Where
from vault.index_then import index_then
from vault.path_queries import PathBranch, Survey, branches, notes_under, sampled_members
from vault.paths import PathTables
from vault.paths_now import path_tables
from vault.points import PointKind
from vault.queries import Row
from vault.reader import VaultReader

BEFORE_ALL_BY_PATH = "the date is before the first generation on record: all notes answer, where they lie now"


@dataclass(frozen=True, slots=True)
class PathQuestion:
    """What is asked by path."""

    text: str
    where: Where
    """Bounds the notes that may be told: they hold inside the engine, on this way in as on the others."""
    mode: DrillMode
    limit: int
    threshold: float = 0.0
    """Relevance (cosine to the question) below which a note is not told."""
    as_of: int | datetime | None = None
    """The generation whose notes, texts, states and paths answer; None: those of now."""


@dataclass(frozen=True, slots=True)
class _Paths:
    """`retrieval.by_path.drill.Inventory` of an open vault."""

    reader: VaultReader
    tables: PathTables
    account: str

    def branches(self, depth: int, below: Sequence[str] = ()) -> list[PathBranch]:
        """See there."""
        surveys = [Survey(self.account, below=one) for one in below] or [Survey(self.account)]
        found = [
            one for survey in surveys for one in branches(self.reader.ledger, self.tables, survey, depth)
        ]
        return sorted({one.prefix: one for one in found}.values(), key=lambda one: one.prefix)

    def members(self, choices: Sequence[PathBranch]) -> Mapping[str, npt.NDArray[np.float32]]:
        """Vectors of some of the notes below each of the choices."""
        if not choices:
            return {}
        prefixes = [one.prefix for one in choices]
        ids = sampled_members(self.reader.ledger, self.tables, self.account, prefixes)
        points = {unit: point_id(PointKind.UNIT, unit) for own in ids.values() for unit in own}
        vectors = self.reader.index.vectors(sorted(points.values()))
        rows = {
            path: [vectors[points[unit]] for unit in own if points[unit] in vectors]
            for path, own in ids.items()
        }
        return {path: np.asarray(own, np.float32) for path, own in rows.items() if own}


@dataclass(frozen=True, slots=True)
class PathsAsked:
    """Where a question looks for notes, and what has to be said of that."""

    tables: PathTables
    notices: tuple[str, ...] = ()
    then: PastGeneration | None = None

    def index(self, reader: VaultReader) -> Index:
        """The index with the states and texts that are asked for."""
        return reader.index if self.then is None else index_then(reader, self.then)[0]


def paths_asked(reader: VaultReader, question: PathQuestion) -> PathsAsked:
    """The paths of now, or those of the generation that the question names; those of now for a date from
    before all generations. Raises UsageError where it is not on record."""
    if question.as_of is None:
        return PathsAsked(path_tables(reader))
    first = first_generation(reader.ledger)
    if isinstance(question.as_of, datetime) and first is not None and question.as_of < first.published_at:
        return PathsAsked(path_tables(reader), (BEFORE_ALL_BY_PATH,))
    tables, notices = lying_then(reader, question.where.whose, question.as_of)
    return PathsAsked(tables, notices, then_of(reader, question.as_of))


def nearest_paths(
    reader: VaultReader, account: str, embedder: Embedder, asked: PathsAsked | None = None
) -> NearestPaths:
    """The offline picker over the account's paths, with the descriptions of the vault's taxonomy."""
    abouts: dict[str, str] = {}

    def describe(above: str, topics: Mapping[str, Topic]) -> None:
        for name, topic in topics.items():
            abouts[f"{above}{name}"] = topic.about
            describe(f"{above}{name}.", topic.below)

    describe("", read_taxonomy(reader.layout.taxonomy).paths)
    tables = asked.tables if asked else path_tables(reader)
    return NearestPaths(embedder, abouts, _Paths(reader, tables, account).members)


def recalled_by_path(
    reader: VaultReader,
    question: PathQuestion,
    picker: Picker,
    embedder: Embedder,
    asked: PathsAsked | None = None,
) -> Row:
    """The notes below the picked paths, the most relevant first, as one object; see docs/paths.md.

    `asked`: what `paths_asked` made of the question, where the picker was made of it too.
    """
    start, account = time.perf_counter(), question.where.whose
    asked = asked or paths_asked(reader, question)
    found = drilled(question.text, _Paths(reader, asked.tables, account), picker, question.mode)
    memories: list[Row] = []
    if found.keys:
        single = question.mode is DrillMode.SINGLE
        with found.step("step3_memory_retrieval" if single else "memory_retrieval"):
            memories = _fetched(reader, asked, question, found, embedder)
    found.timings["total_search"] = milliseconds_since(start)
    told: Row = masked_throughout({"memories": memories})
    return {
        "success": True,
        "notices": [QUOTED, *asked.notices],
        "memories": told["memories"],
        "query": question.text,
        "count": len(memories),
        "timing_ms": milliseconds_since(start),
        "metadata": {
            "mode": question.mode.value,
            "step_timings": found.timings,
            "llm_prompts": found.prompts,
            "picked": found.picked,
            "fallbacks": found.fallbacks,
        },
        "error": None,
    }


def line_of(memory: Row) -> str:
    """A note as it is told in text."""
    return f"{memory['relevance_score']:.2f} {memory['path']}: {memory['content']}"


def within(told: Row, budget: int) -> Row:
    """The same with as many notes, from the best on, as fit whole into so many tokens; `left_out` counts the
    others.

    Their lines count, so that text and JSON tell the same notes; what stands around them does not.
    """
    memories = told["memories"] if isinstance(told["memories"], list) else []
    lines = [line_of(one) for one in memories]
    sizes = range(len(lines) + 1)
    fitting = bisect_right(sizes, budget, key=lambda count: estimate_tokens("\n".join(lines[:count]))) - 1
    left = {"left_out": len(lines) - fitting} if fitting < len(lines) else {}
    return told | {"memories": memories[:fitting], "count": fitting} | left


def _fetched(
    reader: VaultReader, asked: PathsAsked, question: PathQuestion, found: Drilled, embedder: Embedder
) -> list[Row]:
    """One look-up of all the notes below the keys, ordered by one search among them."""
    account = question.where.whose
    notes = notes_under(reader.ledger, asked.tables, account, found.keys, below=found.prefixes)
    by_point = {point_id(PointKind.UNIT, str(note["id"])): note for note in notes}
    where = replace(question.where, kinds=(PointKind.UNIT,), among=frozenset(by_point))
    if not by_point:
        return []
    vector = embedder.embed_query(question.text)
    hits = asked.index(reader).search_dense(vector, where, question.limit)
    return [
        memory_of(str(by_point[hit.id]["path"]), account, by_point[hit.id], hit.score)
        for hit in hits
        if hit.score >= question.threshold
    ]
