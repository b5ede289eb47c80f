"""Cuts at words: at a conjunction, at a relative pronoun, and in unpunctuated speech at a bare subject."""

from __future__ import annotations

from extract.joints import Cut, Role, fronted, stretch_end
from extract.scan import (
    ADJECTIVE,
    ADVERB,
    BASE,
    CONDITION,
    CONTRAST,
    COORDINATOR,
    DETERMINER,
    FILLER,
    FINITE,
    GERUND,
    INFINITIVE,
    MODAL,
    NEGATION,
    NOUNISH,
    PAST,
    PREPOSITION,
    QUESTION,
    REASON,
    RELATIVE,
    SUBJECT,
    THIRD,
    VERBAL,
    Scan,
)
from extract.tokens import Kind
from extract.wordlists import words

_PAIRING = frozenset({"between", "both", "entre", "zwischen"})
_COMPARED = frozenset(
    {"later", "earlier", "more", "less", "fewer", "above", "below", "over", "under", "higher", "lower"}
)
_PAIR_TOKENS = 5
"""A list entry of so few tokens that joins two nouns is two entries: lettuce and rocket."""
_FRACTIONS = frozenset({"half", "quarter", "third"})
_NEEDS_CLAUSE = frozenset({"so", "while", "since", "da", "donc", "mientras"})
"""Conjunctions that are also plain adverbs or prepositions."""
_VERBS_TOO = frozenset({"given", "cause"})
_BEFORE_VERB = FINITE | MODAL | INFINITIVE | SUBJECT | ADVERB | DETERMINER | PREPOSITION
_UNENDED = frozenset(words("for of to with from at by about into than and"))
"""A clause does not end in one of these: what it governs stands behind the conjunction as well."""
ALTERNATIVE = frozenset({"or", "nor", "o", "u", "ni", "oder", "ou"})
_SHARES = frozenset({"each", "both", "all", "some", "most", "several"})
_ASIDES = frozenset(words("lol haha hahaha lmao rofl tbh btw imo imho xd jaja jajaja mdr hihi hehe"))
"""What people write in place of a full stop."""
_BINDS = PREPOSITION | CONDITION | REASON | DETERMINER | INFINITIVE | COORDINATOR | RELATIVE
"""A word that ties what follows to itself."""


def at_conjunction(scan: Scan, start: int, place: int) -> Cut | None:
    """The cut at a conjunction or relative pronoun."""
    after_comma = scan.tokens[place - 1].low == ","
    left_end = place - 1 if after_comma else place
    end = stretch_end(scan, place + 1)
    if place + 1 >= end or left_end <= start:
        return None
    tag = scan.tags[place]
    if tag & RELATIVE and not tag & REASON:
        return _at_relative(scan, start, place, end, after_comma=after_comma)
    if tag & REASON:
        return _at_reason(scan, place, end)
    if tag & CONTRAST and scan.tags[place + 1] & NEGATION:
        return None if end - place <= 2 else (place, Role.MAIN)  # `cute but no` is one claim
    if tag & CONTRAST:
        return (place, Role.MAIN) if scan.claims(start, left_end) or scan.has_finite(place + 1, end) else None
    if (fronted(scan, start, left_end) and _main_clause_follows(scan, place)) or _paired(scan, start, place):
        return None
    return _at_coordinator(scan, start, left_end, place, end)


def _main_clause_follows(scan: Scan, place: int) -> bool:
    """Whether what was fronted still waits for its main clause, behind a comma; a bare `if X and Y` does
    not."""
    return any(token.low == "," for token in scan.tokens[place:]) and scan.has_finite(place, len(scan.tokens))


def _paired(scan: Scan, start: int, place: int) -> bool:
    """Whether the conjunction joins two words: between X and Y, six and a half."""
    if scan.tokens[place + 1].low in _COMPARED:
        return True
    if any(scan.tokens[p].low in _PAIRING for p in range(max(start, place - 5), place)):
        return True
    later = scan.tokens[min(place + 2, len(scan.tokens) - 1)].low
    return scan.tokens[place - 1].kind is Kind.NUMBER and later in _FRACTIONS


def _at_reason(scan: Scan, place: int, end: int) -> Cut | None:
    first, low = place + 1, scan.tokens[place].low
    if place and low in _VERBS_TOO and scan.tags[place - 1] & _BEFORE_VERB:
        return None  # is given to infants, can cause harm
    if low == "so" and _concludes(scan, place, end):
        return place, Role.MAIN
    if low in _NEEDS_CLAUSE and not scan.starts_clause(first, end) and not scan.imperative_at(first, end):
        return None
    if low in ("so", "given") and scan.tokens[first].low == "that":
        first += 1
    if not scan.has_finite(first, end) and not scan.imperative_at(first, end):
        return None
    return (place if low == "so" and first == place + 1 else first), Role.MAIN


