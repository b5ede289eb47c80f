"""What speaks for it that a memory answers a question at all: measured on the candidates, before anything is
rescaled.

Everybody plans journeys, so a question on another person's life finds near passages too. What tells them
apart is whether some one conversation has together what is rare in the question, rare in anybody's
conversations (`retrieval.relevance.word_rarity`) and not this person's everyday word either; how much of
what is rare nobody here ever said; and whether the memory knows the names that the question takes for known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
import numpy.typing as npt

from inference.sparse import terms_in
from retrieval.relevance.relevance_filter import Laid
from retrieval.relevance.word_rarity import Rarity, learned_rarity
from retrieval.search.hybrid import Candidate
from retrieval.search.question_names import names_of
from retrieval.search.word_vectors import Terms, words_of
from vault.points import PointKind

MOST_NAMES = 3
"""More strangers say no more."""

MOST_RARE = 3.6
"""One in 100 of RealMem's questions is beyond: what is, is in another language."""

STEEP = 50
WORDED = 20


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """What was measured. The number of conversations says how much the others are worth (among few, more
    comes together by chance), and the rarity how much there is to find."""

    nearness: float
    """The best cosine among the candidates."""
    words: float
    """The best BM25 of a passage, by the root of the number of the question's terms."""
    covered: float
    """0-1: the most that one conversation's candidates have of the question's words, rarer ones counting
    more."""
    specific: float
    """The most that one conversation has of what is rare both in anybody's conversations and among the
    candidates': root of the sum of the products. No share: more words make better evidence."""
    lacking: float
    """The rarities of the words that no candidate has, by the number of all words of the question."""
    rarity: float
    """Mean rarity of the question's words, at most MOST_RARE."""
    strangers: float
    """Names in the question that no candidate has, at most MOST_NAMES."""
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
            self.covered,
            self.specific,
            self.lacking,
            self.rarity,
            self.strangers,
            self.steepness,
            log(self.conversations),
        )


EVIDENCE = (
    "nearness",
    "words",
    "covered",
    "specific",
    "lacking",
    "rarity",
    "strangers",
    "steepness",
    "conversations",
)
"""Names of the values, in their order."""


def evidence_of(
    query: str, candidates: Sequence[Candidate], rarity: Rarity | None = None
) -> AnswerEvidence | None:
    """What the candidates say of the question; None where there is no passage or no word to go by.

    `rarity`: of words in anybody's conversations, if it is not the learned one.
    """
    asked = words_of(query).terms
    asked = np.unique(asked)
    passages = [one for one in candidates if one.payload.kind is PointKind.CHUNK]
    if not len(asked) or not passages:
        return None
    rare = (rarity or learned_rarity()).of(asked)
    by_conversation = _joined(_having(asked, candidates), [one.payload.conversation_id for one in candidates])
    spread = by_conversation.sum(axis=0)
    known = spread > 0
    here = np.maximum(np.log((len(by_conversation) + 1) / (spread + 0.5)), 0.0)
    names = np.isin(asked, [term for name in names_of(query) for term in terms_in(name)])
    return AnswerEvidence(
        nearness=max(one.similarity for one in candidates),
        words=max(one.words for one in passages) / sqrt(max(len(terms_in(query)), 1)),
        covered=float((by_conversation @ rare).max() / rare.sum()),
        specific=sqrt(float((by_conversation @ (rare * here)).max())),
        lacking=float(rare[~known].sum() / len(asked)),
        rarity=min(float(rare.mean()), MOST_RARE),
        strangers=float(min(int(np.count_nonzero(names & ~known)), MOST_NAMES)),
        steepness=float(np.std(sorted((one.relevance for one in candidates), reverse=True)[:STEEP])),
        conversations=len(by_conversation),
    )


def lacking_share(query: str, candidates: Sequence[Candidate]) -> float:
    """0-1: how much of what the question says no candidate has, rarer words counting more."""
    asked = np.unique(words_of(query).terms)
    if not len(asked):
        return 0.0
    rare = learned_rarity().of(asked)
    known = _having(asked, candidates).any(axis=0)
    return float(rare[~known].sum() / rare.sum())


def best_share(query: str, candidates: Sequence[Candidate]) -> float:
    """0-1: the most of the question's terms, numbers among them, that a single note has in its own text.

    Looked for in the WORDED best by words. It asks nothing of the rest of the memory, so it holds in one of
    sixty alike notes as in a hundred thousand.
    """
    asked = terms_in(query)
    worded = sorted(candidates, key=lambda one: (-one.words, one.id))[:WORDED]
    shares = [len(asked & terms_in(one.payload.text)) for one in worded]
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
