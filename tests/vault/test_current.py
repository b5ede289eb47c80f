"""`CURRENT` cannot come to name another generation than the one that was published unnoticed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from flows.upkeep.checkup import examine_all
from flows.upkeep.full_verification import verify
from flows.upkeep.index_rebuild import rollback
from schemas.errors import IntegrityError
from vault.current import number_said, said_of
from vault.generations import published_number
from vault.layout import VaultLayout
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]
NUMBERS = st.integers(min_value=0, max_value=10**9)


@given(NUMBERS)
def test_what_is_written_is_what_is_read(number: int) -> None:
    assert number_said(said_of(number)) == number


@given(NUMBERS)
def test_a_number_alone_is_what_the_first_vaults_say(number: int) -> None:
    assert number_said(f"{number}\n") == number


@given(NUMBERS, st.data())
def test_no_turned_bit_and_no_cut_names_another_generation(number: int, data: st.DataObject) -> None:
    written = said_of(number).encode()
    place = data.draw(st.integers(0, len(written) * 8 - 1))
    turned = bytearray(written)
    turned[place // 8] ^= 1 << place % 8
    assert number_said(turned.decode(errors="replace")) is None
    assert number_said(written[: place // 8].decode()) in (None, number)


def test_a_turned_bit_that_names_an_older_generation_is_refused_and_mended(
    tmp_path: Path, export: Exporter
) -> None:
    layout = VaultLayout(tmp_path / "vault")
    archive = export("ada", {"bread": [("user", "I decided to buy a stone oven."), ("assistant", "Good.")]})
    ingested(IngestRequest(layout.root, (archive,)))
    for _ in range(2):
        rollback(layout.root, published_number(layout) or 0)
    said = layout.current.read_bytes()
    turned = bytes([said[0] ^ 2]) + said[1:]
    assert (said[:1], turned[:1]) == (b"3", b"1")
    assert layout.generation(1).is_dir()
    layout.current.write_bytes(turned)
    with pytest.raises(IntegrityError, match=r"its sum does not fit.*mnemic vault rollback 3"):
        open_vault(layout.root)
    assert [one.remedy for one in examine_all(layout.root) if not one.well]
    (wrong,) = verify(layout.root, full=False)[1]
    assert (wrong.where, wrong.remedy) == ("CURRENT", "Run `mnemic vault rollback 3`")
    rollback(layout.root, 3)
    assert published_number(layout) == 4
    assert verify(layout.root, full=True)[1] == []
    layout.current.write_text("4\n", encoding="utf-8")  # as a vault from before sums
    with open_vault(layout.root) as reader:
        assert reader.generation.number == 4
