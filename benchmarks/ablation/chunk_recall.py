"""What the cut, the windows and the header bring to recall: passages composed in several ways, ranked alike.

    python benchmarks/ablation/chunk_recall.py SUITES [--realmem NAME...] [--variants NAME...]

SUITES holds the sets realmem and locomo. For each way of composing, every archive's passages and
conversations go into a real index of their own (no units: they would hide the passages), and recall's own
ranking is scored over a pool of 200: RealMem by conversation, LoCoMo by message (categories 1-4) and by
session. A text that two ways have in common is embedded once. Prints a Markdown table, row by row.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import NAMESPACE_OID, uuid5

import numpy as np

from chunking import chunk_message, contextual_header
from evals.locomo import read_pair, score_pairs
from evals.ranking import FoundIds, Metrics, asked, find
from evals.realmem import read_person, score_people
from flows.batches.batch_stages import windows_for
from flows.batches.search_points import SPOKEN, Windows, card_of, chunk_point, conversation_point, turn_of
from inference import load_embedder
from inference.embedder import Embedder
from inference.sparse import encode_document
from schemas.chunk import Chunk
from schemas.conversation import Conversation, Message
from vault.edge import EdgeIndex
from vault.index import IndexedPoint, Vector
from vault.points import DraftPoint, PointKind, SparseVector

QUESTION_WORDS = 60


@dataclass(frozen=True, slots=True)
class ComposedPassage:
    """What a way of composing may use: a chunk with its header, message, and the words that it answers."""

    chunk: Chunk
    header: str
    message: Message
    asked: str


Texts = Callable[[ComposedPassage, Windows], Sequence[str]]
"""The texts to embed for a passage."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way of composing: how messages are cut, what is embedded, and how windows are combined."""

    cut: Callable[[Message], list[Chunk]]
    texts: Texts
    each_window: bool = False
    """A point for every window, the best one counts; else one point with their mean."""


def by_structure(message: Message) -> list[Chunk]:
    """The chunker's own cut."""
    return chunk_message(message.text, message.id)


def whole(message: Message) -> list[Chunk]:
    """One chunk a message."""
    first = chunk_message(message.text, message.id)[0]
    changed = {"text": message.text, "start": 0, "end": len(message.text), "heading_path": (), "flags": ()}
    return [first.model_copy(update=changed)]


def under_header(passage: ComposedPassage, windows: Windows) -> Sequence[str]:
    """Title, headings and speaker, then the chunk."""
    return windows(passage.header, passage.chunk.text)


def first_window(passage: ComposedPassage, windows: Windows) -> Sequence[str]:
    """What the embedder takes in at once, the rest left out."""
    return under_header(passage, windows)[:1]


def bare(passage: ComposedPassage, windows: Windows) -> Sequence[str]:
    """The chunk alone."""
    return windows("", passage.chunk.text)


def question_first(passage: ComposedPassage, windows: Windows) -> Sequence[str]:
    """An answer under the end of its question."""
    header = "\n".join(part for part in (passage.header, passage.asked) if part)
    return windows(header, passage.chunk.text)


def question_only(passage: ComposedPassage, windows: Windows) -> Sequence[str]:
    """An answer by its question alone: header and the user's words, the answer stored but not embedded."""
    return windows(passage.header, passage.asked) if passage.asked else under_header(passage, windows)


WAYS = {
    "by structure, mean of windows (as shipped)": Way(by_structure, under_header),
    "by structure, each window a point": Way(by_structure, under_header, each_window=True),
    "by structure, first window only": Way(by_structure, first_window),
    "one chunk a message, mean of windows": Way(whole, under_header),
    "one chunk a message, each window a point": Way(whole, under_header, each_window=True),
    "without the header": Way(by_structure, bare),
    "the question's words first": Way(by_structure, question_first),
    "answers by their question alone": Way(by_structure, question_only),
}


def drafts_of(conversation: Conversation, way: Way, windows: Windows) -> Iterator[DraftPoint]:
    """The conversation's own point and its passages, composed as `way` says."""
    card = card_of(conversation)
    messages = {message.id: message for message in conversation.messages}
    passages: list[DraftPoint] = []
    for message in conversation.messages:
        spoken = any(segment.origin in SPOKEN for segment in message.segments)
        if message.hidden or not spoken or not message.text.strip():
            continue
        previous = messages.get(message.parent) if message.parent else None
        words = previous.text.split()[-QUESTION_WORDS:] if previous and previous.role == "user" else []
        for chunk in way.cut(message):
            if "heading_only" in chunk.flags:
                continue
            header = contextual_header(chunk, title=card.title, said_at=None, speaker=message.author)
            texts = tuple(way.texts(ComposedPassage(chunk, header, message, " ".join(words)), windows))
            draft = chunk_point(chunk, turn_of(message, previous), True, card, windows)
            passages.append(replace(draft, dense_texts=texts))
    yield conversation_point(conversation, card, passages)
    yield from _by_window(passages) if way.each_window else passages


