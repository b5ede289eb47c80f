"""Named actor: a decision and a task say whose they are."""

from __future__ import annotations

from curation.lexicon import phrase_pattern
from curation.settings import GateSettings
from curation.ungated import PASSED, Finding, Ungated
from schemas.unit import Category, Outcome

_NOBODY = phrase_pattern(
    "it was decided; it was agreed; it has been decided; it has been agreed; it is decided; someone "
    "will; somebody will; someone has to; somebody has to; someone should; somebody should; someone "
    "needs; one will; se decidió; se acordó; alguien; es wurde beschlossen; es wurde entschieden; "
    "jemand; il a été décidé; quelqu'un",
    "誰か; 有人",
)


def named_actor(note: Ungated, _: GateSettings) -> Finding:
    """Of a decision or a task: not `it was decided`, not `someone will`."""
    if note.unit.category in (Category.DECISION, Category.ACTION_ITEM):
        found = _NOBODY.search(note.unit.text)
        if found:
            return Outcome.REVIEW, f"{found.group()!r} hides who it is"
    return PASSED
