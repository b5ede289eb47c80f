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
from extract.wordlists import words
from schemas.conversation import Message
from schemas.relation import Link, RelationKind
from schemas.unit import Category, Unit

_REVERSES = re.compile(
    r"\b(?:instead|chang(?:ed?|ing) my mind|on second thoughts?|after all|no longer|not any ?more|scrap"
    r"|forget (?:about )?(?:the|that|it)|go(?:ing)? back to|back to|switch(?:ing)?|rather than|cancel|undo"
    r"|actually,? (?:no|let's|use|go|make|keep|drop|we|i)|wait,? no"
    r"|en (?:vez|lugar) de|cambi[éo] de (?:idea|opinión)|al final|mejor no"
    r"|doch (?:lieber|nicht)|stattdessen|statt|umentschieden"
    r"|finalement|plutôt que|à la place|au lieu de|changé d'avis)\b",
    re.IGNORECASE,
)
"""Words by which people take back what they settled, in the four languages that are read by clause."""
_LED_IN = 80
"""Characters before a decision that may say that it reverses something."""
_LOOKED_AT = 100
"""Earlier decisions that a reversal is held against: what it takes back was settled lately."""
_WORDING = frozenset(
    words("user usuar nutze entsc decid choos rejec elige recha wählt lehnt choisi refus inste")
)
"""Stems of the words in which decisions are put, which name nothing."""


def reversals(units: Sequence[Unit], messages: Mapping[str, Message]) -> tuple[Link, ...]:
    """A link for every decision that certainly supersedes an earlier one; each supersedes one at most."""
    found: list[Link] = []
    earlier: list[tuple[Unit, frozenset[str]]] = []
    for unit in units:
        if unit.category is not Category.DECISION or not unit.active_branch:
            continue
        stems = _things(unit)
        if _REVERSES.search(_said(unit, messages)):
            for older, things in reversed(earlier[-_LOOKED_AT:]):
                if older.evidence[0].message_id != unit.evidence[0].message_id and (
                    _same_proposals(older, unit) or stems & things
                ):
                    found.append(_link(unit, older, sorted(stems & things)))
                    break
        earlier.append((unit, stems))
    return tuple(found)


def _said(unit: Unit, messages: Mapping[str, Message]) -> str:
    """The decision with its line up to it: `I've changed my mind.` may stand before its quote."""
    evidence = unit.evidence[0]
    text = messages[evidence.message_id].text
    start = text.rfind("\n", 0, evidence.start) + 1
    return text[max(start, evidence.start - _LED_IN) : evidence.end]


def _things(unit: Unit) -> frozenset[str]:
    """The content stems of what the decision is about, its context included."""
    texts = (unit.text, unit.evidence[0].quote, *(item.quote for item in unit.context))
    stems: frozenset[str] = frozenset()
    for text in texts:
        tokens = tokenize(text)
        language: Language = detect(tokens, DEFAULT)
        stems |= content_stems(tokens, [language.tag(token.low) for token in tokens])
    return stems - _WORDING


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
