"""Counts the damage that Markdown chunkers do, by markdown-it-py's token map of each whole document.

    PYTHONPATH=. python benchmarks/ablation/chunk_defects.py FOLDER... [--sizes]

Reads every *.md, *.markdown and spec.txt below the folders. Chunkers that are not installed are left out
(benchmarks/chunk_requirements.txt). Truth is independent of the chunker measured: commonmark + table + front
matter, headings H1-H4 at the top level. Chunks are aligned with their source by its non-blank characters, so
a chunker may add, drop or change white space without losing its place; `exact` says who does not.
`--sizes` measures speed and memory on the whole corpus as one text, up to 50 MB of it, instead.
"""

from __future__ import annotations

import argparse
import gc
import platform
import re
import resource
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from chunking import chunk_markdown, estimate_tokens

SIZE = 2048
"""Characters for the splitters that cut by size; no overlap."""
HEADINGS = [("#" * level, str(level)) for level in range(1, 5)]

DAMAGE = {
    "chars_lost": "non-blank characters in no chunk",
    "docs_with_loss": "documents that lose some",
    "fence_split": "fences with a boundary inside",
    "fence_altered": "unsplit fences whose text is not in the chunk as written",
    "fence_hash": "'#' lines in fences, code or HTML that a chunk or its metadata begins with",
    "row_split": "table rows with a boundary inside",
    "item_split": "list items with a boundary inside",
    "html_split": "HTML blocks with a boundary inside",
    "sentence_cut": "boundaries inside a paragraph, not after a sentence",
    "atx_missed": "ATX headings H1-H4 that begin no chunk",
    "setext_missed": "setext headings that begin no chunk",
    "sections_mixed": "chunks with text of two sections",
    "breadcrumb": "chunks whose ancestors' headings are neither in them nor in their metadata",
    "fm_mixed": "front matters in one chunk with body text",
    "fm_split": "front matters with a boundary inside",
}
REPORTED = {
    "table_split": "tables with a boundary inside",
    "list_split": "top-level lists with a boundary inside",
    "section_split": "sections in more than one chunk",
}


class PeerChunk(NamedTuple):
    """A chunk as a peer gives it: its text, and the headings that its metadata names."""

    text: str
    headings: tuple[str, ...] = ()


Chunker = Callable[[str], list[PeerChunk]]


def ours(text: str) -> list[PeerChunk]:
    """What is measured."""
    return [PeerChunk(chunk.text, chunk.heading_path) for chunk in chunk_markdown(text)]


def ours_with_tokens(text: str) -> list[PeerChunk]:
    """The same with a token estimate for every chunk."""
    pieces = ours(text)
    for piece in pieces:
        estimate_tokens(piece.text)
    return pieces


def langchain() -> Iterator[tuple[str, Chunker]]:
    """LangChain's four Markdown splitters."""
    from langchain_text_splitters import (
        ExperimentalMarkdownSyntaxTextSplitter,
        MarkdownHeaderTextSplitter,
        MarkdownTextSplitter,
        RecursiveCharacterTextSplitter,
    )

    by_header = MarkdownHeaderTextSplitter(HEADINGS, strip_headers=False)
    recursive = RecursiveCharacterTextSplitter(chunk_size=SIZE, chunk_overlap=0)
    by_size = MarkdownTextSplitter(chunk_size=SIZE, chunk_overlap=0)

    def experimental(text: str) -> list[PeerChunk]:
        splitter = ExperimentalMarkdownSyntaxTextSplitter(HEADINGS, strip_headers=False)  # it keeps state
        return [PeerChunk(d.page_content, tuple(d.metadata.values())) for d in splitter.split_text(text)]

    def header(text: str) -> list[PeerChunk]:
        return [PeerChunk(d.page_content, tuple(d.metadata.values())) for d in by_header.split_text(text)]

    def header_then_size(text: str) -> list[PeerChunk]:
        documents = recursive.split_documents(by_header.split_text(text))
        return [PeerChunk(d.page_content, tuple(d.metadata.values())) for d in documents]

    yield "lc-header", header
    yield "lc-header+rec", header_then_size
    yield "lc-markdown", lambda text: [PeerChunk(part) for part in by_size.split_text(text)]
    yield "lc-experimental", experimental


