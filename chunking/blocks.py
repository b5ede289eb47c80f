"""The top-level blocks of a Markdown text, with the offsets where they begin.

Between two top-level blocks CommonMark's block structure has no memory, so a text may be read piece by piece.
Headings, fences, HTML blocks and paragraphs that hold nothing but words are recognised by their first
characters; any other piece (lists, quotes, tables, indented code, whatever is doubtful) is handed to
markdown-it-py, up to the next line that certainly begins a new top-level block.
`tests/chunking/test_blocks.py` holds that the result equals one markdown-it-py parse of the whole text.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.html_block import HTML_SEQUENCES
from markdown_it.token import Token

from chunking.grammar import block_parser


class Item(NamedTuple):
    """A list item: `start` and `end` in code points of the text, `depth` 0 in the outermost list."""

    start: int
    end: int
    depth: int
    parent: int
    """Index of the enclosing item among the block's items, or -1."""
    ordered: bool


class Block(NamedTuple):
    """A top-level block: whole lines, from its first line up to the next block's first line."""

    kind: str
    """front_matter, heading, paragraph, fence, code_block, html_block, list, blockquote, table, math_block,
    footnote, definition, hr or too_deep."""
    start: int
    end: int
    level: int = 0
    """1-6 for a heading."""
    items: tuple[Item, ...] = ()
    content: str = ""
    """A heading's Markdown, without its marks."""


class Outline(NamedTuple):
    """The blocks of a text, in order and without gaps, and the link definitions in it."""

    blocks: list[Block]
    references: dict[str, Any]
    """As markdown-it keeps them in its environment."""


_KINDS = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "blockquote_open": "blockquote",
    "table_open": "table",
    "footnote_reference_open": "footnote",
}

_BLANKS = re.compile(r"[ \t\n]*")
_BLANK_LINE = re.compile(r"\n[ \t]*(?:\n|\Z)")
_ATX = re.compile(r" {0,3}(#{1,6})(?:([ \t][^\n]*))?(?:\n|\Z)")
_FENCE = re.compile(r" {0,3}(?:(`{3,})[^`\n]*|(~{3,})[^\n]*)(?:\n|\Z)")
_FENCE_CLOSE = re.compile(r"\n {0,3}(`{3,}|~{3,})[ \t]*(?:(?=\n)|\Z)")
_HTML = re.compile(r" {0,3}(<[^\n]*)")

_BROKEN_LINE = re.compile(r"(?<!\\)((?:\\\\)*+\\)\r\n")

_LIST_MARK = r"(?:[-+*]|\d{1,9}[.)])(?:[ \t\n]|\Z)"
_NOT_WORDS = (
    rf"(?:#{{1,6}}(?:[ \t\n]|\Z)|[>=|:<]|\$\$|\\\[|\[\^|~~~|```|{_LIST_MARK}|-[-|:]|[*_][ \t]*[*_][ \t]*[*_])"
)
"""What a line that is not a paragraph's may begin with. It may still be words, but not certainly."""
_LABEL = r"\[(?![^\n\\\]]*\](?!:)(?![^\n]*\]:))"
"""A bracket that may open a link definition: its label does not close in the line, or a colon follows."""
_WORDS = re.compile(rf" {{0,3}}(?!{_NOT_WORDS}|{_LABEL})[^ \t\n]")
_END_OF_WORDS = re.compile(rf"\n(?=[ \t]*(?:\n|\Z|{_NOT_WORDS}))")
_ENDS_WORDS = re.compile(r" {0,3}(?:>|(?:[-+*]|1[.)])[ \t]+[^ \t\n])")
"""A quote or an item with words ends a paragraph without a blank line, as a heading and a fence do."""
_ITEM_OF_WORDS = re.compile(
    rf"( *)([-+*]|\d{{1,9}}[.)]) {{1,4}}((?!{_NOT_WORDS}|{_LABEL})[^ \t\n])[^\n]*+\n?"
    rf"(?:[ \t]*+(?!{_NOT_WORDS})[^\n]++\n?)*+"
)
_DEEPEST_LIST_OF_WORDS = 8
_AT_MARGIN = re.compile(rf"(?!{_LIST_MARK})[^ \t\n]")
_CERTAIN_START = re.compile(rf"\n[ \t]*\n(?!{_LIST_MARK})(?=[^ \t\n])")
"""After a blank line, a line at the margin that is no list item ends every open block but a fence and an
HTML block of the kinds that run to a closing mark."""

