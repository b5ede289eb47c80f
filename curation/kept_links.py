"""What a new extraction found in the words of a kept note that it no longer finds itself.

A kept note is the owner's and stays, whatever a newer engine makes of its words. What that engine finds there
is linked to it; what says the same is a duplicate of it, and the kept note stands for both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from schemas.relation import Link, RelationKind
from schemas.unit import Evidence, Unit

SAME_SHARE = 0.6
"""Shared stems of all stems from which two notes on the same words say the same: `The user goes with the
hornbeam hedge` and `The user decided to go with the hornbeam hedge` share 3 of 4. Below it both are shown."""
_STEM = 5
"""Characters that tell words apart: `decided` and `decision` are one."""
_WORD = re.compile(r"\w+(?:['’.,]\w+)*")
_ROLES = frozenset(("user", "assistant", "decided", "wants", "nutzer", "usuario", "utilisateur"))
_DENIALS = re.compile(
    r"\b(?:not|no|never|none|without|cannot|\w+n['’]t|nicht|kein\w*|nie|ohne|nunca|sin|ne|pas|jamais|sans)\b"
)


@dataclass(frozen=True, slots=True)
class _Said:
    """What a note says, for comparison."""

    stems: frozenset[str]
    figures: frozenset[str]
    denies: bool

    def same(self, other: _Said) -> bool:
        shared, all_stems = self.stems & other.stems, self.stems | other.stems
        alike = bool(all_stems) and len(shared) >= SAME_SHARE * len(all_stems)
        return alike and self.figures == other.figures and self.denies == other.denies


def links_to_kept(found: Iterable[Unit], kept: Sequence[Unit]) -> Iterator[Link]:
    """A link from each found unit to each kept one whose evidence it overlaps.

    Both are of the same conversations; a unit that is itself kept is in neither.
    """
    known = [(one, _said(one.text)) for one in kept]
    for unit in found:
        said = _said(unit.text)
        for one, what in known:
            if not _overlap(unit.evidence, one.evidence):
                continue
            same = unit.category is one.category and said.same(what)
            stands = "says the same as" if same else "stands on the words of"
            yield Link(
                account=unit.account,
                unit_id=unit.id,
                kind=RelationKind.DUPLICATE_OF if same else RelationKind.OVERLAPS,
                other_id=one.id,
                reason=f"{stands} the kept note “{one.text}”",
            )


def _overlap(some: Sequence[Evidence], others: Sequence[Evidence]) -> bool:
    return any(
        a.message_id == b.message_id and a.start < b.end and b.start < a.end for a in some for b in others
    )


def _said(text: str) -> _Said:
    words = [found.group() for found in _WORD.finditer(text.casefold())]
    return _Said(
        frozenset(word[:_STEM] for word in words if len(word) > 3 and word not in _ROLES),
        frozenset(word for word in words if any(character.isdigit() for character in word)),
        _DENIALS.search(text.casefold()) is not None,
    )
