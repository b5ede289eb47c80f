"""The Markdown that mnemic reads: CommonMark with tables, front matter, footnotes and display math.

The core rule `inline` is off: block maps are all that a cut needs, and they come twice as fast without it
(`benchmarks/ablation/chunk_defects.py` prints both speeds).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

if TYPE_CHECKING:
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock

DEEPEST_LEVEL = 60
"""Containers nested deeper than this (30 lists in lists) are kept as one opaque block.

Each level costs two stack frames of Python's thousand: the limit leaves most of them to the caller."""

_MATH_MARKS = {"$$": "$$", "\\[": "\\]"}


@cache
def block_parser() -> MarkdownIt:
    """The parser for blocks alone: its tokens carry line maps, and inline content stays unparsed.

    Front matter is not among its rules: it is found where a document begins (`chunking.blocks`), and this
    parser is fed parts of documents.
    """
    options = {"maxNesting": DEEPEST_LEVEL + 10, "inline_definitions": True}
    parser = MarkdownIt("commonmark", options).enable("table")
    footnote_plugin(parser, inline=False, move_to_end=False)
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", "math", math_block, interrupts)
    parser.block.ruler.before("table", "too_deep", too_deep)
    return parser


@cache
def inline_parser() -> MarkdownIt:
    """The parser for the words of one heading or sentence."""
    return MarkdownIt("commonmark")


def math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    r"""Block rule for display math between `$$` or between `\[` and `\]`, without a blank line inside.

    CommonMark would read a line `=` or `-` in a formula as the underline of a heading.
    A search that finds no closing mark is remembered, so a text full of opening marks stays linear.
    """
    if state.is_code_block(start):
        return False
    first = state.bMarks[start] + state.tShift[start]
    opener = state.src[first : first + 2]
    if opener not in _MATH_MARKS:
        return False
    closer = _MATH_MARKS[opener]
    rest = state.src[first + 2 : state.eMarks[start]]
    if _closes(rest, closer):
        last: int | None = start
    elif closer in rest:
        return False  # it closes inside its line: inline math
    else:
        last = _closing_line(state, start + 1, end, closer)
    if last is None:
        return False
    if not silent:
        state.line = last + 1
        state.push("math_block", "math", 0).map = [start, state.line]
    return True


def _closes(line: str, closer: str) -> bool:
    """Whether the line ends with the closing mark, punctuation or an equation number after it allowed."""
    tail = line.rstrip(" \t.,;:")
    if tail.endswith(")") and closer == "$$":
        tail = tail[: tail.rfind("(")].rstrip(" \t") if "(" in tail else tail
    return tail.endswith(closer)


def _closing_line(state: StateBlock, first: int, end: int, closer: str) -> int | None:
    """The line from `first` on that closes the formula, before a blank line or the container's end."""
    barren: dict[tuple[str, int, int], int] = state.env.setdefault("barren_math", {})
    key = (closer, state.blkIndent, end)
    if first < barren.get(key, 0):
        return None
    line = first
    while line < end and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        if _closes(state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]], closer):
            return line
        line += 1
    barren[key] = line
    return None


def too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule that keeps what is nested too deep as one opaque block, up to the end of its container.

    Without it markdown-it skips to the end of the whole document, headings included.
    """
    if state.level < DEEPEST_LEVEL or silent:
        return False
    line = start + 1
    while line < end and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
        line += 1
    state.line = line
    state.push("too_deep", "", 0).map = [start, line]
    return True
