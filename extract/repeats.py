"""Repetitions within a conversation: one unit, with every place where it was said."""

from __future__ import annotations

import re
from collections.abc import Iterable

from schemas.unit import Unit

_LOOSE = re.compile(r"[\W_]+")


def collapse(units: Iterable[Unit]) -> list[Unit]:
    """The units with repetitions folded into their first occurrence, in order of first occurrence.

    Two units repeat one another when the same speaker says the same words in the same category, whatever
    their case and punctuation. The first keeps its id; the others only add their evidence and context.
    """
    found: dict[tuple[str, str | None, str, str], Unit] = {}
    for unit in units:
        key = (
            unit.speaker,
            unit.speaker_name,
            unit.category,
            _LOOSE.sub(" ", unit.text.casefold()).strip() or unit.text,
        )
        first = found.get(key)
        found[key] = unit if first is None else _joined(first, unit)
    return list(found.values())


def _joined(first: Unit, again: Unit) -> Unit:
    evidence = first.evidence + tuple(item for item in again.evidence if item not in first.evidence)
    return first.model_copy(
        update={"evidence": evidence, "active_branch": first.active_branch or again.active_branch}
    )
