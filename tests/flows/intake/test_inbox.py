"""The inbox holds what people drop there; nothing of it may keep the rest from being read."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from flows.intake.inbox import NOTE, SETTLED_SECONDS, move_out, settled_archives
from flows.intake.quarantine import Quarantine
from flows.reports.run_summary import ArchiveOutcome, ArchiveResult
from schemas.errors import InputError
from vault.layout import VaultLayout


@pytest.fixture
def layout(tmp_path: Path) -> VaultLayout:
    made = VaultLayout(tmp_path / "vault")
    made.create()
    return made


def laid(path: Path, text: str = "[]") -> Path:
    path.write_text(text, encoding="utf-8")
    moment = time.time() - 2 * SETTLED_SECONDS
    os.utime(path, (moment, moment))
    return path


def ended(archive: Path, outcome: ArchiveOutcome = ArchiveOutcome.IMPORTED) -> ArchiveResult:
    return ArchiveResult(archive=os.fsencode(archive).decode("utf-8", "replace"), outcome=outcome)


def test_a_link_that_leads_nowhere_and_a_pipe_keep_nothing_from_being_read(layout: VaultLayout) -> None:
    good = laid(layout.inbox / "good.json")
    (layout.inbox / "gone.zip").symlink_to("nowhere.zip")
    (layout.inbox / "round").symlink_to(layout.inbox / "round")
    os.mkfifo(layout.inbox / "pipe.json")
    os.utime(layout.inbox / "pipe.json", (1, 1))
    assert settled_archives(layout) == [good]


def test_a_folder_with_a_broken_link_in_it_is_taken(layout: VaultLayout) -> None:
    folder = layout.inbox / "export"
    folder.mkdir()
    (folder / "gone").symlink_to("nowhere")
    assert settled_archives(layout, time.time() + 2 * SETTLED_SECONDS) == [folder]


@pytest.mark.parametrize("name", ["a" * 250 + ".json", "\u00e9" * 124 + ".json"])
def test_an_archive_with_the_longest_name_is_moved_out_with_its_note(layout: VaultLayout, name: str) -> None:
    archive = laid(layout.inbox / name)
    move_out(layout, [ended(archive)])
    (moved,) = [one for one in layout.processed.iterdir() if not one.name.endswith(NOTE)]
    assert moved.suffix == ".json"
    assert moved.with_name(moved.name + NOTE).exists()
    assert not archive.exists()
    Quarantine(layout, archive).archive(InputError("it is broken"))
    assert len(list(layout.quarantine.iterdir())) == 1


def test_an_archive_whose_name_is_not_utf8_is_moved_out(layout: VaultLayout) -> None:
    laid(layout.inbox / "bad").rename(odd := layout.inbox / os.fsdecode(b"bad\xff.json"))
    move_out(layout, [ended(odd, ArchiveOutcome.FAILED)])
    assert list(layout.inbox.iterdir()) == []
    assert len(list(layout.quarantine.iterdir())) == 2


def test_what_went_away_or_grew_while_it_was_read_is_left(layout: VaultLayout) -> None:
    began = time.time() - 1
    grown, still = laid(layout.inbox / "grown.json"), laid(layout.inbox / "still.json")
    results = [ended(one) for one in (grown, layout.inbox / "gone.json", still)]
    grown.write_text("[1]", encoding="utf-8")
    move_out(layout, results, began)
    assert list(layout.inbox.iterdir()) == [grown]
    assert {one.name for one in layout.processed.iterdir()} == {"still.json", "still.json" + NOTE}


def test_a_note_takes_no_archives_place(layout: VaultLayout) -> None:
    named_so = laid(layout.inbox / ("a.json" + NOTE), "mine")
    move_out(layout, [ended(named_so)])
    move_out(layout, [ended(laid(layout.inbox / "a.json"))])
    assert (layout.processed / ("a.json" + NOTE)).read_text(encoding="utf-8") == "mine"
    assert (layout.processed / "a-2.json").exists()
