"""What the rules for cutting sentences share: what a clause can be, how far a stretch of words reaches."""

from __future__ import annotations

from enum import StrEnum

from extract.scan import (
    ADVERB,
    BASE,
    CONDITION,
    FILLER,
    GERUND,
    PARTICIPLE,
    PREPOSITION,
    QUESTION,
    RELATIVE,
    Scan,
)
from extract.tokens import Kind

STRONG = frozenset(";:—–→|+")
OPENERS = {"(": ")", "[": "]"}
_ASIDE_TOKENS = 60


class Role(StrEnum):
    """How a clause hangs together with the one to its left."""

    MAIN = "main"
    SHARED = "shared"
    """Goes on with the subject of the clause to its left: `... and ask Marta`."""
    RELATIVE = "relative"
    """Says something of the noun before it: `..., which fits`."""
    ASIDE = "aside"
    """Stood in brackets."""
    PHRASE = "phrase"
    """Has no verb of its own."""


Cut = tuple[int, Role]
"""The token at which the next clause resumes, and that clause's role."""


def closing_bracket(scan: Scan, place: int) -> int | None:
    """The token that closes the bracket at `place`, if it is near."""
    close = OPENERS[scan.tokens[place].low]
    for later in range(place + 1, min(len(scan.tokens), place + _ASIDE_TOKENS)):
        if scan.tokens[later].low == close:
            return later
    return None


def stretch_end(scan: Scan, first: int) -> int:
    """Where the stretch that begins at `first` ends: the next comma, stop or strong mark outside brackets."""
    place, count = first, len(scan.tokens)
    while place < count:
        token = scan.tokens[place]
        if token.kind is Kind.PUNCT and token.low in OPENERS:
            place = (closing_bracket(scan, place) or place) + 1
            continue
        if token.kind is Kind.END or (
            token.kind is Kind.PUNCT and (token.low in STRONG or token.low in ",)")
        ):
            return place
        place += 1
    return count


def fronted(scan: Scan, start: int, place: int) -> bool:
    """Whether [start, place) only leads in to the main clause that follows: if ..., for 40 members, in
    May."""
    first = scan.skip(start, place, FILLER | ADVERB)
    if first >= place:
        return True
    tag = scan.tags[first]
    if tag & CONDITION and not tag & (RELATIVE | QUESTION):
        return True
    if tag & QUESTION and tag & CONDITION:
        return not scan.asks and scan.has_finite(first, place)
    if tag & BASE and scan.imperative_at(start, place):
        return False
    return bool(tag & (PREPOSITION | GERUND | PARTICIPLE) and not scan.has_finite(start, place))
