"""How often Python looks for circles of garbage while an archive is open."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

RARELY = (400_000, 20, 100)
"""Allocations between two looks, and looks between those at older objects. Reading makes trees, which
go when nobody holds them any more; with the usual (700, 10, 10) a fifth of the time is spent walking them,
and with 50,000, which is less than a batch of conversations comes to, a twentieth."""


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Look for circles rarely until the block ends; then as often as before."""
    before = gc.get_threshold()
    gc.set_threshold(*RARELY)
    try:
        yield
    finally:
        gc.set_threshold(*before)
