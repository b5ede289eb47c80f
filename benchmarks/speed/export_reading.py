"""Read a generated export and compare with bare ijson over the same bytes, in processes of their own.

    python benchmarks/speed/export_reading.py --megabytes 200
    # the quality bar's size: 10,000 conversations
    python benchmarks/speed/export_reading.py --megabytes 2000

Prints seconds, MB/s and peak memory (MB) of bare ijson, of the reader, and of the whole step into staging,
and the ratios to bare ijson; the bar is a ratio of at most 2.5 for the reader, and 300 MB of memory and
20 MB/s end to end into staging.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

CONVERSATION_BYTES = 200_000
TEXT = (
    "the plan holds until we learn more about storage cost and the team that runs it every night because "
    "nobody wants to wake up for a full disk again naïve café Zürich 東京 so we measure first then decide"
)


def generate(path: Path, megabytes: int) -> int:
    """Write an export zip of about that many unpacked megabytes; returns the number of conversations."""
    chance = random.Random(7)
    conversations = max(1, megabytes * 1_000_000 // CONVERSATION_BYTES)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open("conversations.json", "w", force_zip64=True) as out:
            for number in range(conversations):
                out.write(b"[" if number == 0 else b",")
                out.write(json.dumps(conversation(number, chance), ensure_ascii=False).encode())
            out.write(b"]")
        archive.writestr("user.json", json.dumps({"id": "user-1", "email": "bench@example.org"}))
    return conversations


def conversation(number: int, chance: random.Random) -> dict[str, object]:
    """One conversation of about CONVERSATION_BYTES in ChatGPT's layout."""
    mapping: dict[str, object] = {"root": {"id": "root", "message": None, "parent": None, "children": ["n0"]}}
    count, turns = 0, 0
    while count < CONVERSATION_BYTES:
        text = " ".join(chance.choices(TEXT.split(), k=chance.choice((12, 60, 240, 900))))
        key, parent = f"n{turns}", f"n{turns - 1}" if turns else "root"
        mapping[key] = {
            "id": key,
            "parent": parent,
            "children": [f"n{turns + 1}"],
            "message": {
                "id": key,
                "author": {"role": ("user", "assistant")[turns % 2], "name": None, "metadata": {}},
                "create_time": 1_700_000_000 + number * 5_000 + turns * 30.25,
                "update_time": None,
                "content": {"content_type": "text", "parts": [text]},
                "status": "finished_successfully",
                "end_turn": True,
                "weight": 1.0,
                "metadata": {"model_slug": "gpt-5", "request_id": f"r{turns}", "timestamp_": "absolute"},
                "recipient": "all",
            },
        }
        count += len(text.encode()) + 500
        turns += 1
    return {
        "id": f"c{number}",
        "conversation_id": f"c{number}",
        "title": f"Conversation {number}",
        "create_time": 1_700_000_000.5 + number,
        "update_time": 1_700_000_100.5 + number,
        "mapping": mapping,
        "current_node": f"n{turns - 1}",
    }


def bare(path: Path) -> int:
    """Iterate with ijson and do nothing."""
    import ijson

    with zipfile.ZipFile(path) as archive, archive.open("conversations.json") as stream:
        return sum(1 for _ in ijson.items(stream, "item", use_float=True))


def reader(path: Path) -> int:
    """Iterate with mnemic's reader, hashing each conversation as staging does."""
    from archives import open_archive

    with open_archive(path) as archive:
        count = sum(1 for conversation in archive.conversations() if conversation.content_hash)
        report = archive.report()
    assert report.records == report.messages + report.records_skipped
    return count


def staging(path: Path) -> int:
    """The first step of an ingest, from the zip to Parquet in a new vault's staging folder."""
    from flows.intake.staging import Known, ReadingOptions, StagingRun
    from flows.reports.progress import Silent
    from vault.layout import VaultLayout

    # whoever measures removes the folder: that is no part of the step
    layout = VaultLayout(Path(tempfile.mkdtemp(dir=path.parent)))
    layout.create()
    reading = StagingRun(layout, {}, Known({}, frozenset(), lambda _: None), ReadingOptions())
    reading.read(path, Silent())
    return sum(report.conversations for report in reading.plan.reports)


MEASURED = {"bare": bare, "reader": reader, "staging": staging}
IMPORTED = {"bare": ["ijson"], "reader": ["archives"], "staging": ["flows.intake.staging", "pyarrow.parquet"]}
"""Loaded before the clock starts: what a program costs to start is not what a byte costs to read."""


def measure(what: str, path: Path) -> tuple[float, float, int]:
    """Run one of MEASURED in a process of its own; seconds, processor seconds, peak kilobytes."""
    line = subprocess.run(
        [sys.executable, __file__, "--run", what, "--path", str(path)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    seconds, cpu, peak = line.split()
    return float(seconds), float(cpu), int(peak)


def main() -> None:
    """Parse the command line and print the comparison."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--run", choices=tuple(MEASURED), help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        for module in IMPORTED[options.run]:
            importlib.import_module(module)
        start, cpu = time.perf_counter(), time.process_time()
        MEASURED[options.run](options.path)
        elapsed, cpu = time.perf_counter() - start, time.process_time() - cpu
        print(elapsed, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.zip"
        conversations = generate(path, options.megabytes)
        with zipfile.ZipFile(path) as archive:
            size = archive.getinfo("conversations.json").file_size / 1e6
        zipped = path.stat().st_size / 1e6
        print(f"{conversations:,} conversations, {size:,.0f} MB of JSON, {zipped:,.0f} MB zipped")
        used = {}
        for what in MEASURED:
            seconds, used[what], peak = measure(what, path)
            print(
                f"{what:8} {seconds:8.2f} s, {used[what]:8.2f} s of processor, "
                f"{size / seconds:6.1f} MB/s, {peak / 1024:6.0f} MB peak"
            )
        for what in ("reader", "staging"):
            print(f"ratio of {what}: {used[what] / used['bare']:.2f} (of processor time)")


if __name__ == "__main__":
    main()
