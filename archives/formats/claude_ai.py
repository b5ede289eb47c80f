"""Claude.ai: account exports old and new, batches, the web API's form, share snapshots, design chats.

`conversations.json` is a list of `{uuid, name, chat_messages[]}`; `design_chats/<uuid>.json` holds one
object with `messages`. `users.json` names the account. The words of a message are its text blocks:
its `text` can hold reasoning and answer run together, and serves only where there are no blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from archives.contract import Format, Part, Reading
from archives.documents import resource
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import keep_unknown, plain_as, take_blocks
from archives.formats.claude_design import design_conversation, is_design_chat
from archives.formats.claude_projects import accounts_for, is_source, resources
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string, whole
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_ROOT = "00000000-0000-4000-8000-000000000000"
_PLACEHOLDER = "```\nThis block is not supported on your current device yet.\n```"
_ORIGINS = {"human": Origin.TYPED, "user": Origin.TYPED, "assistant": Origin.ASSISTANT}
_THOUGHT, _THOUGHT_END = "<antThinking>", "</antThinking>"


def _is_chat(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("chat_messages"), list)


def _is_record(value: object) -> bool:
    return _is_chat(value) or is_design_chat(value)


def _claims(seen: Glimpse) -> bool:
    if seen.kind not in (Kind.LIST, Kind.OBJECT, Kind.LINES):
        return False
    wrapped = (row for record in seen.objects() for row in sequence(record.get("conversations")))
    return (
        any(map(_is_record, seen.records)) or any(map(_is_chat, wrapped)) or any(map(is_source, seen.records))
    )


def _account(others: tuple[Part, ...]) -> str | None:
    """`users.json` is a list of users with e-mail addresses."""
    for part in others:
        for user in part.glimpse.objects():
            if "email_address" in user and "uuid" in user:
                email = string(user.get("email_address"))
                return email.strip().lower() if email else identifier(user.get("uuid"))
    return None


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        if any(map(is_source, part.glimpse.records)):
            continue  # `resources` reads it
        rows = (
            reading.lines(part)
            if part.glimpse.kind is Kind.LINES
            else reading.records(part, under=("conversations",), plausible=_is_record)
        )
        for where, record in rows:
            if is_design_chat(record) and not _is_chat(record):
                yield design_conversation(mapping(record), where, reading)
                continue
            head = _head(mapping(record), where, reading)
            messages = mapping(record).get("chat_messages")
            if reading.leaves_out(head, len(messages) if isinstance(messages, list) else 1):
                continue
            if is_source(record):
                continue
            if _is_chat(record):
                _put_summary_aside(mapping(record), head, reading)
                yield _conversation(mapping(record), head, reading)
            else:
                reason = "a conversation without its messages (no chat_messages)"
                reading.reject(record, reason, where, alone=True)


def _head(record: Mapping[str, object], where: str, reading: Reading) -> Head:
    native = identifier(record.get("uuid")) or identifier(record.get("conversation_id"))
    project = mapping(record.get("project"))
    return Head(
        account=reading.account,
        provider="claude_ai",
        native_id=native,
        where=f"{where}, conversation {native}" if native else where,
        title=string(record.get("name"))
        or string(record.get("title"))
        or string(record.get("snapshot_name")),
        created=reading.moment(record.get("created_at") or record.get("create_time")),
        updated=reading.moment(record.get("updated_at")),
        leaf=identifier(record.get("current_leaf_message_uuid")),
        model=string(record.get("model")),
        project=string(project.get("name")) or identifier(project.get("uuid")),
    )


def _put_summary_aside(record: Mapping[str, object], head: Head, reading: Reading) -> None:
    """Claude's own summary of a conversation is prose about it, and nobody's message."""
    words = string(record.get("summary"))
    if words is not None and head.native_id is not None:
        title = f"Claude's summary of {head.title}" if head.title else "Claude's summary of a conversation"
        made = head.updated if head.updated.at else head.created
        native = f"{head.native_id}/summary"
        found = resource(
            reading, "claude_ai", native, title, words, created=made, project=head.project
        )  # fmt: skip
        if found is not None:
            reading.aside.put(found)


def _conversation(record: Mapping[str, object], head: Head, reading: Reading) -> Conversation:
    messages = []
    for value in sequence(record.get("chat_messages")):
        if isinstance(value, dict):
            messages.append(value)
        else:
            reading.reject(value, "a message that is no JSON object", head.where)
    branching = any(string(message.get("parent_message_uuid")) for message in messages)
    drafts: list[MessageDraft] = []
    for number, message in enumerate(messages):
        key = identifier(message.get("uuid")) or f"#{number}"
        parent = identifier(message.get("parent_message_uuid"))
        if parent is None and drafts:
            parent = drafts[-1].key
        drafts.append(_message(message, key, None if parent == _ROOT else parent, head.where, reading))
    # In a list without parents the pointer can name a message in the middle: it must not cut any off.
    return assemble(head if branching else replace(head, leaf=None), drafts, reading.tally)


def _message(
    message: Mapping[str, object], key: str, parent: str | None, where: str, reading: Reading
) -> MessageDraft:
    sender = string(message.get("sender")) or string(message.get("role")) or "unknown"
    spoken = _ORIGINS.get(sender.lower(), Origin.UNKNOWN)
    draft = MessageDraft(
        key,
        parent,
        sender,
        identifier(message.get("uuid")),
        when=reading.moment(message.get("created_at")),
    )
    where = f"{where}, message {key}"
    plain = _thoughts_apart if spoken is Origin.ASSISTANT else plain_as(spoken)
    met = take_blocks(message.get("content"), draft, plain, reading.tally, where)
    if not met & {"text", "thinking", "tool_use", "tool_result"}:
        words = string(message.get("text")) or ""
        draft.pieces.extend(plain(_without_marks(words.replace(_PLACEHOLDER, ""))))
    else:
        _leave_repeated(string(message.get("text")) or "", draft, reading)
    for attachment in objects(message.get("attachments")):
        _attach(attachment, draft)
    _attach_files((*objects(message.get("files_v2")), *objects(message.get("files"))), draft)
    if "attachments" in message and not isinstance(message["attachments"], list | None):
        keep_unknown("attachments", message["attachments"], draft, reading.tally, where)
    return draft


def _thoughts_apart(text: str) -> list[Piece]:
    """Answer text with `<antThinking>` passages: those are reasoning."""
    pieces: list[Piece] = []
    at = 0
    while (start := text.find(_THOUGHT, at)) >= 0:
        pieces.append(Piece(text[at:start], Origin.ASSISTANT))
        end = text.find(_THOUGHT_END, start)
        end = len(text) if end < 0 else end
        pieces.append(Piece(text[start + len(_THOUGHT) : end], Origin.REASONING))
        at = min(len(text), end + len(_THOUGHT_END))
    pieces.append(Piece(text[at:], Origin.ASSISTANT))
    return pieces


def _said(text: str) -> str:
    """A message's text, which repeats its blocks run together, as those are kept."""
    return "\n".join(piece.text for piece in _thoughts_apart(text.replace(_PLACEHOLDER, "")))


