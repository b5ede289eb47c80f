"""JSON of any size, one record at a time.

A window of text slides over the bytes and the standard library's scanner reads one value after the other
from it. Against an event parser such as ijson this keeps three things that archives need: lone surrogates
(yajl turns them into "?" without a word), the bytes of a record that cannot be read, and the good records
after it. It is no slower: see `benchmarks/read.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from archives.decoding import Decoder
from archives.guarded_stream import ByteStream
from archives.shapes import mapping
from archives.tally import Tally
from schemas.errors import InputError
from schemas.report import NoteKind

CHUNK = 1 << 21
"""Bytes read at a time: the record that a chunk cuts is read twice, so a chunk should hold many.
A record longer than a chunk has the step grow fourfold, so that reading stays linear."""
RECORD_LIMIT = 1 << 29
"""Characters of one record; a longer one is given up. A message of 100 MB is a fifth of it."""
_QUARANTINE_LIMIT = 1 << 24
_SPACE = re.compile(r"[ \t\r\n\ufeff\x00]*")
_BETWEEN_OBJECTS = re.compile(r"\}\s*,\s*(?=\{)")
_TAIL = 32
"""An error this close to the window's end may be a token that the window cut."""
_OPEN_STRING = "Unterminated string"
"""How the scanner calls a text that does not end."""
_EXPORT_AGAIN = "Download the export again"
_RESUME_ATTEMPTS = 200
"""Failed tries to find the next good record after a bad one; each costs at most one window."""

_decode = json.JSONDecoder(strict=False).raw_decode


class BadRecord(ValueError):
    """The text at the window's position is no JSON value; `broke_off` if the file ended inside it."""

    def __init__(self, why: str, at: int, *, broke_off: bool) -> None:
        super().__init__(why)
        self.why, self.at, self.broke_off = why, at, broke_off


