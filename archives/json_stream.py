"""JSON of any size, one record at a time.

A window of text slides over the bytes and the standard library's scanner reads one value after the other
from it. Against an event parser such as ijson this keeps three things that archives need: lone surrogates
(yajl turns them into "?" without a word), the bytes of a record that cannot be read, and the good records
after it. It is no slower: see `benchmarks/read.py`.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator

from archives.guarded_stream import ByteStream
from archives.shapes import mapping
from archives.tally import Tally
from schemas.errors import InputError

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
_RESUME_ATTEMPTS = 200
"""Failed tries to find the next good record after a bad one; each costs at most one window."""

_decode = json.JSONDecoder(strict=False).raw_decode


class BadRecord(ValueError):
    """The text at the window's position is no JSON value; `broke_off` if the file ended inside it."""

    def __init__(self, why: str, at: int, *, broke_off: bool) -> None:
        super().__init__(why)
        self.why, self.at, self.broke_off = why, at, broke_off


def encoding_of(head: bytes) -> str:
    """The encoding of a text file by its first bytes: UTF-8 unless a mark or a pattern says UTF-16."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if len(head) >= 4 and head[1] == 0 and head[0] != 0 and head[3] == 0:
        return "utf-16-le"
    if len(head) >= 4 and head[0] == 0 and head[1] != 0 and head[2] == 0:
        return "utf-16-be"
    return "utf-8"


class Window:
    """The part of a JSON file that is in memory, and where it lies in the file."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._decoder: codecs.IncrementalDecoder | None = None
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
            encoding = encoding_of(data[:4])
            errors = "surrogateescape" if encoding == "utf-8" else "replace"
            self._decoder = codecs.getincrementaldecoder(encoding)(errors=errors)
        return self._decoder.decode(data, final=self.ended)

    @property
    def offset(self) -> int:
        """Byte offset of the position (exact for UTF-8, to a character cut by the window's end)."""
        return self._taken_in - len(self.text[self.at :].encode(errors="surrogateescape"))

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
                cut = error.msg.startswith("Unterminated string") or error.pos >= len(self.text) - _TAIL
                if cut and len(self.text) - self.at < RECORD_LIMIT and self.fill(step):
                    step *= 4
                    continue
                why = str(self.failure.why or self.failure.what) if self.failure and cut else error.msg
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
        return _raw([rest])

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
                return _raw(passed), [candidate]
            _keep(passed, self.text[self._began : self.at])
            search = self.at - 1
        return (_raw(passed) + self.rest())[:_QUARANTINE_LIMIT], []


def _keep(passed: list[str], text: str) -> None:
    if sum(map(len, passed[-1:])) < _QUARANTINE_LIMIT and len(passed) < _RESUME_ATTEMPTS * 50:
        passed.append(text)


def _raw(parts: list[str]) -> bytes:
    return "".join(parts)[:_QUARANTINE_LIMIT].encode(errors="surrogateescape")


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
        tally.lose(window.failure.why or window.failure.what, f"{where}, byte {window.offset}")


def _elements(
    window: Window, where: str, tally: Tally, plausible: Callable[[object], bool]
) -> Iterator[object]:
    while not window.take("]"):
        if window.take(","):
            continue
        if not window.next_character():
            offset = f"{where}, byte {window.offset}"
            why = f": {window.failure.why or window.failure.what}" if window.failure else ""
            tally.lose(f"the file breaks off inside its list{why}", offset, remedy=_EXPORT_AGAIN)
            return
        try:
            value = window.value()
        except BadRecord as error:
            offset = f"{where}, byte {window.offset}"
            if error.broke_off:
                tally.reject(_broke_off(window, error), offset, window.rest(), remedy=_EXPORT_AGAIN)
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
            tally.reject(_broke_off(window, error), offset, raw, remedy=_EXPORT_AGAIN)
        return
    if not opened:
        yield whole


_EXPORT_AGAIN = "Download the export again"


def _broke_off(window: Window, error: BadRecord) -> str:
    if not error.broke_off:
        return f"a record is no valid JSON: {error.why}"
    if window.failure is not None:
        return f"the file breaks off inside a record: {window.failure.why or window.failure.what}"
    return "the file breaks off inside a record"


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
            last = window.ended and window.at == len(window.text)
            why = getattr(error, "msg", "it cannot be read")
            reason = "the last line breaks off" if last else f"a line is no valid JSON: {why}"
            tally.reject(reason, f"{where}, line {number}", _raw([line]))
    if window.failure is not None:
        tally.lose(window.failure.why or window.failure.what, f"{where}, after line {number}")