def _leave_repeated(text: str, draft: MessageDraft, reading: Reading) -> None:
    """A text that has nothing but the words of its blocks, run together, is accounted for by those."""
    rest = text.replace(_PLACEHOLDER, "")
    for piece in draft.pieces:
        rest = rest.replace(piece.text.strip(), "", 1)
    if not rest.strip():
        reading.passes_over(text)


_PRIVATE = dict.fromkeys(range(0xE200, 0xE207))


def _without_marks(text: str) -> str:
    return text.translate(_PRIVATE) if not text.isascii() else text


def _attach(attachment: Mapping[str, object], draft: MessageDraft) -> None:
    """A paste has text and no name; an upload has a name, and its text where the service read it."""
    name = string(attachment.get("file_name"))
    words = string(attachment.get("extracted_content"))
    if words:
        draft.pieces.append(Piece(words, Origin.ATTACHED if name else Origin.PASTED, name))
    draft.attachments.append(_file(attachment))


def _attach_files(files: tuple[dict[str, object], ...], draft: MessageDraft) -> None:
    """The web form lists a file under two keys: once is enough, in the form that says more."""
    seen: set[str] = set()
    for file in map(_file, files):
        key = file.native_id or file.name
        if key not in seen:
            draft.attachments.append(file)
        seen.add(key)


def _file(file: Mapping[str, object]) -> Attachment:
    media_type = identifier(file.get("file_type")) or identifier(file.get("file_kind"))
    native = identifier(file.get("id")) or identifier(file.get("file_uuid"))
    return Attachment(
        name=well_formed(string(file.get("file_name")) or "pasted text")[0],
        media_type=well_formed(media_type)[0] if media_type else None,
        size=whole(file.get("file_size")),
        native_id=well_formed(native)[0] if native else None,
    )


_KEYS = Keys(
    words="""name title snapshot_name model summary project chat_messages.content chat_messages.text
        chat_messages.attachments chat_messages.files chat_messages.files_v2 messages.content
        docs prompt_template description conversations_memory project_memories memory_files""",
    whole="chat_messages.content.input",
    used="""chat_messages.sender chat_messages.parent_message_uuid current_leaf_message_uuid
        chat_messages.files.file_kind chat_messages.files_v2.file_kind chat_messages.stop_reason
        chat_messages.attachments.file_type""",
    omitted={
        "settings and the account": "settings platform account creator chat_messages.updated_at",
        "short titles of reasoning that is kept whole": "chat_messages.content.summaries",
        "pictures of files in several sizes": """chat_messages.files.preview_asset
            chat_messages.files.thumbnail_asset chat_messages.files_v2.preview_asset
            chat_messages.files_v2.thumbnail_asset chat_messages.files.thumbnail_url
            chat_messages.files.preview_url chat_messages.files_v2.thumbnail_url
            chat_messages.files_v2.preview_url""",
        "how the app draws a tool's call and result": """chat_messages.content.display_content
            chat_messages.content.integration_icon_url chat_messages.content.icon_name
            chat_messages.content.content.metadata.favicon_url
            chat_messages.content.integration_name chat_messages.content.message
            chat_messages.content.context chat_messages.content.content.prompt_context_metadata""",
        "what only the service can read": "chat_messages.content.signature",
        "details of a failure for developers": "messages.content.contentBlocks.debugInfo",
    },
    forms=(_said,),
)

FORMAT = Format(
    id="claude_ai",
    version=3,
    title="Claude.ai export",
    reads=(
        "account exports old and new, batches, web form, share snapshots, design chats; branches,"
        " thinking, tools, pastes, uploads with text; as resources, the documents and instructions of"
        " projects and Claude's memories"
    ),
    absent="model and active leaf in account exports",
    evidence="8 files, one a real export with its words blanked",
    keys=_KEYS,
    claims=_claims,
    read=_read,
    account=_account,
    accounts_for=accounts_for,
    whole_account=lambda others: _account(others) is not None,
    resources=resources,
)
