"""The reader's segments refined: what in a typed run was pasted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extract.blocks import Block, Shape, parse_blocks
from schemas.conversation import Conversation, Message, Origin, Segment

_MAIL_HEADER = re.compile(
    r"^\s*(?:from|to|cc|subject|date|sent|von|an|betreff|gesendet|de|para|asunto|objet)\s*:\s*\S", re.I
)
_LOG_LINE = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\S+ \[\d+\]|Traceback \(|\s*at \S+\(|\s*File \"|"
    r"(?:error|warning|fatal|info|debug|panic|exception)\b\s*(?:\[\w+\])?\s*:)",
    re.I,
)
_OPEN_QUOTES = {'"': '"', "“": "”", "«": "»", "„": "“"}
_PASTED_QUOTE = 120
"""A paragraph in quotation marks of at least this many characters was pasted: nobody types it about themselves."""


def refine_segments(message: Message, conversation: Conversation) -> tuple[Segment, ...]:
    """The message's segments with pasted runs inside typed ones told apart; they cover the text exactly."""
    refined: list[Segment] = []
    for segment in message.segments:
        if segment.origin is not Origin.TYPED:
            refined.append(segment)
            continue
        refined.extend(_split(message.text, segment))
    return tuple(refined)


def _split(text: str, segment: Segment) -> Iterator[Segment]:
    place = segment.start
    for start, end, label in _pasted_runs(text, segment):
        if start > place:
            yield Segment(start=place, end=start, origin=segment.origin, label=segment.label)
        yield Segment(start=start, end=end, origin=Origin.PASTED, label=label)
        place = end
    if place < segment.end:
        yield Segment(start=place, end=segment.end, origin=segment.origin, label=segment.label)


def _pasted_runs(text: str, segment: Segment) -> list[tuple[int, int, str]]:
    runs: list[tuple[int, int, str]] = []
    for block in parse_blocks(text[segment.start : segment.end]):
        label = _label(block)
        if label is None:
            continue
        flat = block.flat
        start = segment.start + flat.source(0)
        end = segment.start + flat.source_end(len(flat.text))
        if block.quoted or block.shape is Shape.CODE:
            start = text.rfind("\n", segment.start, start) + 1 or segment.start
            start = max(start, segment.start)
        if runs and runs[-1][2] == label and text[runs[-1][1] : start].strip("> \n\t`") == "":
            runs[-1] = (runs[-1][0], end, label)
        elif not runs or start >= runs[-1][1]:
            runs.append((start, end, label))
    return runs


def _label(block: Block) -> str | None:
    text = block.flat.text
    if block.shape is Shape.CODE:
        return "log" if is_log(text) else block.info or "code"
    if block.quoted:
        return "e-mail" if _MAIL_HEADER.match(text) else "quote"
    if is_log(text):
        return "log"
    if block.shape is Shape.PARAGRAPH:
        closing = _OPEN_QUOTES.get(text[:1])
        if (
            closing
            and len(text) >= _PASTED_QUOTE
            and text.rstrip().endswith(closing)
            and text.count(closing) <= 2
        ):
            return "quotation"
        if _MAIL_HEADER.match(text) and "\n" in text:
            return "e-mail"
    return None


def is_log(text: str) -> bool:
    """Whether most lines look like a program's output."""
    lines = [line for line in text.split("\n") if line.strip()]
    return bool(lines) and 2 * sum(bool(_LOG_LINE.match(line[:200])) for line in lines) > len(lines)
