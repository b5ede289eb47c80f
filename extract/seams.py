"""Where a long clause may be cut, and what is lost by cutting there.

Little before a new phrase, much inside one: a verb keeps its object, a preposition its noun, `require the
builder` its infinitive.
"""

from __future__ import annotations

from extract.clauses import Clause
from extract.conjunctions import ALTERNATIVE
from extract.languages.lexicon import Tag
from extract.tokens import Kind
from extract.wordlists import words

_VERB = Tag.FINITE | Tag.THIRD | Tag.PAST | Tag.BASE | Tag.GERUND | Tag.PARTICIPLE
_JOINTS: tuple[tuple[int, float], ...] = (
    (Tag.REASON | Tag.CONTRAST, 1.0),
    (Tag.CONDITION | Tag.RELATIVE, 2.0),
    (Tag.PREPOSITION, 3.5),
    (Tag.INFINITIVE, 4.0),
    (Tag.GERUND, 4.0),
)
"""What a part may begin with, and how much is lost by beginning there."""
INSIDE = 20.0
"""The cost of a cut inside a phrase."""
_OF = 9.0
_BEFORE_VERB = 6.0
_LIST_ENTRY = 3.0
_MODIFIERS = 10.0
"""The cost of a cut between words that may modify the same noun."""
_VERB_PARTICLES = frozenset(words("out up off down away back"))
_PARTICLES = frozenset("はがをにへともでてら的了和与及或后時时")
"""What a phrase of Japanese or Chinese ends in."""


def seam(clause: Clause, place: int, verb: int = -1) -> float | None:
    """What is lost by cutting before the token at `place`; None where there is no blank to cut at.

    `verb` is the token of the clause's main verb, before which a long subject may be cut off.
    """
    before, after = clause.tokens[place - 1], clause.tokens[place]
    unspaced = after.kind is Kind.UNSPACED and before.kind is Kind.UNSPACED
    if (after.kind >= Kind.END and after.low != "(") or (after.start == before.end and not unspaced):
        return None
    if _denied_too(clause, place):
        return None
    if before.kind is Kind.UNSPACED:
        return 1.0 if before.low[-1] in _PARTICLES else INSIDE
    if after.low == "(":
        return _LIST_ENTRY
    if clause.tokens[max(0, place - 2)].kind is Kind.END or after.low in _VERB_PARTICLES:
        return INSIDE  # e.g., apples; figure out
    cost = _BEFORE_VERB if place == verb else _opening(clause, place)
    if place == verb and not clause.tags[place - 1] & _TIES:
        return cost
    if before.kind is Kind.PUNCT and before.low in ",;:–—、，-":
        modifiers = place > 2 and clause.tags[place - 3] & Tag.DETERMINER and not clause.tags[place]
        return _MODIFIERS if modifiers else min(cost / 2, _LIST_ENTRY)  # some smaller, fun waves
    return max(cost, _bond(clause, place))


def _denied_too(clause: Clause, place: int) -> bool:
    """Whether a conjunction passes a negation or an `if` on: cut off from `I don't want to paint`,
    `or sand the hull` would say the opposite."""
    if not clause.tags[place] & Tag.COORDINATOR or place + 1 >= len(clause.tags):
        return False
    passes_on = clause.tokens[place].low in ALTERNATIVE or clause.tags[place + 1] & Tag.BASE
    return bool(passes_on) and any(tag & (Tag.NEGATION | Tag.CONDITION) for tag in clause.tags[:place])


def _opening(clause: Clause, place: int) -> float:
    """By what the part would begin with."""
    tag, low = clause.tags[place], clause.tokens[place].low
    if low == "of":
        return _OF
    if tag & Tag.COORDINATOR and place + 1 < len(clause.tags):
        # `and the barn` begins a phrase; `slow and dear` is one
        after = clause.tags[place + 1]
        return 1.5 if after & _PHRASE_OPENERS and not after & Tag.NOUNISH else _MODIFIERS
    if clause.verbs[place : place + 1] == (True,) or low == "than":
        return INSIDE
    return next((cost for mask, cost in _JOINTS if tag & mask), INSIDE)


def _bond(clause: Clause, place: int) -> float:
    """By how closely the words on both sides belong together."""
    before, after = clause.tokens[place - 1], clause.tokens[place]
    earlier, tag = clause.tags[place - 1], clause.tags[place]
    if (before.low, after.low) in _ONE_WORD or earlier & _TIES:
        return INSIDE
    ordered = place > 1 and clause.tags[place - 2] & (Tag.INFINITIVE | Tag.MODAL)
    if (
        earlier & _VERB
        and (not earlier & Tag.NOUNISH or ordered)
        and not tag & (Tag.COORDINATOR | Tag.REASON | Tag.CONTRAST)
    ):
        return INSIDE - 2  # an object belongs to its verb
    if after.low == "to" and any(token.low == "from" for token in clause.tokens[max(0, place - 4) : place]):
        return INSIDE  # from south to north
    if tag & Tag.INFINITIVE and (before.low in WANT_INFINITIVE or _enabled(clause, place)):
        return INSIDE - 4
    return (
        INSIDE - 4
        if earlier & Tag.ADJECTIVE and not earlier & Tag.NOUNISH and not tag & Tag.COORDINATOR
        else 0.0
    )


def _enabled(clause: Clause, place: int) -> bool:
    """Whether a verb shortly before wants the infinitive: require the builder to obtain."""
    return any(
        token.low.startswith(_ENABLING) and tag & _VERB
        for token, tag in zip(
            clause.tokens[max(0, place - 6) : place], clause.tags[max(0, place - 6) : place], strict=True
        )
    )


_ENABLING = tuple(
    words(
        "requir allow enabl help ask expect encourag want tell told permit forc remind teach"
        " invit prefer advis"
    )
)
_TIES = (
    Tag.DETERMINER
    | Tag.PREPOSITION
    | Tag.INFINITIVE
    | Tag.NEGATION
    | Tag.COORDINATOR
    | Tag.MODAL
    | Tag.CONDITION
    | Tag.RELATIVE
    | Tag.QUESTION
)
"""A word that ties what follows to itself."""
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
        ("even", "if"),
        ("even", "though"),
        ("only", "if"),
        ("but", "also"),
        ("once", "a"),
        ("twice", "a"),
        ("times", "a"),
        ("times", "per"),
    }
)
WANT_INFINITIVE = frozenset(
    words(
        """
way chance ability able time need right opportunity effort plan decision attempt reason desire place
something anything nothing everything someone
ways chances opportunities efforts plans reasons places likely ready willing easy hard important want going
"""
    )
)
"""Words that are nothing without the infinitive after them: a way to, able to."""
