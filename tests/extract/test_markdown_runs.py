from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from extract.markdown_runs import BlockShape, parse_blocks

TEXT = """# Plan

Intro line:

- first **item**
  - nested item
2. second

> quoted
> twice

| a | b |
|---|---|
| x \\| y | |

```py
x = 1
```
"""


def test_every_block_knows_its_shape_and_its_words() -> None:
    shapes = [(block.shape, block.flat.text) for block in parse_blocks(TEXT)]
    assert shapes == [
        (BlockShape.HEADING, "Plan"),
        (BlockShape.PARAGRAPH, "Intro line:"),
        (BlockShape.ITEM, "first **item**"),
        (BlockShape.ITEM, "nested item"),
        (BlockShape.ITEM, "second"),
        (BlockShape.PARAGRAPH, "quoted\ntwice"),
        (BlockShape.TABLE_HEAD, "a"),
        (BlockShape.TABLE_HEAD, "b"),
        (BlockShape.CELL, "x \\| y"),
        (BlockShape.CELL, ""),
        (BlockShape.CODE, "x = 1\n"),
    ]


def test_a_list_and_a_nested_list_know_what_introduces_them() -> None:
    blocks = parse_blocks(TEXT)
    items = [block for block in blocks if block.shape is BlockShape.ITEM]
    assert [blocks[item.lead].flat.text if item.lead is not None else None for item in items] == [
        "Intro line:",
        "first **item**",
        None,
    ]
    assert items[2].marker == "2"
    assert all(block.headings == ("Plan",) for block in blocks[1:])


def test_a_cell_knows_its_row_and_its_column() -> None:
    blocks = parse_blocks(TEXT)
    cell = next(b for b in blocks if b.shape is BlockShape.CELL and b.column == 1)
    assert blocks[cell.row_label or 0].flat.text == "x \\| y"
    assert blocks[cell.column_label or 0].flat.text == "b"


@given(st.text(alphabet="ab >-*|#`\n\t1.\\\r\x00é漢", max_size=200))
def test_a_blocks_words_stand_in_the_source_where_it_says(text: str) -> None:
    for block in parse_blocks(text):
        flat = block.flat
        for line, start in zip(flat.text.split("\n"), flat.starts, strict=False):
            place = flat.source(start)
            assert text[place : place + len(line)] == line
