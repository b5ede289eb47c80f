"""The fault suite, short. `make faults` runs all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.faults.clock import clock_set_back
from benchmarks.faults.concurrent_processes import reader_through_publications, two_writers
from benchmarks.faults.damage import damage
from benchmarks.faults.deep_scoping import deep_scoping
from benchmarks.faults.full_disks import full_disk
from benchmarks.faults.kills import kills


def test_kills_lose_nothing(tmp_path: Path) -> None:
    drill = kills(tmp_path, 1, seed=5)
    assert drill.failures == []
    assert drill.counts["kills"] == 1


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    drill = full_disk(tmp_path, 1, seed=2)
    if "not run: no permission to mount a disk" in drill.counts:
        pytest.skip("no permission to mount a disk")
    assert drill.failures == []


def test_damage_is_found_and_named(tmp_path: Path) -> None:
    drill = damage(tmp_path, 1, seed=3)
    assert drill.failures == []
    assert sum(count for name, count in drill.counts.items() if name.startswith("flipped bit")) == 2


def test_of_two_writers_one_waits_outside(tmp_path: Path) -> None:
    drill = two_writers(tmp_path, 1)
    assert drill.failures == []
    assert drill.counts["wrote"] >= 1


def test_a_reader_sees_whole_generations(tmp_path: Path) -> None:
    drill = reader_through_publications(tmp_path, 4)
    assert drill.failures == []


def test_a_clock_that_is_set_back_changes_no_order(tmp_path: Path) -> None:
    assert clock_set_back(tmp_path, 2).failures == []


def test_no_deep_search_leaves_its_account(tmp_path: Path) -> None:
    drill = deep_scoping(tmp_path, 20, seed=3)
    assert drill.failures == []
    assert drill.counts["questions with neighbours"] > 0
