"""Repetitions within a conversation: one unit, with every place where it was said."""

from __future__ import annotations

import re
from collections.abc import Iterable

from schemas.unit import Unit

_LOOSE = re.compile(r"[\W_]+")


def collapse(units: Iterable[Unit]) -> list[Unit]:
    """The units with repetitions folded into their first occurrence, in order of first occurrence.

    Two units repeat one another when the same speaker says the same words in the same category, whatever
    their case and punctuation. The first keeps its id; the others only add their evidence.
    """
    groups: dict[tuple[str, str | None, str, str], list[Unit]] = {}
    for unit in units:
        words = _LOOSE.sub(" ", unit.text.casefold()).strip() or unit.text
        groups.setdefault((unit.speaker, unit.speaker_name, unit.category, words), []).append(unit)
    return [_joined(group) if len(group) > 1 else group[0] for group in groups.values()]


def _joined(group: list[Unit]) -> Unit:
    places = {(item.message_id, item.start, item.end): item for unit in group for item in unit.evidence}
    return group[0].model_copy(
        update={
            "evidence": tuple(places.values()),
            "active_branch": any(unit.active_branch for unit in group),
        }
    )
