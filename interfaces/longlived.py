"""What a process that answers for hours does once, before its first answer."""

from __future__ import annotations

import gc

ALLOCATIONS_BEFORE_A_PASS = 50_000
"""Python's own 700 means some thirty passes of the garbage collector a recall."""


def settle() -> None:
    """Take what was loaded so far out of the garbage collector's sight, and call it less often.

    A recall makes some ten thousand small objects and hardly a cycle among them. With Python's own thresholds
    the collector walks over all modules and remembered payloads again and again: a tenth of an average
    recall, and 80 ms of one in fifty (`benchmarks/recall.py`).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS_BEFORE_A_PASS, 20, 50)
