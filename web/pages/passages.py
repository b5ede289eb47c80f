"""A page's text as passages: cut by its headings, and where a level is long, where its structure lets it."""

from __future__ import annotations

from dataclasses import dataclass

from chunking import chunk_markdown, embedding_windows, estimate_tokens

MOST_TOKENS = 220
"""Of a passage, estimated: some 900 characters, and what the embedder takes in at once."""
LEAST = 40
"""Characters; less is a caption, a button or a crumb."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a page, and under which headings it stands."""

    text: str
    heading_path: tuple[str, ...]


def passages_of(text: str, title: str) -> list[Passage]:
    """The passages of a page's Markdown, in order; those with fewer than LEAST characters left out."""
    found = []
    for chunk in chunk_markdown(text, "page", title or None):
        for window in embedding_windows(chunk.text, estimate_tokens, MOST_TOKENS):
            piece = chunk.text[window.start : window.end].strip()
            if len(piece) >= LEAST:
                found.append(Passage(piece, chunk.heading_path))
    return found
