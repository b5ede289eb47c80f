"""Sentences to clauses: one clause, one claim.

The reader goes over a sentence once, left to right, and asks at each comma, conjunction and aside whether a new
claim begins there. It needs no parser: a claim begins where a subject is followed by a verb, or where a verb goes on
from the same subject. What depends on the main clause (if, when, that) stays with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from extract.languages.lexicon import Language, Tag
from extract.tokens import Kind, Token

SUBJECT, FINITE, MODAL = int(Tag.SUBJECT), int(Tag.FINITE), int(Tag.MODAL)
BASE, THIRD, PAST, PARTICIPLE, GERUND = (
    int(Tag[n]) for n in ("BASE", "THIRD", "PAST", "PARTICIPLE", "GERUND")
)
NOUNISH, DETERMINER, PREPOSITION = int(Tag.NOUNISH), int(Tag.DETERMINER), int(Tag.PREPOSITION)
COORDINATOR, CONTRAST, REASON = int(Tag.COORDINATOR), int(Tag.CONTRAST), int(Tag.REASON)
CONDITION, RELATIVE, QUESTION = int(Tag.CONDITION), int(Tag.RELATIVE), int(Tag.QUESTION)
ADVERB, NEGATION, INFINITIVE = int(Tag.ADVERB), int(Tag.NEGATION), int(Tag.INFINITIVE)
FILLER, ADJECTIVE = int(Tag.FILLER), int(Tag.ADJECTIVE)
VERBAL = BASE | THIRD | PAST
FUNCTION = (
    DETERMINER | PREPOSITION | COORDINATOR | CONDITION | REASON | SUBJECT | INFINITIVE | RELATIVE | FINITE
)

_STRONG = frozenset(";:—–→|+")
_OPENERS = {"(": ")", "[": "]"}
_QUOTES = frozenset('"“”«»„')
DICTATED_WORDS = 22
"""A sentence of more words than this with next to no punctuation is taken for dictated speech."""
_LOOK_AHEAD = 9


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


@dataclass(frozen=True, slots=True)
class Clause:
    """Consecutive tokens of a sentence that make one claim."""

    tokens: tuple[Token, ...]
    tags: tuple[int, ...]
    role: Role
    finite: bool
    """Whether it has a verb that makes it a clause."""
    left: int | None = None
    """Index, among the sentence's clauses, of the one it continues."""

    @property
    def finite_start(self) -> bool:
        """Whether it opens with a subject or a finite verb, hence is no order."""
        return bool(self.tags and self.tags[0] & (SUBJECT | FINITE))

    @property
    def words(self) -> int:
        """Tokens that carry content."""
        return sum(token.kind <= Kind.UNSPACED for token in self.tokens)


