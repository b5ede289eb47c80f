"""ChatGPT exports: zip, folder or bare JSON; one file, shards, a wrapped list, or one conversation.

Files: `conversations.json` or `conversations-NNN.json` (found by structure, whatever their names),
`export_manifest.json` (names the shards), `conversation_asset_file_names.json` (names the attachments),
`user.json` (names the account), `shared_conversations.json` (marks what was shared; it holds no words).

The same custom instructions stand in every conversation: they are a document of the account, once, and so is
each canvas with its last text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from archives.contract import Format, Reading
from archives.documents import resource
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.chatgpt_canvas import canvases
from archives.formats.chatgpt_content import Context, file_of_pointer, find, unwrapped
from archives.formats.chatgpt_files import (
    account,
    asset_names,
    is_list_of_markers,
    report_markers,
    report_missing_shards,
)
from archives.formats.chatgpt_metadata import take_metadata
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, sequence, string
from archives.wellformed import well_formed
from schemas.base import sha256_text
from schemas.conversation import Conversation, Origin, RawBlock
from schemas.report import NoteKind

_WRAPPERS = ("conversations",)


def _is_conversation(value: object) -> bool:
    """A conversation has a `mapping` of nodes; DeepSeek's look alike and say `inserted_at`."""
    if not isinstance(value, dict) or not isinstance(value.get("mapping"), dict):
        return False
    return "inserted_at" not in value and not any(
        "fragments" in mapping(mapping(node).get("message")) for node in _first(value["mapping"])
    )


def _first(nodes: Mapping[str, object]) -> Iterator[object]:
    for number, node in enumerate(nodes.values()):
        if number == 5:
            return
        yield node