class Window:
    """The part of a JSON file that is in memory, and where it lies in the file."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._decoder: Decoder | None = None
        self._taken_in = 0
        self._began = 0
        self.text = ""
        self.at = 0
        self.ended = False
        self.failure: InputError | None = None
        """Why the stream ended early, if it did."""

    def fill(self, size: int = CHUNK) -> bool:
        """Drop what was read and take in more; False when there is no more."""
        if self.ended:
            return False
        # each piece is decoded while it is in the processor's cache, and all are joined once
        pieces, taken = [self.text[self.at :]], 0
        while taken < size and not self.ended:
            data = self._read(size - taken)
            taken += len(data)
            self.ended = not data
            pieces.append(self._decoded(data))
        self._taken_in += taken
        self.text = "".join(pieces)
        self.at = 0
        return any(pieces[1:]) or not self.ended

    def _read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except InputError as failure:
            self.failure = failure
            return b""

    def _decoded(self, data: bytes) -> str:
        if self._decoder is None:
            # the encoding shows in the first four bytes
            while 0 < len(data) < 4 and (more := self._read(4 - len(data))):
                data += more
                self._taken_in += len(more)
            self._decoder = Decoder(data[:4])
        return self._decoder.decode(data, final=self.ended)

    @property
    def offset(self) -> int:
        """Byte offset of the position (exact for UTF-8, to a character cut by the window's end)."""
        return self._taken_in - len(self.bytes_of(self.text[self.at :]))

    def bytes_of(self, text: str) -> bytes:
        """The bytes that a part of the text was read from."""
        return self._decoder.encode(text) if self._decoder is not None else text.encode()

    @property
    def size(self) -> int:
        """Bytes taken in so far: once the file has ended, how many there were."""
        return self._taken_in

    @property
    def remedy(self) -> str:
        """What mends a file that ends early."""
        return self.failure.remedy if self.failure is not None and self.failure.remedy else _EXPORT_AGAIN

    def remark(self, tally: Tally, where: str) -> None:
        """Report what there is to say of the file's encoding."""
        reason, remedy = self._decoder.remark if self._decoder is not None else ("", "")
        if reason:
            tally.note(NoteKind.UNKNOWN, reason, where, remedy=remedy)

    @property
    def over_a_chunk(self) -> bool:
        """More than a chunk was read: time to stop a mere look."""
        return self._taken_in > CHUNK and self.at > 0

    def next_character(self) -> str:
        """The character after any blank, without taking it; "" at the end."""
        while True:
            space = _SPACE.match(self.text, self.at)
            self.at = space.end() if space else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.fill():
                return ""

    def take(self, character: str) -> bool:
        """Pass over `character` if it comes next."""
        if self.next_character() != character:
            return False
        self.at += 1
        return True

    def value(self) -> object:
        """Read the JSON value that comes next.

        Raises:
            BadRecord: there is none; the position stays where the value should have begun.
        """
        self.next_character()
        step = CHUNK
        while True:
            try:
                value, end = _decode(self.text, self.at)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith(_OPEN_STRING) or error.pos >= len(self.text) - _TAIL
                if cut and len(self.text) - self.at < RECORD_LIMIT and self.fill(step):
                    step *= 4
                    continue
                why = self._why_cut(error) if cut and self.ended else _plain_words(error.msg)
                raise BadRecord(why, error.pos, broke_off=cut and self.ended) from None
            except (ValueError, RecursionError) as error:
                why = (
                    "nested too deeply" if isinstance(error, RecursionError) else "a number of absurd length"
                )
                raise BadRecord(why, self.at + 1, broke_off=False) from None
            if end == len(self.text) and not isinstance(value, dict | list | str) and self.fill(step):
                continue
            self._began, self.at = self.at, end
            return value

    def _why_cut(self, error: json.JSONDecodeError) -> str:
        if self.failure is not None:
            return str(self.failure.why or self.failure.what)
        inside = "text" if error.msg.startswith(_OPEN_STRING) else "record"
        return f"it breaks off at byte {self.size:,}, inside a {inside}"

    def line(self) -> str | None:
        """Read up to the next line feed, without it; None at the end."""
        seen, step = 0, CHUNK
        while True:
            end = self.text.find("\n", self.at + seen)
            if end >= 0:
                line, self.at = self.text[self.at : end], end + 1
                return line
            seen = len(self.text) - self.at
            if seen > RECORD_LIMIT or not self.fill(step):
                line, self.at = self.text[self.at :], len(self.text)
                return line or None
            step *= 4

    def rest(self) -> bytes:
        """Take everything that is still in memory (as much of it as quarantine holds)."""
        rest, self.at = self.text[self.at :], len(self.text)
        return self._raw([rest])

    def _raw(self, parts: list[str]) -> bytes:
        return self.bytes_of("".join(parts)[:_QUARANTINE_LIMIT])

    def resume(self, error: BadRecord, plausible: Callable[[object], bool]) -> tuple[bytes, list[object]]:
        """Find the next record that `plausible` accepts, after a bad one.

        Returns the bytes that were passed over, and the record (or nothing, at the end of the file).
        """
        passed: list[str] = []
        search, failures = max(error.at, self.at + 1), 0
        while failures < _RESUME_ATTEMPTS:
            gap = _BETWEEN_OBJECTS.search(self.text, search)
            if gap is None:
                tail = max(self.at, len(self.text) - _TAIL)
                _keep(passed, self.text[self.at : tail])
                self.at = tail
                if not self.fill():
                    break
                search = 0
                continue
            _keep(passed, self.text[self.at : gap.end()])
            self.at = gap.end()
            try:
                candidate = self.value()
            except BadRecord:
                failures += 1
                search = self.at + 1
                continue
            if plausible(candidate):
                return self._raw(passed), [candidate]
            _keep(passed, self.text[self._began : self.at])
            search = self.at - 1
        return (self._raw(passed) + self.rest())[:_QUARANTINE_LIMIT], []


def _keep(passed: list[str], text: str) -> None:
    if sum(map(len, passed[-1:])) < _QUARANTINE_LIMIT and len(passed) < _RESUME_ATTEMPTS * 50:
        passed.append(text)


def _plain_words(message: str) -> str:
    return "a text without its closing quote" if message.startswith(_OPEN_STRING) else message


def records(
    window: Window,
    where: str,
    tally: Tally,
    *,
    under: tuple[str, ...] = (),
    plausible: Callable[[object], bool] = lambda value: isinstance(value, dict),
) -> Iterator[object]:
    """The records of a JSON file: the elements of its list, or of the list under one of the keys `under`
    of its object, or the object itself.

    What cannot be read goes to the tally with its byte offset, and reading goes on with the next record
    that is `plausible`; a file that breaks off has given every record before the break.
    """
    losses = tally.losses
    if window.next_character() == "{":
        yield from _from_object(window, where, tally, under, plausible)
    while window.take("["):
        yield from _elements(window, where, tally, plausible)
    if window.next_character():
        tally.lose("text after the end of the JSON", f"{where}, byte {window.offset}")
    elif window.failure is not None and tally.losses == losses:  # else what it cost is said already
        why = window.failure.why or window.failure.what
        tally.lose(why, f"{where}, byte {window.offset}", remedy=window.failure.remedy)
    window.remark(tally, where)


def _elements(
    window: Window, where: str, tally: Tally, plausible: Callable[[object], bool]
) -> Iterator[object]:
    while not window.take("]"):
        if window.take(","):
            continue
        if not window.next_character():
            offset = f"{where}, byte {window.offset}"
            why = f": {window.failure.why or window.failure.what}" if window.failure else ""
            reason = f"the file breaks off inside its list{why}"
            tally.lose(reason, offset, remedy=window.remedy, cuts=True)
            return
        try:
            value = window.value()
        except BadRecord as error:
            offset = f"{where}, byte {window.offset}"
            if error.broke_off:
                reason = _broke_off(window, error)
                tally.reject(reason, offset, window.rest(), remedy=window.remedy, cuts=True)
                return
            raw, found = window.resume(error, plausible)
            tally.reject(f"a record is no valid JSON: {error.why}", offset, raw)
            yield from found
            continue
        yield value


def _from_object(
    window: Window,
    where: str,
    tally: Tally,
    under: tuple[str, ...],
    plausible: Callable[[object], bool],
) -> Iterator[object]:
    window.take("{")
    whole: dict[str, object] = {}
    opened = False
    try:
        while not window.take("}"):
            if window.take(","):
                continue
            key = window.value()
            window.take(":")
            if key in under and window.take("["):
                opened = True
                yield from _elements(window, where, tally, plausible)
            else:
                whole[str(key)] = window.value()
    except BadRecord as error:
        offset = f"{where}, byte {window.offset}"
        if opened:
            tally.lose(f"text after the records cannot be read: {error.why}", offset)
            window.rest()
        else:
            raw = json.dumps(mapping(whole)).encode() + b"\n" + window.rest()
            cuts = error.broke_off
            tally.reject(_broke_off(window, error), offset, raw, remedy=window.remedy, cuts=cuts)
        return
    if not opened:
        yield whole


def _broke_off(window: Window, error: BadRecord) -> str:
    if not error.broke_off:
        return f"a record is no valid JSON: {error.why}"
    if window.failure is not None:
        return f"the file breaks off inside a record: {window.failure.why or window.failure.what}"
    return f"the file breaks off inside a record: {error.why}"


def lines(window: Window, where: str, tally: Tally) -> Iterator[tuple[int, object]]:
    """The values of a JSON Lines file, each with its line number from 1. A bad line is rejected alone."""
    number = 0
    decoder = json.JSONDecoder(strict=False)
    while (line := window.line()) is not None:
        number += 1
        text = line.strip("\ufeff\x00 \t\r\n")
        if not text:
            continue
        try:
            yield number, decoder.decode(text)
        except (ValueError, RecursionError) as error:
            raw, place = window.bytes_of(line[:_QUARANTINE_LIMIT]), f"{where}, line {number}"
            if window.ended and window.at == len(window.text):
                began = window.size - len(window.bytes_of(line))
                reason = f"the last line breaks off at byte {window.size:,}"
                tally.reject(reason, f"{place}, byte {began}", raw, remedy=_COPY_AGAIN, cuts=True)
            else:
                why = _plain_words(getattr(error, "msg", "it cannot be read"))
                tally.reject(f"a line is no valid JSON: {why}", place, raw)
    if window.failure is not None:
        why = window.failure.why or window.failure.what
        tally.lose(why, f"{where}, after line {number}", remedy=window.failure.remedy)
    window.remark(tally, where)


_COPY_AGAIN = "Copy the file again when nothing writes to it; quarantine keeps what there is of the line"
