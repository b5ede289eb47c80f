"""Sentences to clauses: one clause, one claim.

The reader goes over a sentence once, left to right, and asks at each comma, conjunction and aside whether a
new claim begins there. It needs no parser: a claim begins where a subject is followed by a verb, or where a
verb goes on from the same subject. What depends on the main clause (if, when, that) stays with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from extract.cuts import cut_at
from extract.joints import OPENERS, Role, closing_bracket
from extract.languages.lexicon import Language
from extract.scan import (
    ADJECTIVE,
    ADVERB,
    CONDITION,
    COORDINATOR,
    DETERMINER,
    FILLER,
    FINITE,
    MODAL,
    NEGATION,
    PREPOSITION,
    SUBJECT,
    VERBAL,
    Scan,
)
from extract.tokens import Kind, Token
from extract.wordlists import words


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
    verbs: tuple[bool, ...] = ()
    """Which tokens are verbs that make a clause; as many as there are tokens."""

    @property
    def opens_finite(self) -> bool:
        """Whether it opens with a subject or a finite verb, hence is no order."""
        return bool(self.tags and self.tags[0] & (SUBJECT | FINITE))

    @property
    def words(self) -> int:
        """Tokens that carry content."""
        return sum(token.kind <= Kind.UNSPACED for token in self.tokens)


_LABEL_TOKENS = 7
_PHRASE_TOKENS = 3
_BACKWARD = frozenset({"it", "they", "this", "that", "he", "she", "these", "those"})
"""A pronoun after the colon that speaks of the words before it: those are a claim, no label."""


def split_label(sentence: Sequence[Token], language: Language) -> tuple[list[Token], list[Token]]:
    """(label, rest) of a sentence that opens with a few verbless words and a colon; ([], sentence) of any
    other."""
    worded = 0
    for place, token in enumerate(sentence[: 2 * _LABEL_TOKENS]):
        if token.kind is Kind.END or worded > _LABEL_TOKENS:
            break
        worded += token.kind is not Kind.MARK
        if token.low != ":" or not worded > 1:
            continue
        label = [word for word in sentence[:place] if word.kind is not Kind.MARK]
        scan = Scan(label, language)
        if (
            not label
            or any(word.low == "," for word in label)
            or (scan.has_finite(0, len(label)) and not scan.tags[0] & MODAL)  # must have: ...
            or scan.imperative_at(0, len(label))
        ):
            break
        rest = list(sentence[place + 1 :])
        while rest and rest[0].kind is Kind.MARK:
            rest.pop(0)
        if len(label) >= _PHRASE_TOKENS and rest and rest[0].low in _BACKWARD:
            break  # gravel instead of paving: it drains
        return label, rest
    return [], list(sentence)


def split_clauses(
    tokens: Sequence[Token], language: Language, *, itemised: bool = False, written: bool = False
) -> list[Clause]:
    """The clauses of one sentence, in order; they may nest (an aside inside its host) but never cross.

    `written`: it was never dictated, however few its commas.
    """
    scan = Scan(tokens, language, itemised=itemised)
    scan.dictated, scan.written = scan.dictated and not written, written
    cuts, asides = _cuts(scan)
    cuts = _rejoined(scan, cuts)
    clauses: list[Clause] = []
    for first, last, role in cuts:
        left = len(clauses) - 1 if clauses else None
        while left is not None and clauses[left].role is Role.ASIDE:
            left = left - 1 if left else None
        clauses.append(_clause(scan, first, last, role, left))
        for inner_first, inner_last in asides:
            if first <= inner_first <= last + 1 and inner_first > first:
                clauses.append(_clause(scan, inner_first, inner_last, Role.ASIDE, len(clauses) - 1))
    return [clause for clause in clauses if clause.tokens]


def enumerated(clause: Clause) -> list[Clause]:
    """The entries of a verbless row of at least three: `Collective, Network, or House`."""
    if clause.finite:
        return [clause]
    entries: list[tuple[int, int]] = []
    start = 0
    for place, (token, tag) in enumerate(zip(clause.tokens, clause.tags, strict=True)):
        if token.low in ",;" or tag & COORDINATOR:
            entries.append((start, place))
            start = place + 1
    entries.append((start, len(clause.tokens)))
    entries = [(first, last) for first, last in entries if first < last]
    if len(entries) < _ROW:
        return [clause]
    return [
        replace(
            clause,
            tokens=clause.tokens[a:b],
            tags=clause.tags[a:b],
            verbs=clause.verbs[a:b],
            role=Role.PHRASE,
        )
        for a, b in entries
    ]


_ROW = 3


def _rejoined(scan: Scan, cuts: list[tuple[int, int, Role]]) -> list[tuple[int, int, Role]]:
    """The cuts with afterthoughts that have no content of their own joined to what they comment on: `or S3,
    not sure`."""
    joined: list[tuple[int, int, Role]] = []
    for first, last, role in cuts:
        words = [p for p in range(first, last) if scan.tokens[p].kind <= Kind.UNSPACED]
        empty = words and all(scan.tokens[p].kind is Kind.WORD and scan.tags[p] & _EMPTY for p in words)
        if empty and joined and len(words) <= 3 and not scan.has_finite(first, last):
            joined[-1] = (joined[-1][0], last, joined[-1][2])
        else:
            joined.append((first, last, role))
    return joined


_EMPTY = NEGATION | ADVERB | FILLER | ADJECTIVE


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
    if sum(token.low == '"' for token in scan.tokens[first:last]) % 2 and last - first > 1:
        first += scan.tokens[first].low == '"'
        last -= scan.tokens[last - 1].low == '"'
    verbs = tuple(scan.finite[first:last])
    return Clause(tuple(scan.tokens[first:last]), tuple(scan.tags[first:last]), role, any(verbs), left, verbs)


_KEEP_FIRST = frozenset("\"“«‘'¿¡(+-−±~<>≥≤£€$¥#@/")
_KEEP_LAST = frozenset("?)\"”»’%+€$£°'")


def _cuts(scan: Scan) -> tuple[list[tuple[int, int, Role]], list[tuple[int, int]]]:
    """(first, last, role) of the clauses, and the [first, last) of asides worth a claim of their own."""
    tokens, count = scan.tokens, len(scan.tokens)
    cuts: list[tuple[int, int, Role]] = []
    asides: list[tuple[int, int]] = []
    start, role, place = 0, Role.MAIN, 0
    while place < count:
        low = tokens[place].low
        if low in OPENERS and tokens[place].kind is Kind.PUNCT:
            close = closing_bracket(scan, place)
            if close is not None:
                if _worth_a_claim(scan, start, place + 1, close):
                    asides.append((place + 1, close))
                    ends = close + 1 >= count or tokens[close + 1].kind in (Kind.PUNCT, Kind.END)
                    if ends and place > start:
                        # at the end of its clause the aside need not stay inside
                        cuts.append((start, place, role))
                        start, role = close + 1, Role.MAIN
                place = close + 1
                continue
        quote = scan.closing_quote(place)
        if quote is not None:
            place = quote + 1
            continue
        cut = cut_at(scan, start, place)
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


def _worth_a_claim(scan: Scan, start: int, first: int, last: int) -> bool:
    """Whether a bracket says something of its own: a verb, a number, or a phrase, beside a clause that has
    a verb."""
    words = [place for place in range(first, last) if scan.tokens[place].kind <= Kind.UNSPACED]
    if len(words) < 2 or scan.tokens[first].low in _EXAMPLE_OPENERS or scan.tags[first] & CONDITION:
        return False
    if scan.has_finite(first, last):
        return not scan.tags[first] & FINITE or bool(scan.tags[first] & SUBJECT)  # (could have been 8)
    if not (scan.claims(start, first - 1) or scan.has_finite(last, len(scan.tokens))):
        return False
    if any(scan.tokens[place].kind is Kind.NUMBER for place in words):
        return any(scan.tokens[place].kind is Kind.WORD for place in words)
    return any(scan.tags[place] & _PHRASAL for place in words)


_EXAMPLE_OPENERS = frozenset(
    words(
        """
e.g eg like such i.e ie optional including incl for see or aka z.b d.h p.ej
"""
    )
)
_PHRASAL = FINITE | DETERMINER | PREPOSITION | VERBAL | ADJECTIVE | ADVERB


def announces(clause: Clause, text: str) -> bool:
    """Whether a colon stands behind a clause of `text`: what follows is what it announces."""
    return text[clause.tokens[-1].end :].lstrip()[:1] == ":"
