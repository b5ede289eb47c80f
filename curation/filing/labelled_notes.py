"""Notes of talks that readers filed: what a note is like where it was said.

An example of the taxonomy is a sentence that says by itself what it is about. A note of a talk often does
not: "ten plots" is about an allotment by the title above it and by what the talk began with. So notes of
invented talks (`data/taxonomy-notes.jsonl`, from `data/reading`) stand beside the examples as they are met
when they are filed: with title and opening, and with every path at which their reader would look for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from curation.filing.shipped_data import shipped_text

NOTES_FILE = "taxonomy-notes.jsonl"
OPENING_CHARACTERS = 200
"""Of what a talk begins with; 300 tell no more, 120 a little less."""


@dataclass(frozen=True, slots=True)
class LabelledNote:
    """A note, where it was said, and where it belongs."""

    text: str
    title: str
    opening: str
    """The beginning of what the owner said first in its talk."""
    paths: tuple[str, ...]
    """Of the taxonomy that comes with mnemic; the likest first."""
    source: str
    """Which hand wrote the talk: held out by it, filing is scored."""


@lru_cache(maxsize=1)
def labelled_notes() -> tuple[LabelledNote, ...]:
    """The labelled notes that come with mnemic."""
    return tuple(_read(shipped_text(NOTES_FILE)))


def _read(lines: str) -> Iterator[LabelledNote]:
    for talk in map(json.loads, lines.splitlines()):
        for text, paths in talk["notes"].items():
            yield LabelledNote(text, talk["title"], talk["opening"], tuple(paths), talk["source"])
