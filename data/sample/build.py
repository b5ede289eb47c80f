"""Write the sample archive, in the layout of a ChatGPT export, from the plain texts in `source/`.

    python data/sample/build.py [FOLDER]        (default: beside this file)

One text is one conversation: `key: value` lines, an empty line, then messages, each opened by a line such as

    === user
    === assistant id=second after=question wait=40 type=code to=python

The options, none of them needed:

- `id` names the message; `after` names the one it answers (default: the one above; `root`: the start);
- `wait` is the time since that message: exact seconds (`40`), or hours or days (`2h`, `3d`), to which, as
  without a `wait`, the time is added that it takes to write the words;
- `type` picks a content type from `CONTENT`; `lang` is the language of code; `to` is the tool called, `name`
  the one that answers; `end=no` means that the turn goes on; `hidden=yes` that the service did not show it.

A line `--- metadata` opens a JSON object that joins the message's metadata. `{{cite:REF}}` becomes a citation
of the metadata's `sources[REF]`.

The same texts give the same bytes: ids are uuid5 of the file's name and the message's place in it.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias
from uuid import NAMESPACE_URL, uuid5

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "source"
OUTPUTS = ("conversations.json", "user.json", "message_feedback.json", "shared_conversations.json")

Json: TypeAlias = dict[str, Any]  # what json.dumps takes: the shapes are the service's, not ours

PROFILE_LEAD = "The user provided the following information about themselves:"
INSTRUCTIONS_LEAD = "The user provided the additional info about how they would like you to respond:"
CITATION = re.compile(r"\{\{cite:(\w+)\}\}")
WAIT_UNITS = {"h": 3600.0, "d": 86400.0}
UNSPOKEN = ("thoughts", "reasoning_recap")
PRIVATE_USE = {code: f"\\u{code:04x}" for code in (0xE200, 0xE201, 0xE202)}
"""The citation marks have no glyph: escaped, they show in a diff."""


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """One message as the source text has it."""

    role: str
    options: dict[str, str]
    body: str
    metadata: Json


def _id(*parts: str) -> str:
    return str(uuid5(NAMESPACE_URL, "mnemic-sample/" + "/".join(parts)))


def _voice(direction: str) -> Callable[[SourceMessage], Json]:
    def content(block: SourceMessage) -> Json:
        seconds = round(len(block.body.split()) / 2.5, 2)
        sound: Json = {
            "content_type": "audio_asset_pointer",
            "asset_pointer": f"sediment://file_{_id(block.body).replace('-', '')}",
            "size_bytes": int(seconds * 6000),
            "format": "wav",
            "metadata": {"start": 0.0, "end": seconds},
        }
        if direction == "in":  # a microphone's pointer is wrapped once more, in one that could hold video
            sound = {
                "content_type": "real_time_user_audio_video_asset_pointer",
                "frames_asset_pointers": [],
                "video_container_asset_pointer": None,
                "audio_asset_pointer": sound,
            }
        words = {"content_type": "audio_transcription", "text": block.body, "direction": direction}
        return {"content_type": "multimodal_text", "parts": [words, sound]}

    return content


def _thoughts(block: SourceMessage) -> Json:
    pairs = [paragraph.split("\n", 1) for paragraph in block.body.split("\n\n")]
    thoughts = [{"summary": head, "content": rest, "chunks": [], "finished": True} for head, rest in pairs]
    return {"content_type": "thoughts", "thoughts": thoughts, "source_analysis_msg_id": _id(block.body)}


def _code(block: SourceMessage) -> Json:
    language = block.options["lang"]
    return {"content_type": "code", "language": language, "response_format_name": None, "text": block.body}


def _browsing(block: SourceMessage) -> Json:
    return {"content_type": "tether_browsing_display", "result": block.body, "summary": None, "assets": None}


CONTENT: dict[str, Callable[[SourceMessage], Json]] = {
    "text": lambda block: {"content_type": "text", "parts": [block.body]},
    "code": _code,
    "execution_output": lambda block: {"content_type": "execution_output", "text": block.body},
    "thoughts": _thoughts,
    "reasoning_recap": lambda block: {"content_type": "reasoning_recap", "content": block.body},
    "tether_browsing_display": _browsing,
    "voice_in": _voice("in"),
    "voice_out": _voice("out"),
    "json": lambda block: dict(json.loads(block.body)),
}


def read_source(text: str) -> tuple[dict[str, str], list[SourceMessage]]:
    """Split a source text into its head and its messages."""
    head, *parts = re.split(r"^=== (.*)\n", text, flags=re.MULTILINE)
    fields = dict(line.split(": ", 1) for line in head.splitlines() if line)
    blocks = []
    for opening, rest in zip(parts[::2], parts[1::2], strict=True):
        role, *options = shlex.split(opening)
        body, _, metadata = rest.partition("\n--- metadata\n")
        pairs = dict(option.split("=", 1) for option in options)
        blocks.append(SourceMessage(role, pairs, body.strip("\n"), json.loads(metadata or "{}")))
    return fields, blocks


def _cite(block: SourceMessage) -> SourceMessage:
    """Turn `{{cite:REF}}` into the service's private-use marks and their `content_references`."""
    sources, text, references = block.metadata.get("sources", {}), block.body, []
    while match := CITATION.search(text):
        mark = f"\ue200cite\ue202{match[1]}\ue201"
        text = text[: match.start()] + mark + text[match.end() :]
        references.append({
            "matched_text": mark, "start_idx": match.start(), "end_idx": match.start() + len(mark),
            "type": "grouped_webpages", "items": [sources[match[1]]], "fallback_items": [],
        })  # fmt: skip
    if not references:
        return block
    kept = {key: value for key, value in block.metadata.items() if key != "sources"}
    return SourceMessage(block.role, block.options, text, kept | {"content_references": references})


