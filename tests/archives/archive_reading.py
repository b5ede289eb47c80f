"""What the tests of this folder share: reading a path through, and writing what came out for a person."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archives import RejectedRecord, open_archive
from archives.archive import READER_FAILED
from schemas.conversation import Conversation
from schemas.errors import MnemicError
from schemas.report import ImportReport, NoteKind
from schemas.resource import Resource

FIXTURES = Path(__file__).parent / "fixtures"
GOLDEN = Path(__file__).parent / "golden"


def read(path: Path, **options: Any) -> tuple[list[Conversation], ImportReport, list[RejectedRecord]]:
    conversations, _, report, rejected = read_all(path, **options)
    return conversations, report, rejected


def read_all(
    path: Path, **options: Any
) -> tuple[list[Conversation], list[Resource], ImportReport, list[RejectedRecord]]:
    rejected: list[RejectedRecord] = []
    with open_archive(path, rejects=rejected.append, **options) as archive:
        conversations = list(archive.conversations())
        resources = list(archive.resources())
        report = archive.report()
    assert not failures(report)
    assert report.records == report.messages + report.resources + report.records_skipped
    assert report.messages == sum(len(conversation.messages) for conversation in conversations)
    assert report.conversations == len(conversations)
    assert report.resources == len(resources)
    return conversations, resources, report, rejected


def reasons(report: ImportReport, kind: NoteKind = NoteKind.REJECTED) -> list[str]:
    """Why something was noted."""
    return [note.reason for note in report.notes if note.kind is kind]


def failures(report: ImportReport) -> list[str]:
    """Where a reader itself failed, which reading survives and no test may."""
    return [note.reason for note in report.notes if note.reason.startswith(READER_FAILED)]


def described(
    conversations: list[Conversation], resources: list[Resource], report: ImportReport
) -> dict[str, Any]:
    """The reading in a form whose diff a person can judge."""
    return {
        "conversations": [_conversation(conversation) for conversation in conversations],
        "resources": [one.model_dump(mode="json", exclude={"account", "provider"}) for one in resources],
        "report": {
            **report.model_dump(mode="json", exclude={"archive_hash", "notes", "archive"}),
            "notes": [f"{note.kind}: {note.reason} x {note.count} ({note.where})" for note in report.notes],
        },
    }


def _conversation(conversation: Conversation) -> dict[str, Any]:
    native = {message.id: message.native_id for message in conversation.messages}
    return {
        **conversation.model_dump(
            mode="json", include={"id", "native_id", "title", "project", "model", "owner"}
        ),
        "from": str(conversation.created_at),
        "active_leaf": native.get(conversation.active_leaf or ""),
        "active_leaf_stated": conversation.active_leaf_stated,
        "messages": [
            {
                "id": message.id,
                "native_id": message.native_id,
                "parent": native.get(message.parent or "", message.parent),
                "who": " ".join(filter(None, (message.role, message.author))),
                "at": str(message.created_at),
                "marks": [
                    mark
                    for mark, holds in (
                        ("hidden", message.hidden),
                        ("left branch", message.id not in conversation.active_ids),
                    )
                    if holds
                ],
                "segments": [
                    f"{segment.origin}{f'({segment.label})' if segment.label else ''}: "
                    f"{message.text[segment.start : segment.end]}"
                    for segment in message.segments
                ],
                "attachments": [f"{file.name} {file.media_type} {file.size}" for file in message.attachments],
                "raw": [f"{block.content_type}: {block.json_text}" for block in message.raw],
            }
            for message in conversation.messages
        ],
    }


def zipped(path: Path, members: dict[str, bytes], **options: Any) -> Path:
    """Write a zip with these members."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    path.write_bytes(held.getvalue())
    return path


def export(count: int = 3, words: str = "word") -> list[dict[str, Any]]:
    """A small ChatGPT export: `count` conversations of a question and an answer."""
    return [
        {
            "conversation_id": f"c{number}",
            "title": f"Talk {number}",
            "create_time": 1767261600.0 + number,
            "update_time": 1767261660.0 + number,
            "current_node": "a",
            "mapping": {
                "root": {"id": "root", "parent": None, "children": ["q"], "message": None},
                "q": _node("q", "root", ["a"], "user", f"Question {number} {words}"),
                "a": _node("a", "q", [], "assistant", f"Answer {number} {words}"),
            },
        }
        for number in range(count)
    ]


def _node(key: str, parent: str, children: list[str], role: str, text: str) -> dict[str, Any]:
    return {
        "id": key,
        "parent": parent,
        "children": children,
        "message": {
            "author": {"role": role},
            "create_time": 1767261600.0,
            "content": {"content_type": "text", "parts": [text]},
        },
    }


def export_bytes(count: int = 3, words: str = "word") -> bytes:
    return json.dumps(export(count, words)).encode()


@dataclass(frozen=True)
class Survival:
    """What became of reading a path."""

    reader: str | None = None
    """Id of the reader; None where one of mnemic's own errors says why there is none."""
    wrong: tuple[str, ...] = ()
    """What does not add up."""


def survival_of(path: Path, format_id: str | None = None) -> Survival:
    """Read whatever it is; any error but mnemic's own is raised."""
    wrong: list[str] = []
    try:
        with open_archive(path, format_id=format_id) as archive:
            messages = 0
            for conversation in archive.conversations():
                messages += len(conversation.messages)
                known = [message.id for message in conversation.messages]
                if len(set(known)) != len(known):
                    wrong.append(f"ids that come twice in {conversation.id}")
                for message in conversation.messages:
                    ends = [0, *(segment.end for segment in message.segments)]
                    begun = [segment.start for segment in message.segments] == ends[:-1]
                    if not begun or ends[-1] != len(message.text):
                        wrong.append(f"segments that do not cover {message.id}")
                    message.text.encode()
            documents = sum(1 for _ in archive.resources())
            report = archive.report()
    except MnemicError as error:
        return Survival(None, (*wrong, *([str(error)] if READER_FAILED in str(error) else [])))
    if (report.messages, report.resources) != (messages, documents):
        wrong.append("a report of other counts")
    wrong.extend(failures(report))
    if report.records != report.messages + report.resources + report.records_skipped:
        wrong.append("records that went nowhere")
    report.model_dump_json().encode()
    return Survival(archive.format, tuple(wrong))
