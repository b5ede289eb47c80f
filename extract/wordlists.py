"""Word lists written as running text: easier to read, to extend and to compare than columns of quoted
words."""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """The blank-separated words of a text, in order."""
    return tuple(text.split())


def phrases(text: str) -> tuple[str, ...]:
    """The phrases of a text, parted by semicolons, blanks trimmed."""
    return tuple(" ".join(phrase.split()) for phrase in text.split(";") if phrase.strip())


def pairs(text: str) -> dict[str, str]:
    """`first: second; ...` as a mapping."""
    split = (entry.split(":", 1) for entry in text.split(";") if entry.strip())
    return {first.strip(): " ".join(second.split()) for first, second in split}
