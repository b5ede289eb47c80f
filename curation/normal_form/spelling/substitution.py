"""Spellings and abbreviations by the one that stands for all, and fillers away: the longest match first."""

from __future__ import annotations

from collections.abc import Sequence

from curation.normal_form.spelling import abbreviations, fillers, spelling_tables
from curation.normal_form.spelling.standard_spelling import american
from curation.normal_form.spelling.table_entries import Table


def _longest(table: Table) -> dict[str, tuple[int, frozenset[str]]]:
    """First word to the length of the longest variant that begins with it, and the second words of those."""
    lengths: dict[str, int] = {}
    seconds: dict[str, set[str]] = {}
    for variant in table:
        lengths[variant[0]] = max(lengths.get(variant[0], 0), len(variant))
        seconds.setdefault(variant[0], set()).update(variant[1:2])
    return {first: (longest, frozenset(seconds[first])) for first, longest in lengths.items()}


def _prepared(table: Table) -> Table:
    """The table with its words in American spelling, as the tokens are when they meet it."""
    return {tuple(map(american, variant)): canonical for variant, canonical in table.items()}


SPELLED = _prepared(
    spelling_tables.SPELLINGS
    | {
        key: value
        for key, value in abbreviations.ABBREVIATIONS.items()
        if key[0].upper() not in abbreviations.CAPITALS_ONLY
    }
)
FILLERS = _prepared(fillers.FILLERS)
_STARTS = {id(table): _longest(table) for table in (SPELLED, FILLERS)}


def replaced(tokens: Sequence[str], table: Table) -> list[str]:
    """Every variant of the table by its canonical words, the longest variant first, left to right."""
    starts = _STARTS[id(table)]
    made: list[str] = []
    done, count = 0, len(tokens)
    for place in [place for place, token in enumerate(tokens) if token in starts]:
        if place < done:
            continue
        longest, seconds = starts[tokens[place]]
        if place + 1 == count or tokens[place + 1] not in seconds:
            longest = 1
        for length in range(min(longest, count - place), 0, -1):
            canonical = table.get(tuple(tokens[place : place + length]))
            if canonical is not None:
                made += tokens[done:place]
                made += canonical
                done = place + length
                break
    made += tokens[done:]
    return made
