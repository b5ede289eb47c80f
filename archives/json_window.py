"""A window of text that slides over the bytes of a JSON or text file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from archives.decoding import Decoder
from archives.guarded_stream import ByteStream
from archives.record_bounds import RECORD_BYTES, TOO_LONG, TOO_MANY, holds_too_much, width
from archives.tally import Tally
from schemas.errors import InputError
from schemas.report import NoteKind

CHUNK = 1 << 20
"""Bytes read at a time. A record that a chunk cuts is scanned twice: of records up to half as long as a chunk
the window takes in more beforehand. For a longer one it doubles, so that reading stays linear."""
QUARANTINE_LIMIT = 1 << 24
_SPACE = re.compile(r"[ \t\r\n\ufeff\x00]*")
_BETWEEN_OBJECTS = re.compile(r"\}\s*,\s*(?=\{)")
_TAIL = 32
"""An error this close to the window's end may be a token that the window cut."""
OPEN_STRING = "Unterminated string"
"""How the scanner calls a text that does not end."""
_EXPORT_AGAIN = "Download the export again"
_RESUME_ATTEMPTS = 200
"""Failed tries to find the next good record after a bad one; each costs at most one window."""
_RESUME_CANDIDATES = 200_000
"""Values inside a bad record that are looked at and are no records."""

_decode = json.JSONDecoder(strict=False).raw_decode


class BadRecord(ValueError):
    """The text at the window's position is no JSON value; `broke_off` if the file ended inside it."""

    def __init__(self, why: str, at: int, *, broke_off: bool) -> None:
        super().__init__(why)
        self.why, self.at, self.broke_off = why, at, broke_off


class JsonWindow:
    """The part of a JSON file that is in memory, and where it lies in the file."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._decoder: Decoder | None = None
        self._taken_in = 0
        self.text = ""
        self.at = 0
        self.length = 0
        """Characters of the value that was read last."""
        self.ended = False
        self.failure: InputError | None = None
        """Why the stream ended early, if it did."""

    def fill(self, size: int = CHUNK) -> bool:
        """Drop what was read and take in more; False when there is no more."""
        if self.ended:
            return False
        # each piece is decoded while it is in the processor's cache, and all are joined once
        self.text, self.at = self.text[self.at :], 0
        pieces, taken = [self.text], 0
        while taken < size and not self.ended:
            data = self._read(size - taken)
            taken += len(data)
            self.ended = not data
            pieces.append(self._decoded(data))
        self._taken_in += taken
        self.text = "".join(pieces)
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

    def grow(self) -> bool:
        """Take in as much again as is held; False when there is no more, or no room for a record so long."""
        held, each = len(self.text) - self.at, width(self.text)
        room = RECORD_BYTES // each - held
        return room > 0 and self.fill(min(max(held, CHUNK), room))

    @property
    def is_full(self) -> bool:
        """Whether what is held is as long as a record may be."""
        return (len(self.text) - self.at) * width(self.text) >= RECORD_BYTES

    @property
    def offset(self) -> int:
        """Byte offset of the position (exact for UTF-8, to a character cut by the window's end)."""
        pieces = range(self.at, len(self.text), CHUNK)
        return self._taken_in - sum(len(self.bytes_of(self.text[at : at + CHUNK])) for at in pieces)

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
        if len(self.text) - self.at < min(2 * self.length, CHUNK):
            self.fill()
        while True:
            try:
                value, end = _decode(self.text, self.at)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith(OPEN_STRING) or error.pos >= len(self.text) - _TAIL
                if cut and self.grow():
                    if holds_too_much(self.text, self.at):
                        raise BadRecord(TOO_MANY, self.at + 1, broke_off=False) from None
                    continue
                if cut and self.is_full:
                    raise BadRecord(TOO_LONG, len(self.text), broke_off=False) from None
                why = self._why_cut(error) if cut and self.ended else plain_words(error.msg)
                raise BadRecord(why, error.pos, broke_off=cut and self.ended) from None
            except (ValueError, RecursionError) as error:
                why = (
                    "nested too deeply" if isinstance(error, RecursionError) else "a number of absurd length"
                )
                raise BadRecord(why, self.at + 1, broke_off=False) from None
            if end == len(self.text) and not isinstance(value, dict | list | str) and self.grow():
                continue
            self.at, self.length = end, end - self.at
            return value

    def _why_cut(self, error: json.JSONDecodeError) -> str:
        if self.failure is not None:
            return str(self.failure.why or self.failure.what)
        inside = "text" if error.msg.startswith(OPEN_STRING) else "record"
        return f"it breaks off at byte {self.size:,}, inside a {inside}"

    def line(self) -> str | None:
        """Read up to the next line feed, without it; None at the end.

        Raises:
            BadRecord: it is longer than a record may be; the position stays where it begins (`pass_line`).
        """
        seen = 0
        while True:
            end = self.text.find("\n", self.at + seen)
            if end >= 0:
                line, self.at = self.text[self.at : end], end + 1
                return line
            seen = len(self.text) - self.at
            if not self.grow():
                if self.is_full and not self.ended:
                    raise BadRecord(TOO_LONG, self.at, broke_off=False)
                line, self.at = self.text[self.at :], len(self.text)
                return line or None

    def pass_line(self) -> bytes:
        """Pass over the line that comes next, however long it is, and give what quarantine keeps of it."""
        passed = _Passed()
        while (end := self.text.find("\n", self.at)) < 0:
            passed.add(self.text, self.at, len(self.text))
            self.at = len(self.text)
            if not self.fill():
                return self._raw(passed)
        passed.add(self.text, self.at, end)
        self.at = end + 1
        return self._raw(passed)

    def rest(self) -> bytes:
        """Take everything that is still in memory (as much of it as quarantine holds)."""
        passed = _Passed()
        passed.add(self.text, self.at, len(self.text))
        self.at = len(self.text)
        return self._raw(passed)

    def _raw(self, passed: _Passed) -> bytes:
        return self.bytes_of("".join(passed.parts))

    def resume(self, error: BadRecord, plausible: Callable[[object], bool]) -> tuple[bytes, list[object]]:
        """Find the next record that `plausible` accepts, after a bad one.

        Returns the bytes that were passed over, and the record (or nothing, at the end of the file).
        """
        passed = _Passed()
        search, failures, others = max(error.at, self.at + 1), 0, 0
        while failures < _RESUME_ATTEMPTS and others < _RESUME_CANDIDATES:
            gap = _BETWEEN_OBJECTS.search(self.text, search)
            if gap is None:
                tail = max(self.at, len(self.text) - _TAIL)
                passed.add(self.text, self.at, tail)
                self.at = tail
                if not self.fill():
                    break
                search = 0
                continue
            passed.add(self.text, self.at, gap.end())
            self.at = gap.end()
            try:
                candidate = self.value()
            except BadRecord:
                failures += 1
                search = self.at + 1
                continue
            if plausible(candidate):
                return self._raw(passed), [candidate]
            others += 1
            passed.add(self.text, self.at - self.length, self.at)
            search = self.at - 1
        return (self._raw(passed) + self.rest())[:QUARANTINE_LIMIT], []


class _Passed:
    """The text that was passed over, as much of it as quarantine holds."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._room = QUARANTINE_LIMIT

    def add(self, text: str, start: int, end: int) -> None:
        if self._room:
            self.parts.append(text[start : min(end, start + self._room)])
            self._room -= len(self.parts[-1])


def plain_words(message: str) -> str:
    """What the scanner complains of, in words for a person."""
    return "a text without its closing quote" if message.startswith(OPEN_STRING) else message
