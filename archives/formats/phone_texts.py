"""WhatsApp and Signal chats as text: `[20/01/19, 11:23:00] Name: words`, `1/20/19, 11:23 PM - Name: words`.

Times are local. Whether day or month comes first is told by a number above 12 anywhere in the file; where
none is, the times stay unread: they would be guesses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, assemble
from archives.formats.people import notice, owner_of, words_of
from archives.formats.rows import last_key, part_title
from archives.glimpse import Glimpse, Kind
from archives.instants import Moment
from archives.keys import Keys
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation

_HEADER = re.compile(
    r"[\u200e\u200f]?(\[)?(\d{1,4})[./-](\d{1,2})[./-](\d{1,4}),?[ \u202f\u00a0]"
    r"(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?"
    r"(?:[ \u202f\u00a0]?([AaPp])\.?[ \u202f\u00a0]?[Mm]\.?)?(?:\]|[ \u202f]-)[ \u202f](.*)",
    re.DOTALL,
)
_SENDER = re.compile(r"[\u200e\u200f]?([^:\n]{1,80}):(?: |$|(?=\S))(.*)", re.DOTALL)
_ATTACHED = re.compile(r"\u200e?(?:<attached: ([^<>]{1,255})>|([^\n<>]{1,255}) \(file attached\))")
_SIGNAL = re.compile(r"\[\d{4}-\d{2}-\d{2}, \d{2}:\d{2}\] ")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A message with its lines, before its date is understood."""

    numbers: tuple[int, int, int]
    clock: tuple[int, int, int]
    given: str
    rest: str


def _headers(seen: Glimpse) -> int:
    return sum(_HEADER.match(line) is not None for line in seen.text.split("\n")[:50])


def _claims_signal(seen: Glimpse) -> bool:
    return seen.kind is Kind.TEXT and _SIGNAL.match(seen.text) is not None and _headers(seen) > 0


def _claims_whatsapp(seen: Glimpse) -> bool:
    first = seen.text.split("\n", 1)[0]
    return seen.kind is Kind.TEXT and _HEADER.match(first) is not None and not _claims_signal(seen)


def _entries(part: Part, reading: Reading) -> Iterator[_Entry]:
    """The messages, each with the lines that follow its header."""
    held: tuple[re.Match[str], list[str]] | None = None
    for number, raw in enumerate(reading.text_lines(part), 1):
        line = raw.rstrip("\r\n")
        found = _HEADER.match(line)
        if found is None and held is not None:
            held[1].append(line)
        elif found is None and line.strip("\ufeff \t"):
            reading.tally.reject(
                "text before the first message", f"{part.name}, line {number}", line.encode(errors="replace")
            )
        elif found is not None:
            if held is not None:
                yield _entry(*held)
            held = (found, [found[9]])
    if held is not None:
        yield _entry(*held)


def _entry(found: re.Match[str], lines: list[str]) -> _Entry:
    hour = int(found[5])
    if found[8]:
        hour = hour % 12 + 12 * (found[8] in "Pp")
    given = found[0][: found.start(9) - found.start()].strip()
    clock = (hour, int(found[6]), int(found[7] or 0))
    return _Entry((int(found[2]), int(found[3]), int(found[4])), clock, given, "\n".join(lines))


def _day_first(entries: list[_Entry]) -> bool | None:
    for entry in entries:
        first, second, _ = entry.numbers
        if 12 < first <= 31 and second <= 12:
            return True
        if 12 < second <= 31 and first <= 12:
            return False
    return None


def _moment(entry: _Entry, day_first: bool | None, reading: Reading) -> Moment:
    first, second, third = entry.numbers
    if first > 31:
        year, month, day = first, second, third
    elif day_first is None:
        return Moment(None, entry.given)
    else:
        day, month = (first, second) if day_first else (second, first)
        year = third if third > 99 else 2000 + third
    try:
        local = datetime(year, month, day, *entry.clock, tzinfo=reading.zone or UTC)
        return reading.told(Moment(local.astimezone(UTC), entry.given, zone_assumed=True))
    except (ValueError, OverflowError):
        return Moment(None, entry.given)


def _conversation(part: Part, provider: str, reading: Reading) -> Conversation:
    entries = list(_entries(part, reading))
    day_first = _day_first(entries)
    owner = owner_of(reading)
    drafts: list[MessageDraft] = []
    for number, entry in enumerate(entries):
        sender = _SENDER.match(entry.rest)
        draft = MessageDraft(
            f"#{number}",
            last_key(drafts),
            "user" if sender else "notice",
            None,
            author=sender[1].strip() if sender else None,
            when=_moment(entry, day_first, reading),
        )
        _take_words(draft, sender[2].strip() if sender else entry.rest, sender is not None, owner)
        drafts.append(draft)
    if drafts and drafts[0].when.at is None:
        reading.tally.unknown(
            "dates that could be day first or month first", part.name, sample=entries[0].given
        )
    head = Head(
        account=reading.account,
        provider=provider,
        native_id=None,
        where=part.name,
        title=part_title(part),
        created=drafts[0].when if drafts else Moment(),
        updated=drafts[-1].when if drafts else Moment(),
        leaf=last_key(drafts),
        owner=owner,
    )
    return assemble(head, drafts, reading.tally)


def _take_words(draft: MessageDraft, text: str, has_sender: bool, owner: str | None) -> None:
    """WhatsApp marks what the app wrote itself, under somebody's name, with U+200E."""
    marked = text.startswith("\u200e")
    first, _, caption = text.partition("\n")
    attached = _ATTACHED.fullmatch(first.rstrip())
    if attached is not None:
        draft.attachments.append(Attachment(name=well_formed(attached[1] or attached[2])[0]))
        draft.pieces = words_of(draft.author, caption, owner)
    elif marked or not has_sender:
        draft.pieces = notice(text)
    else:
        draft.pieces = words_of(draft.author, text, owner)


def _read_whatsapp(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        yield _conversation(part, "whatsapp", reading)


def _read_signal(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        yield _conversation(part, "signal", reading)


SIGNAL = Format(
    id="signal",
    version=1,
    local_times=True,
    title="Signal chat text",
    reads="text export",
    absent="zone of the times",
    evidence="one file",
    claims=_claims_signal,
    read=_read_signal,
)


def _file_named(line: str) -> str:
    """A line less what WhatsApp writes around the name of a file."""
    return _ATTACHED.sub(lambda found: found[1] or found[2], line)


WHATSAPP = Format(
    id="whatsapp",
    version=2,
    local_times=True,
    title="WhatsApp chat text",
    reads=(
        "text export of iOS and Android, 12 and 24 hours, any order of day and month that the file decides"
    ),
    absent="zone of the times; times where nothing decides the order; media",
    evidence="5 files",
    keys=Keys(words="line", forms=(_file_named,)),
    claims=_claims_whatsapp,
    read=_read_whatsapp,
)