def _concludes(scan: Scan, place: int, end: int) -> bool:
    """Whether `so` draws a conclusion without a verb: `..., so one week it is`, `so 1924-1927`."""
    before, after = scan.tokens[place - 1], scan.tags[place + 1]
    if scan.finite[place - 1] or scan.tokens[place + 1].low in (
        "much",
        "many",
        "far",
        "that",
        "on",
        "long",
        "often",
    ):
        return False
    if before.low == ",":
        return True
    settled = scan.tokens[place + 1].kind is Kind.NUMBER or bool(after & (DETERMINER | NEGATION))
    return end - place <= 7 and (settled or not after & (ADJECTIVE | ADVERB | PREPOSITION | VERBAL | FINITE))


def _at_coordinator(scan: Scan, start: int, left_end: int, place: int, end: int) -> Cut | None:
    tags, first = scan.tags, place + 1
    if scan.tokens[left_end - 1].low in _UNENDED:
        return None  # search for and review these works
    left_claims = scan.claims(start, left_end)
    alternative = scan.tokens[place].low in ALTERNATIVE
    if scan.itemised and len(scan.tokens) <= _PAIR_TOKENS and not scan.has_finite(0, len(scan.tokens)):
        plain = all(t.kind is Kind.WORD and not scan.tags[p] & DETERMINER for p, t in enumerate(scan.tokens))
        return (
            None if alternative or not plain or scan.imperative_at(start, left_end) else (first, Role.PHRASE)
        )
    if scan.asks and tags[first] & (QUESTION | FINITE) and left_claims:
        return None if alternative else (first, Role.MAIN)
    subject = scan.skip(first, end, ADVERB | FILLER)
    after_comma = scan.tokens[place - 1].low == ","
    pronoun = after_comma or (subject < end and tags[subject] & SUBJECT and not tags[subject] & DETERMINER)
    if subject < end and tags[subject] & QUESTION and not scan.asks and not after_comma:
        return None  # looks solid and exactly what I needed
    denied = any(scan.tags[p] & NEGATION for p in range(start, left_end))
    supposed = any(scan.tags[p] & CONDITION for p in range(start, left_end))
    if alternative and (denied or supposed) and not (subject < end and tags[subject] & SUBJECT):
        return None  # not aware or conscious of what may come: the negation, or the `if`, holds for both
    if _german_goes_on(scan, first, end) and left_claims:
        return first, Role.SHARED
    later = end + 1
    opens_later = left_claims and after_comma and later < len(scan.tokens) and scan.tokens[end].low == ","
    if opens_later and fronted(scan, first, end) and scan.starts_clause(later, stretch_end(scan, later)):
        return first, Role.MAIN  # ..., and frankly, I'm tired
    if scan.starts_clause(first, end) and (left_claims or (pronoun and left_end - start >= 2)):
        return first, Role.MAIN
    if alternative:
        # alternatives under one negation or question are one claim; two orders are two proposals
        either = any(scan.tokens[p].low == "either" for p in range(start, left_end))
        orders = (either or scan.imperative_at(start, left_end)) and left_end - start > 1
        orders = orders and scan.imperative_at(first, end)
        return (first, Role.SHARED) if orders and not (scan.asks or denied) and end - first >= 3 else None
    refused = bool(tags[first] & NEGATION) and end - first >= 2 and not tags[first] & FINITE
    if refused and (left_claims or after_comma or left_end - start >= 3):
        return first, Role.PHRASE  # ... and no drilling
    if not left_claims:
        return None
    verb = scan.skip(first, end, ADVERB)
    if verb < end and end - verb >= 3 and _parallel(scan, start, left_end, verb):
        inside = scan.has_finite(start, left_end) and scan.main_verb(start, left_end) < 0
        return None if inside and not scan.imperative_at(start, left_end) else (first, Role.SHARED)
    return (first, Role.PHRASE) if _second_object(scan, first, end) and left_end - start >= 3 else None


def _german_goes_on(scan: Scan, first: int, end: int) -> bool:
    """Whether a German clause goes on with the subject before it: `ich plane ... und habe ein Budget`."""
    if scan.language.code != "de" or scan.asks or first + 1 >= end:
        return False
    tag, after = scan.tags[first], scan.tags[first + 1]
    return bool(tag & FINITE and not tag & SUBJECT) and not (after & SUBJECT and not after & DETERMINER)


