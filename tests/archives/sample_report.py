"""What the readers find in the samples, beside what a person found who read the files.

    python tests/archives/sample_report.py > docs/samples.md

Needs the samples (MNEMIC_SHARED names their folder's parent). A test keeps the document true where they are.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from archives import Inspection, inspect_archive, open_archive
from schemas.conversation import Origin
from schemas.errors import DamagedArchive, UnrecognisedArchive

SHARED = Path(os.environ.get("MNEMIC_SHARED") or Path(__file__).resolve().parents[2].parent / "shared")
SAMPLES = SHARED / "samples"
COUNTS = (
    "conversations", "messages_active", "user_typed", "assistant", "off_branch", "tool_results", "reasoning",
)  # fmt: skip

FORCED = {
    "gemini_takeout/ai-chat-history-manager__gemini.html": "its headers are not the product's, so detection "
    "refuses it; read with --format",
}
NOT_READ = {
    "chatgpt/polylogue__native-browser-capture-v1.json": "a browser extension's wrapper, no vendor's export: "
    "reported as unrecognised",
    "deepseek/deepseek-exporter__DeepSeek_-_test_chat_2025-11-22T15-53-10.json": "a converter's tree without "
    "a mark of the vendor: reported as unrecognised",
    "gemini_cli/agent-sessions__gemini_schema_drift.json": "neither session nor project nor messages: "
    "reported as unrecognised",
}
"""Read otherwise than its folder says, and why. Every other row of the list is read as it stands there."""
DOCUMENTS_ALONE = {
    "claude_ai/panchat__claude_memories_v2.json": "memories alone: documents of Claude.ai's export",
    "claude_ai/panchat__claude_project_dir.json": "a project alone: documents of Claude.ai's export",
}
"""No conversation, as the list says, and read for the documents in it."""
COUNTED_OTHERWISE = {
    "claude_code/agent-sessions__claude_small.jsonl": (
        "off_branch 5 for [0, 4]",
        "its second half has one phrase in place of every id: what lines of one id say differently is kept",
    ),
}
"""A difference that is meant, and why."""

_HEAD = """# Samples

Written by `python tests/archives/sample_report.py > docs/samples.md`; a test keeps it true where the samples
are.

Real exports and other projects' fixtures, and what the readers find in them: conversations, messages with
somebody's own words on the active branches (typed by the user + answers), such messages on branches that were
left, results of tools, messages with reasoning. A person counted the same by reading the files, and says how
sure that is; a range stands where two readings are right. *Difference* is every count, title, time or first
word that is not as expected.

| sample | read as | conv. | active (typed + answers) | left | tools | reasoning | expected | difference |
|---|---|---|---|---|---|---|---|---|
"""


@dataclass(slots=True)
class Outcome:
    """What reading one sample came to."""

    read_as: str
    seen: Inspection | None = None
    differences: list[str] = field(default_factory=list)
    explained: str = ""


def rows() -> list[dict[str, Any]]:
    """The rows of the list; none where the samples are absent."""
    path = SAMPLES / "EXPECTED.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


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


def outcome(row: dict[str, Any], folder: Path) -> Outcome:
    """Read one sample and compare."""
    path, vendor = path_of(row, folder), row["vendor"]
    forced = vendor if row["file"] in FORCED else None
    try:
        seen = inspect_archive(path, format_id=forced)
    except (UnrecognisedArchive, DamagedArchive) as error:
        expected = vendor in ("not_a_conversation", "malformed") or row["file"] in NOT_READ
        found = Outcome("unrecognised" if isinstance(error, UnrecognisedArchive) else "damaged")
        found.explained = NOT_READ.get(row["file"], "")
        if not expected:
            found.differences.append(f"not read: {error}")
        return found
    found = Outcome(seen.format, seen, _differences(row, seen), FORCED.get(row["file"], ""))
    if row["file"] in DOCUMENTS_ALONE and not seen.conversations and seen.resources:
        found.explained = DOCUMENTS_ALONE[row["file"]]
        return found
    if vendor != "malformed" and seen.format != vendor:
        found.differences.append(f"format {seen.format} for {vendor}")
    meant, why = COUNTED_OTHERWISE.get(row["file"], ("", ""))
    if meant in found.differences:
        found.differences.remove(meant)
        found.explained = f"{meant}: {why}"
    if row["file"] in NOT_READ:
        found.differences.append("it is read, and the list says that it is not")
    first = row["first_user_words"]
    if first and seen.user_typed and row["confidence"] != "unsure":
        words = _first_typed(path, forced)
        if not words.startswith(" ".join(first.split())):
            found.differences.append(f"first words {words[:40]!r}")
    return found


def _differences(row: dict[str, Any], seen: Inspection) -> list[str]:
    """Ranges are inclusive; null means not counted. Of an unsure row only the counts are compared."""
    found: list[str] = []
    for name in COUNTS:
        expected, value = row[name], getattr(seen, name)
        low, high = expected if isinstance(expected, list) else (expected, expected)
        if expected is not None and not low <= value <= high:
            found.append(f"{name} {value} for {expected}")
    if row["confidence"] == "unsure":
        return found
    if row["titles"] and sorted(seen.titles) != sorted(row["titles"]):
        found.append(f"titles {seen.titles} for {row['titles']}")
    for name in ("first_time_utc", "last_time_utc"):
        value = getattr(seen, name)
        if row[name] and (value is None or value != datetime.fromisoformat(row[name])):
            found.append(f"{name} {value} for {row[name]}")
    return found


def _first_typed(path: Path, forced: str | None) -> str:
    """The first words that the owner typed, in the order of the file; blanks collapsed."""
    with open_archive(path, format_id=forced) as archive:
        for conversation in archive.conversations():
            for message in conversation.active_messages():
                for segment in message.segments:
                    if segment.origin is Origin.TYPED:
                        return " ".join(message.text[segment.start : segment.end].split())
    return ""


def report() -> str:
    """The document, as Markdown."""
    lines = []
    for row in rows():
        with tempfile.TemporaryDirectory() as folder:
            found = outcome(row, Path(folder))
        seen = found.seen
        counts = (
            (
                seen.conversations,
                f"{seen.messages_active} ({seen.user_typed} + {seen.assistant})",
                seen.off_branch,
                seen.tool_results,
                seen.reasoning,
            )
            if seen
            else ("",) * 5
        )
        expected = " / ".join(_range(row[name]) for name in COUNTS)
        told = "; ".join(filter(None, (*found.differences, found.explained))) or "none"
        cells = (f"`{row['file']}`", found.read_as, *counts, f"{row['confidence']}: {expected}", told)
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return _HEAD + "\n".join(lines) + "\n"


def _range(value: object) -> str:
    return f"{value[0]}-{value[1]}" if isinstance(value, list) else ("-" if value is None else str(value))


if __name__ == "__main__":
    sys.stdout.write(report())
