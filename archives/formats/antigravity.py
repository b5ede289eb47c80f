"""Antigravity, Google's agent after Gemini CLI: `brain/<id>/.system_generated/logs/transcript.jsonl`, a line
a step.

`transcript_full.jsonl` beside it has the same steps uncut, and `logs/chunks/` repeats them: the longest file
is read and the others only add what it lacks. `conversations/<id>.pb` is encrypted and `<id>.db` holds
protobuf of no public schema; neither is read. In a step of the user's, what stands outside `<USER_REQUEST>`
is the client's.

Facts: two real transcripts of `agy` 1.0.16 among the tests of github.com/srjn45/warden
(`internal/agentbackend/backends/testdata/antigravity/`), and the description in github.com/vshulcz/deja-vu
(`docs/registry/antigravity.md`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import keep_unknown
from archives.formats.calls import call_text
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.record_bounds import bounded_json
from archives.shapes import mapping, sequence, string, whole
from archives.wellformed import well_formed
from schemas.conversation import Conversation, Origin

_SOURCES = frozenset({"USER_EXPLICIT", "USER_IMPLICIT", "MODEL", "SYSTEM"})
_REQUEST = re.compile(r"\s*<USER_REQUEST>")
_REQUEST_END = "</USER_REQUEST>"
_CLIENTS = re.compile(r"<(ADDITIONAL_METADATA|USER_SETTINGS_CHANGE)>")
_RANKS = {"transcript_full": 0, "transcript": 1, "overview": 2}
_CHUNKS = 3


def _is_step(value: object) -> bool:
    row = mapping(value)
    return string(row.get("source")) in _SOURCES and bool(
        {"step_index", "content", "tool_calls"} & row.keys()
    )


def _claims(seen: Glimpse) -> bool:
    return seen.kind in (Kind.LINES, Kind.OBJECT) and any(map(_is_step, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    folders: dict[str, list[Part]] = {}
    for part in reading.parts:
        folders.setdefault(_folder(part.name), []).append(part)
    for folder, parts in folders.items():
        yield _conversation(folder, sorted(parts, key=_rank), reading)


def _folder(name: str) -> str:
    """The conversation's folder: its last part is the conversation's id."""
    folders = PurePosixPath(name).parts[:-1]
    for mark in (".system_generated", "logs"):
        if mark in folders:
            folders = folders[: folders.index(mark)]
    return "/".join(folders)


def _rank(part: Part) -> tuple[int, str]:
    return _RANKS.get(PurePosixPath(part.name).stem, _CHUNKS), part.name


def _conversation(folder: str, parts: list[Part], reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    for step, where in _steps(parts, reading):
        drafts.append(_draft(step, len(drafts), last_key(drafts), where, reading))
    head = Head(
        account=reading.account,
        provider="antigravity",
        native_id=PurePosixPath(folder).name or None,
        where=parts[0].name,
        created=drafts[0].when if drafts else reading.moment(None),
        updated=drafts[-1].when if drafts else reading.moment(None),
        leaf=last_key(drafts),
    )
    return assemble(head, drafts, reading.tally)


def _steps(parts: list[Part], reading: Reading) -> list[tuple[dict[str, object], str]]:
    """The steps of the longest file, with those that only another has at their places."""
    found: list[tuple[dict[str, object], str]] = []
    seen: set[tuple[object, ...]] = set()
    for part in parts:
        own: list[tuple[dict[str, object], str]] = []
        for where, value in reading.lines(part):
            if not isinstance(value, dict) or not _is_step(value):
                reading.reject(value, "a line that is no step", where)
            elif _name(value) in seen:
                reading.tally.records += 1
                reading.tally.skip("a step that a longer file of the conversation has", where)
            else:
                own.append((value, where))
        seen.update(_name(step) for step, _ in own)
        if found and own and all(whole(step.get("step_index")) is not None for step, _ in (*found, *own)):
            found = sorted((*found, *own), key=lambda one: whole(one[0].get("step_index")) or 0)
        else:
            found.extend(own)
    return found


def _name(step: Mapping[str, object]) -> tuple[object, ...]:
    """What a step is called in every file of its conversation."""
    kind = (str(step.get("source")), str(step.get("type")))
    index = whole(step.get("step_index"))
    if index is not None:
        return (*kind, index)
    return (*kind, str(step.get("created_at")), str(step.get("content")))


def _draft(
    step: dict[str, object], number: int, before: str | None, where: str, reading: Reading
) -> MessageDraft:
    source, kind = str(step["source"]), string(step.get("type"))
    index = whole(step.get("step_index"))
    role = {"MODEL": "assistant", "SYSTEM": "system"}.get(source, "user")
    draft = MessageDraft(
        f"#{number}",
        before,
        role,
        f"step-{index}" if index is not None else None,
        when=reading.moment(step.get("created_at")),
        hidden=source in ("SYSTEM", "USER_IMPLICIT"),
        kind=kind or "",
        empty_because="a step that holds no text",
    )
    draft.pieces.append(Piece(string(step.get("thinking")) or "", Origin.REASONING))
    words = string(step.get("content")) or ""
    if source == "USER_EXPLICIT":
        draft.pieces.extend(_typed(words))
    else:
        draft.pieces.append(Piece(words, _origin(source, kind), None if kind == "PLANNER_RESPONSE" else kind))
    for call in sequence(step.get("tool_calls")):
        if isinstance(call, dict):
            arguments = call.get("args", call.get("arguments"))
            draft.pieces.append(Piece(_call(arguments), Origin.TOOL_CALL, string(call.get("name"))))
        else:
            keep_unknown("tool call", call, draft, reading.tally, where)
    return draft


def _origin(source: str, kind: str | None) -> Origin:
    """Of the model's steps only a planner's response is its words; the others report what a tool did."""
    if source == "MODEL":
        return Origin.ASSISTANT if kind in (None, "PLANNER_RESPONSE") else Origin.TOOL_RESULT
    return Origin.GENERATED_SUMMARY if kind == "CHECKPOINT" else Origin.RUNTIME_CONTEXT


def _typed(text: str) -> list[Piece]:
    """The request as typed, and what the client put around and into it."""
    opening = _REQUEST.match(text)
    if opening is None:
        return _clients_apart(text)
    end = text.rfind(_REQUEST_END)
    inside = text[opening.end() : end if end >= 0 else len(text)]
    after = text[end + len(_REQUEST_END) :] if end >= 0 else ""
    return [*_clients_apart(inside), Piece(after.strip(), Origin.RUNTIME_CONTEXT, "client")]


def _clients_apart(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    while (tag := _CLIENTS.search(text, at)) is not None:
        pieces.append(Piece(text[at : tag.start()].strip(), Origin.TYPED))
        closing = f"</{tag[1]}>"
        end = text.find(closing, tag.end())
        at = len(text) if end < 0 else end + len(closing)
        pieces.append(Piece(text[tag.start() : at], Origin.RUNTIME_CONTEXT, tag[1].lower()))
    pieces.append(Piece(text[at:].strip(), Origin.TYPED))
    return pieces


def _call(arguments: object) -> str:
    """The arguments as JSON; each value of theirs is JSON once more inside a string."""
    if not isinstance(arguments, dict):
        return call_text(arguments)
    return call_text({key: _unwrapped(value) for key, value in arguments.items()})


def _unwrapped(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return bounded_json(well_formed(value)[0])
    except (ValueError, RecursionError):
        return value


_KEYS = Keys(
    words="step_index content thinking tool_calls",
    used="source type created_at status tool_calls.id",
)

FORMAT = Format(
    id="antigravity",
    version=1,
    title="Antigravity transcripts",
    reads=(
        "transcript lines of every conversation, the uncut file first; thoughts, tool calls and what "
        "came of them"
    ),
    absent=(
        "conversations/*.pb (encrypted) and *.db (protobuf of no public schema); the plans beside the "
        "transcript; titles"
    ),
    evidence="2 real transcripts",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
