"""Finding the conversations that a question is about: mnemic beside BM25 alone, plain Chroma and MemPalace.

Questions and gold are those beside the archive. Everybody ranks conversations by their best hit, among those
that began before the question. The stage `ingest` must have run: its vault and its palace are asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from importlib import import_module
from pathlib import Path

from benchmarks.stages import Contenders, Figures, Setting, Work
from benchmarks.stages.chroma_model import lay_out
from benchmarks.stages.ingest import PALACE, VAULT
from evals.bm25 import Bm25
from evals.ranking import Ranked, asked, find, measure
from evals.realmem import Person, RealMemQuery, read_person
from inference import load_embedder
from retrieval import Question, recall
from retrieval.question import NOW
from vault.index import Where
from vault.reader import open_vault

PIECE, POOL = 1_000, 200
"""Characters of a piece of a message, as quick starts of vector stores cut; hits that are ranked."""
Find = Callable[[RealMemQuery], Sequence[str]]
"""A query to the archive's own ids of conversations, best first."""


def _asking(person: Person, queries: int, find_one: Find, timed: Callable[[RealMemQuery], object]) -> Figures:
    """Quality by `find_one`, time by `timed`: what a person waits for."""
    asked_for = person.queries[:queries]
    timed(asked_for[0])
    began = time.process_time()
    for query in asked_for:
        timed(query)
    spent = 1000 * (time.process_time() - began) / len(asked_for)
    rows = [Ranked(one.category, frozenset(one.gold_conversations), find_one(one)) for one in asked_for]
    found = measure(rows)
    return {
        "R@1": found.recall_at_1, "R@5": found.recall_at_5, "R@10": found.recall_at_10, "MRR": found.mrr,
        "ms a query": round(spent, 1),
    }  # fmt: skip


def _earlier(person: Person, ids: Sequence[str], before: datetime) -> list[str]:
    began = {one.native_id: one.created_at for one in person.conversations}
    times = ((one, began.get(one)) for one in dict.fromkeys(ids))
    return [one for one, moment in times if moment is not None and moment < before]


def mnemic(setting: Setting) -> Work:
    """The ranking of the whole pool for quality, a recall as the command does it for time."""
    person, embedder = read_person(setting.archive), load_embedder()

    def work() -> Figures:
        with open_vault(setting.folder / VAULT) as reader:

            def ranking(query: RealMemQuery) -> Sequence[str]:
                question = asked(query.query, person.account, query.before)
                found = find(question, reader.index, embedder)
                return [person.natives[one] for one in found.conversations]

            def once(query: RealMemQuery) -> object:
                question = Question(query.query, Where(person.account), query.before or NOW)
                return recall(question, reader.index, embedder)

            return _asking(person, setting.queries, ranking, once)

    return work


def bm25(setting: Setting) -> Work:
    """Whole conversations by their words."""
    person = read_person(setting.archive)
    texts = ["\n".join(one.text for one in talk.active_messages()) for talk in person.conversations]
    index = Bm25(texts)

    def ranking(query: RealMemQuery) -> Sequence[str]:
        found = [person.conversations[number].native_id for number in index.ranking(query.query)]
        return _earlier(person, found, query.before)

    return lambda: _asking(person, setting.queries, ranking, ranking)


def chroma(setting: Setting) -> Work:
    """Pieces of messages, Chroma's own embedding function, cosine."""
    lay_out(Path.home())
    person, library = read_person(setting.archive), import_module("chromadb")
    pieces = [
        (talk.native_id, int(talk.created_at.timestamp()), message.text[start : start + PIECE])
        for talk in person.conversations
        if talk.created_at is not None
        for message in talk.active_messages()
        for start in range(0, len(message.text), PIECE)
    ]
    client = library.PersistentClient(str(setting.folder / "chroma"))
    made = client.create_collection("talks", configuration={"hnsw": {"space": "cosine"}})
    for start in range(0, len(pieces), POOL):
        part = pieces[start : start + POOL]
        made.add(
            ids=[str(start + number) for number in range(len(part))],
            documents=[text for _, _, text in part],
            metadatas=[{"talk": talk, "began": began} for talk, began, _ in part],
        )

    def ranking(query: RealMemQuery) -> Sequence[str]:
        earlier = {"began": {"$lt": int(query.before.timestamp())}}
        found = made.query(query_texts=[query.query], n_results=POOL, where=earlier)
        return list(dict.fromkeys(one["talk"] for one in found["metadatas"][0]))

    return lambda: _asking(person, setting.queries, ranking, ranking)


def mempalace(setting: Setting) -> Work:
    """Its own search, with as many hits as it is asked for."""
    lay_out(Path.home())
    person, searcher = read_person(setting.archive), import_module("mempalace.searcher")

    def ranking(query: RealMemQuery) -> Sequence[str]:
        found = searcher.search_memories(query.query, str(setting.folder / PALACE), n_results=POOL)
        names = [Path(one["source_file"]).stem for one in found["results"]]
        return _earlier(person, names, query.before)

    return lambda: _asking(person, setting.queries, ranking, ranking)


CONTENDERS: Contenders = {
    "mnemic": mnemic, "BM25 alone": bm25, "Chroma + MiniLM": chroma, "MemPalace": mempalace,
}  # fmt: skip
