"""Word lists written as running text: easier to read and to extend than columns of quoted words."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The blank-separated words of a text."""
    return frozenset(text.split())