def _claims(seen: Glimpse) -> bool:
    if seen.kind is Kind.OBJECT:
        return any(
            _is_conversation(record) or any(map(_is_conversation, sequence(record.get("conversations"))))
            for record in seen.objects()
        )
    return seen.kind in (Kind.LIST, Kind.LINES) and any(map(_is_conversation, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    report_missing_shards(reading)
    report_markers(reading)
    names = asset_names(reading)
    for part in reading.parts:
        rows = (
            reading.lines(part)
            if part.glimpse.kind is Kind.LINES
            else reading.records(part, under=_WRAPPERS, plausible=_is_conversation)
        )
        for where, record in rows:
            head = _head(mapping(record), where, reading)
            nodes = mapping(record).get("mapping")
            if reading.leaves_out(head, len(nodes) if isinstance(nodes, dict) else 1):
                continue
            if isinstance(record, dict) and isinstance(nodes, dict):
                yield _conversation(record, head, reading, names)
            else:
                reason = "a conversation without its messages (no mapping)"
                reading.reject(record, reason, where, alone=True)


def _head(record: Mapping[str, object], where: str, reading: Reading) -> Head:
    native = identifier(record.get("conversation_id")) or identifier(record.get("id"))
    project = identifier(record.get("conversation_template_id")) or identifier(record.get("gizmo_id"))
    return Head(
        account=reading.account,
        provider="chatgpt",
        native_id=native,
        where=f"{where}, conversation {native}" if native else where,
        title=string(record.get("title")),
        created=reading.moment(record.get("create_time")),
        updated=reading.moment(record.get("update_time")),
        leaf=identifier(record.get("current_node")),
        model=string(record.get("default_model_slug")),
        project=project if project and project.startswith("g-p-") else None,
    )


def _conversation(
    record: Mapping[str, object], head: Head, reading: Reading, names: Mapping[str, str]
) -> Conversation:
    nodes = mapping(record["mapping"])
    listed: dict[str, list[str]] = {}
    parents: dict[str, str] = {}
    for key, node in nodes.items():
        children = sequence(node.get("children")) if isinstance(node, dict) else []
        listed[key] = named = [child for child in children if isinstance(child, str)]
        for child in named:
            parents[child] = key
    drafts = [
        _message(key, parents.get(key), mapping(node), head.where, reading, names)
        for key, node in nodes.items()
    ]
    _set_others_apart(drafts, reading, head.where)
    special = [piece for draft in drafts for piece in draft.pieces if piece.origin in _BESIDE]
    _put_instructions_aside(special, reading)
    conversation = assemble(head, drafts, reading.tally, listed=listed)
    if any((piece.label or "").startswith("canmore.") for piece in special):
        _put_canvases_aside(conversation, nodes, head.where, reading)
    return conversation


def _set_others_apart(drafts: list[MessageDraft], reading: Reading, where: str) -> None:
    """In a group chat people write as users, each under a name; a chat of one names nobody. Who is named
    is the owner only where the owner's name says so."""
    people = {draft.author for draft in drafts if draft.role == "user" and not draft.hidden}
    if not people - {None}:
        return
    if reading.owner is None and not people & {None, reading.account}:
        reason = "a group chat that does not say who of its people is the account's owner"
        reading.tally.note(NoteKind.UNKNOWN, reason, where, remedy="--owner NAME says whose words are yours")
    # beside people with names, a message without one is the account's own
    for draft in drafts:
        if draft.role == "user" and draft.author not in (None, reading.owner, reading.account):
            draft.pieces = [
                piece._replace(origin=Origin.OTHER) if piece.origin is Origin.TYPED else piece
                for piece in draft.pieces
            ]


_BESIDE = frozenset({Origin.CUSTOM_INSTRUCTION, Origin.TOOL_CALL, Origin.TOOL_RESULT})
"""Origins of what may be kept as a document beside the conversation."""


def _put_instructions_aside(pieces: list[Piece], reading: Reading) -> None:
    for piece in pieces:
        if piece.origin is Origin.CUSTOM_INSTRUCTION and piece.text.strip():
            native = f"custom_instructions/{sha256_text(well_formed(piece.text)[0])}"
            title = _INSTRUCTIONS.get(piece.label or "", "Custom instructions")
            found = resource(reading, "chatgpt", native, title, piece.text)
            if found is not None:
                reading.aside.put(found)


_INSTRUCTIONS = {"user_profile": "Custom instructions: about the user"}


def _put_canvases_aside(
    conversation: Conversation, nodes: Mapping[str, object], where: str, reading: Reading
) -> None:
    """Each canvas of the active branch, as its patches leave it."""
    branch = [
        mapping(mapping(nodes.get(one.native_id)).get("message")) for one in conversation.active_messages()
    ]
    for number, canvas in enumerate(canvases(branch)):
        if canvas.not_replayed:
            reason = "a canvas patch that could not be replayed: the canvas lacks it"
            reading.tally.unknown(reason, f"{where}, canvas {canvas.name}", count=canvas.not_replayed)
        native = canvas.native_id or f"{conversation.native_id}/{canvas.name}/{number}"
        found = resource(
            reading,
            "chatgpt",
            f"canvas/{native}",
            canvas.name,
            canvas.text,
            created=reading.moment(canvas.created),
            project=conversation.project,
        )
        if found is not None:
            reading.aside.put(found)


def _message(
    key: str,
    listed_under: str | None,
    node: Mapping[str, object],
    where: str,
    reading: Reading,
    names: Mapping[str, str],
) -> MessageDraft:
    parent = identifier(node.get("parent")) or listed_under
    message = node.get("message")
    if not isinstance(message, dict):
        return MessageDraft(key, parent, "", key, empty_because="a node without a message")
    said = message.get
    author, metadata = mapping(said("author")), mapping(said("metadata"))
    content = _content(said("content"))
    role = string(author.get("role")) or "unknown"
    name = string(author.get("name"))
    recipient = said("recipient")
    tool = recipient if recipient != "all" and isinstance(recipient, str) and recipient else None
    if role == "user" and author.get("metadata") and _is_tool(author):
        role = "tool"  # a tool spoke in the user's place
    hidden = _is_hidden(role, metadata, said("weight"))
    spoken = _origin(role, tool, hidden, metadata, said("channel"))
    label = tool if spoken is Origin.TOOL_CALL else (name if spoken is Origin.TOOL_RESULT else None)
    kind = string(content.get("content_type")) or ""
    draft = MessageDraft(
        key,
        parent,
        role,
        key,
        author=name or (string(metadata.get("model_slug")) if role == "assistant" else None),
        when=reading.moment(said("create_time")),
        hidden=hidden,
        kind=kind,
        is_turn=kind == "text" and not hidden and tool is None and role in _TURNS,
    )
    words = _only_text(content)
    if words is not None:
        draft.pieces.append(Piece(words, spoken, label))
    else:
        unknown: list[tuple[str, object]] = []
        find(content, draft, Context(spoken, label, names, unknown))
        for of, raw in unknown:
            reading.tally.unknown_type(of, f"{where}, message {key}", raw)
            draft.raw.append(RawBlock(content_type=well_formed(of)[0], json_text=json.dumps(raw)))
    if metadata or spoken is not Origin.TYPED:
        take_metadata(metadata, draft, spoken)
    return draft


_TURNS = ("user", "assistant")


def _is_tool(author: Mapping[str, object]) -> bool:
    """Whether a tool writes under the user's role."""
    return (string(mapping(author.get("metadata")).get("real_author")) or "").startswith("tool:")


def _content(value: object) -> Mapping[str, object]:
    """The content object; captures of web pages have plain words or a list of parts in its place."""
    if isinstance(value, dict) or value is None:
        return mapping(value)
    return {"content_type": "text", "parts": value}


def _only_text(content: Mapping[str, object]) -> str | None:
    """The words of a plain message: nine in ten are one string, which needs no taking apart."""
    parts = content.get("parts")
    if content.get("content_type") != "text" or not isinstance(parts, list) or len(parts) != 1:
        return None
    return parts[0] if isinstance(parts[0], str) else None


def _is_hidden(role: str, metadata: Mapping[str, object], weight: object) -> bool:
    """The flag decides; so does weight 0. System text is shown only when the user wrote it."""
    if metadata.get("is_visually_hidden_from_conversation") is True:
        return True
    if role == "system" and metadata.get("is_user_system_message") is not True:
        return True
    return weight == 0 and isinstance(weight, int | float) and not isinstance(weight, bool)


def _origin(
    role: str, tool: str | None, hidden: bool, metadata: Mapping[str, object], channel: object
) -> Origin:
    if role == "user":
        return Origin.RUNTIME_CONTEXT if hidden else Origin.TYPED
    if role == "assistant":
        if channel == "analysis":
            return Origin.REASONING
        return Origin.TOOL_CALL if tool else Origin.ASSISTANT
    if role == "tool":
        return Origin.TOOL_RESULT
    if role == "system":
        owned = metadata.get("is_user_system_message") is True
        return Origin.CUSTOM_INSTRUCTION if owned else Origin.RUNTIME_CONTEXT
    return Origin.UNKNOWN


_KEYS = Keys(
    words="""title default_model_slug mapping.*.message.content mapping.*.message.author.name
        mapping.*.message.metadata.attachments mapping.*.message.metadata.citations
        mapping.*.message.metadata.content_references mapping.*.message.metadata._cite_metadata
        mapping.*.message.metadata.search_result_groups mapping.*.message.metadata.targeted_reply
        mapping.*.message.metadata.aggregate_result""",
    used="""id conversation_id create_time update_time current_node conversation_template_id gizmo_id
        mapping.*.id mapping.*.parent mapping.*.children mapping.*.message.id
        mapping.*.message.create_time mapping.*.message.update_time mapping.*.message.status
        mapping.*.message.end_turn mapping.*.message.weight mapping.*.message.recipient
        mapping.*.message.channel mapping.*.message.author.role mapping.*.message.author.metadata
        mapping.*.message.content.content_type mapping.*.message.content.language
        mapping.*.message.content.response_format_name mapping.*.message.content.parts.direction
        mapping.*.message.content.metadata.connector_source
        mapping.*.message.metadata.is_visually_hidden_from_conversation
        mapping.*.message.metadata.is_user_system_message mapping.*.message.metadata.canvas
        mapping.*.message.metadata.model_slug mapping.*.message.metadata.request_id
        mapping.*.message.metadata.message_type
        mapping.*.message.metadata.parent_id mapping.*.message.metadata.turn_exchange_id
        mapping.*.message.metadata.attachments.mime_type mapping.*.message.metadata.attachments.source""",
    omitted={
        "settings of a conversation, of an answer": """voice memory_scope conversation_origin plugin_ids
            gizmo_type is_archived is_starred async_status disabled_tool_ids moderation_results
            mapping.*.message.metadata.timestamp_ mapping.*.message.metadata.thinking_effort
            mapping.*.message.metadata.default_model_slug mapping.*.message.metadata.finish_details
            mapping.*.message.metadata.serialization_metadata mapping.*.message.metadata.selected_sources
            mapping.*.message.metadata.selected_github_repos mapping.*.message.metadata.system_hints
            mapping.*.message.metadata.reasoning_status mapping.*.message.metadata.finished_duration_sec
            mapping.*.message.metadata.voice_mode_message mapping.*.message.metadata.is_complete
            mapping.*.message.metadata.model_switcher_deny mapping.*.message.metadata.resolved_model_slug
            mapping.*.message.metadata.message_locale mapping.*.message.metadata.developer_mode_connector_ids
            mapping.*.message.metadata.rebase_developer_message""",
        "addresses that the service allows a page to open": "safe_urls blocked_urls",
        "what the service shows while it thinks": "mapping.*.message.content.content",
        "custom instructions, which stand in the message's own content": """
            mapping.*.message.metadata.user_context_message_data""",
        "the code of the interpreter, which the call before it holds": """
            mapping.*.message.metadata.aggregate_result.code
            mapping.*.message.metadata.aggregate_result.run_id""",
        "how a citation is drawn": """mapping.*.message.metadata.content_references.matched_text
            mapping.*.message.metadata.content_references.refs
            mapping.*.message.metadata.content_references.alt
            mapping.*.message.metadata.content_references.prompt_text
            mapping.*.message.metadata.content_references.thumbnail_url""",
    },
    forms=(unwrapped, file_of_pointer),
)

FORMAT = Format(
    id="chatgpt",
    version=5,
    title="ChatGPT export",
    reads=(
        "zip, folder, bare JSON, shards with manifest, wrapped list, single conversation; every "
        "content type of 2026, branches, hidden context, custom instructions, voice transcripts, "
        "uploads by name, citations resolved, group chats; custom instructions and canvases as resources"
    ),
    absent=(
        "bytes of uploads; canvas patches whose pattern is more than words and gaps (counted; they stay "
        "tool calls); words behind shared-link markers"
    ),
    evidence="11 files of real exports and other projects, RealMem (926 conversations)",
    keys=_KEYS,
    claims=_claims,
    read=_read,
    account=account,
    accounts_for=is_list_of_markers,
    whole_account=lambda others: account(others) is not None,
)
