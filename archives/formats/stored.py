"""JSON that stands in a column of a database."""

from __future__ import annotations

from archives.record_bounds import bounded_json


def stored_json(value: object) -> object:
    """The value of a column's JSON text; None where it holds none."""
    text = value.decode(errors="surrogateescape") if isinstance(value, bytes) else value
    if not isinstance(text, str):
        return None
    try:
        return bounded_json(text)
    except (ValueError, RecursionError):
        return None
