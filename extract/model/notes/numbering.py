"""A conversation as a sheet of numbered sentences, so that a model can cite a number instead of a quote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from chunking.language import sentences as split_sentences
from extract.markdown_runs import BlockShape, TextBlock, parse_blocks
from extract.segments import SPEAKERS, is_log, is_output, refine_segments
from schemas.conversation import Conversation, Message, Origin, Segment
from schemas.unit import Speaker

LONGEST = 1_200
"""Characters of a sentence that is shown to a model; a longer run is no sentence, and is left to the offline
engine."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in its place. Offsets are code points of the message's text."""

    number: int
    """Counts through the conversation from 1; what is appended to a conversation changes no number before."""
    message: Message
    start: int
    end: int
    heading: str
    """Who speaks: the line that it stands under, such as `user, pasted e-mail`."""
    speaker: Speaker
    titled: bool = False
    """A heading or table head: it is shown, and need not become a unit."""

    @property
    def quote(self) -> str:
        """The words as they stand in the message."""
        return self.message.text[self.start : self.end]

    @property
    def shown(self) -> str:
        """The words on one line."""
        return " ".join(self.quote.split())

    @property
    def fits(self) -> bool:
        """Whether it is short enough to be shown."""
        return self.end - self.start <= LONGEST


@dataclass(frozen=True, slots=True)
class Sheet:
    """The numbered sentences of a conversation."""

    conversation: Conversation
    sentences: tuple[Sentence, ...]
    segments: Mapping[str, tuple[Segment, ...]]
    """Refined segments by message id."""
    dropped: Mapping[str, int]
    """Runs that nobody said, by origin, and hidden messages."""


def numbered_sheet(conversation: Conversation) -> Sheet:
    """Number the sentences of every message, off-branch ones included, in the archive's order."""
    sentences: list[Sentence] = []
    segments: dict[str, tuple[Segment, ...]] = {}
    dropped: dict[str, int] = {}
    for message in conversation.messages:
        segments[message.id] = refine_segments(message, conversation)
        if message.hidden:
            dropped["hidden message"] = dropped.get("hidden message", 0) + 1
            continue
        for segment in segments[message.id]:
            if segment.origin not in SPEAKERS:
                dropped[segment.origin.value] = dropped.get(segment.origin.value, 0) + 1
                continue
            text = message.text[segment.start : segment.end]
            heading = _heading(message, segment)
            for start, end, titled in _runs(text, segment):
                sentences.append(
                    Sentence(
                        len(sentences) + 1,
                        message,
                        segment.start + start,
                        segment.start + end,
                        heading,
                        SPEAKERS[segment.origin],
                        titled,
                    )
                )
    return Sheet(conversation, tuple(sentences), segments, dict(sorted(dropped.items())))


def _heading(message: Message, segment: Segment) -> str:
    named = " ".join((message.author or "").split())[:60]
    match segment.origin:
        case Origin.ASSISTANT:
            return "assistant"
        case Origin.TYPED:
            return "user, typed"
        case Origin.OTHER:
            return f"{named or 'another person'} (not the user)"
        case origin:
            return f"user, {origin.value} {segment.label or 'text'}"


def _runs(text: str, segment: Segment) -> Iterator[tuple[int, int, bool]]:
    """(start, end, titled) of the sentences of a segment's text, in reading order."""
    blocks = parse_blocks(text)
    source = SPEAKERS[segment.origin] is Speaker.SOURCE
    index = 0
    while index < len(blocks):
        block = blocks[index]
        if block.row >= 0:
            row = [block]
            while index + 1 < len(blocks) and blocks[index + 1].row == block.row:
                index += 1
                row.append(blocks[index])
            yield from _row(row)
        elif block.shape is BlockShape.CODE or (source and is_log(block.flat.text)):
            yield from _lines(block)
        elif block.shape is BlockShape.HEADING or _is_title(block.flat.text):
            yield from _span(block, 0, len(block.flat.text), titled=True)
        else:
            for start, end in split_sentences(_unwrapped(block.flat.text)):
                if any(character.isalnum() for character in block.flat.text[start:end]):
                    yield from _span(block, start, end)
        index += 1


_TITLE = re.compile(r"\s*(?:\*\*|__)[^*_\n]+(?:\*\*|__)\s*:?\s*")
_WRAPPED = re.compile(r"(?<=[^\n]{60}[^.!?:\n])\n(?=[a-z])")


def _is_title(text: str) -> bool:
    """Whether a line is all bold and no sentence: a heading in all but its mark."""
    return _TITLE.fullmatch(text) is not None and not text.rstrip("*_ ").endswith((".", "!", "?"))


def _unwrapped(text: str) -> str:
    """The text with the line breaks that only wrap a long line made blanks; its length is unchanged."""
    return _WRAPPED.sub(" ", text)


def _row(cells: list[TextBlock]) -> Iterator[tuple[int, int, bool]]:
    """A table's row is one sentence: its cells are read together."""
    filled = [cell for cell in cells if cell.flat.text.strip()]
    if filled:
        start, end = filled[0].flat.source(0), filled[-1].flat.source_end(len(filled[-1].flat.text))
        yield start, end, filled[0].shape is BlockShape.TABLE_HEAD


def _lines(block: TextBlock) -> Iterator[tuple[int, int, bool]]:
    """Of what a program printed, every line with words is a sentence; program text is none."""
    if block.shape is BlockShape.CODE and not is_output(block.flat.text, block.info):
        return
    offset = 0
    for line in block.flat.text.split("\n"):
        if sum(character.isalpha() for character in line[:LONGEST]) > 1:
            yield from _span(block, offset, offset + len(line))
        offset += len(line) + 1


def _span(block: TextBlock, start: int, end: int, *, titled: bool = False) -> Iterator[tuple[int, int, bool]]:
    words = block.flat.text[start:end]
    start += len(words) - len(words.lstrip())
    end -= len(words) - len(words.rstrip())
    if start < end:
        yield block.flat.source(start), block.flat.source_end(end), titled