class Scan:
    """A sentence's tokens with tags, and the places where a verb makes a clause."""

    def __init__(self, tokens: Sequence[Token], language: Language) -> None:
        self.language = language
        self.tokens = [token for token in tokens if token.kind is not Kind.MARK]
        spell, tag = language.spellings.get, language.tag
        self.tags = [
            tag(spell(token.low, token.low)) if token.kind is Kind.WORD else 0 for token in self.tokens
        ]
        self.finite = self._finites()
        words = sum(token.kind is Kind.WORD for token in self.tokens)
        marks = sum(token.kind is Kind.PUNCT and token.low in ",;:" for token in self.tokens)
        self.dictated = words > DICTATED_WORDS and marks * 14 <= words

    def _finites(self) -> list[bool]:
        tags = self.tags
        found = []
        plural = False
        for place, tag in enumerate(tags):
            before = tags[place - 1] if place else 0
            if tag & FINITE:
                found.append(True)
                continue
            if not tag & VERBAL or place == 0:
                found.append(False)
                continue
            back = place - 1
            while back > 0 and tags[back] & ADVERB and not tags[back] & (SUBJECT | DETERMINER):
                back -= 1
            subject, word = tags[back], self.tokens[back]
            plural = word.low.endswith("s") and len(word.low) > 3
            if subject & SUBJECT and not subject & FINITE:
                found.append(not (subject & DETERMINER and tag & NOUNISH) or back != place - 1)
                continue
            nounlike = (
                word.kind in (Kind.WORD, Kind.CODE, Kind.NUMBER, Kind.LINK)
                and not subject & (FUNCTION | ADJECTIVE | GERUND)
                or word.low in (")", '"', "”")
            )
            if tag & (THIRD | PAST):
                found.append(
                    nounlike
                    and not (tag & NOUNISH and (word.kind is Kind.NUMBER or self._noun_follows(place)))
                    and not before & (MODAL | DETERMINER)
                )
            else:
                found.append(
                    plural
                    and nounlike
                    and not (subject & VERBAL and not subject & NOUNISH)
                    and place + 1 < len(tags)
                )
        return found

    def _noun_follows(self, place: int) -> bool:
        """A verb-or-noun at the end of its stretch, or before a verb, is a noun."""
        if place + 1 >= len(self.tokens):
            return True
        following = self.tags[place + 1]
        return bool(following & FINITE) or self.tokens[place + 1].kind in (Kind.END, Kind.PUNCT)

    def has_finite(self, first: int, last: int) -> bool:
        """Whether a clause-making verb stands in [first, last)."""
        return any(self.finite[first:last])

    def starts_clause(self, first: int, last: int) -> bool:
        """Whether [first, last) opens with a subject and its verb."""
        place = self._skip(first, last, ADVERB | FILLER)
        if place >= last:
            return False
        tag = self.tags[place]
        if tag & SUBJECT and tag & FINITE:
            return True
        if tag & SUBJECT and not (
            tag & DETERMINER and place + 1 < last and not self._verb_soon(place + 1, min(last, place + 3))
        ):
            return self._verb_soon(place + 1, min(last, place + 5))
        if tag & (PREPOSITION | CONDITION | INFINITIVE | COORDINATOR | REASON):
            return False
        if tag & FINITE:
            # inversion: can you, is it
            return place + 1 < last and bool(self.tags[place + 1] & (SUBJECT | DETERMINER))
        return self._verb_soon(place + 1, min(last, place + _LOOK_AHEAD))

    def _verb_soon(self, first: int, last: int) -> bool:
        for place in range(first, last):
            if self.finite[place]:
                return True
            if self.tokens[place].kind >= Kind.END and self.tokens[place].low not in _QUOTES:
                return False
            if self.tags[place] & (CONDITION | REASON | RELATIVE) and not self.tags[place] & (
                SUBJECT | PREPOSITION
            ):
                return False
        return False

    def _skip(self, first: int, last: int, mask: int) -> int:
        while first < last and (
            (self.tags[first] & mask and not self.tags[first] & (SUBJECT | FINITE))
            or self.tokens[first].low in _QUOTES
        ):
            first += 1
        return first

    def imperative_at(self, first: int, last: int) -> bool:
        """Whether [first, last) opens with an order: a base form that is no mere noun."""
        place = self._skip(first, last, FILLER | ADVERB)
        if place < last and self.tokens[place].low in ("don't", "do", "never", "always"):
            place += 1
            place += place < last and self.tokens[place].low == "not"
        if place >= last:
            return False
        tag = self.tags[place]
        if not tag & BASE or tag & (FINITE | SUBJECT):
            return False
        if place + 1 >= last:
            return not tag & NOUNISH
        following, after = self.tokens[place + 1], self.tags[place + 1]
        if following.kind is Kind.PUNCT and following.low in ":,":
            return not tag & NOUNISH
        if tag & NOUNISH:
            return bool(
                after & (DETERMINER | ADVERB | SUBJECT | INFINITIVE | ADJECTIVE)
                or following.kind in (Kind.CODE, Kind.NUMBER, Kind.LINK)
                or (
                    after & PREPOSITION
                    and following.low not in ("of",)
                    and not self.has_finite(place + 1, last)
                )
                or (
                    not after & (FINITE | COORDINATOR)
                    and not self.has_finite(place + 1, last)
                    and last - place > 2
                )
            )
        return not (after & FINITE and not after & SUBJECT)