_FRONT_MATTER = re.compile(r"(-{3,})[ \t]*\n")
_FRONT_MATTER_CLOSE = re.compile(r"\n(?: {0,3}(-{3,})|\.\.\.)[ \t]*(?:\n|\Z)")
_YAML = re.compile(r"(?:[ \t]*#[^\n]*\n)*(?:[\"']?[^\s\"'#:][^:\n]*:(?:[ \t\n]|\Z)|\{[{%#])")
"""Comments, then a key or, in a template, what will become one."""


def outline(text: str) -> Outline:
    """Read the top-level blocks of a Markdown text. Linear in its length.

    A byte order mark is skipped; `\\r\\n` and `\\r` end lines as `\\n` does, and nothing else does.
    """
    source = plain_line_ends(text)
    found: list[Block] = []
    references: dict[str, Any] = {}
    at = 1 if source.startswith("\N{ZERO WIDTH NO-BREAK SPACE}") else 0
    at = _front_matter(source, at, found)
    while (at := _skip_blank_lines(source, at)) < len(source):
        at = (
            _heading(source, at, found)
            or _fence(source, at, found)
            or _html(source, at, found)
            or _words(source, at, found)
            or _list_of_words(source, at, found)
            or _piece(source, at, found, references)
        )
    return Outline(_without_gaps(found, len(text)), references)


def begins_with_words(text: str, at: int) -> bool:
    """Whether the line that starts at `at` is a paragraph's, whatever stands before it."""
    return bool(_WORDS.match(text, at))


def plain_line_ends(text: str) -> str:
    """The text with every line ended by `\\n`, NUL replaced as CommonMark asks, and its length unchanged.

    `\\r\\n` becomes a space and `\\n`: a blank at a line's end never changes block structure. It comes before
    a backslash that breaks the line, which must stay the line's last character.
    """
    if "\r" in text:
        text = _BROKEN_LINE.sub(r" \1\n", text).replace("\r\n", " \n").replace("\r", "\n")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _without_gaps(found: list[Block], length: int) -> list[Block]:
    """The blocks with the blank lines after each made its own, and those before the first the first's."""
    if not found:
        return [Block("paragraph", 0, length)] if length else []
    ends = [block.start for block in found[1:]] + [length]
    found[0] = found[0]._replace(start=0)
    return [
        block if block.end == end else block._replace(end=end) for block, end in zip(found, ends, strict=True)
    ]


def _skip_blank_lines(source: str, at: int) -> int:
    end = _BLANKS.match(source, at).end()  # type: ignore[union-attr]  # it matches the empty string too
    return end if end == len(source) else source.rfind("\n", at, end) + 1 or at


# Each of the following reads what begins at the line start `at`, adds what it found, and answers the line
# start after it, or 0 when this is not its kind. A line start after something is never 0.


def _front_matter(source: str, at: int, found: list[Block]) -> int:
    """Front matter as mdit-py-plugins reads it, provided that it looks like YAML.

    A chat message that opens with a rule and has another further down is not front matter.
    """
    opening = _FRONT_MATTER.match(source, at)
    if opening is None:
        return at
    for closing in _FRONT_MATTER_CLOSE.finditer(source, opening.end() - 1):
        if closing[1] is None or len(closing[1]) >= len(opening[1]):
            content = source[opening.end() : closing.start() + 1]
            if content and not _YAML.match(content):
                return at
            found.append(Block("front_matter", at, closing.end()))
            return closing.end()
    return at


def _heading(source: str, at: int, found: list[Block]) -> int:
    match = _ATX.match(source, at)
    if match is None:
        return 0
    words = (match[2] or "").rstrip(" \t")
    unmarked = words.rstrip("#")
    if unmarked[-1:] in (" ", "\t"):
        words = unmarked
    found.append(Block("heading", at, match.end(), len(match[1]), (), words.strip()))
    return match.end()


def _fence(source: str, at: int, found: list[Block]) -> int:
    opening = _FENCE.match(source, at)
    if opening is None:
        return 0
    mark = opening[1] or opening[2]
    end = len(source)
    for closing in _FENCE_CLOSE.finditer(source, opening.end() - 1):
        if closing[1].startswith(mark):
            end = min(closing.end() + 1, end)
            break
    found.append(Block("fence", at, end))
    return end


def _html(source: str, at: int, found: list[Block]) -> int:
    """The block's end follows markdown-it's own table of opening and closing patterns."""
    line = _HTML.match(source, at)
    if line is None:
        return 0
    closer = next((closer for opener, closer, _ in HTML_SEQUENCES if opener.search(line[1])), None)
    if closer is None:
        return 0
    end = len(source)
    if closer.search(""):
        if blank := _BLANK_LINE.search(source, at):
            end = blank.start() + 1
    elif hit := closer.search(source, line.start(1)):
        end = source.find("\n", hit.end()) + 1 or end
    found.append(Block("html_block", at, end))
    return end