def _second_object(scan: Scan, first: int, end: int) -> bool:
    """Whether [first, end) is a second thing with particulars of its own: `SSO, and a DPA before 1 April`."""
    if scan.asks or end - first < 3:
        return False
    if scan.tags[first] & PREPOSITION and end >= len(scan.tokens) - 1:
        return not scan.has_finite(first, end)
    opens = bool(scan.tags[first] & DETERMINER) or scan.tokens[first].kind in (Kind.NUMBER, Kind.CODE)
    inner = range(first, end)
    particular = any(scan.tags[p] & PREPOSITION or scan.tokens[p].kind is Kind.NUMBER for p in inner)
    particular = particular or any(scan.tags[p] & DETERMINER for p in range(first + 1, end))
    return opens and particular and not scan.has_finite(first, end)


def _parallel(scan: Scan, start: int, last: int, verb: int) -> bool:
    """Whether the verb at `verb` goes on from the verb of [start, last): same form, hence same subject."""
    tag = scan.tags[verb]
    if tag & FINITE and not tag & SUBJECT:
        return True
    if tag & GERUND or not tag & VERBAL:
        return False
    following, after = scan.tokens[verb + 1], scan.tags[verb + 1]
    object_follows = bool(after & (DETERMINER | SUBJECT | ADVERB | INFINITIVE)) or (
        following.kind in (Kind.CODE, Kind.NUMBER)
    )
    if tag & NOUNISH and not object_follows and not (after & PREPOSITION and not tag & BASE):
        return False
    if not tag & BASE:
        opening = scan.tags[min(scan.skip(start, last, ADVERB | FILLER), last - 1)]
        finite = any(scan.finite[p] and scan.tags[p] & (THIRD | PAST | FINITE) for p in range(start, last))
        return finite or bool(opening & (THIRD | PAST))
    return scan.imperative_at(start, last) or any(
        scan.tags[p] & (MODAL | INFINITIVE)
        or scan.tokens[p].low.endswith("'ll")
        or (scan.finite[p] and scan.tags[p] & BASE)
        for p in range(start, last)
    )


def _at_relative(scan: Scan, start: int, place: int, end: int, *, after_comma: bool) -> Cut | None:
    if not scan.claims(start, place):
        return None
    if scan.tokens[place].low not in ("who", "which", "whose") and not after_comma:
        return None
    if not after_comma and (scan.tags[place - 1] & (PREPOSITION | VERBAL) or end - place < 4):
        return None
    if scan.has_finite(place + 1, end) or (place + 1 < end and scan.tags[place + 1] & VERBAL):
        return place, Role.RELATIVE
    return None


def at_juncture(scan: Scan, start: int, place: int) -> Cut | None:
    """Without punctuation a new claim begins at a bare subject with its verb, or at an inverted question.

    Only dictated speech is cut everywhere. Elsewhere `the plan she made` is more likely one phrase,
    so there the subject must follow an adjective or a number: `19:15 is too late she is ...`.
    """
    tags = scan.tags
    before, tag = tags[place - 1], tags[place]
    if tag & DETERMINER and place + 2 < len(tags) and tags[place + 1] & GERUND and scan.claims(start, place):
        # ... 3 functions each opening its own pool
        return (place, Role.PHRASE) if scan.tokens[place].low in _SHARES else None
    if scan.tokens[place - 1].low in _ASIDES and scan.claims(start, place):
        return (place, Role.MAIN) if scan.starts_clause(place, len(scan.tokens)) else None
    if scan.written or (
        not scan.dictated and not (before & ADJECTIVE or scan.tokens[place - 1].kind is Kind.NUMBER)
    ):
        return None
    if before & ADJECTIVE and place > 1 and tags[place - 2] & QUESTION:
        return None  # how important it is
    if scan.tokens[place - 1].low in ("once", "twice", "times"):
        return None  # twice a day
    if before & _BINDS and not (before & ADVERB and not before & SUBJECT):
        return None
    if place - start < 2 or scan.finite[place - 1] or not scan.claims(start, place):
        return None
    end = min(len(scan.tokens), place + 6)
    if scan.dictated and scan.imperative_at(place, end) and tag & NEGATION:
        return place, Role.MAIN
    if tag & FINITE and not tag & SUBJECT:
        inverted = place + 1 < end and tags[place + 1] & SUBJECT and not before & (SUBJECT | QUESTION)
        return (place, Role.MAIN) if inverted and scan.dictated else None
    if tag & QUESTION and place + 2 < end and tags[place + 1] & FINITE and tags[place + 2] & SUBJECT:
        return place, Role.MAIN
    if before & VERBAL and not (before & NOUNISH and not tags[place - 2] & (INFINITIVE | MODAL)):
        return None
    if tag & SUBJECT and not tag & DETERMINER and scan.starts_clause(place, min(end, place + 4)):
        return place, Role.MAIN
    if scan.dictated and tag & DETERMINER and not before & ADJECTIVE and scan.starts_clause(place, end):
        return place, Role.MAIN
    return None
