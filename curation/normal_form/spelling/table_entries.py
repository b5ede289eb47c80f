"""How the tables of words are written: a line `canonical: variant; variant`."""

from __future__ import annotations

Table = dict[tuple[str, ...], tuple[str, ...]]
"""Variant to canonical, both as words."""


def entries(text: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Variant to canonical, both as tuples of words, from lines `canonical: variant; variant`."""
    made: dict[tuple[str, ...], tuple[str, ...]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        canonical, _, variants = line.partition(":")
        for variant in variants.split(";"):
            made[tuple(variant.split())] = tuple(canonical.split())
    return made
