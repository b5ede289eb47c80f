"""Cherry Studio's backup up to version 5: `data.json` in its zip, `{version, localStorage, indexedDB}`.

`indexedDB.topics[].messages` name their blocks, which stand in `indexedDB.message_blocks`; before version 4 a
message held its text itself. Names of topics stand in `localStorage["persist:cherry-studio"]`, JSON inside
JSON. From version 6 a backup is a copy of the browser's own database files, which are not read.

Facts: `src/renderer/src/services/BackupService.ts` and `types/newMessage.ts` of
github.com/CherryHQ/cherry-studio; no file was at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, keep_unknown
from archives.formats.calls import call_text, outcome_text
from archives.formats.rows import last_key, message_rows
from archives.formats.stored import stored_json
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string, whole
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_ORIGINS = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT, "system": Origin.CUSTOM_INSTRUCTION}


def _is_record(value: object) -> bool:
    record = mapping(value)
    tables = mapping(record.get("indexedDB"))
    return "localStorage" in record and isinstance(tables.get("topics"), list)


def _claims(seen: Glimpse) -> bool:
    return seen.kind is Kind.OBJECT and any(map(_is_record, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        for where, record in reading.records(part, plausible=_is_record):
            if not _is_record(record):
                reading.reject(record, "a record without topics", where, alone=True)
                continue
            tables = mapping(mapping(record).get("indexedDB"))
            blocks = {identifier(block.get("id")): block for block in objects(tables.get("message_blocks"))}
            named = _topics_named(mapping(record))
            for number, topic in enumerate(sequence(tables.get("topics"))):
                place = f"{where}, topic {number}"
                if isinstance(topic, dict):
                    yield _conversation(topic, blocks, named, place, reading)
                else:
                    reading.reject(topic, "a topic that is no JSON object", place, alone=True)
            if blocks:
                reading.tally.records += len(blocks)
                reading.tally.skip("a block that no message names", where, records=len(blocks))


def _topics_named(record: Mapping[str, object]) -> dict[str | None, tuple[str | None, ...]]:
    """By topic: its name, its assistant's, and what the assistant is told."""
    kept = mapping(stored_json(mapping(record.get("localStorage")).get("persist:cherry-studio")))
    assistants = mapping(stored_json(kept.get("assistants")))
    named: dict[str | None, tuple[str | None, ...]] = {}
    for assistant in (*objects(assistants.get("assistants")), mapping(assistants.get("defaultAssistant"))):
        for topic in objects(assistant.get("topics")):
            named[identifier(topic.get("id"))] = (
                string(topic.get("name")), string(assistant.get("name")), string(assistant.get("prompt")),
            )  # fmt: skip
    return named


def _conversation(
    topic: Mapping[str, object],
    blocks: dict[str | None, dict[str, object]],
    named: Mapping[str | None, tuple[str | None, ...]],
    where: str,
    reading: Reading,
) -> Conversation:
    native = identifier(topic.get("id"))
    name, assistant, prompt = named.get(native, (None, None, None))
    drafts: list[MessageDraft] = []
    for number, row in message_rows(topic.get("messages"), where, reading):
        place = f"{where}, message {number}"
        role = string(row.get("role")) or "unknown"
        model = string(mapping(row.get("model")).get("name")) or string(row.get("modelId"))
        draft = MessageDraft(
            f"#{number}", last_key(drafts), role, identifier(row.get("id")),
            author=model, when=reading.moment(row.get("createdAt")), hidden=role == "system",
        )  # fmt: skip
        spoken = _ORIGINS.get(role, Origin.UNKNOWN)
        draft.pieces.append(Piece(string(row.get("content")) or "", spoken))
        for key in sequence(row.get("blocks")):
            block = blocks.pop(identifier(key), None)
            if block is None:
                reading.tally.hole("a block that its message names is missing", f"{place}, block {key}")
            else:
                _take(block, draft, spoken, place, reading)
        drafts.append(draft)
    leaf = last_key(drafts)
    if prompt:
        told = MessageDraft("instructions", None, "system", "instructions", hidden=True)
        told.pieces.append(Piece(prompt, Origin.CUSTOM_INSTRUCTION))
        drafts.append(told)
    head = Head(
        account=reading.account,
        provider="cherry_studio",
        native_id=native,
        where=where,
        title=name,
        created=drafts[0].when if drafts else reading.moment(None),
        leaf=leaf,
        project=assistant,
    )
    return assemble(head, drafts, reading.tally)


def _take(
    block: Mapping[str, object], draft: MessageDraft, spoken: Origin, where: str, reading: Reading
) -> None:
    words = string(block.get("content")) or ""
    kind = string(block.get("type"))
    match kind:
        case "main_text" | "code":
            draft.pieces.append(Piece(words, spoken))
        case "thinking":
            draft.pieces.append(Piece(words, Origin.REASONING))
        case "translation":
            draft.pieces.append(Piece(words, Origin.ASSISTANT, "translation"))
        case "compact":
            draft.pieces.append(Piece(words, Origin.GENERATED_SUMMARY))
            compacted = string(block.get("compactedContent")) or ""
            draft.pieces.append(Piece(compacted, Origin.RUNTIME_CONTEXT, "compact"))
        case "tool":
            name = string(block.get("toolName"))
            draft.pieces.append(Piece(call_text(block.get("arguments")), Origin.TOOL_CALL, name))
            draft.pieces.append(Piece(outcome_text(block.get("content")), Origin.TOOL_RESULT, name))
        case "citation":
            found = {key: block[key] for key in ("response", "knowledge", "memories") if block.get(key)}
            draft.pieces.append(Piece(as_text(found), Origin.TOOL_RESULT, "citation"))
        case "error":
            draft.pieces.append(Piece(as_text(block.get("error")), Origin.RUNTIME_CONTEXT, "error"))
        case "image" | "file" | "video":
            file = mapping(block.get("file"))
            name = string(file.get("origin_name")) or string(file.get("name")) or kind
            draft.attachments.append(Attachment(name=well_formed(name)[0], size=whole(file.get("size"))))
            prompt = string(mapping(block.get("metadata")).get("prompt"))
            draft.pieces.append(Piece(prompt or "", Origin.TOOL_CALL, "image"))
        case "unknown" if not words:
            pass
        case _:
            keep_unknown(kind or "no type", block, draft, reading.tally, where)


_KEYS = Keys(
    words="indexedDB.topics indexedDB.message_blocks",
    used="""**.status **.role **.provider **.group **.owned_by **.blocks **.foldSelected
        **.multiModelMessageStyle""",
    omitted={
        "settings as JSON in a text, of which assistants and topics are read": "localStorage",
        "beside the talk": """indexedDB.settings indexedDB.files indexedDB.knowledge_notes
            indexedDB.translate_history""",
        "how an answer was made": "**.usage **.metrics **.traceId **.mentions",
        "the provider's own answer, which repeats the block": "indexedDB.message_blocks.metadata",
    },
)

FORMAT = Format(
    id="cherry_studio",
    version=1,
    title="Cherry Studio backup",
    reads="data.json of backups up to version 5: topics by name, every kind of block, files by name",
    absent="backups of version 6, which are the browser's own database files; other tables",
    evidence="field list only",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
