"""What quarantine keeps of archives that are bad many times over, and what they leave to the others."""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation

from archives import RejectedRecord
from archives.record_bounds import RECORD_BYTES
from archives.tally import MOST_LOSSES, REASONS, SAMPLES, Tally
from flows.intake.quarantine import SAMPLE_BYTES, Quarantine
from flows.intake.staging import Known, ReadingOptions, ReadingPlan, StagingRun
from flows.reports.progress import Silent
from flows.reports.run_summary import ArchiveOutcome
from schemas.errors import HostileArchive, InputError
from vault.layout import VaultLayout

GOOD = [chatgpt_conversation(name, [("user", "The hedge is low.")]) for name in ("hedge", "fence")]
EXPORT = json.dumps(GOOD)


def plan_of(layout: VaultLayout, *paths: Path) -> ReadingPlan:
    layout.create()
    reading = StagingRun(layout, {}, Known({}, frozenset(), lambda _: None), ReadingOptions(account="ada"))
    for path in paths:
        reading.read(path, Silent())
    return reading.plan


@pytest.fixture
def layout(tmp_path: Path) -> VaultLayout:
    return VaultLayout(tmp_path / "vault")


def kept(layout: VaultLayout) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in layout.quarantine.rglob("*") if path.is_file()}


def many_bad_records(path: Path, count: int) -> Path:
    path.write_text(EXPORT[:-1] + ",{}" * count + "]", encoding="utf-8")
    return path


def test_what_one_reason_refused_is_one_file_with_its_count(layout: VaultLayout, tmp_path: Path) -> None:
    plan = plan_of(layout, many_bad_records(tmp_path / "a.json", 3_000))
    assert (plan.results[0].outcome, plan.results[0].new) == (ArchiveOutcome.PARTLY, 2)
    assert sorted(kept(layout)) == ["not-read.json", "reason-1.txt"]
    reason, counts, *samples = kept(layout)["reason-1.txt"].decode().splitlines()
    assert reason == "a conversation without its messages (no mapping)"
    assert counts == f"3,000 in all; {SAMPLES} of them below"
    assert samples[:3] == ["", "a.json, record 3: 2 bytes", "{}"]
    assert samples.count("{}") == SAMPLES
    (told,) = json.loads(kept(layout)["not-read.json"])["not_read"]
    assert (told["reason"], told["count"]) == (reason, 3_000)


