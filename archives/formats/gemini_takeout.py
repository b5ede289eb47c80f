"""Gemini in Google Takeout: My Activity, as JSON or as HTML (Takeout's default), in any language.

A row is a prompt and its answer. Rows with exactly one conversation address form a conversation, newest
row first in the file; any other row stands alone: time gaps prove nothing. Every Google product has such a
file, so a row counts only if its product or an address says Gemini.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.gemini_turns import claims_turns, conversations_of_turns
from archives.formats.markup import text_of
from archives.formats.people import notice
from archives.formats.takeout_html import cells, is_activity_page
from archives.glimpse import Glimpse, Kind
from archives.instants import Moment
from archives.keys import Keys
from archives.shapes import mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.base import sha256_text
from schemas.conversation import Attachment, Conversation, Origin, RawBlock

PRODUCTS = frozenset(
    {
        "Gemini Apps", "Bard", "Gemini", "Gemini-Apps", "Gemini アプリ",
        "Aplikace Gemini", "Applications Gemini", "Aplicaciones de Gemini",
        "Apps de Gemini", "App Gemini", "App di Gemini", "Apps do Gemini",
        "Gemini 앱", "Gemini 应用", "Gemini 應用程式", "Приложения Gemini",
        "Додатки Gemini", "Εφαρμογές Gemini", "Gemini-apps", "Aplikacje Gemini",
        "Gemini Uygulamaları", "Gemini-sovellukset", "Gemini-appar",
        "Gemini-apper",
    }
)  # fmt: skip
"""The product's name where it was seen or follows Google's own localisation."""

_PROMPT_VERBS = (
    "Live Prompt", "Prompted", "Prompt:", "Asked", "Said", "Branched", "Answered", "送信したメッセージ:",
    "Υποβλήθηκε το ερώτημα", "Has dicho:", "Hiciste la petición", "Pokyn", "Gefragt:", "Vous avez demandé",
)  # fmt: skip
"""What Takeout puts before a prompt. A title with none of them is a prompt as a whole."""

_OTHER_ACTS = ("Created ", "Used ", "Gave feedback", "Selected preferred draft", "Cleared ", "Added ")
"""Rows that report an act in the app, not a prompt."""

_THREAD = re.compile(r"https?://[^/?#]+/app/(?:c/)?(?=[A-Za-z_-]*\d)([A-Za-z0-9_-]{4,64})(?=[/?#]|$)")
"""A conversation's own page; other pages of the app are called by words."""


@dataclass(slots=True)
class Row:
    """One row of My Activity."""

    header: str
    title: str
    when: Moment
    products: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    """HTML."""
    addresses: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    subtitles: list[tuple[str, str | None]] = field(default_factory=list)
    """What stands below the prompt, such as what was attached: words and address."""


def _is_row(value: object) -> bool:
    row = mapping(value)
    return "header" in row and "time" in row and "title" in row


def _is_gemini(row: Mapping[str, object]) -> bool:
    names = {string(row.get("header")), *map(string, sequence(row.get("products")))}
    return bool(names & PRODUCTS) or any(map(_is_geminis, _addresses(row)))


def _is_geminis(address: str) -> bool:
    return urlsplit_host(address) in ("gemini.google.com", "bard.google.com")


def urlsplit_host(address: str) -> str:
    """The host of an address, "" if it is none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _addresses(row: Mapping[str, object]) -> list[str]:
    found = [
        string(row.get("titleUrl")),
        *(string(detail.get("url")) for detail in objects(row.get("details"))),
    ]
    return [address for address in found if address]


def _claims(seen: Glimpse) -> bool:
    if seen.kind is Kind.LIST:
        return any(_is_row(record) and _is_gemini(record) for record in seen.objects())
    if seen.kind is Kind.OBJECT:
        return claims_turns(seen)
    return seen.kind is Kind.MARKUP and is_activity_page(seen.text, PRODUCTS)


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        if part.glimpse.kind is Kind.OBJECT:
            yield from conversations_of_turns(part, reading)
            continue
        threads: dict[str, list[tuple[str, Row]]] = {}
        for where, row in _rows(part, reading):
            threads.setdefault(_thread(row), []).append((where, row))
        for key, rows in threads.items():
            yield _conversation(key, rows[::-1], reading)


def _rows(part: Part, reading: Reading) -> Iterator[tuple[str, Row]]:
    found = _html_rows(part, reading) if part.glimpse.kind is Kind.MARKUP else _json_rows(part, reading)
    for where, row in found:
        if row.title.startswith(_OTHER_ACTS) and not row.answers:
            reading.passes_over(row.title)
            reading.tally.records += 1
            reading.tally.skip(
                f"an act that is no prompt ({row.title.split(' ')[0]})", where, sample=row.title
            )
        else:
            yield where, row


def _json_rows(part: Part, reading: Reading) -> Iterator[tuple[str, Row]]:
    for where, record in reading.records(part, plausible=_is_row):
        if not isinstance(record, dict) or not _is_row(record):
            reading.reject(record, "a row without header, title and time", where, alone=True)
        elif not _is_gemini(record):
            reading.tally.records += 1
            reading.passes_over(record)
            reading.tally.skip("a row of another Google product", where, sample=record.get("header"))
        else:
            yield (
                where,
                Row(
                    header=string(record.get("header")) or "",
                    title=string(record.get("title")) or "",
                    when=reading.moment(record.get("time")),
                    answers=[string(item.get("html")) or "" for item in objects(record.get("safeHtmlItem"))],
                    addresses=_addresses(record),
                    files=_files(record),
                    subtitles=_subtitles(record),
                ),
            )


def _subtitles(record: Mapping[str, object]) -> list[tuple[str, str | None]]:
    told = ((string(one.get("name")), string(one.get("url"))) for one in objects(record.get("subtitles")))
    return [(name or url or "", url if name else None) for name, url in told if name or url]


def _files(record: Mapping[str, object]) -> list[str]:
    names = []
    for value in (*sequence(record.get("attachedFiles")), record.get("imageFile")):
        name = string(value) or string(mapping(value).get("name"))
        if name:
            names.append(name)
    return names


def _html_rows(part: Part, reading: Reading) -> Iterator[tuple[str, Row]]:
    """A page that detection knew holds Gemini's rows and perhaps others; a forced one is taken whole."""
    forced = not is_activity_page(part.glimpse.text, PRODUCTS)
    for number, cell in enumerate(cells(part, reading), 1):
        if not forced and cell.header not in PRODUCTS:
            reading.tally.records += 1
            reading.tally.skip("a row of another Google product", f"{part.name}, row {number}")
            continue
        yield (
            f"{part.name}, row {number}",
            Row(
                cell.header,
                cell.title,
                cell.when,
                answers=[cell.answer] if cell.answer else [],
                addresses=cell.addresses,
            ),
        )


