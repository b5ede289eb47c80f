"""Decisions that a later statement of the owner's takes the place of, within one line of talk.

The sweep compares whole corpora day by day; here every later statement of one conversation or thread is
held against the decisions before it, whatever the clock says: in one sitting, order is time.
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

_SETTLED = (Category.DECISION, Category.ACTION_ITEM)
_SUPERSEDING = (Category.DECISION, Category.CONSTRAINT, Category.FACT, Category.ACTION_ITEM)
_ROLE_STEMS = frozenset({"user", "assist"})
_ORDER = datetime(2000, 1, 1, tzinfo=UTC)


def reversals(units: Sequence[Unit], judge: PairJudge | None = None) -> Iterator[Link]:
    """A link for every statement that supersedes an earlier decision; each is superseded once, by the
    first."""
    opened = judge or load_judge()
    own = [unit for unit in units if unit.speaker is Speaker.OWNER and unit.active_branch]
    stems = [content_stems(unit.text) - _ROLE_STEMS for unit in own]
    taken: set[str] = set()
    for place, unit in enumerate(own):
        if unit.category not in _SUPERSEDING:
            continue
        for before in range(place - 1, max(-1, place - 1 - LOOKED_AT), -1):
            older = own[before]
            if older.category not in _SETTLED or older.id in taken or not stems[place] & stems[before]:
                continue
            ruling = opened.ruling(NotePair(_judged(older, 0), _judged(unit, 1)))
            if ruling.verdict is PairVerdict.SUPERSEDE:
                taken.add(older.id)
                yield Link(
                    account=unit.account, unit_id=unit.id, kind=RelationKind.SUPERSEDES, other_id=older.id,
                    reason=ruling.reason,
                )  # fmt: skip
                break


def _judged(unit: Unit, place: int) -> JudgedNote:
    return JudgedNote(unit.text, unit.category, unit.speaker, _ORDER + timedelta(seconds=place))
