"""Which part of a long list a page shows, and the addresses of the parts beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interfaces.web.page_filter import number_of, query

PAGE = 50
"""Rows of a list on one page."""


@dataclass(frozen=True, slots=True)
class Pager:
    """A part of a list: its first and last row, counted from 1, of how many; and what leads on and back."""

    first: int
    last: int
    total: int
    previous: str | None
    next: str | None


def start_of(fields: Mapping[str, str]) -> int:
    """The row that a list begins with, counted from 0, as the address says it."""
    return number_of(fields.get("from", "")) or 0


def pager(path: str, asked: Mapping[str, str], start: int, total: int, size: int = PAGE) -> Pager:
    """The part from `start` on of the list at `path` with the filter `asked`."""
    last = min(start + size, total)
    before = query({**asked, **({"from": str(start - size)} if start > size else {})})
    return Pager(
        min(start + 1, total),
        last,
        total,
        f"{path}{before}" if start else None,
        f"{path}{query({**asked, 'from': str(last)})}" if last < total else None,
    )
