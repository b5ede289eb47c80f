"""JSON of any size, one record at a time.

A window of text slides over the bytes and the standard library's scanner reads one value after the other
from it. Against an event parser such as ijson this keeps three things that archives need: lone surrogates
(yajl turns them into "?" without a word), the bytes of a record that cannot be read, and the good records
after it. It is no slower: see `benchmarks/speed/export_reading.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from archives.json_window import QUARANTINE_LIMIT, BadRecord, JsonWindow, plain_words
from archives.record_bounds import RECORD_BYTES, TOO_LONG, TOO_MANY, holds_too_much
from archives.shapes import mapping
from archives.tally import Tally


def records(
    window: JsonWindow,
    where: str,
    tally: Tally,
    *,
    under: tuple[str, ...] = (),
    plausible: Callable[[object], bool] = lambda value: isinstance(value, dict),
    beside: Callable[[dict[str, object]], None] = lambda _rest: None,
) -> Iterator[object]:
    """The records of a JSON file: the elements of its list, or of the list under one of the keys `under`
    of its object, or the object itself; what stands beside such a list is handed to `beside` at the end.

    What cannot be read goes to the tally with its byte offset, and reading goes on with the next record
    that is `plausible`; a file that breaks off has given every record before the break.
    """
    losses = tally.losses
    if window.next_character() == "{":
        yield from _from_object(window, where, tally, under, plausible, beside)
    while window.take("["):
        yield from _elements(window, where, tally, plausible)
    if window.next_character():
        tally.lose("text after the end of the JSON", f"{where}, byte {window.offset}")
    elif window.failure is not None and tally.losses == losses:  # else what it cost is said already
        why = window.failure.why or window.failure.what
        tally.lose(why, f"{where}, byte {window.offset}", remedy=window.failure.remedy)
    window.remark(tally, where)


def _elements(
    window: JsonWindow, where: str, tally: Tally, plausible: Callable[[object], bool]
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
    window: JsonWindow,
    where: str,
    tally: Tally,
    under: tuple[str, ...],
    plausible: Callable[[object], bool],
    beside: Callable[[dict[str, object]], None],
) -> Iterator[object]:
    window.take("{")
    whole: dict[str, object] = {}
    opened, held = False, 0
    try:
        while not window.take("}"):
            if window.take(","):
                continue
            if held > RECORD_BYTES:
                raise BadRecord(TOO_LONG, window.at, broke_off=False)
            key = window.value()
            window.take(":")
            if key in under and window.take("["):
                opened = True
                yield from _elements(window, where, tally, plausible)
            else:
                whole[str(key)] = window.value()
                held += window.length
    except BadRecord as error:
        offset = f"{where}, byte {window.offset}"
        if opened:
            tally.lose(f"text after the records cannot be read: {error.why}", offset)
            window.rest()
        else:
            raw = b"" if held > QUARANTINE_LIMIT else json.dumps(mapping(whole)).encode() + b"\n"
            raw += window.rest()
            cuts = error.broke_off
            tally.reject(_broke_off(window, error), offset, raw, remedy=window.remedy, cuts=cuts)
        return
    if not opened:
        yield whole
    elif whole:
        beside(whole)


def _broke_off(window: JsonWindow, error: BadRecord) -> str:
    if not error.broke_off:
        return f"a record is no valid JSON: {error.why}"
    if window.failure is not None:
        return f"the file breaks off inside a record: {window.failure.why or window.failure.what}"
    return f"the file breaks off inside a record: {error.why}"


def lines(window: JsonWindow, where: str, tally: Tally) -> Iterator[tuple[int, object]]:
    """The values of a JSON Lines file, each with its line number from 1. A bad line is rejected alone."""
    number = 0
    decoder = json.JSONDecoder(strict=False)
    while True:
        number += 1
        try:
            line = window.line()
        except BadRecord as error:
            tally.reject(f"a line is refused: {error.why}", f"{where}, line {number}", window.pass_line())
            continue
        if line is None:
            break
        text = line.strip("\ufeff\x00 \t\r\n")
        if not text:
            continue
        if holds_too_much(text):
            raw = window.bytes_of(line[:QUARANTINE_LIMIT])
            tally.reject(f"a line is refused: {TOO_MANY}", f"{where}, line {number}", raw)
            continue
        try:
            yield number, decoder.decode(text)
        except (ValueError, RecursionError) as error:
            raw, place = window.bytes_of(line[:QUARANTINE_LIMIT]), f"{where}, line {number}"
            if window.ended and window.at == len(window.text):
                began = window.size - len(window.bytes_of(line))
                reason = f"the last line breaks off at byte {window.size:,}"
                tally.reject(reason, f"{place}, byte {began}", raw, remedy=_COPY_AGAIN, cuts=True)
            else:
                why = plain_words(getattr(error, "msg", "it cannot be read"))
                tally.reject(f"a line is no valid JSON: {why}", place, raw)
    if window.failure is not None:
        why = window.failure.why or window.failure.what
        tally.lose(why, f"{where}, after line {number}", remedy=window.failure.remedy)
    window.remark(tally, where)


_COPY_AGAIN = "Copy the file again when nothing writes to it; quarantine keeps what there is of the line"
