"""DeepSeek: the account export (a tree like ChatGPT's, with fragments) and the web interface's form."""

from __future__ import annotations

from collections.abc import Mapping

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import keep_unknown, result_text
from archives.formats.rows import claims_records, message_rows, read_records
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string, whole
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_FRAGMENTS = {
    "REQUEST": Origin.TYPED,
    "RESPONSE": Origin.ASSISTANT,
    "THINK": Origin.REASONING,
    "SEARCH": Origin.TOOL_RESULT,
    "TOOL_SEARCH": Origin.TOOL_RESULT,
    "TOOL_OPEN": Origin.TOOL_RESULT,
    "READ_LINK": Origin.TOOL_RESULT,
}
_ROLES = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT}


def _is_account_form(record: Mapping[str, object]) -> bool:
    nodes = record.get("mapping")
    if not isinstance(nodes, dict):
        return False
    return "inserted_at" in record or any(
        "fragments" in mapping(mapping(node).get("message")) for node in list(nodes.values())[:5]
    )


def _web_data(record: Mapping[str, object]) -> Mapping[str, object]:
    inner = mapping(mapping(record.get("data")).get("biz_data"))
    return inner or (record if "chat_session" in record else {})


def _is_record(value: object) -> bool:
    record = mapping(value)
    return _is_account_form(record) or isinstance(_web_data(record).get("chat_messages"), list)


def _conversation(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    if _is_account_form(record):
        return _from_account(record, where, reading)
    return _from_web(_web_data(record), where, reading)


def _from_account(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    listed: dict[str, list[str]] = {}
    for key, value in mapping(record.get("mapping")).items():
        node = mapping(value)
        listed[key] = [child for child in sequence(node.get("children")) if isinstance(child, str)]
        message = node.get("message")
        parent = identifier(node.get("parent"))
        if isinstance(message, dict):
            drafts.append(_message(message, key, parent, where, reading))
        else:
            drafts.append(MessageDraft(key, parent, "", key, empty_because="a node without a message"))
    head = Head(
        account=reading.account,
        provider="deepseek",
        native_id=identifier(record.get("id")),
        where=where,
        title=string(record.get("title")),
        created=reading.moment(record.get("inserted_at")),
        updated=reading.moment(record.get("updated_at")),
        leaf=identifier(record.get("current_node")),
    )
    return assemble(head, drafts, reading.tally, listed=listed)


def _from_web(data: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    session = mapping(data.get("chat_session"))
    drafts = []
    for number, message in message_rows(data.get("chat_messages"), where, reading):
        key = identifier(message.get("message_id")) or f"#{number}"
        drafts.append(_message(message, key, identifier(message.get("parent_id")), where, reading))
    head = Head(
        account=reading.account,
        provider="deepseek",
        native_id=identifier(session.get("id")),
        where=where,
        title=string(session.get("title")),
        created=reading.moment(session.get("inserted_at")),
        updated=reading.moment(session.get("updated_at")),
        leaf=identifier(session.get("current_message_id")),
    )
    return assemble(head, drafts, reading.tally)


def _message(
    message: dict[str, object], key: str, parent: str | None, where: str, reading: Reading
) -> MessageDraft:
    kinds = {string(fragment.get("type")) for fragment in objects(message.get("fragments"))}
    guessed = "user" if "REQUEST" in kinds else ("assistant" if kinds else "unknown")
    role = (string(message.get("role")) or guessed).lower()
    draft = MessageDraft(
        key,
        parent,
        role,
        None if key.startswith("#") else key,
        author=string(message.get("model")),
        when=reading.moment(message.get("inserted_at")),
    )
    for fragment in objects(message.get("fragments")):
        origin = _FRAGMENTS.get(string(fragment.get("type")) or "")
        words = string(fragment.get("content")) or result_text(fragment.get("results"))
        if origin is None:
            kind = f"fragment {fragment.get('type')}"
            keep_unknown(kind, fragment, draft, reading.tally, f"{where}, message {key}")
        else:
            draft.pieces.append(Piece(words, origin))
    draft.pieces.append(Piece(string(message.get("reasoning_content")) or "", Origin.REASONING))
    draft.pieces.append(Piece(string(message.get("content")) or "", _ROLES.get(role, Origin.UNKNOWN)))
    for file in objects(message.get("files")):
        name = string(file.get("file_name")) or string(file.get("name")) or "unnamed"
        native = identifier(file.get("id"))
        draft.attachments.append(
            Attachment(
                name=well_formed(name)[0],
                size=whole(file.get("file_size")),
                native_id=well_formed(native)[0] if native else None,
            )
        )
    return draft


def _names_the_user(others: tuple[Part, ...]) -> bool:
    """`user.json` stands beside the conversations of an account export."""
    users = (user for part in others for user in part.glimpse.objects())
    return any("user_id" in user and {"email", "mobile"} & set(user) for user in users)


_KEYS = Keys(
    words="""title mapping.*.message data.biz_data.chat_messages data.biz_data.chat_session.title
        chat_messages chat_session.title""",
    used="""mapping.*.parent mapping.*.children **.conversation_mode **.status **.agent **.title_type
        **.feedback""",
)

FORMAT = Format(
    id="deepseek",
    version=2,
    title="DeepSeek export",
    reads="account export and web form, branches, thinking, search results",
    absent="other tools' conversions of its chats",
    evidence="a real file in web form; the account form from its field list only",
    whole_account=_names_the_user,
    keys=_KEYS,
    claims=claims_records(_is_record),
    read=read_records(_is_record, _conversation),
)
