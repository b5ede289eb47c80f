"""The two analysts. Both go through the one funnel, each inside a budget of its own.

depth      recall's own answer says which DEPTH_NEIGHBOURHOODS carry most of it; then everything that those
           threads say on the prompt, with their map and summary
breadth    the prompt is put in up to four ways (`retrieval.search.decomposition`); the ways take turns, and
           no conversation gives more than BREADTH_SHARE notes

A *neighbourhood* is a thread, or a conversation or document that is in none. Neither analyst sees what the
other found: where they agree, they came to it by different ways.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain, zip_longest

from inference.embedder import Embedder
from inference.query_vectors import RememberedQueries
from retrieval.assembly import DroppedCandidate
from retrieval.funnel import FUNNEL, package_of, read_as, recall
from retrieval.package import Package
from retrieval.question import NOW, Question
from retrieval.search.decomposition import VARIATION_COUNTS, as_asked, merged, put, ways_of
from retrieval.search.hybrid import Candidate, gather
from retrieval.search.query_spelling import corrected
from retrieval.search.variation import Variation
from retrieval.thread_order import thread_of
from vault.index import Index
from vault.points import OVERVIEWS

DEPTH_NEIGHBOURHOODS = 2
"""Threads that the depth analyst reads."""

DEPTH_LIMIT = 40
"""Notes that it takes at most: what has no room in its budget is cut by the assembly."""

BREADTH_SHARE = 2
"""Notes of one conversation in the breadth analyst's package."""

PROMPT = "prompt"
"""The aim of a note that the prompt itself found best."""


@dataclass(frozen=True, slots=True)
class Breadth:
    """The breadth analyst's package."""

    package: Package
    ways: tuple[Variation, ...]
    """How the prompt was put."""
    aims: Mapping[str, str]
    """Of each hit, by its id, the aim of the way that found it best."""


def neighbourhood(conversation: str, index: Index, account: str) -> str:
    """The thread of a conversation, by its first conversation; without one the conversation itself."""
    return thread_of(conversation, index.threads(account)) or conversation


def pair_of(question: Question, index: Index, embedder: Embedder | None) -> tuple[Package, Breadth]:
    """The packages of both analysts for one prompt."""
    if question.as_of == NOW:
        question = replace(question, as_of=datetime.now(UTC))
    remembered = RememberedQueries(embedder) if embedder else None
    return depth(question, index, remembered), breadth(question, index, remembered)


def depth(question: Question, index: Index, embedder: Embedder | None) -> Package:
    """Few neighbourhoods, whole: what the threads that carry most of recall's answer say on the prompt."""
    first = recall(replace(question, decomposed=False), index, embedder)
    if first.query != question.text:
        question = read_as(first.query, question)
    threads = index.threads(question.where.account)
    weight: dict[str, float] = defaultdict(float)
    for hit in first.hits:
        if hit.kind not in OVERVIEWS:
            weight[thread_of(hit.conversation_id, threads) or hit.conversation_id] += hit.score
    homes = sorted(weight, key=lambda home: (-weight[home], home))[:DEPTH_NEIGHBOURHOODS]
    if not homes:
        return first
    members = {one.conversation_id for home in homes for one in threads.get(home, ())} | set(homes)
    if question.where.conversations is not None:
        members &= set(question.where.conversations)
    where = replace(question.where, conversations=tuple(sorted(members)))
    deeper = replace(question, where=where, limit=max(question.limit, DEPTH_LIMIT), decomposed=False)
    return recall(deeper, index, embedder)


def breadth(
    question: Question, index: Index, embedder: Embedder | None, *, as_written: bool = False
) -> Breadth:
    """Many neighbourhoods, a little of each: the notes of the prompt and of the ways it is put, in turns."""
    ways = ways_of(question)
    parts = put(ways, question)
    asked = [question, *(part for _, part in parts)]
    names = [PROMPT, *(way.aim for way, _ in parts)]
    with ThreadPoolExecutor(len(asked)) as workers:
        pools = list(workers.map(lambda one: gather(one, index, embedder), asked))
    counts = [1.0, *[VARIATION_COUNTS] * len(parts)]
    pool = merged(pools, counts)[: question.pool]
    pool = as_asked(question, pool, {one.id for one in pools[0]}, index, embedder)
    text = corrected(question.text, (said for one in pool for said in (one.home, one.payload.text)))
    if text != question.text and not as_written:
        return breadth(read_as(text, question), index, embedder, as_written=True)
    aims = _aims(pools, counts, names)
    steps = [(name, partial(wide, aims) if name == "limit" else step) for name, step in FUNNEL]
    package = package_of(question, pool, steps=steps)
    of_hits = {one.payload.ref: aims[one.id] for one in pool}
    return Breadth(package, tuple(ways), {hit.id: of_hits[hit.id] for hit in package.hits})


def _aims(
    pools: Sequence[Sequence[Candidate]], counts: Sequence[float], names: Sequence[str]
) -> dict[str, str]:
    """By point id, the aim that a note is most relevant to."""
    best: dict[str, tuple[float, str]] = {}
    for pool, count, name in zip(pools, counts, names, strict=True):
        for one in pool:
            relevance = one.relevance * count
            if one.id not in best or relevance > best[one.id][0]:
                best[one.id] = relevance, name
    return {point: name for point, (_, name) in best.items()}


def wide(
    aims: Mapping[str, str], question: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """As many as were asked for, the aims taking turns, of each conversation BREADTH_SHARE."""
    said = Counter[str]()
    queues: dict[str, list[Candidate]] = defaultdict(list)
    drops: list[DroppedCandidate] = []
    for one in candidates:
        home = one.payload.conversation_id
        said[home] += 1
        if said[home] > BREADTH_SHARE:
            drops.append(
                DroppedCandidate(one, "breadth", f"{BREADTH_SHARE} notes of its conversation are in")
            )
        else:
            queues[aims[one.id]].append(one)
    turns = [one for one in chain.from_iterable(zip_longest(*queues.values())) if one is not None]
    kept = {one.id for one in turns[: question.limit]}
    late = f"ranked below the first {question.limit}"
    drops += [DroppedCandidate(one, "limit", late) for one in turns if one.id not in kept]
    return [one for one in candidates if one.id in kept], drops
