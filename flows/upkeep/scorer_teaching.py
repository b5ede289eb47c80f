"""How much the parts of relevance count, taught by the vault's own deep searches; nothing leaves the machine.

lessons   of every deep search that somebody judged and answered      (vault.deep_log)
weights   fitted to four fifths of those searches                     (retrieval.deep.learning)
a fifth   kept apart: how often the better note comes first, before and after
the file  in the vault's folder, once the owner agrees                (layout.scorer)
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from retrieval.deep.learning import fitted, found_at_once
from retrieval.question import EQUAL
from retrieval.scorer import TaughtScorer, scorer_weights
from schemas.base import Noun
from schemas.errors import UsageError
from vault.deep_log import DeepLog
from vault.files import write_text_durably
from vault.layout import VaultLayout

LEAST = 25
"""Deep searches that must have been judged: of fewer, a fifth kept apart shows nothing."""
APART = 5
"""One search in so many is not learned from."""


class ScorerTeaching(Noun):
    """What teaching came to."""

    learned: int
    """Deep searches that were learned from."""
    apart: int
    """Deep searches that were kept apart."""
    before: float
    """Of the pairs of these the share in which the better note comes first by the weights in use; 0-1."""
    after: float
    """The same by the taught weights."""
    weights: dict[str, float]
    """Of meaning, words, home_meaning and home_words, their mean 1."""
    taken: bool = False
    """Whether recalls of this vault weigh so from now on."""


def teach_scorer(vault: Path, agree: Callable[[ScorerTeaching], bool]) -> ScorerTeaching:
    """Fit, compare, and let the taught weights take over where the owner agrees.

    Raises UsageError where too few deep searches were judged, IntegrityError, VaultReadOnly, DiskFull.
    """
    layout = VaultLayout(vault)
    lessons = DeepLog(layout).lessons()
    if len(lessons) < LEAST:
        raise UsageError(
            "too few deep searches were judged to learn from",
            why=f"{len(lessons)} have a lesson; it takes {LEAST}",
            remedy="Ask with `mnemic recall --deep --deep-judge model`; `mnemic status` counts them",
        )
    apart = lessons[APART - 1 :: APART]
    learned = [one for place, one in enumerate(lessons) if place % APART != APART - 1]
    weights = fitted(learned)
    taught = TaughtScorer(
        meaning=weights.meaning, words=weights.words, home_meaning=weights.home_meaning,
        home_words=weights.home_words, learned=len(learned),
    )  # fmt: skip
    before = scorer_weights(layout)
    done = ScorerTeaching(
        learned=len(learned),
        apart=len(apart),
        before=found_at_once(apart, before),
        after=found_at_once(apart, weights),
        weights=taught.model_dump(exclude={"learned"}),
    )
    if not agree(done):
        return done
    write_text_durably(layout.scorer, taught.model_dump_json(indent=2) + "\n")
    return done.model_copy(update={"taken": True})


def untaught_scorer(vault: Path) -> bool:
    """Let every part count the same again; returns whether another scorer was in use."""
    layout = VaultLayout(vault)
    was_taught = scorer_weights(layout) != EQUAL
    layout.scorer.unlink(missing_ok=True)
    return was_taught
