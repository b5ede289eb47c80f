"""Clauses that do not fit into fifteen words become several units; nothing is left out.

The cuts are those that lose least (`seams`), chosen together: every part after the first has to fit with
what makes it a sentence, the subject and verb of its clause (`heads`). Each part cites its own words and
names the whole clause as its context, since that is where the words of its head stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from extract.candidates import Candidate
from extract.clauses import Clause
from extract.heads import Head, completed, head_of, sentence_of, standing
from extract.joints import Role
from extract.languages.lexicon import Tag
from extract.persons import spoken_words
from extract.render import render
from extract.seams import INSIDE, seam
from extract.skeleton import core_of, rebuilt
from extract.tokens import Kind
from extract.wholes import is_sentence
from schemas.unit import MAX_WORDS, Category
from schemas.words import count_words

_PART = 5.0
"""What another part costs, in the measure of `seams`."""
_GAPPED = 10.0
"""What a part costs that fits with its subject and verb only, so that words are missing between."""
_HEADLESS = 25.0
"""What a part costs that does not fit with those either."""
_OPENED = Tag.CONDITION | Tag.RELATIVE | Tag.REASON | Tag.PREPOSITION | Tag.QUESTION
"""What opens a clause that is part of another: it is no sentence without it."""
_COMPLEMENT = 2
"""Words behind the verb that a part before it needs to say anything."""
_LONG_SUBJECT = 5
"""Tokens of a subject that may stand apart from its verb."""


def fit(candidate: Candidate, category: Category) -> Iterator[tuple[Candidate, str, tuple[int, int] | None]]:
    """(candidate, text, span of its context) for each unit that the clause becomes."""
    text = render(candidate, category)
    if count_words(text) <= MAX_WORDS:
        yield candidate, text, None
        return
    whole = (candidate.start, candidate.end)
    head = head_of(candidate)
    cuts = _cuts(candidate, head)
    for first, last in zip([0, *cuts], [*cuts, len(candidate.clause.tokens)], strict=True):
        for begin, end in _pieces(candidate, category, first, last):
            part = _part(candidate, begin, end)
            if part is not None:
                yield part, _text(candidate, part, category, head, begin, end), whole


def _text(
    candidate: Candidate, part: Candidate, category: Category, head: Head, first: int, last: int
) -> str:
    """A part as a sentence: the fullest of the ways to say it that fits."""
    if 0 < first < head.start < last:  # the rest of what is fronted, and the main clause
        part = _part(candidate, head.start, last) or part
        first = head.start
    bare = render(part, category, decided=False, bare=True)
    ways: Iterator[str]
    if first == 0:
        own = render(part, category, decided=False)
        lacks = head.verb >= last and bool(head.group)
        ways = chain(
            _cores(candidate, category, head, first, last) if lacks else (), (completed(own, head, last), own)
        )
    else:
        opens = candidate.clause.tags[first]
        if opens & Tag.COORDINATOR and first + 1 < last:
            opens = candidate.clause.tags[first + 1]
        ways = chain(
            (sentence_of(candidate, bare, head, first),),
            _cores(candidate, category, head, first, last),
            (bare if not opens & _OPENED and is_sentence(bare, candidate.language) else "",),
            standing(candidate, bare, head, first),
        )
    return next((way for way in ways if way and count_words(way) <= MAX_WORDS), bare)


def _cores(candidate: Candidate, category: Category, head: Head, first: int, last: int) -> Iterator[str]:
    """The part with the core of its clause, the fullest first."""
    for core in rebuilt(candidate, head, first, last):
        yield render(core, category, decided=False)


def _cuts(candidate: Candidate, head: Head) -> list[int]:
    """The tokens before which the clause is cut, by dynamic programming over where parts end."""
    clause = candidate.clause
    widths = _widths(candidate)
    count = len(clause.tokens)
    long_subject = head.verb if head.verb - head.start >= _LONG_SUBJECT else -1
    missing = count_words(head.text if head.start else head.group) + _COMPLEMENT
    best: list[tuple[float, int]] = [(0.0, 0)] + [(float("inf"), 0)] * count
    for start in range(count):
        sofar = best[start][0]
        cost = seam(clause, start, long_subject) if start else 0.0
        if cost is None or sofar == float("inf"):
            continue
        core, short = _before(candidate, head, widths, start, cost) if start else (0, 0)
        width = 0
        for end in range(start + 1, count + 1):
            width += widths[end - 1]
            if width > MAX_WORDS:
                break
            lacking = missing if not start and end <= head.verb else 0
            bare = width + lacking + short > MAX_WORDS
            gapped = width + lacking + core > MAX_WORDS
            bare = bare or 0 < start < head.verb < end  # the verb among its subject's modifiers
            total = sofar + cost + _PART + (_HEADLESS if bare else _GAPPED if gapped else 0.0)
            if total < best[end][0]:
                best[end] = (total, start)
    found: list[int] = []
    place = count
    while place and best[place][0] < float("inf"):
        place = best[place][1]
        if place:
            found.append(place)
    return found[::-1]


def _before(candidate: Candidate, head: Head, widths: list[int], start: int, cost: float) -> tuple[int, int]:
    """How many words must stand before a part that begins at the token `start`: (all that its core needs, its
    subject and verb alone)."""
    short = head.width_at(start)
    if start == head.verb:
        return short, short
    core = core_of(candidate, head, start) if cost < INSIDE - 4 else None
    if core is None:
        return MAX_WORDS, short
    needed = sum(sum(widths[chunk.first : chunk.last]) for chunk in core.needed)
    return needed, min(short, needed)


def _widths(candidate: Candidate) -> list[int]:
    """How many words of the text each token becomes."""
    tokens, spoken = candidate.clause.tokens, spoken_words(candidate)
    found: list[int] = []
    end = -1
    for token in tokens:
        if token.kind in (Kind.MARK, Kind.BREAK):
            found.append(0)
        elif token.kind is Kind.UNSPACED:
            found.append(max(1, (token.end - token.start + 1) // 2))
        elif token.start == end:
            found.append(0)
        else:
            found.append(spoken.get(token.low, 1))
        end = token.end
    return found


def _pieces(candidate: Candidate, category: Category, first: int, last: int) -> Iterator[tuple[int, int]]:
    """[first, last) in halves until each piece fits: for runs whose width was misjudged."""
    ranges = [(first, last)]
    while ranges:
        begin, end = ranges.pop()
        part = _part(candidate, begin, end)
        if part is None:
            continue
        if end - begin < 2 or count_words(render(part, category, decided=False, bare=True)) <= MAX_WORDS:
            yield begin, end
            continue
        places = range(begin + 1, end)
        cut = min(places, key=lambda place: (_seam(candidate.clause, place), abs(2 * place - begin - end)))
        ranges += [(cut, end), (begin, cut)]


def _seam(clause: Clause, place: int) -> float:
    cost = seam(clause, place)
    return 2 * INSIDE if cost is None else cost


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
        tokens[first:last],
        tags[first:last],
        whole.role if first == 0 else Role.PHRASE,
        whole.finite,
        verbs=whole.verbs[first:last],
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
