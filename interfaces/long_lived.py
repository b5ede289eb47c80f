"""What a process that answers for hours does once, before its first answer."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

ALLOCATIONS_BEFORE_A_PASS = 50_000
"""Python's own 700 means some thirty passes of the garbage collector a recall."""


@contextmanager
def settled() -> Iterator[None]:
    """Within it what was loaded so far is out of the garbage collector's sight, which comes less often.

    A recall makes some ten thousand small objects and hardly a cycle among them. With Python's own thresholds
    the collector walks over all modules and remembered payloads again and again: a tenth of an average
    recall, and 80 ms of one in fifty (`benchmarks/speed/recall_latency.py`). In the end all is in its sight
    again, or an extension reports what the collector did not take away as leaked.
    """
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS_BEFORE_A_PASS, 20, 50)
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)