def test_reasons_without_end_share_a_file(layout: VaultLayout, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for number in range(REASONS + 20):
        line = json.dumps(chatgpt_conversation(f"c{number}", [("user", "The hedge is low.")]))
        (folder / f"{number:03}.jsonl").write_text(f"{line}\n{line}\n" + '{"a": "' + "x" * number)
    (result,) = plan_of(layout, folder).results
    assert result.new == REASONS + 20
    assert len(kept(layout)) == REASONS + 1 + 1
    last = kept(layout)[f"reason-{REASONS + 1}.txt"].decode().splitlines()
    assert last[:2] == [f"other reasons than the first {REASONS}", f"20 in all; {SAMPLES} of them below"]


def test_a_reading_takes_the_place_of_the_one_before(layout: VaultLayout, tmp_path: Path) -> None:
    path = many_bad_records(tmp_path / "a.json", 5)
    plan_of(layout, path)
    path.write_bytes(b"PK\x03\x04\x14")
    plan_of(layout, path)
    assert sorted(kept(layout)) == ["archive.json"]


def test_conversations_that_fail_stand_beside_samples(layout: VaultLayout, tmp_path: Path) -> None:
    archive = many_bad_records(tmp_path / "a.json", 1)
    report = plan_of(layout, archive).results[0].report
    assert report is not None
    Quarantine(layout, archive).conversations(report, {"c1": "KeyError"})
    assert sorted(kept(layout)) == ["not-extracted.json", "not-read.json", "reason-1.txt"]


def test_samples_have_room_and_something_is_kept_of_each(layout: VaultLayout, tmp_path: Path) -> None:
    layout.create()
    quarantine = Quarantine(layout, tmp_path / "a.json")
    for number in range(5):
        quarantine.record(RejectedRecord("a.json", f"reason {number}", b"x" * (SAMPLE_BYTES // 2)))
    quarantine.archive(InputError("it is broken"))
    sizes = [len(content) for name, content in kept(layout).items() if name != "archive.json"]
    assert len(sizes) == 5
    assert min(sizes) > SAMPLE_BYTES // 64
    assert sum(sizes) < SAMPLE_BYTES
    assert f"bytes of {SAMPLE_BYTES // 2:,}".encode() in kept(layout)["reason-2.txt"][:200]


def test_parts_of_one_conversation_wait_in_bounds() -> None:
    given: list[RejectedRecord] = []
    tally = Tally(given.append)
    for number in range(10_000):
        tally.reject("a message that is no JSON object", f"line {number}", b"x" * 1_000, held=True)
    assert len(tally._held) == SAMPLES
    tally.settle()
    assert [one.where for one in given] == ["line 0", "line 1", "line 2"]
    assert (tally.records, tally.skipped, tally.notes[0].count) == (10_000, 10_000, 10_000)


def test_reading_ends_where_nearly_all_is_bad() -> None:
    tally = Tally(losses=MOST_LOSSES)
    with pytest.raises(HostileArchive, match="1,000,000 of its records"):
        tally.reject("a record that is no conversation", "a.json", b"{}")
    assert tally.records == tally.skipped == 1


def overlapping(path: Path, members: int) -> Path:
    """A zip whose directory names the same bytes again and again."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0000.json", EXPORT[:-1] + ",{}]")
    data = held.getvalue()
    start = data.index(b"PK\x01\x02")
    entry = data[start : data.index(b"PK\x05\x06")]
    entries = b"".join(entry.replace(b"0000", f"{number:04}".encode()) for number in range(members))
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, members, members, len(entries), start, 0)
    path.write_bytes(data[:start] + entries + end)
    return path


def test_members_that_share_their_bytes_are_read_once(layout: VaultLayout, tmp_path: Path) -> None:
    (result,) = plan_of(layout, overlapping(tmp_path / "over.zip", 2_000)).results
    assert result.report is not None
    counts = {note.reason: note.count for note in result.report.notes}
    assert counts["a member was refused: it lies inside another member"] == 1_999
    assert counts["a conversation without its messages (no mapping)"] == 1
    assert result.new == 2
    assert len(kept(layout)) == 2


_READ_BOTH = """
import resource, sys
from pathlib import Path
from flows.reports.progress import Silent
from flows.intake.staging import Known, StagingRun, ReadingOptions
from vault.layout import VaultLayout

layout = VaultLayout(Path(sys.argv[1]))
layout.create()
reading = StagingRun(layout, {}, Known({}, frozenset(), lambda _: None), ReadingOptions(account="ada"))
taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + (160 << 20), resource.RLIM_INFINITY))
for path in sys.argv[2:]:
    reading.read(Path(path), Silent())
for one in reading.plan.results:
    print(one.outcome.value, one.new, one.error or [note.reason for note in one.report.notes][-1])
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="measured as Linux tells it")
def test_an_archive_that_memory_is_too_small_for_leaves_the_others(tmp_path: Path) -> None:
    good, vast = tmp_path / "good.json", tmp_path / "vast.json"
    good.write_text(EXPORT, encoding="utf-8")
    text = "a" * (RECORD_BYTES - (1 << 20))
    vast.write_text(EXPORT[:-1] + ", " + json.dumps(chatgpt_conversation("vast", [("user", text)])) + "]")
    done = subprocess.run(
        [sys.executable, "-c", _READ_BOTH, str(tmp_path / "vault"), str(vast), str(good)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first.startswith("not readable 0 ")
    assert "it takes more memory than there is" in first
    assert second.startswith("imported 2 ")
