"""What speaks for it that a memory answers a question at all: measured on the candidates, before anything is
rescaled.

Everybody plans journeys, so a question on another person's life finds near passages too. What tells them
apart is whether meaning and words point at the same passages, whether some one conversation has the
question's rarer words together, and whether the memory knows the names that the question takes for known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
import numpy.typing as npt

from inference.sparse import encode_query
from retrieval.candidates import Candidate
from retrieval.fit import Laid
from retrieval.naming import names_of
from retrieval.words import Terms, words_of
from vault.points import PointKind

AGREEING = 10
"""Passages at the top of either search that are compared."""

MOST_NAMES = 3
"""More strangers say no more."""

STEEP = 50
WORDED = 20


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was measured; each is larger, but `unknown` and `strangers`, where the memory answers. The number
    of conversations says how much the others are worth: among few, more agrees by chance."""

    nearness: float
    """The best cosine among the candidates."""
    words: float
    """The best BM25 of a passage, by the root of the number of the question's terms."""
    agreement: float
    """0-1: of the AGREEING passages nearest by meaning, the share that is at the top by words too."""
    covered: float
    """0-1: the most that one conversation's candidates have of the question's words, the rarer among the
    candidates counting more."""
    unknown: float
    """0-1: share of the question's words that no candidate has."""
    strangers: float
    """Names in the question that no candidate has, at most MOST_NAMES."""
    passage: float
    """The best cosine of a passage: a sentence alone may be near by chance."""
    steepness: float
    """Spread (standard deviation) of relevance among the first STEEP candidates: an answer stands out."""
    conversations: int
    """How many conversations the candidates come from."""

    @property
    def values(self) -> tuple[float, ...]:
        """In the order of EVIDENCE; of the conversations the logarithm."""
        return (
            self.nearness,
            self.words,
            self.agreement,
            self.covered,
            self.unknown,
            self.strangers,
            self.passage,
            self.steepness,
            log(self.conversations),
        )


EVIDENCE = (
    "nearness",
    "words",
    "agreement",
    "covered",
    "unknown",
    "strangers",
    "passage",
    "steepness",
    "conversations",
)
"""Names of the values, in their order."""


def evidence_of(query: str, candidates: Sequence[Candidate]) -> Evidence | None:
    """What the candidates say of the question; None where there is no passage or no word to go by."""
    asked = words_of(query).terms
    asked = np.unique(asked)
    passages = [one for one in candidates if one.payload.kind is PointKind.CHUNK]
    if not len(asked) or not passages:
        return None
    has = _having(asked, candidates)
    spread = has.sum(axis=0)
    rarity = np.log1p((len(candidates) - spread + 0.5) / (spread + 0.5))
    by_conversation = _joined(has, [one.payload.conversation_id for one in candidates])
    shares: npt.NDArray[np.float64] = by_conversation @ rarity / rarity.sum()
    known = spread > 0
    names = np.isin(asked, [term for name in names_of(query) for term in encode_query(name).indices])
    return Evidence(
        nearness=max(one.similarity for one in candidates),
        words=max(one.words for one in passages) / sqrt(max(len(encode_query(query).indices), 1)),
        agreement=_agreement(passages),
        covered=float(shares.max()),
        unknown=1.0 - float(known.mean()),
        strangers=float(min(int(np.count_nonzero(names & ~known)), MOST_NAMES)),
        passage=max(one.similarity for one in passages),
        steepness=float(np.std(sorted((one.relevance for one in candidates), reverse=True)[:STEEP])),
        conversations=len(by_conversation),
    )


def best_share(query: str, candidates: Sequence[Candidate]) -> float:
    """0-1: the most of the question's terms, numbers among them, that a single note has in its own text.

    Looked for in the WORDED best by words. It asks nothing of the rest of the memory, so it holds in one of
    sixty alike notes as in a hundred thousand.
    """
    asked = frozenset(encode_query(query).indices)
    worded = sorted(candidates, key=lambda one: (-one.words, one.id))[:WORDED]
    shares = [len(asked.intersection(encode_query(one.payload.text).indices)) for one in worded]
    return max(shares, default=0) / len(asked) if asked else 0.0


def _having(asked: Terms, candidates: Sequence[Candidate]) -> npt.NDArray[np.bool_]:
    """(candidates, asked): which of the asked terms each candidate has, in its text or where it stands."""
    has = np.zeros((len(candidates), len(asked)), np.bool_)
    for laid in (Laid([one.payload.text for one in candidates]), Laid([one.home for one in candidates])):
        place = np.minimum(np.searchsorted(asked, laid.terms), len(asked) - 1)
        shared = asked[place] == laid.terms
        has[laid.text_of[shared], place[shared]] = True
    return has


def _joined(has: npt.NDArray[np.bool_], conversations: Sequence[str]) -> npt.NDArray[np.bool_]:
    """(conversations, asked): what any candidate of each conversation has."""
    rows = {name: row for row, name in enumerate(dict.fromkeys(conversations))}
    joined = np.zeros((len(rows), has.shape[1]), np.bool_)
    np.logical_or.at(joined, [rows[name] for name in conversations], has)
    return joined


def _agreement(passages: Sequence[Candidate]) -> float:
    near = sorted(passages, key=lambda one: (-one.similarity, one.id))[:AGREEING]
    worded = sorted(passages, key=lambda one: (-one.words, one.id))[:AGREEING]
    both = {one.id for one in near} & {one.id for one in worded if one.words > 0}
    return len(both) / AGREEING
