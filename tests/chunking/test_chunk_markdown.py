"""Cuts by headings: the cases on which the measured splitters fail, line endings, the tree."""

from __future__ import annotations

import subprocess
import sys

import pytest

from chunking import chunk_markdown
from schemas.base import sha256_text
from schemas.chunk import Chunk


def paths(text: str) -> list[tuple[str, ...]]:
    chunks = chunk_markdown(text)
    assert "".join(chunk.text for chunk in chunks) == text
    assert [chunk.start for chunk in chunks] == [0, *(chunk.end for chunk in chunks[:-1])][: len(chunks)]
    return [chunk.heading_path for chunk in chunks]


def test_an_indented_hash_line_is_code() -> None:
    assert paths("# A\n\n    # not heading\n\ntail") == [("A",)]


def test_a_tilde_fence_hides_its_hash_line() -> None:
    assert paths("# A\n\n~~~py\n# not heading\n~~~\n\ntail") == [("A",)]


def test_a_fence_inside_a_longer_fence_hides_its_hash_line() -> None:
    text = "# A\n\n````\n```\n# inner\n```\n````\n\n## B\n\nx"
    assert paths(text) == [("A",), ("A", "B")]


def test_a_comment_hides_its_hash_line() -> None:
    assert paths("# A\n\n<!--\n# hidden\n-->\n\nx") == [("A",)]


def test_a_comment_runs_over_blank_lines() -> None:
    assert paths("# A\n\n<!--\n\n# hidden\n\n-->\n# B") == [("A",), ("B",)]


def test_front_matter_is_a_chunk_of_its_own() -> None:
    text = "---\ntitle: T\n# comment\n---\n\n# A\n\nx"
    assert paths(text) == [(), ("A",)]
    front = chunk_markdown(text)[0]
    assert front.text == "---\ntitle: T\n# comment\n---\n\n"
    assert front.flags == ("front_matter",)


def test_a_rule_at_the_top_of_a_message_is_not_front_matter() -> None:
    assert paths("---\n\n## Summary\n\nIt works.\n\n---\n\n## Next\n") == [(), ("Summary",), ("Next",)]


def test_setext_headings_make_boundaries() -> None:
    assert paths("Title\n=====\n\nbody\n\nSub\n---\n\nmore") == [("Title",), ("Title", "Sub")]


def test_an_unclosed_fence_runs_to_the_end() -> None:
    assert paths("# A\n\n```\n# c\n\n# B\n") == [("A",)]


def test_backticks_in_the_info_string_open_no_fence() -> None:
    assert paths("# A\n\n```not a fence``` text\n\n# B\n\nx") == [("A",), ("B",)]


def test_closing_hashes_are_no_part_of_a_heading() -> None:
    assert paths("# A #\n\nx") == [("A",)]


def test_a_tab_may_follow_the_hash() -> None:
    assert paths("#\tA\n\nx") == [("A",)]


def test_a_heading_may_be_indented_by_three() -> None:
    assert paths("# A\n\nx\n\n   ## B\n\ny") == [("A",), ("A", "B")]


def test_an_empty_heading_is_a_boundary() -> None:
    assert paths("# A\n\nx\n\n##\n\ny") == [("A",), ("A", "")]


def test_tabs_and_double_spaces_in_a_fence_stay() -> None:
    assert paths("# A\n\n```py\ndef f():\n\treturn  1\n```\n") == [("A",)]


def test_a_slash_in_a_heading_is_no_separator() -> None:
    assert paths("# a/b\n\n## c\n\nx") == [("a/b",), ("a/b", "c")]


def test_a_quoted_heading_is_the_quotes_own() -> None:
    assert paths("# A\n\n> ## quoted\n> t\n\nz") == [("A",)]


def test_two_short_sections_are_two_chunks() -> None:
    assert paths("# A\n\nx\n\n# B\n\ny") == [("A",), ("B",)]


@pytest.mark.parametrize(
    "body",
    [
        "```\na = 1\n\nb = 2\n\nc = 3\n```\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n",
        "- one item text\n  continued here\n- two item text",
        "Use e.g. Redis for it. Then stop it now.",
        "x\n\n| a |\n|---|\n| 1 |\n| 2 |\n| 3 |\n\ntail",
    ],
)
def test_what_size_splitters_cut_stays_whole(body: str) -> None:
    assert [chunk.text for chunk in chunk_markdown("# A\n\n" + body)] == ["# A\n\n" + body]


def test_a_heading_in_an_item_is_the_items_own() -> None:
    assert paths("- # x\n\n  ## y\n\n# A\n") == [(), ("A",)]


def test_an_equals_sign_in_display_math_underlines_nothing() -> None:
    assert paths("# A\n\n\\[\nx\n=\ny\n\\]\n\n$$\na\n---\nb\n$$\n") == [("A",)]


