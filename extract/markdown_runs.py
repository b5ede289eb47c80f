"""Markdown structure of a text: which runs are prose, list items, table cells, quotes, headings, code.

The block structure is markdown-it-py's; each block's words are mapped back to offsets in the text as it
stands.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from markdown_it import MarkdownIt
from markdown_it.token import Token as MarkdownToken


class BlockShape(StrEnum):
    """What a block is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    ITEM = "item"
    CELL = "cell"
    TABLE_HEAD = "table_head"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Flat:
    """A block's words with quote and list marks taken out, and the way back to the source."""

    text: str
    starts: tuple[int, ...]
    """Offset in `text` where each line starts."""
    sources: tuple[int, ...]
    """Offset in the source of each of those lines."""

    def source(self, offset: int) -> int:
        """The source offset of an offset in `text`."""
        line = bisect_right(self.starts, offset) - 1
        return self.sources[line] + offset - self.starts[line]

    def source_end(self, offset: int) -> int:
        """The source offset of the end of a run that ends at `offset`."""
        return self.source(offset - 1) + 1 if offset else self.source(0)


@dataclass(frozen=True, slots=True)
class TextBlock:
    """One block, in reading order. A table yields one block a cell."""

    shape: BlockShape
    flat: Flat
    headings: tuple[str, ...] = ()
    """Headings above it, outermost first."""
    quoted: bool = False
    lead: int | None = None
    """Index of the block that introduces this item, cell or code."""
    marker: str = ""
    """A list item's number, such as "2"; "" for bullets."""
    depth: int = 0
    """List nesting: 1 for an item of an outer list."""
    info: str = ""
    """A fence's language."""
    row: int = -1
    column: int = -1
    row_label: int | None = None
    """Index of the first cell of the row."""
    column_label: int | None = None
    """Index of the cell that heads the column."""


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    # A chat is not a document: indented lines are seldom code, `---` under a line is a rule, HTML is text.
    parser.disable(["reference", "html_block", "lheading", "code"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


_MARKDOWN = _parser()
_LINE_ENDS = re.compile(r"\r\n|\n|\r")
_CELL_EDGE = re.compile(r"(?<!\\)\|")


def parse_blocks(text: str) -> list[TextBlock]:
    """The blocks of a Markdown text, with flats that map back to `text`."""
    # markdown-it folds line ends and replaces NUL: give it a text of the same length instead
    tokens = _MARKDOWN.parse(text.replace("\r\n", " \n").replace("\r", "\n").replace("\x00", " "))
    lines = _lines(text)
    walker = _Walker(text, lines)
    for token in tokens:
        walker.step(token)
    return walker.blocks


def _lines(text: str) -> list[tuple[int, int]]:
    """(start, end) of every line, line ends left out."""
    spans, start = [], 0
    for found in _LINE_ENDS.finditer(text):
        spans.append((start, found.start()))
        start = found.end()
    spans.append((start, len(text)))
    return spans


class _Walker:
    """Reads markdown-it's token stream, keeping the open containers."""

    def __init__(self, text: str, lines: list[tuple[int, int]]) -> None:
        self.text, self.lines = text, lines
        self.blocks: list[TextBlock] = []
        self.headings: list[tuple[int, str]] = []
        self.quotes = 0
        self.items: list[str] = []
        self.leads: list[int | None] = []
        self.fresh_item = False
        self.table_lead: int | None = None
        self.head: list[int] = []
        self.row = -1
        self.last_prose: int | None = None
        self.pending_heading = 0

    def step(self, token: MarkdownToken) -> None:
        kind = token.type
        if kind == "inline":
            self._inline(token)
        elif kind == "heading_open":
            self.pending_heading = int(token.tag[1])
        elif kind in ("bullet_list_open", "ordered_list_open"):
            self.leads.append(self._lead())
        elif kind in ("bullet_list_close", "ordered_list_close"):
            self.leads.pop()
        elif kind == "list_item_open":
            self.items.append(token.info if token.info else "")
            self.fresh_item = True
        elif kind == "list_item_close":
            self.items.pop()
            self.fresh_item = False
        elif kind == "blockquote_open":
            self.quotes += 1
        elif kind == "blockquote_close":
            self.quotes -= 1
        elif kind == "fence":
            self._fence(token)
        elif kind == "table_open":
            self.table_lead, self.head, self.row = self._lead(), [], -1
        elif kind == "tr_open" and token.map:
            self._table_row(token.map[0], header=not self.head)

    def _lead(self) -> int | None:
        """The block just above, if it ends with a colon or is a short line of its own; an outer item for a
        nested list."""
        if self.last_prose is None or self.last_prose != len(self.blocks) - 1:
            return None
        above = self.blocks[self.last_prose]
        # an entry introduces only what is nested in it
        return None if above.shape is BlockShape.ITEM and above.depth > len(self.items) else self.last_prose

    def _add(self, block: TextBlock) -> int:
        self.blocks.append(
            replace(block, headings=tuple(title for _, title in self.headings), quoted=self.quotes > 0)
        )
        return len(self.blocks) - 1

    def _inline(self, token: MarkdownToken) -> None:
        if token.map is None or (self.blocks and token.level and self._in_table(token)):
            return
        flat = _flatten(self.text, self.lines, token.map[0], token.map[1], token.content)
        if flat is None:
            return
        if self.pending_heading:
            level, self.pending_heading = self.pending_heading, 0
            while self.headings and self.headings[-1][0] >= level:
                self.headings.pop()
            self._add(TextBlock(BlockShape.HEADING, flat))
            self.headings.append((level, flat.text.strip("# *")))
            self.last_prose = None
            return
        if self.items:
            marker = self.items[-1] if self.fresh_item else ""
            lead = self.leads[-1] if self.leads else None
            index = self._add(
                TextBlock(BlockShape.ITEM, flat, lead=lead, marker=marker, depth=len(self.items))
            )
        else:
            index = self._add(TextBlock(BlockShape.PARAGRAPH, flat))
        self.fresh_item = False
        self.last_prose = index

    def _in_table(self, token: MarkdownToken) -> bool:
        return self.row >= 0 and token.map is not None and token.map[0] in self._table_lines

    def _fence(self, token: MarkdownToken) -> None:
        if token.map is None:
            return
        first, last = token.map[0] + 1, token.map[1]
        flat = _flatten(self.text, self.lines, first, last, token.content)
        if flat is not None:
            self._add(TextBlock(BlockShape.CODE, flat, lead=self._lead(), info=token.info.strip()))

    _table_lines: range = range(0)

    def _table_row(self, line: int, *, header: bool) -> None:
        self.row += 1
        self._table_lines = range(line, line + 1)
        cells = list(_cells(self.text, *self.lines[line]))
        first: int | None = None
        for column, (start, end) in enumerate(cells):
            flat = Flat(self.text[start:end], (0,), (start,))
            label = self.head[column] if not header and column < len(self.head) else None
            index = self._add(
                TextBlock(
                    BlockShape.TABLE_HEAD if header else BlockShape.CELL,
                    flat,
                    lead=self.table_lead,
                    row=self.row,
                    column=column,
                    row_label=first if column else None,
                    column_label=label,
                )
            )
            if header:
                self.head.append(index)
            elif column == 0:
                first = index
        self.last_prose = None


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """(start, end) of the cells of a table row, blanks trimmed; an empty cell keeps its place."""
    line = text[start:end]
    edges = [found.start() for found in _CELL_EDGE.finditer(line)]
    stripped = line.strip()
    left = [edge + 1 for edge in edges] if stripped.startswith("|") else [0, *(edge + 1 for edge in edges)]
    right = [*edges, len(line)]
    if stripped.startswith("|"):
        right = right[1:]
    if stripped.endswith("|") and not stripped.endswith("\\|"):
        left, right = left[:-1], right[:-1]
    for begin, stop in zip(left, right, strict=False):
        cell = line[begin:stop]
        lead = len(cell) - len(cell.lstrip())
        yield start + begin + lead, start + begin + max(lead, len(cell.rstrip()))


def _flatten(text: str, lines: list[tuple[int, int]], first: int, last: int, content: str) -> Flat | None:
    """The flat of the source lines [first, last), whose words markdown-it gives as `content`."""
    wanted = content.split("\n")
    parts: list[str] = []
    starts: list[int] = []
    sources: list[int] = []
    offset = 0
    for number, line in zip(range(first, last), wanted, strict=False):
        start, end = lines[number]
        words = line.strip()
        source = text[start:end]
        stop = len(source.rstrip())
        place = source.rfind(words, 0, stop) if words else stop
        if place < 0:
            # markdown-it changed the line (a tab, a NUL): take the line less its marks
            place = len(source) - len(source.lstrip(" \t>"))
            words = source[place:stop]
        starts.append(offset)
        sources.append(start + place)
        parts.append(words)
        offset += len(words) + 1
    if not any(parts):
        return None
    return Flat("\n".join(parts), tuple(starts), tuple(sources))