def split_clauses(tokens: Sequence[Token], language: Language) -> list[Clause]:
    """The clauses of one sentence, in order; they may nest (an aside inside its host) but never cross."""
    scan = Scan(tokens, language)
    cuts, asides = _cuts(scan)
    clauses: list[Clause] = []
    for first, last, role in cuts:
        left = len(clauses) - 1 if clauses else None
        while left is not None and clauses[left].role is Role.ASIDE:
            left = left - 1 if left else None
        clauses.append(_clause(scan, first, last, role, left))
        for inner_first, inner_last in asides:
            if first <= inner_first < last or (first < last and inner_first == last):
                clauses.append(_clause(scan, inner_first, inner_last, Role.ASIDE, len(clauses) - 1))
    return [clause for clause in clauses if clause.tokens]


def _clause(scan: Scan, first: int, last: int, role: Role, left: int | None) -> Clause:
    while (
        first < last and scan.tokens[first].kind is Kind.PUNCT and scan.tokens[first].low not in _KEEP_FIRST
    ):
        first += 1
    while (
        last > first
        and scan.tokens[last - 1].kind in (Kind.PUNCT, Kind.END)
        and scan.tokens[last - 1].low not in _KEEP_LAST
    ):
        last -= 1
    finite = scan.has_finite(first, last)
    return Clause(tuple(scan.tokens[first:last]), tuple(scan.tags[first:last]), role, finite, left)


_KEEP_FIRST = frozenset("\"“«‘'¿¡(+-−±~<>≥≤£€$¥#@/")
_KEEP_LAST = frozenset("?)\"”»’%+€$£°'")


def _cuts(scan: Scan) -> tuple[list[tuple[int, int, Role]], list[tuple[int, int]]]:
    """(first, last, role) of the clauses, and the [first, last) of asides worth a claim of their own."""
    tokens, tags, count = scan.tokens, scan.tags, len(scan.tokens)
    cuts: list[tuple[int, int, Role]] = []
    asides: list[tuple[int, int]] = []
    start, role, place = 0, Role.MAIN, 0
    while place < count:
        low = tokens[place].low
        if low in _OPENERS and tokens[place].kind is Kind.PUNCT:
            close = _closing(scan, place)
            if close is not None:
                if _worth_a_claim(scan, place + 1, close):
                    asides.append((place + 1, close))
                    if close + 1 >= count or tokens[close + 1].kind in (Kind.PUNCT, Kind.END):
                        # at the end of its clause the aside need not stay inside
                        if place > start:
                            cuts.append((start, place, role))
                            start, role = close + 1, Role.MAIN
                            place = close + 1
                            continue
                place = close + 1
                continue
        cut = _cut_at(scan, start, place)
        if cut is None:
            place += 1
            continue
        resume, next_role = cut
        cuts.append((start, place, role))
        start, role = resume, next_role
        place = max(resume, place + 1)
    if start < count:
        cuts.append((start, count, role))
    return [cut for cut in cuts if cut[0] < cut[1]], asides


def _closing(scan: Scan, place: int) -> int | None:
    close = _OPENERS[scan.tokens[place].low]
    for offset in range(place + 1, min(len(scan.tokens), place + 60)):
        if scan.tokens[offset].low == close:
            return offset
    return None


def _worth_a_claim(scan: Scan, first: int, last: int) -> bool:
    words = [place for place in range(first, last) if scan.tokens[place].kind <= Kind.UNSPACED]
    if len(words) < 2:
        return False
    opening = scan.tokens[first].low
    if opening in {
        "e.g",
        "e.g.",
        "like",
        "such",
        "i.e",
        "i.e.",
        "optional",
        "including",
        "incl",
        "for",
        "see",
        "or",
        "aka",
    }:
        return False
    return any(not scan.tags[place] & FUNCTION and scan.tokens[place].kind is Kind.WORD for place in words)


def _cut_at(scan: Scan, start: int, place: int) -> tuple[int, Role] | None:
    """Where the next clause resumes and its role, if the clause that began at `start` ends before `place`."""
    token, tag = scan.tokens[place], scan.tags[place]
    if place <= start:
        return None
    if token.kind is Kind.END:
        return (place + 1, Role.MAIN) if place + 1 < len(scan.tokens) and token.low != "." else None
    if token.kind is Kind.PUNCT:
        if token.low in _STRONG:
            return _at_strong(scan, start, place)
        if token.low == "-" and token.start > scan.tokens[place - 1].end:
            return _at_strong(scan, start, place)
        if token.low in ",،、，":
            return _at_comma(scan, start, place)
        return None
    if tag & (COORDINATOR | REASON | RELATIVE | CONTRAST):
        return _at_conjunction(scan, start, place)
    if scan.dictated:
        return _at_juncture(scan, start, place)
    return None