def llama_index() -> Iterator[tuple[str, Chunker]]:
    """LlamaIndex's Markdown parser."""
    from llama_index.core import Document
    from llama_index.core.node_parser import MarkdownNodeParser

    parser = MarkdownNodeParser.from_defaults()

    def chunk(text: str) -> list[PeerChunk]:
        nodes = parser.get_nodes_from_documents([Document(text=text)])
        return [
            PeerChunk(n.get_content(), tuple(n.metadata.get("header_path", "").split("/"))) for n in nodes
        ]

    yield "llama-md", chunk


def chonkie() -> Iterator[tuple[str, Chunker]]:
    """Chonkie's recursive chunker, plain and with headings for its first delimiters."""
    from chonkie import RecursiveChunker
    from chonkie.types import RecursiveLevel, RecursiveRules

    heads = ["\n" + marks + " " for marks, _ in HEADINGS]
    levels = [RecursiveLevel(delimiters=heads, include_delim="next"), RecursiveLevel(delimiters=["\n\n"])]
    levels += [RecursiveLevel(delimiters=["\n"]), RecursiveLevel(whitespace=True), RecursiveLevel()]
    plain = RecursiveChunker(chunk_size=SIZE)
    by_heads = RecursiveChunker(chunk_size=SIZE, rules=RecursiveRules(levels))
    yield "chonkie", lambda text: [PeerChunk(part.text) for part in plain.chunk(text)]
    yield "chonkie-md", lambda text: [PeerChunk(part.text) for part in by_heads.chunk(text)]


def semantic_text_splitter() -> Iterator[tuple[str, Chunker]]:
    """The Markdown splitter of semantic-text-splitter."""
    from semantic_text_splitter import MarkdownSplitter

    splitter = MarkdownSplitter(SIZE, trim=False)
    yield "sts-md", lambda text: [PeerChunk(part) for part in splitter.chunks(text)]


PEERS = {
    "langchain_text_splitters": langchain,
    "llama_index": llama_index,
    "chonkie": chonkie,
    "semantic_text_splitter": semantic_text_splitter,
}


@dataclass
class Truth:
    """What is in a document, in positions among its non-blank characters."""

    text: str
    places: list[int]
    """Offset of each non-blank character."""
    spans: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    sections: list[tuple[int, int, tuple[str, ...], bool]] = field(default_factory=list)
    """Start, start of the body, full path, setext; the first for the text before any heading."""
    hashes: dict[int, str] = field(default_factory=dict)
    """Where a '#' line stands that is no heading, and its words."""

    def at(self, offset: int) -> int:
        """Position of the first non-blank character from an offset on."""
        return bisect_left(self.places, offset)


BLOCKS = MarkdownIt("commonmark").enable("table").use(front_matter_plugin).disable("inline")
INLINE = MarkdownIt("commonmark")
SPANS = {
    "fence": "fence",
    "html_block": "html",
    "table_open": "table",
    "tr_open": "row",
    "list_item_open": "item",
    "paragraph_open": "paragraph",
    "front_matter": "fm",
}


def truth_of(text: str) -> Truth:
    """Parse the whole document and note what must stay whole."""
    truth = Truth(text, [match.start() for match in re.finditer(r"\S", text)])
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text)), len(text)]
    environment: dict[str, dict[str, str]] = {}
    tokens = BLOCKS.parse(text, environment)
    truth.sections.append((0, 0, (), False))
    path: dict[int, str] = {}
    for index, token in enumerate(tokens):
        if token.map is None:
            continue
        first, last = (starts[line] for line in token.map)
        span = (truth.at(first), truth.at(last))
        kind = SPANS.get(token.type)
        if token.level == 0 and token.type in ("bullet_list_open", "ordered_list_open"):
            kind = "list"
        if kind:
            truth.spans.setdefault(kind, []).append(span)
        if token.type in ("fence", "code_block", "html_block"):
            for match in re.finditer(r"(?m)^\s*#{1,6}\s+(.*\S)", text[first:last]):
                truth.hashes[truth.at(first + match.start())] = match[1]
        if token.type == "heading_open" and token.level == 0 and token.tag < "h5":
            words = plain(tokens[index + 1], environment)
            path = {level: above for level, above in path.items() if level < int(token.tag[1])}
            path[int(token.tag[1])] = words
            truth.sections.append((*span, tuple(path.values()), token.markup in ("=", "-")))
    return truth


