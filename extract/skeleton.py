"""A part of a long clause as a sentence: with the clause's core, less what the core can do without.

`The goal of feature selection is to improve the performance of the model by reducing its inputs` has a core
(`The goal is to improve the performance`) and modifiers. A part of it (`by reducing its inputs`) is a
sentence once the core stands before it; what is left out has its own unit. Under a negation nothing is left
out: `not without approval` and `not` are two claims.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from extract.candidates import Candidate
from extract.clauses import Clause
from extract.heads import Head
from extract.languages.lexicon import Tag
from extract.seams import WANT_INFINITIVE
from extract.tokens import Kind
from extract.wordlists import words

_VERBAL = Tag.BASE | Tag.PARTICIPLE | Tag.GERUND | Tag.PAST | Tag.THIRD | Tag.FINITE
_SUBORDINATES = Tag.RELATIVE | Tag.CONDITION | Tag.REASON
_QUANTITIES = frozenset(
    words(
        """
one some most many much all each any none half part parts number numbers lot lots kind kinds type types sort
range variety series set couple pair few plenty majority rest piece bit amount level lack group list majority
"""
    )
)
"""Nouns that are nothing without what stands behind their `of`."""
_BINDING = frozenset(words("if unless until only without except"))
"""Words that bound a claim: what they open is not left out."""
_SEPARATORS = frozenset(",;:–—-()")


class Part(IntEnum):
    """What a chunk is to its clause."""

    FRONT = 0
    SUBJECT = 1
    VERB = 2
    OBJECT = 3
    PREPOSITIONAL = 4
    INFINITIVE = 5
    SUBORDINATE = 6
    COORDINATED = 7
    PARTICIPIAL = 8


@dataclass(frozen=True, slots=True)
class Chunk:
    """Tokens [first, last) of a clause that stay or go together."""

    first: int
    last: int
    part: Part


def chunks_of(clause: Clause, head: Head, last: int) -> list[Chunk]:
    """The tokens [0, last) of a clause in chunks."""
    found: list[Chunk] = []
    first, part = 0, Part.FRONT if head.start else Part.SUBJECT
    while first < min(last, head.verb) and (
        clause.tokens[first].low in _SEPARATORS
        or (clause.tags[first] & (Tag.FILLER | Tag.ASSENT) and not clause.tags[first] & Tag.SUBJECT)
    ):
        first += 1
    for place in range(first, last):
        opens = _opens(clause, head, place, part)
        if opens is None:
            continue
        if place > first:
            found.append(Chunk(first, place, part))
        first, part = place, opens
    if last > first:
        found.append(Chunk(first, last, part))
    return found


def _opens(clause: Clause, head: Head, place: int, current: Part) -> Part | None:
    """What begins at the token `place`; None if the chunk goes on."""
    tag, before = clause.tags[place], clause.tokens[place - 1] if place else None
    if place == head.start and place:
        return Part.SUBJECT
    if place == head.verb:
        return Part.VERB
    if place < head.start or head.start == place or head.verb < place < head.end:
        return None
    if current is Part.SUBORDINATE and place != head.end:
        return None if before is None or before.low != "," else _after(clause, head, place)
    following = clause.tags[place + 1] if place + 1 < len(clause.tags) else 0
    low = clause.tokens[place].low
    if low in _EXAMPLES and before is not None and before.low in _EXAMPLES:
        return None  # such as
    if low == "such":
        return Part.PREPOSITIONAL
    if tag & Tag.INFINITIVE and following & (Tag.BASE | Tag.ADVERB):
        return Part.INFINITIVE
    if tag & Tag.BASE and clause.tags[place - 1] & (Tag.SUBJECT | Tag.MODAL | Tag.INFINITIVE):
        return None  # would you like
    if tag & Tag.COORDINATOR:
        return Part.COORDINATED
    if tag & _SUBORDINATES and not tag & (Tag.PREPOSITION | Tag.DETERMINER):
        return Part.SUBORDINATE
    if tag & Tag.RELATIVE or low == "that":
        return Part.SUBORDINATE if following & (_VERBAL | Tag.SUBJECT | Tag.DETERMINER) else None
    if tag & Tag.PREPOSITION and not (tag & Tag.INFINITIVE and following & Tag.BASE):
        return Part.PREPOSITIONAL
    if place == head.end or (before is not None and before.low in _SEPARATORS):
        return _after(clause, head, place)
    return None


def _after(clause: Clause, head: Head, place: int) -> Part:
    if place < head.verb:
        return Part.SUBJECT
    if clause.tags[place] & Tag.GERUND:
        return Part.PARTICIPIAL
    return Part.OBJECT if place == head.end else Part.COORDINATED


@dataclass(frozen=True, slots=True)
class Core:
    """What stands before a part: what it needs of its clause, and what it can do without."""

    needed: tuple[Chunk, ...]
    spare: tuple[Chunk, ...]
    begin: int
    """Where the part's own words begin, past its conjunction."""


