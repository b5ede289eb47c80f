"""Chat messages into chunks: by headings where there are any, else by topic.

A short message stays whole. In a longer one, every run of blocks without a heading is parted where its writer
marked it (a rule, a line in bold that stands for a heading) and where its words turn to another topic. A cut
falls between blocks or between lines that end a sentence, never inside an item, a row or a fence, nor between
a paragraph and the list, code, table or quote that it leads into.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from chunking.blocks import Block, begins_with_words, outline, plain_line_ends
from chunking.cohesion import topic_shifts
from chunking.governing import leads_in
from chunking.markdown import Section, chunks_of, sections
from chunking.sentences import sentences
from chunking.words import count_words, terms
from schemas.chunk import Chunk

LONG_MESSAGE_WORDS = 200
"""A run of blocks of at most this many words is never parted: it is about what the default embedder takes in
at once (256 tokens), so parting it wins nothing."""

_BOLD_LINE = re.compile(r"\s*(\*\*|__)(?=\S)(?:(?!\1)[^\n]){1,120}\1[ \t]*:?\s*")
_LED_IN = frozenset({"fence", "code_block", "table", "math_block", "blockquote", "html_block"})
_TRAILING = frozenset({"definition", "footnote", "hr"})


def chunk_message(text: str, source_id: str, title: str | None = None) -> list[Chunk]:
    """Cut a message's text. The chunks' texts, joined, are the text exactly.

    `source_id` is the message's id and `title` the conversation's. Raises as `chunk_markdown` does.
    """
    parts: list[Section] = []
    for section in sections(outline(text)):
        if section.level or section.blocks[0].kind == "front_matter":
            parts.append(section)
        else:
            parts += _parted(text, section)
    return chunks_of(text, parts, source_id, title)


def _parted(text: str, section: Section) -> list[Section]:
    """A run of blocks without a heading, parted by topic if it is long."""
    if count_words(text[section.start : section.end]) <= LONG_MESSAGE_WORDS:
        return [section]
    parts: list[Section] = []
    for run in _marked_off(text, section.blocks):
        units = _units(text, run)
        shifts = topic_shifts([terms(text[unit[0].start : unit[-1].end]) for unit in units])
        for start, end in zip([0, *shifts], [*shifts, len(units)], strict=True):
            parts.append(Section([block for unit in units[start:end] for block in unit], 0, ""))
    return parts


def _marked_off(text: str, blocks: Sequence[Block]) -> list[list[Block]]:
    """Runs of blocks between the marks that their writer set: after a rule, before a bold line."""
    runs: list[list[Block]] = []
    for block in blocks:
        begins = not runs or runs[-1][-1].kind == "hr" or _stands_for_heading(text, block)
        if begins and not (runs and block.kind == "hr"):
            runs.append([])
        runs[-1].append(block)
    return runs


def _units(text: str, blocks: Sequence[Block]) -> list[list[Block]]:
    """Blocks that belong together whatever their words: nothing is cut inside a unit."""
    units: list[list[Block]] = []
    for block in (line for whole in blocks for line in _lines(text, whole)):
        if units and _belongs(text, units[-1][-1], block):
            units[-1].append(block)
        else:
            units.append([block])
    return units


def _lines(text: str, block: Block) -> list[Block]:
    """A paragraph as the lines that end with a sentence: in a chat a line end is where a thought ends."""
    if block.kind != "paragraph":
        return [block]
    starts = [block.start]
    for start, end in sentences(text[block.start : block.end]):
        after = block.start + end
        ends_line = "\n" in plain_line_ends(text[block.start + start : after])
        if ends_line and begins_with_words(text, after):
            starts.append(after)
    return [block._replace(start=at, end=to) for at, to in pairwise([*starts, block.end])]


def _belongs(text: str, before: Block, block: Block) -> bool:
    if block.kind in _TRAILING or _stands_for_heading(text, before):
        return True
    return before.kind == "paragraph" and (block.kind in _LED_IN or leads_in(text, before))


def _stands_for_heading(text: str, block: Block) -> bool:
    return block.kind == "paragraph" and bool(_BOLD_LINE.fullmatch(text, block.start, block.end))
