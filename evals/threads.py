"""The scorer of `threads.jsonl`: whether two conversations of one archive are rightly called one thread.

Conversations are embedded as the index embeds them, and linked as an ingest links a new account's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from evals.conversations import ACCOUNT, EvalConversation, as_conversation
from extract.threads.likeness import Matrix, Talk
from extract.threads.linking import link
from extract.threads.word_profile import profile_of
from flows.batches.batch_stages import chunks_of, embed_points, windows_for
from flows.batches.search_points import card_of, chunk_points, conversation_point
from inference import load_embedder
from inference.embedder import Embedder
from schemas.base import Noun
from schemas.errors import InputError, PathMissing, UsageError

Pair = tuple[str, str]


class GoldThread(Noun):
    """Conversations that are one thread."""

    label: str
    conversation_ids: tuple[str, ...]


class ThreadsRow(Noun):
    """One line of `threads.jsonl`: an archive with its threads."""

    conversations: tuple[EvalConversation, ...]
    threads: tuple[GoldThread, ...]
    singletons: tuple[str, ...] = ()


class ThreadsScore(Noun):
    """Pairs of conversations over all rows; shares are 0-1."""

    engine: str
    rows: int
    conversations: int
    precision: float
    """Pairs rightly called one thread, of all pairs called so."""
    recall: float
    f1: float
    threads: int
    """Threads found."""
    largest: int
    """Conversations of the largest thread found."""


def run_threads_eval(path: Path, engine: str = "offline", dump: Path | None = None) -> ThreadsScore:
    """Score the threads found in every archive of the file; `dump` receives them, one line an archive.

    Raises UsageError for an engine that this scorer cannot run, PathMissing, and InputError naming the line
    that does not parse.
    """
    if engine != "offline":
        raise UsageError(f"no engine {engine!r} to score", remedy="use --engine offline")
    rows = read_archives(path)
    embedder = load_embedder()
    found = [find_threads(row.conversations, embedder) for row in rows]
    if dump is not None:
        dump.write_text("".join(json.dumps(threads) + "\n" for threads in found), encoding="utf-8")
    return score_threads(rows, found, engine)


def read_archives(path: Path) -> list[ThreadsRow]:
    """The rows of a `threads.jsonl`."""
    if not path.is_file():
        raise PathMissing("no such file", where=str(path), remedy="Name a threads.jsonl")
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            try:
                rows.append(ThreadsRow.model_validate_json(line))
            except ValueError as error:
                where = f"{path.name}:{number}"
                raise InputError("not a row of threads.jsonl", where=where, why=str(error)) from error
    return rows


def find_threads(conversations: Sequence[EvalConversation], embedder: Embedder) -> list[list[str]]:
    """The threads of an archive, as lists of the evaluation's own ids."""
    talks, vectors = likened(conversations, embedder)
    names = {talk.id: one.id for talk, one in zip(talks, conversations, strict=True)}
    return [[names[one] for one in group.conversation_ids] for group in link(ACCOUNT, talks, vectors)]


def likened(conversations: Sequence[EvalConversation], embedder: Embedder) -> tuple[list[Talk], Matrix]:
    """What an archive's threads are found by, in its order: talks, and a row of their vectors for each."""
    windows = windows_for(embedder)
    talks, points = [], []
    for one in conversations:
        conversation = as_conversation(one)
        card = card_of(conversation)
        chunks = chunk_points(conversation, chunks_of(conversation), card, windows)
        points.append(conversation_point(conversation, card, chunks))
        talks.append(Talk(conversation.id, card.began, profile_of(conversation)))
    vectors = embed_points(points, embedder)
    return talks, np.stack([vectors[point.id] for point in points])


def score_threads(
    rows: Sequence[ThreadsRow], found: Sequence[Sequence[Sequence[str]]], engine: str = "offline"
) -> ThreadsScore:
    """Pairwise precision, recall and F1 of "same thread"; an archive's pairs are its own."""
    right = called = gold = 0
    for row, threads in zip(rows, found, strict=True):
        wanted = _pairs(thread.conversation_ids for thread in row.threads)
        made = _pairs(threads)
        right, called, gold = right + len(wanted & made), called + len(made), gold + len(wanted)
    precision = right / called if called else 1.0
    recall = right / gold if gold else 1.0
    return ThreadsScore(
        engine=engine,
        rows=len(rows),
        conversations=sum(len(row.conversations) for row in rows),
        precision=round(precision, 4),
        recall=round(recall, 4),
        f1=round(2 * precision * recall / (precision + recall), 4) if right else 0.0,
        threads=sum(map(len, found)),
        largest=max((len(thread) for threads in found for thread in threads), default=0),
    )


def _pairs(threads: Iterable[Sequence[str]]) -> set[Pair]:
    return {pair for thread in threads for pair in combinations(sorted(thread), 2)}