def _by_window(passages: Sequence[DraftPoint]) -> Iterator[DraftPoint]:
    for draft in passages:
        for number, text in enumerate(draft.dense_texts):
            identity = draft.id if number == 0 else str(uuid5(NAMESPACE_OID, f"{draft.id} {number}"))
            yield replace(draft, id=identity, dense_texts=(text,))


class Remembering:
    """Vectors by text, so that ways share what they have in common."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self._known = embedder, dict[str, Vector]()

    def mean(self, texts: Sequence[str]) -> Vector:
        """The mean of the texts' vectors, of unit length."""
        mean = np.mean([self._known[text] for text in texts], axis=0)
        return np.asarray(mean / np.linalg.norm(mean), np.float32)

    def learn(self, drafts: Sequence[DraftPoint]) -> None:
        """Embed what is new."""
        new = [text for draft in drafts for text in draft.dense_texts if text not in self._known]
        new = list(dict.fromkeys(new))
        self._known.update(zip(new, self._embedder.embed(new), strict=True))


def indexed(draft: DraftPoint, vectors: Remembering) -> IndexedPoint:
    """The point as an ingest would load it."""
    sparse = SparseVector(*encode_document(draft.lexical_text, draft.average_terms))
    return IndexedPoint(draft.id, draft.payload, vectors.mean(draft.dense_texts), sparse)


@contextmanager
def index_of(
    conversations: Sequence[Conversation], way: Way, embedder: Embedder, vectors: Remembering
) -> Iterator[EdgeIndex]:
    """An index of one account."""
    windows = windows_for(embedder)
    drafts = [draft for one in conversations for draft in drafts_of(one, way, windows)]
    vectors.learn(drafts)
    with TemporaryDirectory() as folder:
        index = EdgeIndex.create(Path(folder) / "index", embedder.dimension)
        index.upsert(indexed(draft, vectors) for draft in drafts)
        yield index
        index.close()


def ranker(index: EdgeIndex, embedder: Embedder) -> Callable[[str, str, datetime | None], FoundIds]:
    """Recall's own ranking over passages and conversations."""
    kinds = (PointKind.CHUNK, PointKind.CONVERSATION)

    def rank(query: str, account: str, before: datetime | None) -> FoundIds:
        question = asked(query, account, before)
        return find(replace(question, where=replace(question.where, kinds=kinds)), index, embedder)

    return rank


def together(scores: Sequence[Metrics]) -> Metrics:
    """The mean over all rows of several archives."""
    rows = sum(one.rows for one in scores)
    names = ("recall_at_1", "recall_at_5", "recall_at_10", "mrr")
    means = {name: sum(getattr(one, name) * one.rows for one in scores) / rows for name in names}
    return Metrics(rows=rows, **means)


def cells(metrics: Metrics) -> str:
    """R@1, 5, 10, MRR."""
    values = (metrics.recall_at_1, metrics.recall_at_5, metrics.recall_at_10, metrics.mrr)
    return ", ".join(f"{value:.3f}" for value in values)


def main() -> None:
    """Score every way on both suites."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", type=Path)
    parser.add_argument("--realmem", nargs="*", help="people to take; all where none is named")
    parser.add_argument("--variants", nargs="*", default=list(WAYS), choices=list(WAYS))
    options = parser.parse_args()
    archives = sorted((options.suites / "realmem").glob("*.zip"))
    people = [read_person(one) for one in archives if not options.realmem or one.stem in options.realmem]
    pairs = [read_pair(one) for one in sorted((options.suites / "locomo").glob("*.transcript.jsonl"))]
    embedder = load_embedder()
    known = {one.account: Remembering(embedder) for one in people}
    known |= {one.account: Remembering(embedder) for one in pairs}
    print("| way | points | RealMem R@1, 5, 10, MRR | LoCoMo R@1, 5, 10, MRR | sessions R@10 |")
    print("|---|---|---|---|---|", flush=True)
    for name in options.variants:
        points, by_person, by_pair, by_session = 0, list[Metrics](), list[Metrics](), list[Metrics]()
        for person in people:
            with index_of(person.conversations, WAYS[name], embedder, known[person.account]) as index:
                by_person.append(score_people([person], ranker(index, embedder), "offline"))
                points += index.count()
        for pair in pairs:
            with index_of(pair.conversations, WAYS[name], embedder, known[pair.account]) as index:
                score = score_pairs([pair], ranker(index, embedder), "offline")
                by_pair.append(score)
                by_session += [score.session] if score.session else []
                points += index.count()
        scores = (together(by_person), together(by_pair))
        sessions = f"{together(by_session).recall_at_10:.3f}"
        print("|", " | ".join([name, f"{points:,}", *map(cells, scores), sessions]), "|", flush=True)


if __name__ == "__main__":
    main()
