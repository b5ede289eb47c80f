"""What a process that answers for hours does to the garbage collector, and that it is taken back."""

from __future__ import annotations

import gc

from interfaces.long_lived import ALLOCATIONS_BEFORE_A_PASS, settled


def test_what_was_loaded_is_out_of_sight_until_the_end() -> None:
    before = gc.get_threshold()
    with settled():
        assert gc.get_freeze_count() > 1_000
        assert gc.get_threshold()[0] == ALLOCATIONS_BEFORE_A_PASS
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
