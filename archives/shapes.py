"""Reading values of unknown shape: every function takes whatever JSON held and never raises."""

from __future__ import annotations

from collections.abc import Iterator


def mapping(value: object) -> dict[str, object]:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> list[object]:
    """The value if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []


def objects(value: object) -> Iterator[dict[str, object]]:
    """The JSON objects among the elements of an array."""
    return (element for element in sequence(value) if isinstance(element, dict))


def string(value: object) -> str | None:
    """The value if it is a string that holds something, else None."""
    return value if isinstance(value, str) and value else None


def identifier(value: object) -> str | None:
    """A string or whole number that can serve as an id, as a string."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return None


def whole(value: object) -> int | None:
    """The value if it is a number of bytes or things, else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if 0 <= value < 1 << 63 else None
    if isinstance(value, float) and value.is_integer() and 0 <= value < 1 << 53:
        return int(value)
    return None
