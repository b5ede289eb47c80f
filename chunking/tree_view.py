"""The tree of a document's chunks as lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from chunking.governing import FRONT_MATTER
from chunking.tokens import CountTokens, estimate_tokens
from schemas.chunk import Chunk


def tree_lines(chunks: Sequence[Chunk], count: CountTokens = estimate_tokens) -> list[str]:
    """Two lines a chunk, indented by its place in the tree: heading, sizes and flags; its governing idea.

    The second line is left out where the idea is the heading itself or there is none. Characters that a
    terminal would act upon are replaced.
    """
    depths: dict[str, int] = {}
    lines = []
    for chunk in chunks:
        depth = depths[chunk.parent] + 1 if chunk.parent in depths else 0
        depths[chunk.id] = depth
        heading = chunk.heading_path[-1] if chunk.heading_path else ""
        size = f"{len(chunk.text):,} characters, {count(chunk.text):,} tokens"
        parts = [_name(chunk, heading), size, *(flag for flag in chunk.flags if flag != FRONT_MATTER)]
        lines.append(_shown("  " * depth + " · ".join(parts)))
        if chunk.governing_idea and chunk.governing_idea != heading:
            lines.append(_shown("  " * depth + f"  “{chunk.governing_idea}”"))
    return lines


def _name(chunk: Chunk, heading: str) -> str:
    if chunk.level:
        return f"{'#' * chunk.level} {heading or '(no words)'}"
    return "(front matter)" if FRONT_MATTER in chunk.flags else "(no heading)"


def _shown(line: str) -> str:
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in line
    )
