"""Where one claim ends and the next begins: one rule for each kind of joint.

Every rule answers the same question of the sentence: given a clause that began at `start`, does it end
before the joint at `place`? If so, where does the next one resume, and how does it hang together with what
came before?
"""

from __future__ import annotations

from extract.conjunctions import at_conjunction, at_juncture
from extract.joints import STRONG, Cut, Role, fronted, stretch_end, unfinished
from extract.scan import (
    ADVERB,
    CONDITION,
    CONTRAST,
    COORDINATOR,
    DETERMINER,
    FINITE,
    GERUND,
    NEGATION,
    NOUNISH,
    PARTICIPLE,
    PAST,
    PREPOSITION,
    QUESTION,
    REASON,
    RELATIVE,
    SUBJECT,
    THIRD,
    Scan,
)
from extract.tokens import Kind
from extract.wordlists import words

_COMMAS = ",،、，"
_DEPENDENT = frozenset(
    words("including such like especially particularly namely depending based regardless e.g eg i.e")
)
"""What only adds to the words before it is no claim of its own."""


def cut_at(scan: Scan, start: int, place: int) -> Cut | None:
    """The cut at `place`, or None if the clause goes on."""
    token = scan.tokens[place]
    if place <= start:
        return None
    if token.kind is Kind.END:
        return (place + 1, Role.MAIN) if place + 1 < len(scan.tokens) and token.low != "." else None
    if token.kind is Kind.PUNCT and (token.low in STRONG or _is_dash(scan, place)):
        return _at_strong(scan, start, place)
    cut = _at_word(scan, start, place)
    return None if cut is not None and unfinished(scan, start, place) else cut


def _at_word(scan: Scan, start: int, place: int) -> Cut | None:
    token, tag = scan.tokens[place], scan.tags[place]
    if token.kind is Kind.PUNCT:
        return _at_comma(scan, start, place) if token.low in _COMMAS else None
    if tag & (COORDINATOR | REASON | RELATIVE | CONTRAST):
        return at_conjunction(scan, start, place)
    if tag & (SUBJECT | DETERMINER | FINITE | QUESTION | ADVERB):
        return at_juncture(scan, start, place)
    return None


def _is_dash(scan: Scan, place: int) -> bool:
    """Whether a hyphen stands for a dash: blanks on both sides."""
    if scan.tokens[place].low != "-" or place + 1 >= len(scan.tokens):
        return False
    token = scan.tokens[place]
    return scan.tokens[place - 1].end < token.start and token.end < scan.tokens[place + 1].start


def _at_strong(scan: Scan, start: int, place: int) -> Cut | None:
    tokens, low, first = scan.tokens, scan.tokens[place].low, place + 1
    if first >= len(tokens):
        return None
    if low in "+|" and tokens[place - 1].end == tokens[place].start:
        return None
    if low == "+" and scan.has_finite(start, place) and not scan.imperative_at(start, place):
        return None
    end = stretch_end(scan, first)
    if low == ":":
        return first, Role.MAIN
    if low in "–—-" and _range(scan, place):
        return None  # 9 AM - 9 PM
    if low in "–—-" and place - start < 2 and not scan.has_finite(start, place):
        return None
    if end - first < 2 and low not in ";+" and not scan.has_finite(first, end):
        return None
    clause = scan.starts_clause(first, end) or scan.imperative_at(first, end)
    return first, Role.MAIN if clause else Role.PHRASE


def _range(scan: Scan, place: int) -> bool:
    """Whether a dash stands between two numbers, with their units or halves of the day."""
    before = scan.tokens[place - 1], scan.tokens[max(0, place - 2)]
    return scan.tokens[place + 1].kind is Kind.NUMBER and any(token.kind is Kind.NUMBER for token in before)


