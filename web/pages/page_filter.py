"""The relevance filter for pages: is a passage about what is asked, or does it only share its words?

The memory's own filter judges by what else a conversation holds, and a page has none: results of one search
all are on one subject, or seem to be. What is asked instead is the same in principle. Words that a passage
shares with the question say nothing on that, and they raise the cosine; so the cosine has to be higher, the
more of them it shares. The title speaks for itself.

    sum = COSINE x cosine of title and passage + TITLE x cosine of the title + SHARED x share of terms + BIAS

(SHARED and BIAS are below zero.)

`benchmarks/calibration/page_filter.py` fits it on thirty questions of `data/web/funnel-web.jsonl`, and scores
it on thirty others (docs/web.md). It fails shut: a passage that cannot be judged stays out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inference.embedder import Embedder
from retrieval.relevance.filter_verdict import FilterVerdict
from retrieval.search.hybrid import shared_terms
from schemas.base import Noun


class PageFilterWeights(Noun):
    """What the filter learned, and from which run."""

    embedder: str
    cosine: float
    title: float
    shared: float
    bias: float
    least: float
    """A passage fits from this chance on."""
    run: str


@cache
def learned() -> PageFilterWeights:
    """The weights in use."""
    stored = resources.files("web").joinpath("pages/data/page_filter.json").read_text(encoding="utf-8")
    return PageFilterWeights.model_validate_json(stored)


@dataclass(frozen=True, slots=True)
class PagePassage:
    """A passage with its page's title, and its cosine to the question (title and text together)."""

    title: str
    text: str
    cosine: float


def measured(query: str, passages: Sequence[PagePassage], embedder: Embedder) -> npt.NDArray[np.float64]:
    """(passages, 4): the cosine, the cosine of the title, the share of the question's terms, 1."""
    titles = list(dict.fromkeys(one.title for one in passages if one.title))
    asked = embedder.embed_query(query)
    cosines = dict(zip(titles, (embedder.embed(titles) @ asked).tolist(), strict=True)) if titles else {}
    return np.array(
        [(one.cosine, cosines.get(one.title, 0.0), shared_terms(query, one.text), 1.0) for one in passages],
        np.float64,
    ).reshape(len(passages), 4)


class PageFit(NamedTuple):
    """The filter's word on a passage."""

    chance: float
    """0-1: how likely the passage is about what is asked."""
    verdict: FilterVerdict


def judged(query: str, passages: Sequence[PagePassage], embedder: Embedder) -> list[PageFit]:
    """Of each passage whether it fits, in order."""
    weights = learned()
    if embedder.binding.name != weights.embedder:
        why = f"the filter of pages was not taught for the embedder {embedder.binding.name}"
        return [PageFit(0.0, FilterVerdict(False, why, judged=False))] * len(passages)
    parts = np.array([weights.cosine, weights.title, weights.shared, weights.bias])
    chances = 1 / (1 + np.exp(-(measured(query, passages, embedder) @ parts)))
    return [PageFit(float(chance), _verdict(float(chance), weights.least)) for chance in chances]


def _verdict(chance: float, least: float) -> FilterVerdict:
    if chance >= least:
        return FilterVerdict(True, f"fit {chance:.2f}")
    return FilterVerdict(
        False, f"fit {chance:.2f} is below {least:.2f}: shares words, is about something else"
    )
