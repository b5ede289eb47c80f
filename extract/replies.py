"""Short answers: which proposals of the assistant an owner's words take up, and which they turn down.

`ok go with A`, `1 and 2`, `chair thing yes` mean nothing on their own. Where it is certain which proposal
is meant (it carries that number or letter, or it alone holds every content word of the answer), the answer
names it. Where it is not, the words stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from extract.candidates import STEM, Candidate, Proposal, carries_content, content_stems
from extract.clauses import Clause
from extract.joints import Role
from extract.languages.lexicon import Sign, Tag
from extract.tokens import Kind, Token
from extract.wordlists import words

_JOINS = Tag.COORDINATOR
_AFTER_REFERENCE = Tag.COORDINATOR | Tag.ASSENT | Tag.FILLER | Tag.ADVERB | Tag.PREPOSITION
_PRAISING = frozenset(words("sounds is looks works please it seems wins"))
"""What may follow a number or letter that names a proposal: `2 sounds good`."""
_ANNOUNCES = frozenset(
    words(
        """
option options number numbers nr no point points step steps idea plan variant choice item opción punto
paso punkt schritt variante nummer numéro étape choix
"""
    )
)
_VAGUE = frozenset(
    word[:STEM]
    for word in words(
        """
thing things idea one ones option part bit plan suggestion proposal stuff cosa sache ding truc idée
"""
    )
)
_LETTERS = frozenset("abcde")
_COUNTED = frozenset(
    words(
        "two three four five six seven eight nine ten zwei drei vier fünf sechs sieben acht neun zehn"
        " dos tres cuatro cinco seis siete ocho nueve diez deux trois quatre cinq sept huit neuf dix"
    )
)
_POINTS = Sign.COMMIT | Sign.REFERENCE
"""Signs of `four it is`."""
_MAX_RANGE = 9


def names_proposal(candidate: Candidate, proposals: Sequence[Proposal]) -> bool:
    """Whether the candidate names a proposal by number or letter."""
    return bool(_references(candidate, proposals))


def split_answers(candidate: Candidate, proposals: Sequence[Proposal]) -> list[Candidate]:
    """The answer as one candidate for each proposal it names: `do 1 and 2`, `disk + path`, `upfront and the
    minimum`."""
    places = _references(candidate, proposals)
    if len(places) > 1:
        return _cut_after(candidate, [place for place, _ in places])
    if candidate.signs & Sign.FRAGMENT and not candidate.signs & (Sign.HEDGE | Sign.ASKS):
        return _cut_after(candidate, _listed(candidate, proposals))
    return [candidate]


def answered(candidate: Candidate, proposals: Sequence[Proposal]) -> tuple[tuple[Proposal, ...], str]:
    """(the proposals that the candidate certainly answers, how it refers to them: "A", "2", or "" for by
    content)."""
    places = _references(candidate, proposals)
    if places:
        markers = [marker for _, found in places for marker in found]
        items = {(p.marker, p.message_id, p.item) for p in proposals if p.marker in markers}
        certain = len(items) == len(set(markers))
        chosen = tuple(p for p in proposals if p.marker in markers) if certain else ()
        tokens = [candidate.clause.tokens[place] for place, _ in places]
        return chosen, ", ".join(candidate.source[token.start : token.end] for token in tokens)
    if len(proposals) == 1 and candidate.signs & _POINTS == _POINTS and (number := _counted(candidate)):
        return (proposals[0],), number
    stems = content_stems(candidate.clause.tokens, candidate.clause.tags) - _VAGUE
    holders = [proposal for proposal in proposals if stems and stems <= proposal.stems]
    said = candidate.signs & (Sign.ASSENTS | Sign.ACCEPT | Sign.REJECT)
    if len(holders) == 1 and said and candidate.signs & Sign.FRAGMENT:
        return (holders[0],), ""
    return (), ""


def _counted(candidate: Candidate) -> str:
    """The number that is all the content of an answer: `four it is`; "" if it has more, or none."""
    tokens, tags = candidate.clause.tokens, candidate.clause.tags
    content = [token for token, tag in zip(tokens, tags, strict=True) if carries_content(token, tag)]
    if len(content) != 1 or not (content[0].kind is Kind.NUMBER or content[0].low in _COUNTED):
        return ""
    return candidate.source[content[0].start : content[0].end]


def _references(candidate: Candidate, proposals: Sequence[Proposal]) -> list[tuple[int, tuple[str, ...]]]:
    """(token, markers) for every number or letter that names a proposal."""
    markers = [proposal.marker for proposal in proposals if proposal.marker]
    if not markers or not candidate.signs & Sign.SHORT:
        return []
    known = frozenset(markers)
    found = []
    tokens, tags = candidate.clause.tokens, candidate.clause.tags
    for place, token in enumerate(tokens):
        named = _named(token, candidate.source[token.start : token.end], known)
        if not named:
            continue
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        free = (
            after is None
            or after.low in _PRAISING
            or after.kind >= Kind.END
            or bool(tags[place + 1] & _AFTER_REFERENCE)
        )
        before = tokens[place - 1].low if place else ""
        if free and (before in _ANNOUNCES or place == 0 or _governs(tags[place - 1], before)):
            found.append((place, named))
    return found


def _governs(tag: int, low: str) -> bool:
    """Whether a number after this word can name a proposal: `do 1`, `with A`, `and 2`, `on 1`."""
    return bool(tag & (Tag.BASE | Tag.FINITE | Tag.COORDINATOR | Tag.ASSENT | Tag.REFUSAL)) or low in (
        "with", "on", "to", "for", ",", "+", "&", "con", "mit", "avec",
    )  # fmt: skip


def _named(token: Token, text: str, known: frozenset[str]) -> tuple[str, ...]:
    low = token.low
    if low in known:
        return (low,) if low.isdigit() or (low in _LETTERS and text.isupper()) else ()
    first, dash, last = low.replace("–", "-").partition("-")
    if dash and first.isdigit() and last.isdigit() and int(first) < int(last) <= int(first) + _MAX_RANGE:
        run = tuple(str(number) for number in range(int(first), int(last) + 1))
        return run if all(number in known for number in run) else ()
    return ()


def _listed(candidate: Candidate, proposals: Sequence[Proposal]) -> list[int]:
    """Last tokens of the items of a verbless list of which at least two take up different proposals."""
    tokens, tags = candidate.clause.tokens, candidate.clause.tags
    ends: list[int] = []
    start = 0
    for place in range(len(tokens) + 1):
        if place < len(tokens) and tokens[place].low not in (",", "+") and not tags[place] & _JOINS:
            continue
        if _content(tokens[start:place], tags[start:place]):
            ends.append(place - 1)
        elif ends:
            ends[-1] = place - 1
        start = place + 1
    if len(ends) < 2:
        return []
    taken: set[int] = set()
    first = 0
    for end in ends:
        stems = content_stems(tokens[first : end + 1], tags[first : end + 1]) - _VAGUE
        taken.update(index for index, proposal in enumerate(proposals) if stems & proposal.stems)
        first = end + 1
    return ends if len(taken) >= 2 else []


def _content(tokens: Sequence[Token], tags: Sequence[int]) -> bool:
    return any(carries_content(token, tag) for token, tag in zip(tokens, tags, strict=True))


def _cut_after(candidate: Candidate, ends: Sequence[int]) -> list[Candidate]:
    """The candidate cut after each of these tokens; what follows the last stays with it."""
    if len(ends) < 2:
        return [candidate]
    tokens, tags = candidate.clause.tokens, candidate.clause.tags
    flat = candidate.block.flat
    base = candidate.start - flat.source(tokens[0].start)
    parts = []
    first = 0
    for number, end in enumerate(ends):
        last = len(tokens) if number == len(ends) - 1 else end + 1
        clause = Clause(
            tokens[first:last],
            tags[first:last],
            candidate.clause.role if first == 0 else Role.PHRASE,
            first == 0 and candidate.clause.finite,
            verbs=candidate.clause.verbs[first:last],
        )
        parts.append(
            replace(
                candidate,
                clause=clause,
                start=base + flat.source(tokens[first].start),
                end=base + flat.source_end(tokens[last - 1].end),
            )
        )
        first = last
        while first < len(tokens) and tokens[first].low == ",":
            first += 1
    return parts
