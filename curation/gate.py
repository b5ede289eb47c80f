"""The Note Quality Gate: a list of named criteria, each a pure function from a unit to a verdict.

A new criterion is one function and one line in `CRITERIA`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from schemas.base import sha256_text
from schemas.unit import MAX_WORDS, Category, Outcome, Speaker, State, Unit, Verdict

GATE_VERSION = "1"
"""Raise it when a criterion changes: every unit is then judged again."""

Texts = Mapping[str, str]
"""Message text by message id, for every message that a unit cites."""

Criterion = Callable[[Unit, Texts], tuple[Outcome, str]]

PASSED = (Outcome.PASS, "")


def grounded(unit: Unit, texts: Texts) -> tuple[Outcome, str]:
    """Every quote stands verbatim where the evidence says, in the very text that was stored."""
    for evidence in (*unit.evidence, *unit.context):
        text = texts.get(evidence.message_id)
        if text is None or sha256_text(text) != evidence.text_hash:
            return Outcome.REJECT, "its evidence cites a text that is not stored"
        if text[evidence.start : evidence.end] != evidence.quote or not evidence.quote.strip():
            return Outcome.REJECT, "its quote is not at the place it cites"
    return PASSED


def short(unit: Unit, texts: Texts) -> tuple[Outcome, str]:
    """At most 15 words."""
    words = len(unit.text.split())
    return PASSED if words <= MAX_WORDS else (Outcome.REJECT, f"it has {words} words")


def says_something(unit: Unit, texts: Texts) -> tuple[Outcome, str]:
    """It has letters or digits in it."""
    if any(character.isalnum() for character in unit.text):
        return PASSED
    return Outcome.REJECT, "it has no word in it"


def decided_by_owner(unit: Unit, texts: Texts) -> tuple[Outcome, str]:
    """A decision is the owner's (design, rule 3)."""
    if unit.category is Category.DECISION and unit.speaker is not Speaker.OWNER:
        return Outcome.REJECT, f"a decision cannot come from the {unit.speaker.value}"
    return PASSED


CRITERIA: tuple[tuple[str, Criterion], ...] = (
    ("grounded", grounded),
    ("short", short),
    ("says_something", says_something),
    ("decided_by_owner", decided_by_owner),
)


def judge(unit: Unit, texts: Texts) -> tuple[Verdict, ...]:
    """Every criterion's verdict on the unit, in the order of `CRITERIA`."""
    verdicts = []
    for name, criterion in CRITERIA:
        outcome, reason = criterion(unit, texts)
        verdicts.append(Verdict(criterion=name, outcome=outcome, reason=reason))
    return tuple(verdicts)


def gate_state(verdicts: Sequence[Verdict]) -> State:
    """Rejected if any criterion rejects; review if any asks for it or could not run; else passed."""
    outcomes = {verdict.outcome for verdict in verdicts}
    if Outcome.REJECT in outcomes:
        return State.REJECTED
    if outcomes & {Outcome.REVIEW, Outcome.SKIPPED}:
        return State.REVIEW
    return State.PASSED