def _at_comma(scan: Scan, start: int, place: int) -> Cut | None:
    first = place + 1
    if first >= len(scan.tokens):
        return None
    end = stretch_end(scan, first)
    tag = scan.tags[first]
    if tag & (COORDINATOR | REASON | RELATIVE | CONTRAST) and not tag & (SUBJECT | QUESTION):
        return None  # decided at the conjunction
    main = scan.has_finite(place, len(scan.tokens)) or scan.imperative_at(first, end)
    if (main and fronted(scan, start, place)) or _apposition(scan, start, place, end):
        return None
    left_claims = scan.claims(start, place)
    if scan.asks and tag & (QUESTION | FINITE) and left_claims:
        return first, Role.MAIN
    if tag & RELATIVE:
        return None
    if scan.starts_clause(first, end):
        return (first, Role.MAIN) if left_claims or place - start > 1 else None
    if scan.imperative_at(first, end) and left_claims and end - first >= 2:
        return first, Role.SHARED
    verb = scan.skip(first, end, ADVERB)
    if verb < end - 1 and _goes_on(scan, start, place, verb) and left_claims:
        return first, Role.SHARED
    return _phrase_at_comma(scan, start, place, end, left_claims=left_claims)


def _goes_on(scan: Scan, start: int, place: int, verb: int) -> bool:
    """Whether a verb after a comma shares the subject: `... for 3 weeks, loosens up`; `..., wrapped
    tightly` does not."""
    tag = scan.tags[verb]
    if tag & NOUNISH or not tag & (THIRD | PAST):
        return False
    past = any(scan.finite[p] and scan.tags[p] & PAST for p in range(start, place))
    return bool(tag & THIRD) or past or not tag & PARTICIPLE


def _apposition(scan: Scan, start: int, place: int, end: int) -> bool:
    """Whether [place, end) stands in commas between a noun and its verb: Perrin, the only witness, is ..."""
    if scan.has_finite(start, place) or end + 1 >= len(scan.tokens) or scan.tokens[end].low != ",":
        return False
    return not scan.has_finite(place, end) and bool(scan.tags[end + 1] & (FINITE | THIRD | PAST))


def _phrase_at_comma(scan: Scan, start: int, place: int, end: int, *, left_claims: bool) -> Cut | None:
    """A phrase is a claim of its own when it carries a number, a time or a place, or goes on with -ing."""
    first = place + 1
    if scan.tokens[first].low in _DEPENDENT:
        return None
    tag, size = scan.tags[first], end - first
    numbered = any(scan.tokens[p].kind is Kind.NUMBER for p in range(first, end))
    opening = scan.tags[min(scan.skip(first, end, ADVERB), end - 1)]
    place_or_time = bool(opening & PREPOSITION) and not opening & CONDITION
    opens_numbered = scan.tokens[first].kind is Kind.NUMBER and size >= 2
    if not left_claims:
        if scan.itemised or scan.tags[min(scan.skip(first, end, ADVERB), end - 1)] & (FINITE | THIRD):
            return None  # Perrin, the only witness, is ...
        worded = any(scan.tokens[p].kind is Kind.WORD for p in range(first, end))
        row = size >= 3 and place - start >= 3 and not _joined_row(scan, start)
        refuses = bool(tag & NEGATION) and size >= 2
        return (
            (first, Role.PHRASE)
            if refuses or row or (numbered and worded) or (place_or_time and size >= 3)
            else None
        )
    goes_on = bool(tag & GERUND) and not tag & NOUNISH and size >= 3
    afterthought = numbered and size <= 3 and end >= len(scan.tokens) - 1
    return (
        (first, Role.PHRASE)
        if goes_on or afterthought or opens_numbered or (place_or_time and size >= 4)
        else None
    )


def _joined_row(scan: Scan, start: int) -> bool:
    """Whether a conjunction closes the row of phrases that begins at `start`: eggs from the farm, milk and
    flour."""
    end = next((p for p in range(start, len(scan.tokens)) if scan.tokens[p].low in STRONG), len(scan.tokens))
    return any(scan.tags[p] & COORDINATOR and not scan.tags[p] & CONTRAST for p in range(start, end))
