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
Found = tuple[str, int, int, tuple[tuple[int, int, int, bool], ...]]
"""Kind of a block, heading level, where it starts, its items (start, end of the words, parent, numbered)."""


def line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]


def whole(text: str) -> list[Found]:
    """One markdown-it-py parse of a text without front matter, mapped back to the text by line number."""
    skipped = 1 if text.startswith("\ufeff") else 0
    starts = [*line_starts(text[skipped:]), len(text) - skipped]
    top = ""
    found: list[Found] = []
    open_items: list[int] = []
    items: list[tuple[int, int, int, bool]] = []
    for token in block_parser().parse(text[skipped:]):
        if token.type == "list_item_close":
            open_items.pop()
        if token.map is None:
            continue
        first, last = (skipped + starts[line] for line in token.map)
        if token.type == "list_item_open" and top == "list":
            words_end = len(text[:last].rstrip())
            items.append((first, words_end, open_items[-1] if open_items else -1, bool(token.info)))
            found[-1] = (*found[-1][:3], tuple(items))
        if token.type == "list_item_open":
            open_items.append(len(items) - 1)
        if token.level == 0 and token.type != "inline":
            level = int(token.tag[1]) if token.type == "heading_open" else 0
            top = OPENINGS.get(token.type, token.type)
            items = []
            found.append((top, level, first, ()))
    return found


def pieces(text: str) -> list[Found]:
    return [
        (
            block.kind,
            block.level,
            block.start,
            tuple(
                (item.start, len(text[: item.end].rstrip()), item.parent, item.ordered)
                for item in block.items
            ),
        )
        for block in outline(text).blocks
    ]


@settings(max_examples=600, deadline=None)
@given(markdown(front_matter=False))
@example("- a\n```\n\nx\n\n# in fence\n```\n# A")
@example("- a\n<!--\n\nx\n\n# hidden\n-->\n# A")
@example("---\n# A\n---\n")
def test_pieces_equal_the_whole(text: str) -> None:
    assume(not pieces(text) or pieces(text)[0][0] != "front_matter")
    expected = whole(text)
    if expected:
        expected[0] = (
            *expected[0][:2],
            0,
            expected[0][3],
        )  # what is blank before the first block is the block's
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
        "---\n# c\n{{ card }}\n---\nx",
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