def core_of(candidate: Candidate, head: Head, first: int) -> Core | None:
    """The core for a part that begins at the token `first`, after the verb; None where it is not certain."""
    clause = candidate.clause
    if candidate.language.code != "en" or not 0 <= head.verb < first:
        return None
    row = row_of(clause, head, first)
    if row is None:
        return None
    edge, begin = row
    outside = chunks_of(clause, head, edge)
    needed = {chunk for place, chunk in enumerate(outside) if _needed(clause, outside, place)}
    if not _hangs_on_verb(clause, begin) or edge < first:
        needed |= _chain(outside)
    if any(_negates(clause, chunk) for chunk in needed if chunk.part in (Part.VERB, Part.SUBJECT)):
        needed = set(outside)
    spare = tuple(chunk for chunk in outside if chunk not in needed)
    return Core(tuple(chunk for chunk in outside if chunk in needed), spare, begin)


def rebuilt(candidate: Candidate, head: Head, first: int, last: int) -> Iterator[Candidate]:
    """The ways to put the core of the clause to its tokens [first, last), the fullest first; none where the
    clause has no core."""
    if head.verb >= last and candidate.language.code == "en":
        yield from _completed(candidate, head, first, last)
        return
    core = core_of(candidate, head, first)
    if core is None:
        return
    outside = sorted({*core.needed, *core.spare}, key=lambda chunk: chunk.first)
    spare = list(core.spare)
    while True:
        yield _joined(candidate, {*core.needed, *spare}, core.begin, last)
        if not spare:
            return
        spare.remove(max(spare, key=lambda chunk: _dispensable(chunk, head)))
        spare = [chunk for chunk in spare if _before(chunk, outside) in (*core.needed, *spare, None)]


def _completed(candidate: Candidate, head: Head, first: int, last: int) -> Iterator[Candidate]:
    """A part that ends before the verb, with the rest of the core behind it, the fullest first."""
    clause = candidate.clause
    joined = any(tag & Tag.COORDINATOR for tag in clause.tags[head.start : head.verb])
    if joined and last < head.verb and clause.tokens[head.verb].low in _PLURAL:
        return  # effectiveness and efficiency are
    outside = chunks_of(clause, head, len(clause.tokens))
    behind = [chunk for chunk in outside if chunk.first >= head.verb]
    subject = [chunk for chunk in outside if chunk.part is Part.SUBJECT and chunk.first >= last][:1]
    if first >= head.start or last > head.start:
        subject = []
    least = 2 if len(behind) > 1 else 1
    for count in range(min(len(behind), least + 3), least - 1, -1):
        if behind[count : count + 1] and behind[count].part is Part.COORDINATED:
            continue  # a positive and lasting ...
        yield _joined(candidate, {*subject, *behind[:count]}, first, last, head.start)


_PLURAL = frozenset({"are", "were", "have", "do", "aren't", "weren't", "haven't", "don't"})


def row_of(clause: Clause, head: Head, first: int) -> tuple[int, int] | None:
    """(edge, begin): the core of the clause goes up to the token `edge`, and the part's own words go on from
    `begin`; None where that is not certain.

    For what goes on a row, the core ends where the row began: `... is critical in reducing emissions, and
    promoting growth`.
    """
    tags, tokens = clause.tags, clause.tokens
    joined = bool(tags[first] & Tag.COORDINATOR)
    listed = tokens[first - 1].low in ",;+&/"
    begin = first + joined
    if begin >= len(tags):
        return None
    opens = begin
    while opens < len(tags) - 1 and tags[opens] & Tag.ADVERB and not tags[opens] & Tag.DETERMINER:
        opens += 1
    tag = tags[opens]
    if not joined and (not listed or tokens[first].low in _EXAMPLES or tag & (Tag.GERUND | Tag.PREPOSITION)):
        return first, first
    if tag & _SUBORDINATES and not tag & (Tag.PREPOSITION | Tag.DETERMINER):
        return None if joined else (first, first)
    if not joined and tag & (Tag.PAST | Tag.PARTICIPLE | Tag.ADJECTIVE):
        return first, first
    wanted = (
        0 if tag & (Tag.DETERMINER | Tag.FINITE) else tag & (Tag.GERUND | Tag.BASE | Tag.THIRD | Tag.PAST)
    )
    infinitive = bool(tag & Tag.INFINITIVE and tags[min(opens + 1, len(tags) - 1)] & Tag.BASE)
    for place in range(first - 2, max(first - _FAR, head.verb - 1), -1):
        here = tags[place]
        if infinitive:
            if here & Tag.INFINITIVE and tags[place + 1] & Tag.BASE:
                return place, begin
        elif tag & Tag.PREPOSITION:
            if tokens[place].low == tokens[begin].low:
                return place, begin
        elif wanted:
            if here & wanted and (not here & Tag.NOUNISH or tags[place - 1] & (Tag.INFINITIVE | Tag.MODAL)):
                return place, begin
        elif (here & Tag.PREPOSITION or (here & (Tag.BASE | Tag.GERUND) and not here & Tag.NOUNISH)) and (
            not tag & Tag.DETERMINER or tags[place + 1] & Tag.DETERMINER
        ):
            return place + 1, begin
    if infinitive or tag & Tag.PREPOSITION or wanted:
        return None
    return (head.end, begin) if first > head.end else None


