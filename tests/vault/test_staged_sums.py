"""A staged batch that is not what was written is done again, wherever a bit of it turned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vault.batch import Batch
from vault.sums import SUMS

DIMENSION = 8


@pytest.fixture
def batch(tmp_path: Path) -> Batch:
    made = Batch(tmp_path / "batch")
    vectors = {f"point {number}": np.full(DIMENSION, number, dtype=np.float32) for number in range(50)}
    made.write_vectors(vectors, DIMENSION)
    made.write_units([])
    made.finish("embed", {"vectors": "50"})
    return made


def test_a_turned_bit_anywhere_is_noticed(batch: Batch) -> None:
    assert batch.is_sound()
    for path in [one for one in batch.folder.iterdir() if one.suffix != SUMS]:
        whole = path.read_bytes()
        for at in range(0, len(whole), max(1, len(whole) // 40)):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            assert not batch.is_sound(), (path.name, at)
        path.write_bytes(whole)
    assert batch.is_sound()


def test_a_table_that_is_written_again_is_sound_before_and_after(batch: Batch) -> None:
    path = batch.folder / "vectors.parquet"
    before = path.read_bytes()
    batch.write_vectors({"one": np.ones(DIMENSION, dtype=np.float32)}, DIMENSION)
    assert batch.is_sound()
    path.write_bytes(before)  # killed between the note and the rename
    assert batch.is_sound()


def test_a_batch_of_an_older_version_has_no_sums_and_is_taken_as_it_is(batch: Batch) -> None:
    for path in batch.folder.glob(f"*{SUMS}"):
        path.unlink()
    assert batch.is_sound()
    (batch.folder / "vectors.parquet").write_bytes(b"PAR1")
    assert not batch.is_sound()
