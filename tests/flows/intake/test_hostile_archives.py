"""Archives that are broken or mean harm, through the first step: what is readable is staged."""

from __future__ import annotations

import json
import stat
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation

from flows.intake.staging import BATCH_CHARACTERS, Known, ReadingOptions, StagingRun
from flows.reports.progress import Silent
from flows.reports.run_summary import ArchiveOutcome, ArchiveResult
from schemas.report import NoteKind
from vault.layout import VaultLayout

sys.path.insert(0, str(Path(__file__).parents[2] / "archives"))

from archive_databases import cursor_editor

GOOD = [chatgpt_conversation(name, [("user", "The hedge is low.")]) for name in ("hedge", "fence")]
EXPORT = json.dumps(GOOD)


def staged(path: Path, vault: Path) -> tuple[ArchiveResult, list[dict[str, object]]]:
    """How reading ended, and what quarantine says of it."""
    layout = VaultLayout(vault)
    layout.create()
    reading = StagingRun(layout, {}, Known({}, frozenset(), lambda _: None), ReadingOptions(account="ada"))
    reading.read(path, Silent())
    (result,) = reading.plan.results
    told = [json.loads(file.read_text()) for file in sorted(layout.quarantine.rglob("*.json"))]
    return result, told


def zipped(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


def linked(folder: Path) -> Path:
    path = zipped(folder / "links.zip", {"conversations.json": EXPORT})
    with zipfile.ZipFile(path, "a") as archive:
        link = zipfile.ZipInfo("more.json")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    return path


def encrypted(folder: Path) -> Path:
    path = zipped(folder / "locked.zip", {"more.json": EXPORT, "conversations.json": EXPORT})
    data = bytearray(path.read_bytes())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + flags] |= 1
    path.write_bytes(data)
    return path


def cut(path: Path, share: float) -> Path:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    return path


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def bomb(folder: Path) -> Path:
    return zipped(folder / "bomb.zip", {"conversations.json": EXPORT[:-1] + "," + " " * 90_000_000 + "]"})


def broken_database(folder: Path) -> Path:
    path = cursor_editor(folder / "state.vscdb")
    data = bytearray(path.read_bytes())
    data[4096:4296] = b"\xff" * 200
    return written(path, bytes(data))


def record_without_meaning(folder: Path) -> Path:
    return written(folder / "a.json", json.dumps([*GOOD, {"conversation_id": "c", "title": "No mapping"}]))


BROKEN: dict[str, Callable[[Path], Path]] = {
    "leaves the archive": lambda folder: zipped(
        folder / "slip.zip", {"../evil.json": EXPORT, "conversations.json": EXPORT}
    ),
    "an absolute path": lambda folder: zipped(
        folder / "root.zip", {"/etc/evil.json": EXPORT, "conversations.json": EXPORT}
    ),
    "a symbolic link": linked,
    "times its packed size": bomb,
    "encrypted": encrypted,
    "the zip's directory is missing": lambda folder: cut(
        zipped(folder / "cut.zip", {"conversations.json": EXPORT}), 0.95
    ),
    "breaks off": lambda folder: cut(written(folder / "cut.json", EXPORT), 0.9),
    "no valid JSON": lambda folder: written(
        folder / "a.json", "[" + json.dumps(GOOD[0]) + ', {"x": nonsense}, ' + json.dumps(GOOD[1]) + "]"
    ),
    "nested too deeply": lambda folder: written(
        folder / "deep.json", EXPORT[:-1] + ', {"mapping": ' + "[" * 100_000 + "]" * 100_000 + "}]"
    ),
    "without its messages": record_without_meaning,
    "the database is damaged": broken_database,
}
"""Words of the reason, and the archive that has it."""


@pytest.mark.parametrize("reason", BROKEN)
def test_a_broken_archive_is_read_in_part_and_says_so(tmp_path: Path, reason: str) -> None:
    path = BROKEN[reason](tmp_path)
    result, told = staged(path, tmp_path / "vault")
    assert result.outcome is ArchiveOutcome.PARTLY  # the command ends with 3
    assert result.report is not None
    lost = [note for note in result.report.notes if note.kind is NoteKind.REJECTED]
    assert any(reason in note.reason and note.where and note.remedy for note in lost)
    assert reason in json.dumps(told)
    if reason != "the database is damaged":
        assert result.new >= 1


KEPT: dict[str, Callable[[Path], Path]] = {
    "two members with this name": lambda folder: doubled(folder / "double.zip"),
    "U+FFFD": lambda folder: written(folder / "a.json", EXPORT.replace("low", "\\ud800 \\u0000")),
    "a message whose parent is missing": lambda folder: edited(folder, parent="nowhere"),
    "a circle of parents": lambda folder: edited(folder, parent="hedge-0"),
    "a time outside the years": lambda folder: edited(folder, time=4_294_967_296),
    "a conversation in several versions": lambda folder: written(
        folder / "a.json", json.dumps([GOOD[0], {**GOOD[0], "title": "Another"}])
    ),
}
"""Words of the note, and an archive that is read whole all the same."""


def doubled(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", EXPORT)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("conversations.json", EXPORT)
    return path


def edited(folder: Path, *, parent: str | None = None, time: float | None = None) -> Path:
    made = json.loads(EXPORT)
    node = made[0]["mapping"]["hedge-0"]
    if parent is not None:
        node["parent"] = parent
        made[0]["mapping"] = {"hedge-0": node}
    if time is not None:
        node["message"]["create_time"] = time
    return written(folder / "a.json", json.dumps(made))


@pytest.mark.parametrize("note", KEPT)
def test_what_is_only_odd_is_kept_and_noted(tmp_path: Path, note: str) -> None:
    result, told = staged(KEPT[note](tmp_path), tmp_path / "vault")
    assert result.outcome is ArchiveOutcome.IMPORTED
    assert result.report is not None
    assert any(note in one.reason for one in result.report.notes)
    assert told == []


def test_an_archive_of_which_nothing_is_left_lies_in_quarantine(tmp_path: Path) -> None:
    result, told = staged(written(tmp_path / "stub.zip", b"PK\x03\x04\x14"), tmp_path / "vault")
    assert result.outcome is ArchiveOutcome.FAILED
    assert "Download the export again" in str(told[0]["reason"])


def test_huge_messages_do_not_wait_for_each_other(tmp_path: Path) -> None:
    huge = [chatgpt_conversation(f"c{n}", [("user", str(n) * BATCH_CHARACTERS)]) for n in range(2)]
    path = tmp_path / "huge.json"
    path.write_text(json.dumps([*huge, *GOOD]), encoding="utf-8")
    layout = VaultLayout(tmp_path / "vault")
    layout.create()
    reading = StagingRun(layout, {}, Known({}, frozenset(), lambda _: None), ReadingOptions(account="ada"))
    reading.read(path, Silent())
    assert [len(reading.plan.to_load(batch)) for batch in reading.plan.batches] == [1, 1, 2]