def plain(heading: Token, environment: dict[str, dict[str, str]]) -> str:
    """A heading's words without marks, link targets left out."""
    children = INLINE.parseInline(heading.content, environment)[0].children or []
    return " ".join(child.content for child in children if child.type != "html_inline")


class ChunkPlace(NamedTuple):
    """A chunk's place: positions of its first non-blank character and after its last."""

    start: int
    end: int
    piece: PeerChunk


def place(truth: Truth, pieces: list[PeerChunk]) -> tuple[list[ChunkPlace], int]:
    """The chunks aligned with the source, and how many of its non-blank characters are in none."""
    source = "".join(truth.text.split())
    placed: list[ChunkPlace] = []
    at = kept = 0
    for piece in pieces:
        first = -1
        for line in [piece.text] if "".join(piece.text.split()) in source else piece.text.splitlines():
            words = "".join(line.split())
            found = source.find(words, at) if words else -1
            if found >= 0:
                first = found if first < 0 else first
                at, kept = found + len(words), kept + len(words)
        if first >= 0:
            placed.append(ChunkPlace(first, at, piece))
    return placed, len(source) - kept


def defects(truth: Truth, pieces: list[PeerChunk]) -> Counter[str]:
    """Everything that is wrong with one document's chunks, counted."""
    placed, lost = place(truth, pieces)
    cuts = sorted({chunk.start for chunk in placed[1:]})
    count: Counter[str] = Counter({"chars_lost": lost, "docs_with_loss": lost > 0})
    count["exact"] = "".join(piece.text for piece in pieces) == truth.text
    count["chunks"] = len(pieces)

    def cut(span: tuple[int, int]) -> bool:
        return bisect_right(cuts, span[0]) < bisect_left(cuts, span[1])

    for kind in ("fence", "table", "row", "list", "item", "html", "fm"):
        count[f"{kind}_split"] = sum(map(cut, truth.spans.get(kind, [])))
    count["fence_altered"] = sum(
        not cut(span) and not kept_as_written(truth, span, placed) for span in truth.spans.get("fence", [])
    )
    named = {heading for chunk in placed for heading in chunk.piece.headings}
    real = {words for *_, path, _ in truth.sections for words in path}
    began = {chunk.start for chunk in placed}
    count["fence_hash"] = sum(
        (at in began and at in cuts) or (words in named and words not in real)
        for at, words in truth.hashes.items()
    )
    for start, end in truth.spans.get("paragraph", []):
        for at in cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]:
            count["sentence_cut"] += truth.text[truth.places[at - 1]] not in ".!?:;。！？…\"'”’)*_`"
    for start, _, _, setext in truth.sections[1:]:
        missed = start not in began
        count["setext_missed" if setext else "atx_missed"] += missed
    count_sections(truth, placed, count)
    for start, end in truth.spans.get("fm", []):
        count["fm_mixed"] += any(chunk.start < end < chunk.end or chunk.start < start for chunk in placed)
    return count


def kept_as_written(truth: Truth, span: tuple[int, int], placed: list[ChunkPlace]) -> bool:
    """Whether a fence that no boundary cuts is in its chunk with its white space."""
    text = truth.text[truth.places[span[0]] : truth.places[span[1] - 1] + 1]
    return any(chunk.start <= span[0] < chunk.end and text in chunk.piece.text for chunk in placed)


def count_sections(truth: Truth, placed: list[ChunkPlace], count: Counter[str]) -> None:
    """Sections mixed or split, and chunks that do not know their ancestors' headings."""
    starts = [start for start, *_ in truth.sections]
    bodies = [
        (body, end)
        for (_, body, _, _), end in zip(truth.sections, [*starts[1:], len(truth.places)], strict=True)
    ]
    if fm := truth.spans.get("fm"):
        bodies[0] = (fm[0][1], bodies[0][1])
    for start, end, piece in placed:
        first = max(bisect_right(starts, start) - 1, 0)
        touched = [i for i in range(first, bisect_left(starts, end)) if bodies[i][0] < bodies[i][1]]
        count["sections_mixed"] += sum(start < bodies[i][1] and bodies[i][0] < end for i in touched) > 1
        known = letters(piece.text) + "".join(letters(heading) for heading in piece.headings)
        count["breadcrumb"] += any(letters(words) not in known for words in truth.sections[first][2])
    begun = sorted(chunk.start for chunk in placed)
    for body, end in bodies:
        count["section_split"] += bisect_right(begun, body) < bisect_left(begun, end)


