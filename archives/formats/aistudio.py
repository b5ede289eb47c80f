"""Google AI Studio prompts, as they lie in Google Drive: one file a conversation, titled by its name."""

from __future__ import annotations

from collections.abc import Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text
from archives.formats.rows import claims_records, file_title, last_key, message_rows, read_records
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_ORIGINS = {"user": Origin.TYPED, "model": Origin.ASSISTANT}
_FILES = (
    "driveDocument",
    "driveImage",
    "driveVideo",
    "driveAudio",
    "inlineImage",
    "inlineFile",
    "inlineData",
    "youtubeVideo",
)


def _is_record(value: object) -> bool:
    return isinstance(mapping(mapping(value).get("chunkedPrompt")).get("chunks"), list)


def _conversation(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    prompt = mapping(record.get("chunkedPrompt"))
    drafts: list[MessageDraft] = []
    instruction = record.get("systemInstruction")
    words = instruction if isinstance(instruction, str) else _parts_text(mapping(instruction))
    if words:
        draft = MessageDraft("system", None, "system", None, hidden=True)
        draft.pieces.append(Piece(words, Origin.CUSTOM_INSTRUCTION))
        drafts.append(draft)
    for number, chunk in message_rows(prompt.get("chunks"), where, reading):
        drafts.append(_message(chunk, number, last_key(drafts), reading))
    pending = (*sequence(prompt.get("pendingInputs")), *sequence(record.get("pendingInputs")))
    for number, draft_input in enumerate(pending):
        drafts.append(
            MessageDraft(
                f"pending {number}",
                last_key(drafts),
                "user",
                None,
                empty_because="a prompt that was never sent",
            )
        )
        if _parts_text(mapping(draft_input)):
            reading.tally.unknown("a prompt with words that was never sent", where, sample=draft_input)
    head = Head(
        account=reading.account,
        provider="aistudio",
        native_id=identifier(record.get("id")),
        where=where,
        title=string(record.get("title")) or file_title(where.split(", record")[0]),
        model=string(mapping(record.get("runSettings")).get("model")),
    )
    return assemble(head, drafts, reading.tally)


def _parts_text(holder: Mapping[str, object]) -> str:
    """`parts` repeats `text`: one of the two is enough."""
    return string(holder.get("text")) or "".join(
        string(part.get("text")) or "" for part in objects(holder.get("parts"))
    )


def _message(chunk: Mapping[str, object], number: int, before: str | None, reading: Reading) -> MessageDraft:
    role = string(chunk.get("role")) or "unknown"
    own = identifier(chunk.get("id"))
    draft = MessageDraft(own or f"#{number}", before, role, own, when=reading.moment(chunk.get("createTime")))
    thought = chunk.get("isThought") is True or chunk.get("thought") is True
    spoken = Origin.REASONING if thought else _ORIGINS.get(role, Origin.UNKNOWN)
    draft.pieces.append(Piece(_parts_text(chunk), spoken))
    code = mapping(chunk.get("executableCode"))
    draft.pieces.append(Piece(string(code.get("code")) or "", Origin.TOOL_CALL, string(code.get("language"))))
    result = mapping(chunk.get("codeExecutionResult"))
    draft.pieces.append(Piece(as_text(result.get("output")), Origin.TOOL_RESULT, "code"))
    draft.pieces.append(Piece(string(chunk.get("errorMessage")) or "", Origin.RUNTIME_CONTEXT, "error"))
    for kind in _FILES:
        file = chunk.get(kind)
        if isinstance(file, dict):
            native = identifier(file.get("id"))
            media_type = string(file.get("mimeType"))
            draft.attachments.append(
                Attachment(
                    name=well_formed(native or kind)[0],
                    media_type=well_formed(media_type)[0] if media_type else kind,
                    native_id=well_formed(native)[0] if native else None,
                )
            )
    return draft


_KEYS = Keys(
    words="""chunkedPrompt.chunks systemInstruction runSettings.model title""",
    used="chunkedPrompt.chunks.codeExecutionResult.outcome chunkedPrompt.chunks.finishReason",
    omitted={
        "settings of a run": "runSettings",
        "bytes of files": """chunkedPrompt.chunks.inlineImage.data chunkedPrompt.chunks.inlineFile.data
            chunkedPrompt.chunks.inlineData.data""",
        "what only the service can read": "chunkedPrompt.chunks.thoughtSignatures",
        "a prompt that was never sent, which the report counts": """chunkedPrompt.pendingInputs
            pendingInputs""",
    },
)

FORMAT = Format(
    id="aistudio",
    version=1,
    title="Google AI Studio prompt",
    reads="chunks with thoughts, code and its results, system instruction, files by name",
    absent="times, in most files; bytes of files; prompts never sent are counted",
    evidence="3 files, one real",
    keys=_KEYS,
    claims=claims_records(_is_record),
    read=read_records(_is_record, _conversation),
)
