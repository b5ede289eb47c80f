"""Amp: `~/.local/share/amp/threads/T-<id>.json`, a file a thread, messages of blocks in Anthropic's shape.

A tool's result stands in a user's message as `{type: tool_result, toolUseID, run: {status, result}}`;
a summary of what went before in one of role `info`.

Facts: github.com/noamsto/houston (`docs/AMP_AGENT_SUPPORT.md`),
github.com/jonathan-kellerai/cross_agent_session_resumer (`src/providers/amp.rs`) and the fixtures of
github.com/yigitkonur/cli-continues (`test-fixtures/amp/threads/`); no user's file was at hand.
"""

from __future__ import annotations

from collections.abc import Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import plain_as, take_blocks
from archives.formats.calls import call_text, outcome_text
from archives.formats.injected import typed_apart
from archives.formats.rows import claims_records, last_key, message_rows, read_records
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_ORIGINS = {"assistant": Origin.ASSISTANT, "info": Origin.RUNTIME_CONTEXT, "system": Origin.RUNTIME_CONTEXT}
_CHROME = frozenset({"provider"})


def _is_record(value: object) -> bool:
    record = mapping(value)
    rows = sequence(record.get("messages"))
    named = str(record.get("id")).startswith("T-") or any("messageId" in mapping(row) for row in rows[:5])
    blocks = any(isinstance(mapping(row).get("content"), list) for row in rows[:5])
    return "created" in record and named and blocks


def _conversation(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, row in message_rows(record.get("messages"), where, reading):
        drafts.append(_draft(row, number, last_key(drafts), f"{where}, message {number}", reading))
    start = mapping(mapping(record.get("env")).get("initial"))
    tree = next(objects(start.get("trees")), {})
    folder = string(tree.get("uri")) or ""
    tags = [tag for tag in sequence(start.get("tags")) if isinstance(tag, str)]
    head = Head(
        account=reading.account,
        provider="amp",
        native_id=identifier(record.get("id")),
        where=where,
        title=string(record.get("title")),
        created=reading.moment(record.get("created")),
        leaf=last_key(drafts),
        model=next((tag.removeprefix("model:") for tag in tags if tag.startswith("model:")), None),
        project=folder.removeprefix("file://") or string(tree.get("displayName")),
    )
    return assemble(head, drafts, reading.tally)


def _draft(
    row: Mapping[str, object], number: int, before: str | None, where: str, reading: Reading
) -> MessageDraft:
    role = string(row.get("role")) or "unknown"
    draft = MessageDraft(
        f"#{number}", before, role, identifier(row.get("messageId")),
        author=string(mapping(row.get("usage")).get("model")),
        when=reading.moment(mapping(row.get("meta")).get("sentAt")),
    )  # fmt: skip
    plain = typed_apart if role == "user" else plain_as(_ORIGINS.get(role, Origin.UNKNOWN))
    content = row.get("content")
    for block in content if isinstance(content, list) else [content]:
        held = mapping(block)
        match string(held.get("type")):
            case "tool_use":
                text = call_text(held.get("input", held.get("text")))
                draft.pieces.append(Piece(text, Origin.TOOL_CALL, string(held.get("name"))))
            case "tool_result":
                run = mapping(held.get("run"))
                result = run.get("result") or run.get("progress") or run.get("error") or held.get("content")
                draft.pieces.append(Piece(outcome_text(result), Origin.TOOL_RESULT))
            case "summary":
                words = string(mapping(held.get("summary")).get("summary")) or ""
                draft.pieces.append(Piece(words, Origin.GENERATED_SUMMARY))
            case kind if kind in _CHROME:
                pass
            case _:
                take_blocks([block], draft, plain, reading.tally, where)
    for file in objects(mapping(row.get("fileMentions")).get("files")):
        name = string(file.get("uri"))
        if name:
            draft.attachments.append(Attachment(name=well_formed(name)[0]))
    return draft


_KEYS = Keys(
    words="title env.initial.trees messages",
    used="messages.state messages.role env.initial.platform env.initial.tags agentMode",
    omitted={
        "what it cost": "usageLedger messages.usage",
        "whose model answered": "messages.content.provider",
        "encrypted reasoning": "**.signature",
    },
)

FORMAT = Format(
    id="amp",
    version=1,
    title="Amp threads",
    reads="thread files: thoughts, tool calls and results, mentioned files by name",
    absent="times of answers; what it cost",
    evidence="another project's fixtures; no user's file",
    keys=_KEYS,
    claims=claims_records(_is_record),
    read=read_records(_is_record, _conversation),
)
