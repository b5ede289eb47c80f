"""LM Studio: `*.conversation.json`, one conversation a file, each message in one or more versions."""

from __future__ import annotations

from collections.abc import Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import call_piece, result_text
from archives.formats.rows import claims_records, file_title, message_rows, read_records
from archives.keys import Keys
from archives.shapes import mapping, objects, sequence, string, whole
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_ORIGINS = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT, "system": Origin.CUSTOM_INSTRUCTION}


def _is_record(value: object) -> bool:
    rows = sequence(mapping(value).get("messages"))
    return bool(rows) and isinstance(mapping(rows[0]).get("versions"), list)


def _conversation(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    chosen: str | None = None
    system = string(record.get("systemPrompt"))
    if system:
        first = MessageDraft("system", None, "system", None, hidden=True)
        first.pieces.append(Piece(system, Origin.CUSTOM_INSTRUCTION))
        drafts.append(first)
        chosen = first.key
    for number, row in message_rows(record.get("messages"), where, reading):
        above = chosen
        selected = whole(row.get("currentlySelected")) or 0
        for version, value in enumerate(sequence(row.get("versions"))):
            draft = _message(mapping(value), f"#{number}.{version}", above)
            drafts.append(draft)
            if version == selected:
                chosen = draft.key
    head = Head(
        account=reading.account,
        provider="lmstudio",
        native_id=file_title(where.split(", record")[0]),
        where=where,
        title=string(record.get("name")),
        created=reading.moment(record.get("createdAt")),
        updated=reading.moment(record.get("assistantLastMessagedAt") or record.get("userLastMessagedAt")),
        leaf=chosen,
        model=string(mapping(record.get("lastUsedModel")).get("identifier")),
    )
    return assemble(head, drafts, reading.tally)


def _message(version: Mapping[str, object], key: str, parent: str | None) -> MessageDraft:
    role = string(version.get("role")) or "unknown"
    spoken = _ORIGINS.get(role, Origin.UNKNOWN)
    draft = MessageDraft(key, parent, role, None)
    sender = mapping(version.get("senderInfo"))
    draft.author = string(sender.get("senderName"))
    _take_content(version.get("content"), draft, spoken)
    for step in objects(version.get("steps")):
        thinking = mapping(step.get("style")).get("type") == "thinking"
        _take_content(step.get("content"), draft, Origin.REASONING if thinking else spoken)
    return draft


def _take_content(content: object, draft: MessageDraft, spoken: Origin) -> None:
    for block in objects(content):
        name = string(block.get("name"))
        match block.get("type"):
            case "toolCallRequest":
                draft.pieces.append(call_piece(block.get("parameters"), name))
            case "toolCallResult":
                words = result_text(block.get("content"))
                draft.pieces.append(Piece(words, Origin.TOOL_RESULT, name))
            case "file":
                file = string(block.get("name")) or string(block.get("fileIdentifier")) or "unnamed"
                draft.attachments.append(
                    Attachment(name=well_formed(file)[0], size=whole(block.get("sizeBytes")))
                )
            case _:
                draft.pieces.append(Piece(string(block.get("text")) or "", spoken))


_KEYS = Keys(
    words="name systemPrompt messages lastUsedModel",
    used="""messages.versions.style messages.versions.steps.style **.stepIdentifier **.pluginIdentifier""",
    omitted={
        "settings of the model": """perChatPredictionConfig plugins tokenCount usePerChatPredictionConfig
            messages.versions.steps.genInfo messages.versions.steps.debugInfoBlock""",
    },
)

FORMAT = Format(
    id="lmstudio",
    version=2,
    title="LM Studio conversation",
    reads="conversation files, all versions of a message, thinking, tools",
    absent="times of messages",
    evidence="field list only",
    keys=_KEYS,
    claims=claims_records(_is_record),
    read=read_records(_is_record, _conversation),
)