def _thread(row: Row) -> str:
    """The conversation's id if the row names exactly one, else an id of the row alone. An answer's links to
    other sites name none."""
    ours = filter(_is_geminis, row.addresses)
    ids = {match[1] for address in ours if (match := _THREAD.match(address))}
    return ids.pop() if len(ids) == 1 else "row-" + _row_id(row)


def _row_id(row: Row) -> str:
    """Times collide and answers vary between exports: the whole second and the prompt do not."""
    second = str(int(row.when.at.timestamp())) if row.when.at else row.when.given or ""
    return sha256_text(well_formed(f"{second}\n{_prompt(row)}")[0])[:32]


def _prompt(row: Row) -> str:
    return _without_verb(row.title)


def _without_verb(title: str) -> str:
    title = title.replace("\u00a0", " ")
    for verb in _PROMPT_VERBS:
        if title.startswith(verb):
            return title[len(verb) :].strip()
    return title.strip()


def _conversation(key: str, rows: list[tuple[str, Row]], reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    for where, row in rows:
        base = _row_id(row)
        before = drafts[-1].key if drafts else None
        prompt = MessageDraft(f"prompt-{base}", before, "user", f"prompt-{base}", when=row.when)
        if row.title.startswith(_OTHER_ACTS):
            prompt.role = "act"
            prompt.pieces = notice(row.title)
        else:
            prompt.pieces.append(Piece(_prompt(row), Origin.TYPED))
        prompt.pieces += [Piece(name, Origin.RUNTIME_CONTEXT, url) for name, url in row.subtitles]
        prompt.attachments = [Attachment(name=well_formed(name)[0]) for name in row.files]
        drafts.append(prompt)
        if row.answers:
            drafts.append(_answer(row, base, prompt.key, where, reading))
    head = Head(
        account=reading.account,
        provider="gemini_takeout",
        native_id=key,
        where=rows[0][0],
        created=rows[0][1].when,
        updated=rows[-1][1].when,
    )
    return assemble(head, drafts, reading.tally)


def _answer(row: Row, base: str, parent: str, where: str, reading: Reading) -> MessageDraft:
    if len(row.answers) > 1:
        reading.tally.unknown("an answer in several items: parts or drafts, which is not said", where)
    draft = MessageDraft(f"answer-{base}", parent, "assistant", f"answer-{base}", when=row.when)
    draft.pieces = [Piece(text_of(html), Origin.ASSISTANT) for html in row.answers]
    draft.raw = [RawBlock(content_type="text/html", json_text=json.dumps(html)) for html in row.answers]
    return draft


_KEYS = Keys(
    words="title safeHtmlItem attachedFiles imageFile subtitles",
    used="header products titleUrl details",
    omitted={"settings that allow Google to keep the row": "activityControls", "places": "locationInfos"},
    forms=(text_of, _without_verb),
)

FORMAT = Format(
    id="gemini_takeout",
    version=3,
    title="Gemini (Google Takeout)",
    reads=(
        "My Activity as JSON and HTML, in any language; prompts, answers, attachments by name; "
        "Workspace's conversation_N.txt"
    ),
    absent="model, branches; conversations where a row names none; acts that are no prompts",
    evidence="a JSON and an HTML file, one negative; conversation_N.txt from its description only",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
