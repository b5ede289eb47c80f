"""Reading piece by piece finds the blocks that one markdown-it-py parse of the whole text finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, example, given, settings
from markdown_it import MarkdownIt
from markdown_texts import HOSTILE, markdown
from mdit_py_plugins.front_matter import front_matter_plugin

from chunking.blocks import outline
from chunking.grammar import block_parser

OPENINGS = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "blockquote_open": "blockquote",
    "table_open": "table",
    "footnote_reference_open": "footnote",
}
Found = tuple[str, int, int]
"""Kind of a block, heading level, offset of its first line."""


def line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]


def whole(text: str) -> list[Found]:
    """One markdown-it-py parse of a text without front matter, mapped back to the text by line number."""
    skipped = 1 if text.startswith("\ufeff") else 0
    starts = line_starts(text[skipped:])
    tokens = block_parser().parse(text[skipped:])
    found = []
    for token in tokens:
        if token.level == 0 and token.nesting >= 0 and token.map and token.type != "inline":
            level = int(token.tag[1]) if token.type == "heading_open" else 0
            kind = OPENINGS.get(token.type, token.type)
            found.append((kind, level, skipped + starts[token.map[0]]))
    return found


def pieces(text: str) -> list[Found]:
    return [(block.kind, block.level, block.start) for block in outline(text).blocks]


@settings(max_examples=600, deadline=None)
@given(markdown(front_matter=False))
@example("- a\n```\n\nx\n\n# in fence\n```\n# A")
@example("- a\n<!--\n\nx\n\n# hidden\n-->\n# A")
@example("---\n# A\n---\n")
def test_pieces_equal_the_whole(text: str) -> None:
    assume(not pieces(text) or pieces(text)[0][0] != "front_matter")
    expected = whole(text)
    if expected:
        expected[0] = (*expected[0][:2], 0)  # what is blank before the first block is the block's
        assert pieces(text) == expected
    else:
        assert [block.kind for block in outline(text).blocks] == (["paragraph"] if text else [])


def plugin_end(text: str) -> int | None:
    """Line after the front matter that mdit-py-plugins' rule finds."""
    first = MarkdownIt("commonmark").use(front_matter_plugin).parse(text)[0]
    return first.map[1] if first.type == "front_matter" and first.map else None


@pytest.mark.parametrize(
    "text",
    [
        "---\na: b\n---\nx",
        "---\n# c\na: b\n...\nx",
        "----\na: b\n---\nc: d\n-----  \nx",
        "---\n---\n",
        "---\na: b\n   ---\nx",
        "---\na: b\n    ---\nx\n---",
        '---\n"a b": [c]\nd:\n  - e\n---',
        "---\na: b\n",
        "--\na: b\n--\n",
        " ---\na: b\n---\n",
        "x\n---\na: b\n---\n",
    ],
)
def test_front_matter_is_read_as_the_plugin_reads_it(text: str) -> None:
    first, *rest = outline(text).blocks
    end = plugin_end(text)
    assert (first.kind == "front_matter") == (end is not None)
    if end is not None:
        content_end = line_starts(text)[end] if end < len(line_starts(text)) else len(text)
        assert first.end == (rest[0].start if rest else len(text))
        assert not text[content_end : first.end].strip()


def test_items_know_their_place() -> None:
    text = "x\n\n- a\n  - b\n\n    c\n  1. d\n- e\n"
    items = outline(text).blocks[1].items
    assert [(text[i.start : i.end].split()[1], i.depth, i.parent, i.ordered) for i in items] == [
        ("a", 0, -1, False),
        ("b", 1, 0, False),
        ("d", 1, 0, True),
        ("e", 0, -1, False),
    ]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:8]))
def test_hostile_texts_are_read_in_linear_time(text: str) -> None:
    """Nothing is timed: a quadratic step would not come back."""
    assert outline(text).blocks[-1][:1] == ("heading",)