def test_a_rule_after_a_footnote_underlines_nothing() -> None:
    assert paths("# A\n\n[^1]: Foo bar\n---\n\n## B\n") == [("A",), ("A", "B")]


def test_a_table_in_front_of_dashes_is_no_heading() -> None:
    assert paths("# A\n\na | b\n--|--\n1 | 2\n\nfoo |\n---\n") == [("A",)]


def test_a_heading_deep_in_lists_hides_nothing_after_it() -> None:
    assert paths("- " * 200 + "x\n# A\n\ny\n") == [(), ("A",)]
    assert paths("\n".join("  " * depth + "- x" for depth in range(100)) + "\n# A\n")[-1] == ("A",)


def test_levels_are_taken_as_written() -> None:
    text = "### Deep\n# A\n### Skipped\n## B\n### C\n##### Not cut\n# A\n"
    expected = [("Deep",), ("A",), ("A", "Skipped"), ("A", "B"), ("A", "B", "C"), ("A",)]
    assert paths(text) == expected
    assert [chunk.level for chunk in chunk_markdown(text)] == [3, 1, 3, 2, 3, 1]


def test_parents_and_children_mirror_each_other() -> None:
    chunks = chunk_markdown("lead\n\n# A\n\na\n\n## B\n\nb\n\n## C\n\nc\n\n# D\n", source_id="doc")
    lead, a, b, c, d = chunks
    assert (lead.level, lead.parent, lead.children) == (0, None, ())
    assert a.children == (b.id, c.id)
    assert b.parent == c.parent == a.id
    assert d.parent is None
    assert len({chunk.id for chunk in chunks}) == 5
    assert all(chunk.source_id == "doc" and chunk.content_hash == sha256_text(chunk.text) for chunk in chunks)


def test_a_heading_without_text_is_a_chunk_of_its_own() -> None:
    parent, child = chunk_markdown("# A\n\n## B\n\nx")
    assert parent.text == "# A\n\n"
    assert parent.flags == ("heading_only",)
    assert child.parent == parent.id


def test_a_path_holds_plain_words() -> None:
    text = "# **Bold** and `a_b` &amp; [link](u) [ref] [none]\n\n## ![alt](i) \\# x\n\n[ref]: /url\n"
    assert paths(text)[-1] == ("Bold and a_b & link ref [none]", "alt # x")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_ending_ends_a_line(end: str) -> None:
    lines = [
        "---",
        "a: b",
        "---",
        "# A",
        "",
        "text",
        "",
        "```",
        "# c",
        "```",
        "Sub",
        "---",
        "- x",
        "",
        "  y",
        "",
    ]
    assert paths(end.join(lines)) == [(), ("A",), ("A", "Sub")]


@pytest.mark.parametrize("odd", ["\x0c", "\x0b", "\x1c", "\x85", "\u2028", "\u2029"])
def test_nothing_else_ends_a_line(odd: str) -> None:
    assert paths(f"# A{odd}# B\n\nx{odd}# C") == [(f"A {'# B'}",)]


def test_a_byte_order_mark_hides_no_heading() -> None:
    assert paths("\ufeff# A\n\nx") == [("A",)]
    assert paths("\ufeff---\na: b\n---\n# A\n") == [(), ("A",)]


def test_nul_is_kept_in_the_text_and_replaced_in_the_path() -> None:
    assert paths("# A\0B\n\n\0\n") == [("A\ufffdB",)]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t\n ", "\ufeff", "\0", "\r"])
def test_texts_without_words(text: str) -> None:
    chunks = chunk_markdown(text)
    assert [chunk.text for chunk in chunks] == ([text] if text else [])


def test_blank_lines_before_the_first_heading_are_its_own() -> None:
    assert [chunk.text for chunk in chunk_markdown("\n \n# A\n")] == ["\n \n# A\n"]


def test_the_title_serves_a_lead_without_a_short_sentence() -> None:
    lead = chunk_markdown("- a\n- b\n", title="Shopping list")[0]
    assert lead.governing_idea == "Shopping list"


def test_importing_the_package_loads_no_parser() -> None:
    code = "import sys, chunking; print(sorted({'markdown_it', 'pydantic'} & sys.modules.keys()))"
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert printed == "[]\n"


def test_every_exported_name_is_there() -> None:
    import chunking

    assert all(callable(getattr(chunking, name)) for name in chunking.__all__)
    assert isinstance(chunk_markdown("x")[0], Chunk)


def test_a_backslash_breaks_a_line_whatever_ends_it() -> None:
    texts = ["one\\{end}words\n===\n\nHere.", "\\{end}words\n===\n\nHere."]
    for text in texts:
        plain, other = (chunk_markdown(text.format(end=end)) for end in ("\n", "\r\n"))
        assert [one.heading_path for one in other] == [one.heading_path for one in plain]