def _stretch_end(scan: Scan, first: int) -> int:
    """Where the stretch that begins at `first` ends: the next comma, stop or strong mark."""
    for place in range(first, len(scan.tokens)):
        token = scan.tokens[place]
        if token.kind is Kind.END or (
            token.kind is Kind.PUNCT and (token.low in _STRONG or token.low in ",()")
        ):
            return place
    return len(scan.tokens)


def _at_strong(scan: Scan, start: int, place: int) -> tuple[int, Role] | None:
    low = scan.tokens[place].low
    if place + 1 >= len(scan.tokens):
        return None
    if low in "+|" and not (scan.tokens[place - 1].end < scan.tokens[place].start):
        return None
    if low == ":":
        if place - start <= 4 and not scan.has_finite(start, place):
            return None
        return place + 1, Role.MAIN
    if low in "–—-" and not scan.has_finite(start, place) and place - start < 2:
        return None
    end = _stretch_end(scan, place + 1)
    if end - place - 1 < 2 and not scan.has_finite(place + 1, end) and low not in ";+":
        return None
    role = (
        Role.MAIN if scan.starts_clause(place + 1, end) or scan.imperative_at(place + 1, end) else Role.PHRASE
    )
    return place + 1, role


def _fronted(scan: Scan, start: int, place: int) -> bool:
    """Whether [start, place) only leads in to the main clause that follows: if ..., for 40 members, in May."""
    first = scan._skip(start, place, FILLER | ADVERB)
    if first >= place:
        return True
    tag = scan.tags[first]
    if tag & CONDITION and not tag & (RELATIVE | QUESTION):
        return True
    if tag & QUESTION and tag & CONDITION and not scan.tokens[place - 1].low == "?":
        return scan.tokens[first].low in ("when", "where", "while") and scan.has_finite(first, place)
    return bool(tag & (PREPOSITION | GERUND | PARTICIPLE) and not scan.has_finite(start, place))


def _at_comma(scan: Scan, start: int, place: int) -> tuple[int, Role] | None:
    first = place + 1
    if first >= len(scan.tokens):
        return None
    end = _stretch_end(scan, first)
    tag = scan.tags[first]
    if tag & (COORDINATOR | REASON | RELATIVE | CONTRAST):
        return None  # decided at the conjunction
    left_finite = scan.has_finite(start, place)
    if _fronted(scan, start, place):
        return None
    if scan.starts_clause(first, end):
        if left_finite or place - start > 3 or scan.imperative_at(start, place):
            return first, Role.MAIN
        return None if place - start <= 1 else (first, Role.MAIN)
    if (
        scan.imperative_at(first, end)
        and (left_finite or scan.imperative_at(start, place))
        and end - first > 2
    ):
        return first, Role.SHARED
    if not left_finite and not scan.imperative_at(start, place):
        # a row of phrases: those that carry a number are claims
        numbered = any(scan.tokens[p].kind is Kind.NUMBER for p in range(first, end))
        return (first, Role.PHRASE) if numbered and place - start >= 1 else None
    return None


