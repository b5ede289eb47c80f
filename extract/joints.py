"""What the rules for cutting sentences share: what a clause can be, how far a stretch of words reaches."""

from __future__ import annotations

from enum import StrEnum

from extract.scan import (
    ADJECTIVE,
    ADVERB,
    BASE,
    CONDITION,
    DETERMINER,
    FILLER,
    FINITE,
    GERUND,
    INFINITIVE,
    MODAL,
    NOUNISH,
    PARTICIPLE,
    PAST,
    PREPOSITION,
    QUESTION,
    RELATIVE,
    SUBJECT,
    THIRD,
    VERBAL,
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


_COPULAS = frozenset(
    {"is", "are", "was", "were", "am", "seems", "seem", "feels", "looks", "sounds", "becomes", "remains"}
)


def unfinished(scan: Scan, start: int, place: int) -> bool:
    """Whether [start, place) breaks off: before a noun (`a clear | and focused purpose`), before the object
    that two verbs share (`identify | and manage risks`), or inside a clause that it opens (`it is possible
    that some level | ...`)."""
    if scan.language.code != "en":
        return False
    after_comma = scan.tokens[place].low == "," or scan.tokens[place - 1].low == ","
    last = place - 2 if scan.tokens[place - 1].low == "," else place - 1
    if last <= start:
        return False
    tag, before = scan.tags[last], scan.tags[last - 1]
    following = scan.tags[min(scan.skip(place + 1, len(scan.tokens), ADVERB), len(scan.tokens) - 1)]
    if tag & ADJECTIVE and before & DETERMINER and not tag & (NOUNISH | SUBJECT | DETERMINER):
        opens = following & (SUBJECT | FINITE | DETERMINER) or scan.tags[place] & (SUBJECT | FINITE)
        return not after_comma and not opens
    if not after_comma and scan.tokens[last].low in _COPULAS and not scan.asks:
        return not scan.tags[place] & SUBJECT
    if scan.tokens[last].low in _WANTS_CLAUSE and scan.tags[place] & SUBJECT:
        return True  # make sure it's there
    if _waits_for_main(scan, start, last):
        return True
    if not after_comma and _shares_object(scan, start, last, place, following):
        return True
    return _inside_opened(scan, start, last)


_WANTS_CLAUSE = frozenset({"sure", "certain", "aware", "confident", "afraid"})


def _waits_for_main(scan: Scan, start: int, last: int) -> bool:
    """Whether a fronted clause is followed by no more than a subject: `if waves come first, Niyama`."""
    first = scan.skip(start, last, FILLER | ADVERB)
    if not scan.tags[first] & CONDITION or scan.tags[first] & (RELATIVE | QUESTION | SUBJECT | PREPOSITION):
        return False
    commas = [place for place in range(first, last) if scan.tokens[place].low == ","]
    if not commas or not scan.has_finite(first, commas[-1]):
        return False
    behind = commas[-1] + 1
    return not scan.has_finite(behind, last + 1) and not scan.imperative_at(behind, last + 1)


def _shares_object(scan: Scan, start: int, last: int, place: int, following: int) -> bool:
    """Whether two verbs stand side by side and what they do stands behind the second."""
    tag = scan.tags[last]
    if tag & NOUNISH or not tag & (BASE | THIRD | PAST | GERUND) or last == start:
        return False
    if tag & FINITE or not following & tag & (BASE | THIRD | PAST | GERUND):
        return False
    behind = scan.skip(place + 1, len(scan.tokens), ADVERB) + 1
    governed = behind < len(scan.tokens) and not scan.tags[behind] & PREPOSITION
    return governed and scan.tokens[behind].kind <= Kind.UNSPACED


def _inside_opened(scan: Scan, start: int, last: int) -> bool:
    """Whether the last `that`, `how` or `if` of [start, last] still waits for its verb."""
    for opener in range(last, start, -1):
        tag = scan.tags[opener]
        if scan.finite[opener] or tag & (INFINITIVE | MODAL | PARTICIPLE | ADJECTIVE):
            return False
        if tag & VERBAL and not tag & NOUNISH:
            return False
        low = scan.tokens[opener].low
        if low == "that" and scan.tags[opener - 1] & (VERBAL | ADJECTIVE | FINITE | PAST | THIRD):
            return opener < last
        if tag & (CONDITION | QUESTION) and not tag & (PREPOSITION | SUBJECT | RELATIVE):
            return not scan.asks and scan.tags[opener - 1] & (VERBAL | PREPOSITION | ADJECTIVE) != 0
    return False
