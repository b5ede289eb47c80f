"""What holds for any text, checked against markdown-it-py's maps of the whole text."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it.token import Token
from markdown_texts import HOSTILE, markdown

from chunking import chunk_markdown, chunk_message
from chunking.grammar import block_parser
from chunking.sentences import sentences
from chunking.words import plain_words
from schemas.chunk import Chunk

TOPICS = (
    [
        "mast",
        "sail",
        "harbour",
        "anchor",
        "rudder",
        "keel",
        "deck",
        "rope",
        "mooring",
        "tide",
        "compass",
        "hull",
    ],
    [
        "dough",
        "flour",
        "yeast",
        "oven",
        "crumb",
        "crust",
        "knead",
        "proof",
        "starter",
        "baker",
        "loaf",
        "salt",
    ],
    [
        "income",
        "return",
        "receipt",
        "deduct",
        "audit",
        "filing",
        "refund",
        "bracket",
        "wage",
        "invoice",
        "levy",
    ],
)


def prose(seed: int) -> str:
    """Paragraphs on a few topics, long enough to be parted, with rules, bold lines and lists between them."""
    pick = Random(seed)
    parts = []
    for _ in range(pick.randint(4, 14)):
        words = pick.choice(TOPICS)
        ended = [" ".join(pick.choices(words, k=pick.randint(3, 9))) for _ in range(pick.randint(1, 9))]
        glue = pick.choice([" ", "\n", "\n- ", "\n2. ", "\n    ", "\n\n"])
        mark = pick.choice(["", "", "", "", "---\n\n", f"**{words[0]}**\n\n", "- ", "# H\n", "```\n"])
        parts.append(mark + glue.join(sentence.capitalize() + "." for sentence in ended))
    return "\n\n".join(parts)


TEXTS = markdown() | st.integers().map(prose) | st.text(max_size=40)
UNCUTTABLE = ("fence", "code_block", "html_block", "math_block", "tr_open", "list_item_open", "front_matter")


def body(text: str) -> tuple[str, int]:
    """The text after its front matter and byte order mark, and the offset where it begins."""
    chunks = chunk_markdown(text)
    if chunks and chunks[0].flags == ("front_matter",):
        return text[chunks[0].end :], chunks[0].end
    return (text[1:], 1) if text.startswith("\ufeff") else (text, 0)


def tokens_of(text: str) -> list[tuple[Token, int, int]]:
    """markdown-it-py's block tokens of the whole text, with their spans."""
    rest, offset = body(text)
    starts = [
        offset + at for at in (0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", rest)), len(rest))
    ]
    found = []
    for token in block_parser().parse(rest):
        if token.map:
            found.append((token, starts[token.map[0]], starts[token.map[1]]))
    return found


def boundaries(chunks: list[Chunk]) -> list[int]:
    return [chunk.start for chunk in chunks[1:]]


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_chunks_cover_the_text(text: str) -> None:
    for chunks in (chunk_markdown(text), chunk_message(text, "m")):
        assert "".join(chunk.text for chunk in chunks) == text
        assert all(chunk.text == text[chunk.start : chunk.end] != "" for chunk in chunks)
        assert len({chunk.id for chunk in chunks}) == len(chunks)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_nothing_whole_is_cut(text: str) -> None:
    spans = [(start, end) for token, start, end in tokens_of(text) if token.type in UNCUTTABLE]
    for token, start, end in tokens_of(text):
        if token.type == "paragraph_open":
            spans += [(start + first, start + last) for first, last in sentences(text[start:end])]
    for chunks in (chunk_markdown(text), chunk_message(text, "m")):
        for at in boundaries(chunks):
            assert not any(start < at < end for start, end in spans)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_every_top_level_heading_heads_its_chunk_under_its_full_path(text: str) -> None:
    rest, _ = body(text)
    environment: dict[str, object] = {}
    tokens = block_parser().parse(rest, environment)
    expected: list[tuple[str, ...]] = []
    path: dict[int, str] = {}
    for index, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.tag < "h5":
            level = int(token.tag[1])
            path = {above: words for above, words in path.items() if above < level}
            path[level] = plain_words(tokens[index + 1].content, environment.get("references"))  # type: ignore[arg-type]
            expected.append(tuple(path.values()))
    for chunks in (chunk_markdown(text), chunk_message(text, "m")):
        assert [chunk.heading_path for chunk in chunks if chunk.level] == expected
        assert all(chunk.heading_path == () for chunk in chunks if not chunk.level)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_the_tree_is_sound(text: str) -> None:
    chunks = chunk_markdown(text)
    by_id = {chunk.id: chunk for chunk in chunks}
    for chunk in chunks:
        assert all(
            by_id[child].parent == chunk.id and by_id[child].level > chunk.level for child in chunk.children
        )
        if chunk.parent is not None:
            parent = by_id[chunk.parent]
            assert chunk.id in parent.children
            assert chunk.heading_path == (*parent.heading_path, chunk.heading_path[-1])


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_chunking_a_chunk_again_leaves_it_whole(text: str) -> None:
    for chunk in chunk_markdown(text):
        again = chunk_markdown(chunk.text)
        opens_like_front_matter = len(again) > 1 and again[0].flags == ("front_matter",)
        assert len(again) == 1 or opens_like_front_matter
    for chunk in chunk_message(text, "m"):
        again = chunk_message(chunk.text, "m")
        opens_like_front_matter = len(again) > 1 and again[0].flags == ("front_matter",)
        assert len(again) == 1 or opens_like_front_matter


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_a_governing_idea_is_short_and_taken_from_the_text(text: str) -> None:
    words = " ".join(text.split())
    for chunk in chunk_message(text, "m"):
        if chunk.governing_idea is not None and chunk.governing_idea not in chunk.heading_path:
            assert chunk.governing_idea in words
            assert len(chunk.governing_idea.split()) <= 30
        assert chunk_message(text, "m") == chunk_message(text, "m")


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:8]))
def test_hostile_messages_are_cut_in_linear_time(text: str) -> None:
    """Nothing is timed: a quadratic step would not come back."""
    chunks = chunk_message(text, "m")
    assert "".join(chunk.text for chunk in chunks) == text
    assert chunks[-1].heading_path[-1] == "A"
