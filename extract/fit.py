"""Clauses that do not fit into fifteen words become several units; nothing is left out.

A clause is cut where its parts hang together least: at a comma, before a conjunction, before a purpose or a
preposition. Each part cites its own words; the parts after the first open with the clause's subject and
verb and `…`, and name the whole clause as their context, since that is where those words stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from extract.candidates import Candidate
from extract.clauses import Clause
from extract.heads import behind, head_of
from extract.joints import Role
from extract.languages.lexicon import Tag
from extract.render import render
from extract.tokens import Kind
from extract.wordlists import words
from extract.words import count_words
from schemas.unit import MAX_WORDS, Category

_VERB = Tag.FINITE | Tag.THIRD | Tag.PAST | Tag.BASE | Tag.GERUND | Tag.PARTICIPLE
_JOINTS: tuple[tuple[int, float], ...] = (
    (Tag.COORDINATOR | Tag.REASON | Tag.CONTRAST, 1.0),
    (Tag.CONDITION | Tag.RELATIVE, 1.5),
    (Tag.INFINITIVE, 2.0),
    (Tag.PREPOSITION, 2.5),
    (Tag.DETERMINER, 5.0),
)
"""What a part may begin with, and how much is lost by beginning there (in words of imbalance)."""
_ANYWHERE = 7.0
_LIST_ENTRY = 4.0
_PER_TOKEN = 0.35
"""What a token of imbalance between the parts costs."""
_PARTICLES = frozenset("はがをにへともでてら的了和与及或后時时")
"""What a phrase of Japanese or Chinese ends in."""
_LEAST = 3
"""Tokens that a part must have at least."""


def fit(candidate: Candidate, category: Category) -> Iterator[tuple[Candidate, str, tuple[int, int] | None]]:
    """(candidate, text, span of its context) for each unit that the clause becomes."""
    text = render(candidate, category)
    if count_words(text) <= MAX_WORDS:
        yield candidate, text, None
        return
    whole = (candidate.start, candidate.end)
    head = head_of(candidate)
    for number, part in enumerate(_parts(candidate, category)):
        bare = _bare(part, category)
        own = bare if number else render(part, category, decided=False)
        if number and head and count_words(head) + count_words(own) <= MAX_WORDS:
            own = behind(head, own)
        yield part, own if count_words(own) <= MAX_WORDS else bare, whole


def _bare(candidate: Candidate, category: Category) -> str:
    return render(candidate, category, decided=False, bare=True)


def _parts(candidate: Candidate, category: Category) -> Iterator[Candidate]:
    """The clause in parts of which each fits, in order; a part without words is left out."""
    ranges = [(0, len(candidate.clause.tokens))]
    while ranges:
        first, last = ranges.pop()
        part = _part(candidate, first, last)
        if part is None:
            continue
        if count_words(_bare(part, category)) <= MAX_WORDS or last - first < 2:
            yield part
            continue
        cut = _best_cut(candidate.clause, first, last) or (first + last) // 2
        ranges += [(cut, last), (first, cut)]


def _best_cut(clause: Clause, first: int, last: int) -> int | None:
    """The token before which [first, last) is best cut in two; None if it is one unbroken run."""
    least = _LEAST if last - first > 2 * _LEAST else 1
    middle = (first + last) / 2
    best: tuple[float, int] | None = None
    for place in range(first + least, last - least + 1):
        token, before = clause.tokens[place], clause.tokens[place - 1]
        unspaced = token.kind is Kind.UNSPACED and before.kind is Kind.UNSPACED
        if token.kind >= Kind.END or (token.start == before.end and not unspaced):
            continue
        cost = _cost(clause, place) + abs(place - middle) * _PER_TOKEN
        if best is None or cost < best[0]:
            best = (cost, place)
    return best[1] if best else None


def _cost(clause: Clause, place: int) -> float:
    """What is lost by cutting before a token: little before a new phrase, much inside one."""
    before, after = clause.tokens[place - 1], clause.tokens[place]
    if before.kind is Kind.UNSPACED:
        return 1.0 if before.low[-1] in _PARTICLES else _ANYWHERE
    parted = before.kind is Kind.PUNCT and before.low in ",;:–—、，-"
    earlier = clause.tags[place - 2 if parted and place > 1 else place - 1]
    if clause.verbs[place : place + 1] == (True,) and not parted:
        return _ANYWHERE + 2  # a verb belongs to its subject
    if (before.low, after.low) in _ONE_WORD:
        return _ANYWHERE + 2
    cost = _opening_cost(clause, place)
    if parted:
        return cost / 2 if cost < _ANYWHERE else _LIST_ENTRY
    if earlier & (Tag.DETERMINER | Tag.PREPOSITION | Tag.INFINITIVE | Tag.NEGATION):
        return _ANYWHERE + 2
    if (earlier & _VERB and not earlier & Tag.NOUNISH) or clause.verbs[place - 1 : place] == (True,):
        return _ANYWHERE + 1  # an object belongs to its verb
    if earlier & Tag.ADJECTIVE or (after.low == "to" and before.low in _WANT_INFINITIVE):
        return _ANYWHERE
    return cost


def _opening_cost(clause: Clause, place: int) -> float:
    tag = clause.tags[place]
    if clause.tokens[place].low == "of":
        return _ANYWHERE - 1
    if tag & Tag.COORDINATOR and place + 1 < len(clause.tags):
        # `and the barn` begins a phrase; `slow and dear` is one
        return 1.0 if clause.tags[place + 1] & _PHRASE_OPENERS else _LIST_ENTRY
    return next((cost for mask, cost in _JOINTS if tag & mask), _ANYWHERE)


_PHRASE_OPENERS = (
    Tag.DETERMINER
    | Tag.PREPOSITION
    | Tag.SUBJECT
    | Tag.INFINITIVE
    | Tag.CONDITION
    | Tag.REASON
    | Tag.BASE
    | Tag.THIRD
    | Tag.GERUND
    | Tag.FINITE
)
_ONE_WORD = frozenset(
    {
        ("rather", "than"),
        ("such", "as"),
        ("as", "well"),
        ("well", "as"),
        ("due", "to"),
        ("because", "of"),
        ("instead", "of"),
        ("more", "than"),
        ("less", "than"),
        ("so", "that"),
        ("according", "to"),
        ("based", "on"),
        ("out", "of"),
        ("up", "to"),
    }
)
_WANT_INFINITIVE = frozenset(
    words(
        """
way chance ability able time need right opportunity effort plan decision attempt reason desire place
something anything nothing everything someone likely ready willing easy hard important want going
"""
    )
)
"""Words that are nothing without the infinitive after them: a way to, able to."""


def _part(candidate: Candidate, first: int, last: int) -> Candidate | None:
    tokens, tags = candidate.clause.tokens, candidate.clause.tags
    while first < last and tokens[first].kind is Kind.PUNCT and tokens[first].low in ",;:.–—-)+&/":
        first += 1
    while last > first and tokens[last - 1].kind is Kind.PUNCT and tokens[last - 1].low in ",;:–—-(+&/":
        last -= 1
    if first >= last or all(token.kind >= Kind.MARK for token in tokens[first:last]):
        return None
    whole = candidate.clause
    clause = Clause(
        tokens[first:last], tags[first:last], whole.role if first == 0 else Role.PHRASE, whole.finite
    )
    flat = candidate.block.flat
    base = candidate.start - flat.source(tokens[0].start)
    return replace(
        candidate,
        start=base + flat.source(tokens[first].start),
        end=base + flat.source_end(tokens[last - 1].end),
        clause=clause,
        left=candidate.left if first == 0 else None,
    )
