"""ChatGPT's canvas: documents that the assistant creates and patches, played back to their last text.

`canmore.create_textdoc` takes `{name, type, content}`, `canmore.update_textdoc` `{updates: [{pattern,
multiple, replacement}]}`. A pattern is a regular expression, nearly always `.*` (the whole text) or literal
words. It is never run as one here: an archive's expression may take for ever. A pattern is literals with
gaps between them (`.*`, `.*?`, `[\\s\\S]*`), found in linear time. What is more than that stays a tool call,
and is counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from archives.shapes import identifier, mapping, objects, sequence, string

_GAP = re.compile(r"(?:\.|\[\\s\\S\]|\[\\S\\s\]|\[\\d\\D\]|\[\\w\\W\])[*+]\??|\(\?s\)|[\^$]")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_META = frozenset("[](){}*+?|.")
_CLASSES = frozenset("dDwWsSbBAZ0123456789")
_WHITE = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(slots=True)
class Canvas:
    """One document as its conversation's branch leaves it."""

    name: str
    text: str
    native_id: str | None = None
    created: object = None
    """The time of its creation as the archive has it."""
    not_replayed: int = 0
    """Patches whose pattern is more than literals and gaps, or is not found: the text lacks them."""


def canvases(messages: Sequence[Mapping[str, object]]) -> list[Canvas]:
    """The documents of one branch; `messages` are its message objects from the root to the leaf."""
    made: list[Canvas] = []
    by_id: dict[str, Canvas] = {}
    touched: Canvas | None = None
    for message in messages:
        told = mapping(mapping(message.get("metadata")).get("canvas"))
        native = identifier(told.get("textdoc_id"))
        if native is not None and touched is not None and touched.native_id is None:
            touched.native_id = native
            by_id[native] = touched
        recipient = string(message.get("recipient"))
        if recipient == "canmore.create_textdoc":
            call = _call(message)
            name = string(call.get("name")) or "canvas"
            touched = Canvas(name, string(call.get("content")) or "", created=message.get("create_time"))
            made.append(touched)
        elif recipient == "canmore.update_textdoc":
            touched = by_id.get(native or "", made[-1] if made else None)
            if touched is not None:
                _update(touched, _call(message))
    return made


def _call(message: Mapping[str, object]) -> dict[str, object]:
    content = mapping(message.get("content"))
    parts = [part for part in sequence(content.get("parts")) if isinstance(part, str)]
    try:
        return mapping(json.loads(string(content.get("text")) or "".join(parts), strict=False))
    except (ValueError, RecursionError):
        return {}


def _update(canvas: Canvas, call: Mapping[str, object]) -> None:
    for update in objects(call.get("updates")):
        pattern, replacement = string(update.get("pattern")), update.get("replacement")
        literals = _literals(pattern) if pattern is not None else None
        if literals is None or not isinstance(replacement, str):
            canvas.not_replayed += 1
            continue
        spans = list(_spans(canvas.text, literals, many=update.get("multiple") is True))
        if not spans:
            canvas.not_replayed += 1
            continue
        new = _ESCAPED.sub(_replaced, replacement)
        parts, at = [], 0
        for start, end in spans:
            parts += [canvas.text[at:start], new]
            at = end
        canvas.text = "".join((*parts, canvas.text[at:]))


def _replaced(escape: re.Match[str]) -> str:
    """In a replacement, only white space and the backslash itself are escaped; else it stays as it is."""
    return _WHITE.get(escape[1], "\\" if escape[1] == "\\" else escape[0])


def _literals(pattern: str) -> list[str] | None:
    """The literals of the pattern, with a gap between each two; None where it holds anything else."""
    literals: list[str] = []
    at = 0
    for gap in _GAP.finditer(pattern):
        if _is_escaped(pattern, gap.start()):
            continue
        literals.append(pattern[at : gap.start()])
        at = gap.end()
    literals.append(pattern[at:])
    plain = [_plain(one) for one in literals]
    return None if None in plain else [one for one in plain if one is not None]


def _is_escaped(pattern: str, at: int) -> bool:
    before = pattern[max(0, at - 50) : at]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _plain(literal: str) -> str | None:
    """The characters that an expression without operators stands for."""
    kept: list[str] = []
    at = 0
    while at < len(literal):
        character = literal[at]
        if character == "\\":
            escaped = literal[at + 1 : at + 2]
            if not escaped or escaped in _CLASSES:
                return None
            kept.append(_WHITE.get(escaped, escaped))
            at += 2
            continue
        if character in _META:
            return None
        kept.append(character)
        at += 1
    return "".join(kept)


def _spans(text: str, literals: list[str], *, many: bool) -> Iterator[tuple[int, int]]:
    """Where the literals stand in order; an empty first or last one, beside a gap, reaches to the edge."""
    if not any(literals):
        if len(literals) > 1:
            yield 0, len(text)
        return
    at = 0
    while True:
        start: int | None = at if not literals[0] else None
        for literal in filter(None, literals):
            found = text.find(literal, at)
            if found < 0:
                return
            start = found if start is None else start
            at = found + len(literal)
        end = at if literals[-1] else len(text)
        yield start if start is not None else at, end
        if not many or end == len(text):
            return