def _hangs_on_verb(clause: Clause, first: int) -> bool:
    """Whether a part says how, why or when, rather than of what: `by reducing`, `to improve`, `because`."""
    tag, low = clause.tags[first], clause.tokens[first].low
    infinitive = tag & Tag.INFINITIVE and clause.tags[min(first + 1, len(clause.tags) - 1)] & Tag.BASE
    conjunction = tag & (Tag.CONDITION | Tag.REASON) and not tag & (Tag.RELATIVE | Tag.DETERMINER)
    if infinitive and _wants_infinitive(clause, first - 1):
        return False
    return bool(infinitive or conjunction) or low in _HOW or clause.tokens[first - 1].low == ","


def _wants_infinitive(clause: Clause, place: int) -> bool:
    """Whether the word is nothing without the infinitive after it: `a chance to`, `how to`."""
    return clause.tokens[place].low in WANT_INFINITIVE or bool(clause.tags[place] & Tag.QUESTION)


_HOW = frozenset(words("by without through during while via using throughout despite before after until"))
_EXAMPLES = frozenset(words("such like including as e.g especially particularly"))
_FAR = 40
"""Tokens before a part in which the row that it goes on is looked for."""


def _needed(clause: Clause, chunks: list[Chunk], place: int) -> bool:
    """Whether the core is none without the chunk."""
    chunk = chunks[place]
    before = chunks[place - 1] if place else None
    opening = clause.tokens[chunk.first].low
    if chunk.part in (Part.SUBJECT, Part.VERB, Part.OBJECT):
        return before is None or chunk.part is not before.part
    if opening in _BINDING:
        return True
    if before is None or chunk.part is Part.FRONT:
        return False
    if before.part is Part.VERB:
        return True  # depends on the weather; is to improve ...
    last = before.last - 1
    if opening == "of" and clause.tokens[last].low in _QUANTITIES:
        return True
    if chunk.part is Part.INFINITIVE:
        return before.part in (Part.OBJECT, Part.INFINITIVE) or _wants_infinitive(clause, last)
    verb = clause.tags[last] & _VERBAL and not clause.tags[last] & Tag.NOUNISH
    return chunk.part is Part.PREPOSITIONAL and bool(verb)


def _chain(chunks: list[Chunk]) -> set[Chunk]:
    """The last chunk, with those before it that it hangs on."""
    found: set[Chunk] = set()
    for chunk in reversed(chunks):
        found.add(chunk)
        if chunk.part in (Part.SUBJECT, Part.VERB, Part.OBJECT, Part.INFINITIVE):
            break
    return found


def _negates(clause: Clause, chunk: Chunk) -> bool:
    return any(tag & Tag.NEGATION for tag in clause.tags[chunk.first : chunk.last])


def _dispensable(chunk: Chunk, head: Head) -> tuple[int, int]:
    """What goes first: what is fronted, then what follows the verb, from the left; the subject's own last."""
    if chunk.part is Part.FRONT:
        return 2, 0
    return (1, -chunk.first) if chunk.first >= head.end else (0, chunk.first)


def _before(chunk: Chunk, chunks: list[Chunk]) -> Chunk | None:
    """The chunk right before one that only goes on from it."""
    if chunk.part in (Part.FRONT, Part.SUBJECT, Part.VERB):
        return None
    place = chunks.index(chunk)
    return chunks[place - 1] if place and chunks[place - 1].last == chunk.first else None


def _joined(candidate: Candidate, kept: set[Chunk], first: int, last: int, fronted: int = 0) -> Candidate:
    """The candidate with the tokens of the kept chunks and of its part alone, in their order.

    A comma before the token `fronted`, where the subject begins, stays.
    """
    clause = candidate.clause
    places: set[int] = set(range(first, last))
    for chunk in kept:
        places.update(range(chunk.first, chunk.last))
    ordered = sorted(places)
    shown: list[int] = []
    for place, following in zip(ordered, [*ordered[1:], -1], strict=True):
        token = clause.tokens[place]
        gap = following != place + 1
        if gap and token.low in _SEPARATORS and not (place < fronted <= following):
            continue
        shown.append(place)
    if first > 1 and clause.tokens[first - 1].low == "," and clause.tags[first] & _TRAILING:
        shown = sorted({*shown, first - 1}) if first - 2 in shown else shown
    while shown and clause.tokens[shown[-1]].kind is Kind.PUNCT and clause.tokens[shown[-1]].low in ",;:–—-":
        shown.pop()
    return replace(
        candidate,
        clause=Clause(
            tuple(clause.tokens[p] for p in shown),
            tuple(clause.tags[p] for p in shown),
            clause.role,
            clause.finite,
            clause.left,
            tuple(clause.verbs[p] for p in shown),
        ),
    )


_TRAILING = Tag.GERUND | Tag.PARTICIPLE | Tag.PAST
