"""Markdown into chunks, cut by the heading hierarchy: one chunk, one complete level of one concept.

A chunk is a heading of level 1-4 at the top level of the document and the text up to the next such heading,
whatever that one's level. So a heading with sub-headings keeps the text before the first of them as its
chunk, and a heading without any text is a chunk of its heading line alone, flagged `heading_only`: its
children have a parent, every span holds one heading, and whoever embeds chunks can leave it out, since its
words are in its children's paths. Front matter is a chunk of its own. Text before the first heading has
level 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chunking.blocks import Block, Outline, outline
from chunking.governing import flags, governing_idea
from chunking.words import plain_words
from schemas.base import sha256_text
from schemas.chunk import Chunk
from schemas.ids import chunk_id

DEEPEST_HEADING = 4
"""Headings of level 5 and 6 belong to the concept that they stand in."""


@dataclass(frozen=True, slots=True)
class Section:
    """The blocks of one chunk-to-be, and its heading in plain words."""

    blocks: Sequence[Block]
    level: int
    heading: str

    @property
    def start(self) -> int:
        """Where it begins in its source, in code points."""
        return self.blocks[0].start

    @property
    def end(self) -> int:
        """Where it ends in its source, in code points."""
        return self.blocks[-1].end


def chunk_markdown(text: str, source_id: str = "", title: str | None = None) -> list[Chunk]:
    """Cut a Markdown text by its headings. The chunks' texts, joined, are the text exactly.

    `source_id` is the id of the message or resource that the text belongs to; `title` serves as the governing
    idea of a text before the first heading that has no short sentence of its own.
    The text must be valid Unicode: a lone surrogate raises UnicodeEncodeError. Linear in the text's length.
    """
    return chunks_of(text, sections(outline(text)), source_id, title)


def sections(read: Outline) -> list[Section]:
    """The blocks grouped under the headings that make chunks."""
    groups: list[list[Block]] = []
    for block in read.blocks:
        if not groups or _opens(block) or groups[-1][0].kind == "front_matter":
            groups.append([])
        groups[-1].append(block)
    return [_section(group, read) for group in groups]


def _opens(block: Block) -> bool:
    return block.kind == "heading" and block.level <= DEEPEST_HEADING


def _section(blocks: list[Block], read: Outline) -> Section:
    first = blocks[0]
    if not _opens(first):
        return Section(blocks, 0, "")
    return Section(blocks, first.level, plain_words(first.content, read.references))


def chunks_of(text: str, parts: Sequence[Section], source_id: str, title: str | None) -> list[Chunk]:
    """Sections as chunks, with ids, paths, parents and children."""
    texts = [text[part.start : part.end] for part in parts]
    hashes = [sha256_text(own) for own in texts]
    ids = [
        chunk_id(source_id, part.start, part.end, digest) for part, digest in zip(parts, hashes, strict=True)
    ]
    parents = _parents([part.level for part in parts])
    paths: list[tuple[str, ...]] = []
    children: list[list[str]] = [[] for _ in parts]
    for index, (part, parent) in enumerate(zip(parts, parents, strict=True)):
        prefix = () if parent is None else paths[parent]
        paths.append((*prefix, part.heading) if part.level else ())
        if parent is not None:
            children[parent].append(ids[index])
    return [
        Chunk(
            id=ids[index],
            source_id=source_id,
            start=part.start,
            end=part.end,
            text=texts[index],
            level=part.level,
            heading_path=paths[index],
            governing_idea=_idea(text, part, title),
            parent=None if (above := parents[index]) is None else ids[above],
            children=tuple(children[index]),
            flags=flags(text, part.blocks, part.heading),
            content_hash=hashes[index],
        )
        for index, part in enumerate(parts)
    ]


def _idea(text: str, part: Section, title: str | None) -> str | None:
    if part.blocks[0].kind == "front_matter":
        return None
    return governing_idea(text, part.blocks, part.heading if part.level else title or "")


def _parents(levels: Iterable[int]) -> list[int | None]:
    """For each section the index of the nearest one before it with a smaller heading level."""
    parents: list[int | None] = []
    open_sections: list[tuple[int, int]] = []
    for index, level in enumerate(levels):
        while open_sections and open_sections[-1][0] >= level:
            open_sections.pop()
        parents.append(open_sections[-1][1] if open_sections and level else None)
        if level:
            open_sections.append((level, index))
    return parents
