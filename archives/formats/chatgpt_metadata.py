"""What a ChatGPT message holds beside its content: uploads, drawn pictures, citations, replies."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from archives.drafts import MessageDraft, Piece
from archives.formats.citations import CITING, cited_sources, without_citations
from archives.shapes import identifier, mapping, objects, string, whole
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Origin, RawBlock

_TOLD = CITING | {"targeted_reply", "aggregate_result", "attachments"}
"""Keys of a message's metadata that say more than how the message is shown."""


def take_metadata(metadata: Mapping[str, object], draft: MessageDraft, spoken: Origin) -> None:
    """Put it into the draft, whose content is in it already."""
    if not draft.attachments and _TOLD.isdisjoint(metadata):
        if spoken is not Origin.TYPED:
            _take_citations(metadata, draft)
        return
    replied = string(metadata.get("targeted_reply"))
    if replied is not None:
        draft.pieces.append(Piece(replied, Origin.ATTACHED, "targeted reply"))
    if spoken is not Origin.TYPED:
        _take_citations(metadata, draft)
    drawn = list(_drawn(metadata))
    if draft.attachments or drawn or "attachments" in metadata:
        draft.attachments = _attachments(metadata, draft.attachments + drawn)


def _take_citations(metadata: Mapping[str, object], draft: MessageDraft) -> None:
    """Take citation marks out of an answer; the text as it came and its sources stay beside it, and sources
    stay where the text has no marks of them."""
    sources = [] if CITING.isdisjoint(metadata) else cited_sources(dict(metadata))
    for number, piece in enumerate(draft.pieces):
        clean = without_citations(piece.text)
        if clean != piece.text:
            kept = {"text": piece.text, "sources": sources}
            draft.raw.append(RawBlock(content_type="citations", json_text=json.dumps(kept)))
            draft.pieces[number] = piece._replace(text=clean)
    if sources and not draft.raw and draft.pieces:
        draft.raw.append(RawBlock(content_type="citations", json_text=json.dumps({"sources": sources})))


def _drawn(metadata: Mapping[str, object]) -> Iterator[Attachment]:
    """Pictures that the code interpreter drew."""
    for message in objects(mapping(metadata.get("aggregate_result")).get("messages")):
        pointer = string(message.get("image_url"))
        if pointer is not None and not pointer.startswith("data:"):
            native = pointer.rpartition("//")[2]
            yield Attachment(name=native, media_type="image", native_id=native)


def _attachments(metadata: Mapping[str, object], pointed: list[Attachment]) -> list[Attachment]:
    """Uploads stand in the metadata and nowhere in the parts, except pictures, which stand in both."""
    uploads = [
        Attachment(
            name=well_formed(string(entry.get("name")) or identifier(entry.get("id")) or "unnamed")[0],
            media_type=_clean(entry.get("mime_type")),
            size=whole(entry.get("size")),
            native_id=_clean(entry.get("id")),
        )
        for entry in objects(metadata.get("attachments"))
    ]
    known = {upload.native_id for upload in uploads}
    cleaned = [
        pointer.model_copy(
            update={
                "name": well_formed(pointer.name)[0],
                "native_id": _clean(pointer.native_id),
                "media_type": _clean(pointer.media_type),
            }
        )
        for pointer in pointed
        if pointer.native_id not in known
    ]
    return uploads + cleaned


def _clean(value: object) -> str | None:
    text = identifier(value)
    return well_formed(text)[0] if text else None
