"""Reversals: a later decision of the owner that takes the place of an earlier one in the same conversation.

Only what is certain becomes a link: the later decision says that it reverses something (`instead`, `changed
my mind`, `scrap`), and it names the earlier one's thing, or both answer one proposal of which they choose
different parts. What remains is left to the supersession sweep, which sees the whole corpus.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from extract.candidates import content_stems
from extract.languages.lexicon import Language
from extract.languages.registry import DEFAULT, detect
from extract.tokens import tokenize
from extract.withdrawals import reverses, withdraws
from extract.wordlists import words
from schemas.conversation import Message
from schemas.relation import Link, RelationKind
from schemas.unit import Category, Speaker, Unit
from schemas.words import count_words

_UNSETTLED = frozenset({Category.OPEN_QUESTION, Category.PROVISIONAL})
_SETTLED = frozenset({Category.DECISION, Category.ACTION_ITEM})
_LED_IN = 80
"""Characters before a decision that may say that it reverses something."""
_LOOKED_AT = 100
"""Earlier decisions that a reversal is held against: what it takes back was settled lately."""
_WORDING = frozenset(
    words(
        "user user's usuar nutze entsc decid choos rejec elige recha wählt lehnt choisi refus inste"
        " mind take forge chang scrap back cance keep"
    )
)
"""Stems of the words in which decisions are put, which name nothing."""


def reversals(units: Sequence[Unit], messages: Mapping[str, Message]) -> tuple[Link, ...]:
    """A link for every decision that certainly supersedes an earlier one; each supersedes one at most."""
    found: list[Link] = []
    earlier: list[tuple[Unit, frozenset[str]]] = []
    taken: set[str] = set()
    for unit in units:
        if unit.speaker is not Speaker.OWNER or not unit.active_branch:
            continue
        said = _said(unit, messages)
        decides = unit.category is Category.DECISION
        settles = unit.category in _SETTLED
        quote = len(said) - len(unit.evidence[0].quote)
        rules = settles or unit.category is Category.CONSTRAINT
        takes_back = unit.category not in _UNSETTLED and withdraws(said, quote, settles=rules)
        if not (settles or takes_back):
            continue
        stems = _things(unit) | (_stems(said) - _WORDING if takes_back else frozenset())
        if takes_back or (decides and reverses(said)):
            older, things = _taken_back(unit, stems, earlier, messages, named=not takes_back)
            if older is not None and older.id not in taken:
                taken.add(older.id)
                found.append(_link(unit, older, sorted(stems & things)))
        if settles:
            earlier.append((unit, stems if decides else _own_things(unit)))
    return tuple(found)


def _taken_back(
    unit: Unit,
    stems: frozenset[str],
    earlier: Sequence[tuple[Unit, frozenset[str]]],
    messages: Mapping[str, Message],
    *,
    named: bool,
) -> tuple[Unit | None, frozenset[str]]:
    """(The latest earlier decision that the unit certainly takes back, what it is about); (None, -) if none
    is certain.

    `named`: it has to name the decision's thing, or to answer the same proposals; `scrap that` alone takes
    back the only decision of the owner's message before.
    """
    place = unit.evidence[0].message_id
    for older, things in reversed(earlier[-_LOOKED_AT:]):
        same = older.evidence[0].message_id == place
        if not same and (_same_proposals(older, unit) or stems & things):
            return older, things
    quote = unit.evidence[0].quote
    if named or not _POINTS_BACK.search(quote) or count_words(quote) > _BARE_WORDS:
        return None, frozenset()
    before = _message_before(place, messages)
    last = [(older, things) for older, things in earlier if older.evidence[0].message_id == before]
    return last[0] if len(last) == 1 and last[0][0].category is Category.DECISION else (None, frozenset())


_POINTS_BACK = re.compile(r"\b(?:that|it|this)\b", re.IGNORECASE)
_BARE_WORDS = 8
"""Words of a statement that only takes back: in a longer one `that` stands for something else."""


def _message_before(place: str, messages: Mapping[str, Message]) -> str:
    """The owner's message before the one at `place`, along its branch; "" if there is none."""
    current = messages[place].parent
    while current is not None and current in messages:
        if messages[current].role == "user":
            return current
        current = messages[current].parent
    return ""


def _said(unit: Unit, messages: Mapping[str, Message]) -> str:
    """The decision with its line up to it: `I've changed my mind.` may stand before its quote."""
    evidence = unit.evidence[0]
    text = messages[evidence.message_id].text
    start = text.rfind("\n", 0, evidence.start) + 1
    return text[max(start, evidence.start - _LED_IN) : evidence.end]


def _things(unit: Unit) -> frozenset[str]:
    """The content stems of what the decision is about, its context included."""
    texts = (unit.text, unit.evidence[0].quote, *(item.quote for item in unit.context))
    return frozenset().union(*(_stems(text) for text in texts)) - _WORDING


def _own_things(unit: Unit) -> frozenset[str]:
    """Of a task, by its own words alone: what its sentence began with may be about something else."""
    return (_stems(unit.text) | _stems(unit.evidence[0].quote)) - _WORDING


def _stems(text: str) -> frozenset[str]:
    tokens = tokenize(text)
    language: Language = detect(tokens, DEFAULT)
    return content_stems(tokens, [language.tag(token.low) for token in tokens])


def _same_proposals(older: Unit, newer: Unit) -> bool:
    """Whether both answer the same message, and not with the same part of it."""
    before = {(item.message_id, item.start) for item in older.context}
    now = {(item.message_id, item.start) for item in newer.context}
    answered = {message for message, _ in before} & {message for message, _ in now}
    return bool(answered - {older.evidence[0].message_id, newer.evidence[0].message_id}) and not before & now


def _link(newer: Unit, older: Unit, shared: Sequence[str]) -> Link:
    by = f"both speak of “{', '.join(shared[:3])}…”" if shared else "both answer the same proposal"
    return Link(
        account=newer.account,
        unit_id=newer.id,
        kind=RelationKind.SUPERSEDES,
        other_id=older.id,
        reason=f"The later decision takes the earlier one back: {by}.",
    )
