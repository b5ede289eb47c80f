"""Meta AI in an Instagram or Facebook download: `ai_conversations.json`, a list of threads made of labelled
values.

A message is a list of fields in the order that the download always has: the second `Message` is the words,
`Name` is the account's in every message, whoever spoke. So nobody's words are taken for the owner's: each
message's origin is unknown. Newest first, UTF-8 written as Latin-1, as in every download of Meta's. Labels
are in the account's language; the words are found by the place of the label that comes twice.

Facts: a real file, in public at github.com/munkh-hustle/muchi
(`assets/your_instagram_activity/messages/ai_conversations.json`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.meta_chats import mended
from archives.formats.rows import claims_records, last_key, read_records
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin
from schemas.report import NoteKind


def _is_record(value: object) -> bool:
    record = mapping(value)
    return "fbid" in record and isinstance(record.get("label_values"), list) and "title" in record


def _is_message(value: object) -> bool:
    return any("timestamp_value" in mapping(field) for field in sequence(mapping(value).get("dict")))


def _conversation(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    rows: list[Mapping[str, object]] = []
    said = 0
    for item in objects(record.get("label_values")):
        inner = sequence(item.get("dict"))
        if any(map(_is_message, inner)):
            rows.extend(mapping(row) for row in inner)
        elif string(item.get("value")):
            said += 1
    if said:
        reading.tally.note(NoteKind.SKIPPED, "a setting of the thread", where, count=said)
    drafts: list[MessageDraft] = []
    for row in reversed(rows):
        drafts.append(_draft(row, len(drafts), last_key(drafts), reading))
    for media in objects(record.get("media")):
        name = string(media.get("uri"))
        if name and drafts:
            drafts[-1].attachments.append(Attachment(name=well_formed(name)[0]))
    head = Head(
        account=reading.account,
        provider="meta_ai",
        native_id=identifier(record.get("fbid")),
        where=where,
        title=mended(record.get("title")),
        created=drafts[0].when if drafts else reading.moment(record.get("timestamp")),
        updated=reading.moment(record.get("timestamp")),
        leaf=last_key(drafts),
    )
    return assemble(head, drafts, reading.tally)


def _draft(row: Mapping[str, object], number: int, before: str | None, reading: Reading) -> MessageDraft:
    fields = list(objects(row.get("dict")))
    when = next((field["timestamp_value"] for field in fields if "timestamp_value" in field), None)
    draft = MessageDraft(f"#{number}", before, "unknown", None, when=reading.moment(when))
    twice = {label for label, count in Counter(_labels(fields)).items() if count > 1}
    words = [mended(field.get("value")) for field in fields if string(field.get("label")) in twice]
    # the first of the two tells of the thread: who named it, who joined
    for place, told in enumerate(words):
        origin = Origin.RUNTIME_CONTEXT if place < len(words) - 1 else Origin.UNKNOWN
        draft.pieces.append(Piece(told or "", origin, "notice" if place < len(words) - 1 else None))
    others = [
        field for field in fields if string(field.get("value")) and string(field.get("label")) not in twice
    ]
    if others and not (words and words[-1]):  # of what was said, the name is the account's, whoever spoke
        draft.author = mended(others[-1].get("value"))
    for field in others[:-1]:
        draft.pieces.append(
            Piece(mended(field.get("value")) or "", Origin.UNKNOWN, string(field.get("label")))
        )
    for field in fields:
        for file in objects(field.get("dict")):
            name = string(file.get("value")) or string(file.get("href")) or string(file.get("title"))
            if name:
                draft.attachments.append(Attachment(name=well_formed(name)[0]))
    return draft


def _labels(fields: list[dict[str, object]]) -> Iterator[str]:
    for field in fields:
        if label := string(field.get("label")):
            yield label


_KEYS = Keys(
    words="title media label_values",
    used="label_values.label label_values.dict.dict.label",
    omitted={
        "reactions": "label_values.dict.dict.vec",
        "settings of the thread": """label_values.title label_values.value label_values.dict.value
            label_values.dict.label
            label_values.dict.dict.title""",
    },
)

FORMAT = Format(
    id="meta_ai",
    version=1,
    title="Meta AI (Instagram or Facebook download)",
    reads="ai_conversations.json: every thread, mended characters, files by name",
    absent="who spoke, which the download does not say; reactions and settings of threads",
    evidence="a real file, whose fields it was written by",
    keys=_KEYS,
    claims=claims_records(_is_record),
    read=read_records(_is_record, _conversation),
)
