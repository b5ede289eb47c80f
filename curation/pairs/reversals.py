"""Decisions that a later statement of the owner's takes the place of, within one line of talk.

The sweep compares whole corpora day by day; here every later statement of one conversation or thread is
held against the decisions before it, whatever the clock says: in one sitting, order is time. Most of what is
held against each other so has nothing to do with each other, so form rules out what is unlikely before the
judge is asked: on real talk three in four of its supersessions were wrong, of those left one in four.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from chunking.language import content_stems
from curation.pairs.pair import JudgedNote, NotePair, PairVerdict
from curation.pairs.small_judge import PairJudge, load_judge
from schemas.relation import Link, RelationKind
from schemas.unit import Category, Speaker, Unit

LOOKED_AT = 40
"""Earlier decisions that a statement is held against: what it takes back was settled lately."""

SAME_MATTER = 1 / 3
"""Share of the shorter note's stems that both have, at least."""

WORTH = 0.05
"""The chance that a careful reader keeps a note, below which it retires nothing and is not worth retiring."""

_SETTLED = (Category.DECISION, Category.ACTION_ITEM)
_SUPERSEDING = (Category.DECISION, Category.FACT, Category.ACTION_ITEM)
_TOLD_WELL = 0.3
"""The same chance of what retires another: below it most of what reads like a change is none."""
_MUCH_SHARED = 0.5
"""What a fact shares with what it retires: facts are told of anything that was decided on or planned."""
_WORDS_SHARED = 2
"""And how many stems at least: one names the thing. "64 rivets to do" is no other plan than "copper rivets",
though the judge is .98 sure and half of the shorter one's two words are shared."""
_ROLE_STEMS = frozenset({"user", "assist"})
_ORDER = datetime(2000, 1, 1, tzinfo=UTC)


def reversals(units: Sequence[Unit], judge: PairJudge | None = None) -> Iterator[Link]:
    """A link for every statement that supersedes an earlier decision; each is superseded once, by the
    first."""
    opened = judge or load_judge()
    own = [
        unit
        for unit in units
        if unit.speaker is Speaker.OWNER and unit.active_branch and _good(unit) >= WORTH
    ]
    stems = [content_stems(unit.text) - _ROLE_STEMS for unit in own]
    taken: set[str] = set()
    for place, unit in enumerate(own):
        if unit.category not in _SUPERSEDING:
            continue
        for before in range(place - 1, max(-1, place - 1 - LOOKED_AT), -1):
            older = own[before]
            if older.category not in _SETTLED or older.id in taken:
                continue
            if not _may_retire(unit, older, stems[place], stems[before]):
                continue
            ruling = opened.ruling(NotePair(_judged(older, 0), _judged(unit, 1)))
            if ruling.verdict is PairVerdict.SUPERSEDE:
                taken.add(older.id)
                yield Link(
                    account=unit.account, unit_id=unit.id, kind=RelationKind.SUPERSEDES, other_id=older.id,
                    reason=ruling.reason,
                )  # fmt: skip
                break


def _may_retire(newer: Unit, older: Unit, stems: frozenset[str], others: frozenset[str]) -> bool:
    """Whether what was said later may take an earlier one's place, by form: in one message, both hold; a step
    does not undo a decision, nor does a fact that names the same thing. `stems` are the newer one's."""
    if newer.evidence[0].message_id == older.evidence[0].message_id or _good(newer) < _TOLD_WELL:
        return False
    if newer.category is Category.ACTION_ITEM and older.category is Category.DECISION:
        return False
    shared = _in_common(stems, others)
    if newer.category is Category.FACT:
        return shared >= _MUCH_SHARED and len(stems & others) >= _WORDS_SHARED
    return shared >= SAME_MATTER


def _in_common(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the smaller set that both have."""
    least = min(len(one), len(other))
    return len(one & other) / least if least else 0.0


def _good(unit: Unit) -> float:
    """The chance that a careful reader keeps it; certain where no small reader looked."""
    return unit.estimate.good if unit.estimate and not unit.by_model else 1.0


def _judged(unit: Unit, place: int) -> JudgedNote:
    return JudgedNote(unit.text, unit.category, unit.speaker, _ORDER + timedelta(seconds=place))