def _words(source: str, at: int, found: list[Block]) -> int:
    """A paragraph whose every line begins with a word, up to a blank line, a heading or a fence."""
    if not _WORDS.match(source, at):
        return 0
    stop = _END_OF_WORDS.search(source, at)
    end = stop.end() if stop else len(source)
    after = _BLANKS.match(source, end).end()  # type: ignore[union-attr]
    blank = after == len(source) or "\n" in source[end:after]
    if not (blank or any(rule.match(source, end) for rule in (_ATX, _FENCE, _ENDS_WORDS))):
        return 0
    found.append(Block("paragraph", at, end))
    return end


def _list_of_words(source: str, at: int, found: list[Block]) -> int:
    """A list, lists inside it included, whose every item is one paragraph of words, without blank lines."""
    items: list[Item] = []
    ends: list[int] = []
    open_items: list[tuple[int, int]] = []  # column where the item's words begin, its index
    marks: list[str] = []  # of the lists that are open
    end = at
    while item := _ITEM_OF_WORDS.match(source, end):
        indent, mark = len(item[1]), item[2][-1]
        while open_items and indent < open_items[-1][0]:
            ends[open_items.pop()[1]] = end
        column, parent = open_items[-1] if open_items else (0, -1)
        depth = len(open_items)
        del marks[depth + 1 :]
        if depth == len(marks):
            marks.append(mark)
            if depth and mark in ".)" and item[2][:-1] != "1":
                return 0  # no other number begins a list within a paragraph
        if mark != marks[depth] or indent - column > 3 or depth > _DEEPEST_LIST_OF_WORDS:
            return 0
        open_items.append((item.start(3) - end, len(items)))
        items.append(Item(end, end, depth, parent, mark in ".)"))
        ends.append(0)
        end = item.end()
    after = _skip_blank_lines(source, end)
    if not items or not (after == len(source) or _ends_list(source, end, after)):
        return 0
    whole = tuple(item._replace(end=to or after) for item, to in zip(items, ends, strict=True))
    found.append(Block("list", at, after, 0, whole))
    return after


def _ends_list(source: str, end: int, after: int) -> bool:
    """Whether the line at `after`, the first with words from `end` on, ends a list whatever was in it."""
    if not _AT_MARGIN.match(source, after):
        return False
    return after > end or bool(_ATX.match(source, end) or _FENCE.match(source, end))


def _piece(source: str, at: int, found: list[Block], references: dict[str, Any]) -> int:
    """Whatever begins here, read by markdown-it-py up to the next certain start of a top-level block."""
    match = _CERTAIN_START.search(source, at)
    end = match.end() if match else len(source)
    parser = block_parser()
    tokens: list[Token] = []
    state = StateBlock(source[at:end], parser, {"references": references}, tokens)
    parser.block.tokenize(state, 0, state.lineMax)
    line_starts = [at + mark for mark in state.bMarks]
    blocks = _top_level(tokens, line_starts)
    if len(blocks) > 1 and end < len(source) and blocks[-1].kind in ("fence", "html_block"):
        end = blocks.pop().start  # it may run past the blank line that the piece ended at
    found += blocks
    return end


def _top_level(tokens: list[Token], line_starts: list[int]) -> list[Block]:
    blocks: list[Block] = []
    for index, token in enumerate(tokens):
        if token.level or token.nesting < 0 or token.map is None or token.type == "inline":
            continue
        kind = _KINDS.get(token.type, token.type)
        level, content = 0, ""
        items: tuple[Item, ...] = ()
        if kind == "heading":
            level, content = int(token.tag[1]), tokens[index + 1].content
        elif kind == "list":
            items = _items(tokens, index, line_starts)
        start, end = (line_starts[line] for line in token.map)
        blocks.append(Block(kind, start, end, level, items, content))
    return blocks


def _items(tokens: list[Token], index: int, line_starts: list[int]) -> tuple[Item, ...]:
    """The items of the list that opens at `tokens[index]`, those of the lists inside it included."""
    items: list[Item] = []
    open_items: list[int] = []
    while tokens[index := index + 1].level:
        token = tokens[index]
        if token.type == "list_item_open" and token.map is not None:
            start, end = (line_starts[line] for line in token.map)
            parent = open_items[-1] if open_items else -1
            open_items.append(len(items))
            items.append(Item(start, end, len(open_items) - 1, parent, token.info != ""))
        elif token.type == "list_item_close":
            open_items.pop()
    return tuple(items)
