"""Duplicate: what an older note says already."""

from __future__ import annotations

from chunking.wordlists import words
from curation.gate_input import PASSED, Finding, Ungated, words_of
from curation.gate_settings import GateSettings
from schemas.unit import Outcome, Unit

SHORTEST = 4
"""Words that a note must have to be understood outside its conversation."""
_POINTING = words(
    """
    it this that these those he she they him them her his their its there here one ones such same other
    both former latter next previous following es das dies diese dieser er sie il elle ce cela ça ils elles
    esto eso another ella ello ellos este esta ese esa これ それ あれ 这 那 它
    """
)
_DAYS = words(
    """
    today tomorrow tmrw yesterday tonight now currently recently soon later ago last next this week month year
    heute morgen gestern jetzt bald aujourd'hui demain hier maintenant hoy mañana ayer ahora
    今日 明日 昨日 今天 明天 昨天
    """
)


def duplicate(note: Ungated, _: GateSettings) -> Finding:
    """No older note of the account says the same. Where the corpus could not be asked, that is no pass."""
    if note.older is None:
        return Outcome.SKIPPED, "the corpus could not be asked for older notes"
    return merged_or_passed(note.older(note.unit))


def merged_or_passed(older: str | None) -> Finding:
    """What follows from the corpus's answer, the id of an older unit or None."""
    return (Outcome.MERGE, f"says the same as {older}") if older else PASSED


def is_whole(unit: Unit) -> bool:
    """Whether the unit says the same wherever and whenever it is said: no pronoun at its head, no day that
    depends on when it was said, nothing that it answers."""
    said = words_of(unit.text)
    return (
        not unit.answers
        and len(said) >= SHORTEST
        and _POINTING.isdisjoint(said[:3])
        and _DAYS.isdisjoint(said)
    )