def _wait(block: SourceMessage) -> float:
    """Seconds since the message before: exactly the stated seconds, else the time that writing takes, after
    the stated hours or days."""
    stated = block.options.get("wait", "0h")
    if stated[-1] not in WAIT_UNITS:
        return float(stated)
    fraction = int(_id(block.body)[:4], 16) / 65536
    rate = 1.6 if block.role == "user" else 0.045
    return float(stated[:-1]) * WAIT_UNITS[stated[-1]] + 2.0 + len(block.body.split()) * rate + 9.0 * fraction


def _message(block: SourceMessage, node: str, at: float | None, model: str) -> Json:
    """The message object of the export, hidden flag and tool routing included."""
    block = _cite(block)
    metadata = dict(block.metadata)
    if block.role == "assistant":
        metadata["model_slug"] = model
    if "hidden" in block.options:
        metadata["is_visually_hidden_from_conversation"] = True
    ends = block.options.get("end", "yes") == "yes" and block.options.get("type") not in UNSPOKEN
    return {
        "id": node,
        "author": {"role": block.role, "name": block.options.get("name"), "metadata": {}},
        "create_time": at,
        "update_time": None,
        "content": CONTENT[block.options.get("type", "text")](block),
        "status": "finished_successfully",
        "end_turn": ends if block.role == "assistant" else None,
        "weight": 0.0 if block.role == "system" else 1.0,
        "metadata": metadata,
        "recipient": block.options.get("to", "all"),
        "channel": "final" if block.role == "assistant" and ends else None,
    }


def _context(instructions: list[dict[str, str]], day: str) -> list[SourceMessage]:
    """The two hidden messages that open every chat: an empty system prompt and the custom instructions."""
    current = [entry for entry in instructions if entry["from"] <= day][-1]
    content = {
        "content_type": "user_editable_context",
        "user_profile": f"{PROFILE_LEAD}\n```{current['about']}```",
        "user_instructions": f"{INSTRUCTIONS_LEAD}\n```{current['style']}```",
    }
    data = {"about_user_message": current["about"], "about_model_message": current["style"]}
    flags = {"user_context_message_data": data, "is_user_system_message": True}
    return [
        SourceMessage("system", {"hidden": "yes"}, "", {}),
        SourceMessage("user", {"hidden": "yes", "type": "json", "id": "root"}, json.dumps(content), flags),
    ]


def build_conversation(name: str, text: str, instructions: list[dict[str, str]]) -> Json:
    """One conversation of the export from the source text called `name`."""
    fields, blocks = read_source(text)
    start = datetime.fromisoformat(fields["start"]).replace(tzinfo=UTC).timestamp()
    root = "client-created-root"
    mapping: dict[str, Json] = {root: {"id": root, "message": None, "parent": None, "children": []}}
    labels: dict[str, str] = {}
    times = {root: start}
    last = root
    context = [] if "empty" in fields else _context(instructions, fields["start"])
    for place, block in enumerate(context + blocks):
        node = _id(name, str(place))
        parent = labels[block.options["after"]] if "after" in block.options else last
        dated = place >= len(context)
        times[node] = round(times[parent] + _wait(block), 6) if dated else start
        message = _message(block, node, times[node] if dated else None, fields["model"])
        mapping[node] = {"id": node, "message": message, "parent": parent, "children": []}
        mapping[parent]["children"].append(node)
        labels[block.options.get("id", node)] = last = node
    identity = _id(name)
    leaf = labels[fields["leaf"]] if "leaf" in fields else last
    return {
        "title": fields["title"], "create_time": start, "update_time": max(times.values()),
        "mapping": mapping, "moderation_results": [], "current_node": leaf,
        "plugin_ids": None, "conversation_id": identity, "conversation_template_id": None,
        "gizmo_id": None, "gizmo_type": None,
        "is_archived": "archived" in fields, "is_starred": "starred" in fields or None,
        "safe_urls": [], "blocked_urls": [], "default_model_slug": fields["model"],
        "conversation_origin": None, "voice": fields.get("voice"), "async_status": None,
        "disabled_tool_ids": [], "is_do_not_remember": False, "memory_scope": "global_enabled",
        "id": identity,
    }  # fmt: skip


def build() -> dict[str, str]:
    """The text of every file of the archive, by file name; conversations newest first, as in real exports."""
    person = json.loads((SOURCE / "person.json").read_text(encoding="utf-8"))
    built = {
        path.stem: build_conversation(
            path.stem, path.read_text(encoding="utf-8"), person["custom_instructions"]
        )
        for path in sorted(SOURCE.glob("*.txt"), reverse=True)
    }
    shared = [
        {"id": _id("shared", name), "conversation_id": _id(name), "title": built[name]["title"],
         "is_anonymous": True}
        for name in person["shared"]
    ]  # fmt: skip
    files = dict(zip(OUTPUTS, (list(built.values()), person["user"], [], shared), strict=True))
    return {
        name: json.dumps(value, indent=1, ensure_ascii=False).translate(PRIVATE_USE) + "\n"
        for name, value in files.items()
    }


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for file_name, file_text in build().items():
        (target / file_name).write_text(file_text, encoding="utf-8", newline="\n")
