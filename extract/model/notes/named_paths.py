"""Where the notes of an answer belong, as the model says: sentences to paths, read forgivingly.

A line that cannot be read names nothing, and the note that it is about stands as it is: filing then asks the
labelled examples. Whether a path's first level is one of the taxonomy is asked when notes are filed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from extract.model.notes.claims import LONGEST, fields_of, joined
from schemas.semantic_path import MAX_PATHS, UNSORTED, forgiven_path

_SENTENCES = re.compile(r"[\d\s,;&.–—to\[\]()-]+")
_RANGE = re.compile(r"(\d{1,7})(?: ?(?:-|–|—|\.\.|to) ?(\d{1,7}))?")
_WIDEST = 1_000
"""Sentences of a range: more than a window has, and a wider one names none."""


def lines_of_paths(items: object) -> object:
    """The lines of a list, or of an object of paths by sentences; none of anything else: what cannot be read
    here costs no note."""
    if isinstance(items, dict):
        items = [_line(str(key), value) for key, value in items.items()]
    return joined(items) if isinstance(items, list) else []


def paths_by_sentence(lines: Iterable[str]) -> Mapping[int, tuple[str, ...]]:
    """At most three paths by the number of the sentence, in the order in which they were named; `unsorted`
    only where nothing else is."""
    found: dict[int, list[str]] = {}
    for line in lines:
        fields = fields_of(line) if len(line) <= LONGEST else []
        path = forgiven_path(fields[-1]) if len(fields) > 1 else None
        for number in _numbers(fields[0]) if path else ():
            own = found.setdefault(number, [])
            if path and path not in own:
                own.append(path)
    return {number: _likest(own) for number, own in found.items()}


def _numbers(field: str) -> list[int]:
    if not _SENTENCES.fullmatch(field):
        return []
    spans = [(int(one[1]), int(one[2] or one[1])) for one in _RANGE.finditer(" ".join(field.split()))]
    return [number for low, high in spans if high - low < _WIDEST for number in range(low, high + 1)]


def _likest(paths: list[str]) -> tuple[str, ...]:
    sorted_in = [one for one in paths if one.partition(".")[0] != UNSORTED]
    return tuple(sorted_in[:MAX_PATHS]) or (UNSORTED,)


def _line(key: str, value: object) -> str:
    """A line of an entry of an object, whichever of the two names the sentences."""
    said = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{key}|{said}" if key[:1].isdigit() else f"{said}|{key}"