def _at_conjunction(scan: Scan, start: int, place: int) -> tuple[int, Role] | None:
    tokens, tags = scan.tokens, scan.tags
    after_comma = tokens[place - 1].low == ","
    left_end = place - 1 if after_comma else place
    end = _stretch_end(scan, place + 1)
    if place + 1 >= end or left_end <= start:
        return None
    tag, low = tags[place], tokens[place].low
    left_finite = scan.has_finite(start, left_end)
    left_claims = left_finite or scan.imperative_at(start, left_end)
    if tag & RELATIVE and not tag & REASON:
        return _at_relative(scan, start, place, end, after_comma=after_comma)
    if tag & REASON:
        first = place + 1
        if (
            low in ("so", "while", "since")
            and not scan.starts_clause(first, end)
            and not scan.imperative_at(first, end)
        ):
            return None
        if low == "so" and tokens[first].low == "that":
            first += 1
        if not scan.has_finite(first, end) and not scan.imperative_at(first, end):
            return None
        return (first if low != "so" else place + 1, Role.MAIN) if left_end - start >= 1 else None
    if _fronted(scan, start, left_end) and tag & COORDINATOR and not tag & CONTRAST:
        return None
    if tag & CONTRAST:
        return (place, Role.MAIN) if left_claims or scan.has_finite(place + 1, end) else None
    if tag & COORDINATOR:
        if scan.starts_clause(place + 1, end) and left_claims:
            return place + 1, Role.MAIN
        verb = scan._skip(place + 1, end, ADVERB)
        if verb < end and left_claims and end - verb >= 3 and _parallel(scan, start, left_end, verb):
            return place + 1, Role.SHARED
    return None


def _parallel(scan: Scan, start: int, last: int, verb: int) -> bool:
    """Whether the verb at `verb` goes on from the verb of [start, last): same form, hence same subject."""
    tag = scan.tags[verb]
    if tag & FINITE and not tag & SUBJECT:
        return True
    if tag & GERUND or not tag & VERBAL:
        return False
    if tag & (THIRD | PAST) and not tag & BASE:
        return any(
            scan.finite[p] and scan.tags[p] & (THIRD | PAST | FINITE) for p in range(start, last)
        ) and (not tag & NOUNISH or bool(scan.tags[verb + 1] & (DETERMINER | SUBJECT | ADVERB | PREPOSITION)))
    if tag & BASE:
        has_base = (
            scan.imperative_at(start, last)
            or any(scan.tags[p] & MODAL or scan.tags[p] & INFINITIVE for p in range(start, last))
            or any(scan.tokens[p].low.endswith("'ll") for p in range(start, last))
            or any(scan.finite[p] and scan.tags[p] & BASE for p in range(start, last))
        )
        if not has_base:
            return False
        return not tag & NOUNISH or bool(
            scan.tags[verb + 1] & (DETERMINER | SUBJECT | ADVERB | INFINITIVE)
            or scan.tokens[verb + 1].kind is Kind.CODE
        )
    return False


def _at_relative(
    scan: Scan, start: int, place: int, end: int, *, after_comma: bool
) -> tuple[int, Role] | None:
    if not scan.has_finite(start, place) and not scan.imperative_at(start, place):
        return None
    low = scan.tokens[place].low
    if low in ("who", "which", "whose") or after_comma:
        if not after_comma and (scan.tags[place - 1] & (PREPOSITION | VERBAL) or end - place < 4):
            return None
        if scan.has_finite(place + 1, end) or (place + 1 < end and scan.tags[place + 1] & VERBAL):
            return place, Role.RELATIVE
    return None


def _at_juncture(scan: Scan, start: int, place: int) -> tuple[int, Role] | None:
    """In dictated speech a new claim begins at a bare subject with its verb, or at an inverted question."""
    tags = scan.tags
    before = tags[place - 1]
    if (
        before & (PREPOSITION | CONDITION | REASON | DETERMINER | INFINITIVE | COORDINATOR | RELATIVE)
        and not before & ADVERB
    ):
        return None
    if not scan.has_finite(start, place) or place - start < 2:
        return None
    tag = tags[place]
    end = min(len(scan.tokens), place + 6)
    if tag & FINITE and not tag & SUBJECT:
        inverted = place + 1 < end and tags[place + 1] & SUBJECT and not before & (SUBJECT | QUESTION)
        return (place, Role.MAIN) if inverted else None
    if (
        tag & QUESTION
        and place + 1 < end
        and tags[place + 1] & FINITE
        and place + 2 < end
        and tags[place + 2] & SUBJECT
    ):
        return place, Role.MAIN
    if before & (VERBAL | FINITE) and not before & NOUNISH:
        return None
    if tag & SUBJECT and scan.starts_clause(place, min(end, place + 4)):
        return place, Role.MAIN
    if tag & DETERMINER and scan.starts_clause(place, end) and not before & ADJECTIVE:
        return place, Role.MAIN
    return None
