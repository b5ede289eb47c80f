"""TypingMind's export: `{data: {chats: [{chatID, chatTitle, messages}], folders, userPrompts,
userCharacters}}`.

Facts: three public schemas of the export, among them `typingmind.schema.ts` of Big-AGI's importer; no file
was at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, assemble
from archives.formats.blocks import plain_as, take_blocks
from archives.formats.rows import last_key, message_rows
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from schemas.conversation import Attachment, Conversation, Origin
from schemas.report import NoteKind

_ORIGINS = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT, "system": Origin.CUSTOM_INSTRUCTION,
            "tool": Origin.TOOL_RESULT}  # fmt: skip
_BESIDE = ("userPrompts", "userCharacters")


def _is_chat(value: object) -> bool:
    record = mapping(value)
    return bool({"chatID", "chatTitle"} & record.keys()) and isinstance(record.get("messages"), list)


def _chats(record: object) -> list[object]:
    return sequence(mapping(mapping(record).get("data")).get("chats"))


def _claims(seen: Glimpse) -> bool:
    if seen.kind not in (Kind.OBJECT, Kind.LIST):
        return False
    return any(_is_chat(record) or any(map(_is_chat, _chats(record)[:5])) for record in seen.records)


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        for where, record in reading.records(part, plausible=lambda one: _is_chat(one) or bool(_chats(one))):
            if _is_chat(record):
                yield _conversation(mapping(record), {}, where, reading)
                continue
            data = mapping(mapping(record).get("data"))
            if not _chats(record):
                reading.reject(record, "a record without chats", where, alone=True)
                continue
            folders = {
                identifier(folder.get("id")) or "": string(folder.get("title")) or string(folder.get("name"))
                for folder in objects(data.get("folders"))
            }
            for number, chat in enumerate(_chats(record)):
                place = f"{where}, chat {number}"
                if isinstance(chat, dict):
                    yield _conversation(chat, folders, place, reading)
                else:
                    reading.reject(chat, "a chat that is no JSON object", place, alone=True)
            for name in _BESIDE:
                if count := len(sequence(data.get(name))):
                    reading.tally.note(NoteKind.SKIPPED, f"{name} beside the chats", where, count=count)


def _conversation(
    chat: Mapping[str, object], folders: Mapping[str, str | None], where: str, reading: Reading
) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, row in message_rows(chat.get("messages"), where, reading):
        role = string(row.get("role")) or "unknown"
        draft = MessageDraft(
            f"#{number}", last_key(drafts), role, identifier(row.get("uuid")),
            author=string(row.get("model")), when=reading.moment(row.get("createdAt")),
            hidden=role == "system",
        )  # fmt: skip
        content = row.get("content")
        if isinstance(content, list):
            pictures = [block for block in content if mapping(block).get("type") == "image_url"]
            draft.attachments.extend(Attachment(name="image") for _ in pictures)
            content = [block for block in content if mapping(block).get("type") != "image_url"]
        plain = plain_as(_ORIGINS.get(role, Origin.UNKNOWN))
        take_blocks(content, draft, plain, reading.tally, f"{where}, message {number}")
        drafts.append(draft)
    head = Head(
        account=reading.account,
        provider="typingmind",
        native_id=identifier(chat.get("chatID")) or identifier(chat.get("id")),
        where=where,
        title=string(chat.get("chatTitle")),
        created=reading.moment(chat.get("createdAt")),
        updated=reading.moment(chat.get("updatedAt")),
        leaf=last_key(drafts),
        model=string(chat.get("model")),
        project=folders.get(identifier(chat.get("folderID")) or ""),
    )
    return assemble(head, drafts, reading.tally)


_KEYS = Keys(
    words="data.chats data.folders",
    used="**.role **.color checksum",
    omitted={
        "prompts and characters beside the chats, which are counted": "data.userPrompts data.userCharacters",
        "settings": "data.installedPlugins data.promptSettings",
        "the beginning of the chat again": "data.chats.preview",
        "how answers were made": "**.chatParams **.modelInfo **.linkedPlugins **.tokenUsage",
        "what it cost": "data.chats.messages.usage",
        "bytes or addresses of pictures": "**.image_url",
    },
)

FORMAT = Format(
    id="typingmind",
    version=1,
    title="TypingMind export",
    reads="every chat with its folder, system prompts, tool results",
    absent="prompts and characters (counted); bytes of pictures",
    evidence="field list only",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
