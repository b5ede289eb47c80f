"""Real exports and other projects' fixtures, where they are at hand, against the counts a person found."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from archive_reading import read

from archives import Inspection, inspect_archive
from archives.registry import FORMATS
from schemas.errors import DamagedArchive, UnrecognisedArchive

SHARED = Path(os.environ.get("MNEMIC_SHARED") or Path(__file__).resolve().parents[2].parent / "shared")
SAMPLES = SHARED / "samples"
COUNTS = (
    "conversations",
    "messages_active",
    "user_typed",
    "assistant",
    "off_branch",
    "tool_results",
    "reasoning",
)

VENDORS_WITHOUT_A_READER = {
    "kimi",
}
"""Reported as unrecognised until a reader exists. The one place that lists them."""

READ_ONLY_WHEN_FORCED = {"gemini_takeout/ai-chat-history-manager__gemini.html"}
"""Its headers are not the product's, so detection refuses it."""

REFUSED_ON_PURPOSE = {
    "chatgpt/polylogue__native-browser-capture-v1.json": "a browser extension's wrapper, no vendor's export",
    "deepseek/deepseek-exporter__DeepSeek_-_test_chat_2025-11-22T15-53-10.json": "a converter's tree",
    "gemini_cli/agent-sessions__gemini_schema_drift.json": "neither session nor project nor messages",
}


def rows() -> list[dict[str, Any]]:
    path = SAMPLES / "EXPECTED.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_the_samples_are_at_hand() -> None:
    if not rows():
        pytest.skip(f"no samples: {SAMPLES} is absent")
    assert len(rows()) > 50


def test_the_list_of_missing_readers_is_true() -> None:
    assert not {row.id for row in FORMATS} & VENDORS_WITHOUT_A_READER
    known = {row["vendor"] for row in rows()} - {"not_a_conversation", "malformed"}
    assert known >= VENDORS_WITHOUT_A_READER or not rows()


def path_of(row: dict[str, Any], folder: Path) -> Path:
    """The sample itself; a row for a folder of flattened names gets the folder rebuilt."""
    path = SAMPLES / row["file"]
    if path.exists():
        return path
    for flat in path.parent.glob(f"{path.name}__*"):
        target = folder / flat.name.removeprefix(f"{path.name}__").replace("__", "/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(flat, target)
    return folder


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["file"])
def test_a_sample_is_read_as_expected(row: dict[str, Any], tmp_path: Path) -> None:
    path = path_of(row, tmp_path)
    vendor = row["vendor"]
    nothing = (
        vendor in VENDORS_WITHOUT_A_READER
        or vendor == "not_a_conversation"
        or row["file"] in REFUSED_ON_PURPOSE
    )
    if nothing or vendor == "malformed":
        try:
            conversations = read(path)[0]
        except (UnrecognisedArchive, DamagedArchive):
            return
        assert not nothing, f"read as {conversations}"
        return
    forced = vendor if row["file"] in READ_ONLY_WHEN_FORCED else None
    seen = inspect_archive(path, format_id=forced)
    assert seen.format == vendor
    assert differences(row, seen) == {}


def differences(row: dict[str, Any], seen: Inspection) -> dict[str, Any]:
    """Expected and found, where they differ. Ranges are inclusive; null means not counted."""
    found: dict[str, Any] = {}
    for name in COUNTS:
        expected, value = row[name], getattr(seen, name)
        low, high = expected if isinstance(expected, list) else (expected, expected)
        if expected is not None and not low <= value <= high:
            found[name] = (expected, value)
    if row["confidence"] == "unsure":
        return found
    if row["titles"] and sorted(seen.titles) != sorted(row["titles"]):
        found["titles"] = (row["titles"], seen.titles)
    for name in ("first_time_utc", "last_time_utc"):
        value = getattr(seen, name)
        if row[name] and (value is None or value.isoformat() != _iso(row[name])):
            found[name] = (row[name], value)
    return found


def _iso(text: str) -> str:
    from datetime import datetime

    return datetime.fromisoformat(text).isoformat()


def test_realmem_is_accounted_for_to_the_last_record() -> None:
    zips = sorted((SHARED / "evals" / "realmem").glob("*.zip"))
    if not zips:
        pytest.skip(f"no realmem: {SHARED / 'evals'} is absent")
    reports = [read(path)[1] for path in zips]
    roots = sum(report.conversations for report in reports)
    assert roots == 926
    assert [report.account for report in reports] == [path.stem for path in zips]
    assert all(report.complete for report in reports)
    # five of the messages are assistant turns without a word; each conversation has a null root besides
    assert sum(report.records for report in reports) == 6_733 + roots
    assert sum(report.messages for report in reports) == 6_733


def test_locomo_knows_its_owner() -> None:
    path = SHARED / "evals" / "locomo" / "conv-26.transcript.jsonl"
    if not path.exists():
        pytest.skip(f"no locomo: {path} is absent")
    conversations, report, _ = read(path)
    assert (report.conversations, report.messages, report.records_skipped) == (19, 419, 0)
    origins = {(message.author, segment.origin) for c in conversations for message in c.messages
               for segment in message.segments}  # fmt: skip
    assert origins == {("Caroline", "typed"), ("Melanie", "other")}
