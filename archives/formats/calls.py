"""A tool's call and result as text, for readers of agents' sessions."""

from __future__ import annotations

from archives.formats.blocks import as_text, result_text
from archives.shapes import mapping

NO_ARGUMENTS = "{}"


def call_text(arguments: object) -> str:
    """A call's arguments as text. A call without any is still one: its tool's name stands in the label."""
    return as_text(arguments) or NO_ARGUMENTS


def outcome_text(result: object) -> str:
    """What a tool gave back, in the words of its blocks where it has some, else as JSON."""
    held = mapping(result)
    for key in ("content", "value", "output", "text"):
        if held.get(key):
            inner = held[key]
            return outcome_text(inner) if isinstance(inner, dict) else result_text(inner)
    return result_text(result)
