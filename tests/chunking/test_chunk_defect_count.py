"""The benchmark's count of damage sees the damage that is there, row by row, and none where there is none."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from markdown_texts import markdown


def load() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "benchmarks" / "ablation" / "chunk_defects.py"
    spec = importlib.util.spec_from_file_location("chunk_defects", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["chunk_defects"] = module
    spec.loader.exec_module(module)
    return module


BENCHMARK = load()

TEXT = """---
title: T
---
Lead words
go on here.

# A

```py
# not a heading
x  =  1
```

| a | b |
|---|---|
| 1 | 2 |

- one
  goes on
- two

<div>
<b>x</b>
</div>

Sub
---

Body of sub.

## B

Body of B.
"""


def count(texts: list[str], headings: tuple[str, ...] = ()) -> Counter[str]:
    pieces = [BENCHMARK.PeerChunk(text, headings) for text in texts]
    return BENCHMARK.defects(BENCHMARK.truth_of(TEXT), pieces)  # type: ignore[no-any-return]


def damage(counted: Counter[str]) -> dict[str, int]:
    return {row: counted[row] for row in (*BENCHMARK.DAMAGE, *BENCHMARK.REPORTED) if counted[row]}


def test_ours_does_none() -> None:
    counted = BENCHMARK.defects(BENCHMARK.truth_of(TEXT), BENCHMARK.ours(TEXT))
    assert damage(counted) == {}
    assert counted["exact"] == 1


def test_every_row_is_counted_when_words_are_chunks() -> None:
    counted = count([word + " " for word in TEXT.split(" ")])
    assert counted["exact"] == 0
    cut = count([part for line in TEXT.splitlines(keepends=True) for part in (line[:3], line[3:]) if part])
    assert cut["exact"] == 1
    for row in ("fence_split", "row_split", "item_split", "html_split", "sentence_cut", "fm_split"):
        assert cut[row], row
    for row in ("fence_hash", "breadcrumb", "table_split", "list_split", "section_split"):
        assert cut[row], row


@pytest.mark.parametrize(
    ("change", "row"),
    [
        (lambda text: [text.replace("Body of B.", "")], "chars_lost"),
        (lambda text: [text.replace("Body of B.", "")], "docs_with_loss"),
        (lambda text: [text.replace("x  =  1", "x = 1")], "fence_altered"),
        (lambda text: [text], "atx_missed"),
        (lambda text: [text], "setext_missed"),
        (lambda text: [text], "sections_mixed"),
        (lambda text: [text], "fm_mixed"),
        (lambda text: list(text.partition("# not a heading")), "fence_hash"),
    ],
)
def test_each_damage_has_its_row(change, row: str) -> None:  # type: ignore[no-untyped-def]
    assert count(change(TEXT))[row] > 0


def test_metadata_may_hold_the_path() -> None:
    parts = list(TEXT.partition("Body of B."))
    assert count(parts)["breadcrumb"] == 1
    assert count(parts, ("A", "Sub", "B"))["breadcrumb"] == 0


@settings(max_examples=150, deadline=None)
@given(markdown())
def test_ours_does_none_on_any_text_that_commonmark_reads_alike(text: str) -> None:
    """Footnotes, math and byte order marks are beyond CommonMark, which the count is made by."""
    if not any(mark in text for mark in ("[^", "$$", "\\[", "\ufeff")) and not text.startswith("---"):
        assert damage(BENCHMARK.defects(BENCHMARK.truth_of(text), BENCHMARK.ours(text))) == {}