def letters(text: str) -> str:
    """Letters and digits alone: what a comparison of headings needs."""
    return re.sub(r"\W", "", text)


def corpus(folders: list[Path]) -> list[str]:
    """The texts below the folders, each once."""
    names = ("*.md", "*.markdown", "spec.txt")
    paths = sorted({path for folder in folders for name in names for path in folder.rglob(name)})
    texts = [path.read_bytes().decode("utf-8", "replace") for path in paths if path.is_file()]
    return list(dict.fromkeys(text for text in texts if text.strip()))


def chunkers() -> dict[str, Chunker]:
    """Ours and whichever peers are installed."""
    found: dict[str, Chunker] = {"mnemic": ours}
    for module, make in PEERS.items():
        if find_spec(module):
            found.update(make())
    return found


def seconds(chunker: Chunker, texts: list[str]) -> tuple[float, list[list[PeerChunk]]]:
    """CPU seconds that the texts take, and their chunks."""
    gc.collect()
    gc.freeze()  # what earlier runs left behind shall not slow this one down
    begin = time.process_time()
    pieces = [chunker(text) for text in texts]
    return time.process_time() - begin, pieces


def compare(texts: list[str]) -> None:
    """Print the table."""
    size = sum(len(text.encode()) for text in texts)
    truths = [truth_of(text) for text in texts]
    totals = Counter({kind: sum(len(t.spans.get(kind, [])) for t in truths) for kind in SPANS.values()})
    totals["heading"] = sum(len(t.sections) - 1 for t in truths)
    print(f"{len(texts)} documents, {size / 1e6:.2f} MB; {dict(totals)}")
    rows: dict[str, Counter[str]] = {}
    speed: dict[str, float] = {}
    for name, chunker in chunkers().items():
        chunker("# warm\n\nup\n")
        took, pieces = seconds(chunker, texts)
        speed[name] = size / 1e6 / took
        rows[name] = sum((defects(t, p) for t, p in zip(truths, pieces, strict=True)), Counter())
    print(f"\n{'':16}" + "".join(f"{name:>16}" for name in rows))
    print(f"{'MB/s (CPU)':16}" + "".join(f"{value:16.2f}" for value in speed.values()))
    print(f"{'of ours':16}" + "".join(f"{value / speed['mnemic']:16.2f}" for value in speed.values()))
    for row in ("chunks", "exact", *DAMAGE, *REPORTED):
        print(f"{row:16}" + "".join(f"{count[row]:16,}" for count in rows.values()))
    parse, _ = seconds(lambda text: [PeerChunk(token.type) for token in BLOCKS.parse(text)], texts)
    counted, _ = seconds(ours_with_tokens, texts)
    print(f"\nmarkdown-it-py, blocks alone: {size / 1e6 / parse:.2f} MB/s; ", end="")
    print(f"mnemic with token estimates: {size / 1e6 / counted:.2f} MB/s")
    print("\n".join(f"{row}: {meaning}" for row, meaning in (DAMAGE | REPORTED).items()))


def sizes(texts: list[str]) -> None:
    """Print speed and memory on single texts of growing size."""
    whole = "\n\n".join(texts) + "\n\n"
    ours("# warm\n\nup\n")
    for copies in (1, 2, 5, 50_000_000 // len(whole) + 1):
        text = whole * copies
        took, pieces = seconds(ours, [text])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        size = len(text.encode()) / 1e6
        print(f"{size:5.1f} MB: {size / took:.2f} MB/s, {len(pieces[0]):,} chunks, peak {peak:,.0f} MiB")


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--sizes", action="store_true", help="speed on single texts of up to 50 MB")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, markdown-it-py {version('markdown-it-py')}")
    texts = corpus(options.folders)
    (sizes if options.sizes else compare)(texts)


if __name__ == "__main__":
    main()
