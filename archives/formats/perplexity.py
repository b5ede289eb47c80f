"""Perplexity threads: extensions' `{metadata, conversations: [{query, answer}]}` and the API's `{entries}`.

Perplexity has no export of its own that holds many threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text
from archives.formats.rows import claims_records, last_key, message_rows, read_records
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from schemas.conversation import Conversation, Origin


def _rows(record: Mapping[str, object]) -> object:
    return record.get("entries", record.get("conversations"))


def _is_record(value: object) -> bool:
    record = mapping(value)
    first = mapping(next(iter(sequence(_rows(record))), None))
    return ("metadata" in record and "query" in first) or "query_str" in first


def _conversation(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    about = mapping(record.get("metadata"))
    first = next(objects(_rows(record)), {})
    titles = (
        about.get("title"), about.get("thread_title"), record.get("thread_title"), first.get("thread_title"),
    )  # fmt: skip
    drafts: list[MessageDraft] = []
    for number, row in message_rows(_rows(record), where, reading):
        own = identifier(row.get("uuid"))
        when = reading.moment(row.get("timestamp") or row.get("updated_datetime") or row.get("created_at"))
        asked = MessageDraft(f"#{number}", last_key(drafts), "user", own, when=when)
        words = string(row.get("query")) or string(row.get("query_str")) or ""
        asked.pieces.append(Piece(words, Origin.TYPED))
        drafts.append(asked)
        answer = MessageDraft(
            f"#{number}a", asked.key, "assistant", f"{own}-answer" if own else None, when=when
        )
        answer.pieces.append(Piece(_answer(row), Origin.ASSISTANT))
        for source in _sources(row):
            told = (source.get("title") or source.get("name"), source.get("snippet"))
            words = "\n".join(filter(None, map(string, told)))
            answer.pieces.append(Piece(words, Origin.TOOL_RESULT, string(source.get("url"))))
        drafts.append(answer)
    head = Head(
        account=reading.account,
        provider="perplexity",
        native_id=identifier(about.get("thread_id")) or identifier(record.get("uuid")),
        where=where,
        title=next(filter(None, map(string, titles)), None),
        created=drafts[0].when if drafts else reading.moment(None),
        leaf=last_key(drafts),
    )
    return assemble(head, drafts, reading.tally)


def _sources(row: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """What the answer was found in: an extension lists sources, the API blocks of results."""
    for key in ("sources", "sources_list", "web_results"):
        yield from objects(row.get(key))
    for block in objects(row.get("blocks")):
        yield from objects(mapping(block.get("web_result_block")).get("web_results"))


def _answer(row: Mapping[str, object]) -> str:
    if "answer" in row:
        return as_text(row.get("answer"))
    texts = (
        string(mapping(block.get("markdown_block")).get("answer")) for block in objects(row.get("blocks"))
    )
    return "\n\n".join(text for text in texts if text)


_KEYS = Keys(
    words="""metadata.title metadata.thread_title thread_title conversations entries""",
    used="""metadata.thread_id entries.status entries.mode entries.display_model entries.query_source
        entries.search_focus entries.privacy_state entries.thread_access entries.thread_url_slug
        entries.author_username entries.read_write_token conversations.mode conversations.model""",
)

FORMAT = Format(
    id="perplexity",
    version=2,
    title="Perplexity thread",
    reads="extension JSON and API entries",
    absent="branches; Perplexity has no bulk export",
    evidence="field list only",
    keys=_KEYS,
    claims=claims_records(_is_record),
    read=read_records(_is_record, _conversation),
)
