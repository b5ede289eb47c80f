"""How a ranking is scored against gold ids, and what the retrieval suites report."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias, TypeVar

from flows.ingest.steps import IngestRequest, ingest
from inference import load_embedder
from inference.embedder import Embedder
from retrieval.funnel import FUNNEL, Around, fitting, nothing_around, package_of
from retrieval.funnel_step import Step
from retrieval.question import LIMIT, POOL, Question
from retrieval.rank.overviews import beside
from retrieval.search.hybrid import Candidate, gather
from schemas.base import Noun
from schemas.errors import PathMissing
from vault.index import Index, Where
from vault.points import PointKind
from vault.reader import open_vault

Row = TypeVar("Row", bound=Noun)

CUTS = (1, 5, 10, 20, 30)
_DISCOUNTED = 10
"""Places that the discounted gain looks at."""
PACKAGE_TOKENS = (1000, 2000)
"""Budgets that the README of the evaluation sets names."""


class JudgedCandidate(Noun):
    """A candidate that came to the fit-gate, and whether it stayed."""

    conversation: str
    message: str | None
    kept: bool


class FoundIds(Noun):
    """What one query brought up: ids in order, each once."""

    conversations: tuple[str, ...]
    """By their best hit in the pool."""
    messages: tuple[str, ...]
    packages: dict[int, tuple[str, ...]]
    """Conversations in the package, by its budget in tokens."""
    judged: tuple[JudgedCandidate, ...] = ()
    """Candidates above the similarity floor in ranked order, with the gate's word on each."""


class Metrics(Noun):
    """Means over the queries. Recall is the fraction of a query's gold ids among the first so many."""

    rows: int
    recall_at_1: float
    recall_at_5: float
    recall_at_10: float
    mrr: float
    """Reciprocal rank of the first gold id; 0 where none is in the ranking."""
    recall_at_20: float = 0.0
    recall_at_30: float = 0.0
    ndcg_at_10: float = 0.0
    """Discounted cumulative gain of the gold ids, each counted once, over that of the best ranking: 0-1."""


class RankingScore(Metrics):
    """One retrieval suite, beside BM25 on the raw texts in the same run."""

    engine: str
    baseline: Metrics
    by_category: dict[str, Metrics]
    with_gate: Metrics | None = None
    """The same ranking without what floor and gate drop."""
    gate_dropped: float = 0.0
    """Share dropped by the gate of the candidates that came to it and are not gold."""
    recall_in_package: dict[int, float]
    """Fraction of gold conversations that the package holds, by its budget in tokens."""
    session: Metrics | None = None
    """The same queries over whole sessions, where the suite's own level is the message."""
    session_baseline: Metrics | None = None


class RankingDumpRow(Noun):
    """The ranked results of one query, as `--dump` writes them, in the evaluation's own ids."""

    query_id: str
    query: str
    gold: tuple[str, ...]
    ranked: tuple[str, ...]
    baseline: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A query's gold and a ranking of the same kind of id."""

    category: str
    gold: frozenset[str]
    ranking: Sequence[str]


Rank: TypeAlias = Callable[[str, str, datetime | None], FoundIds]
"""(query, account, before) to what was found."""


def measure(rows: Sequence[Ranked]) -> Metrics:
    """The metrics over all rows; rows without gold do not count."""
    scored = [row for row in rows if row.gold]
    recalls = {cut: [_recall(row, cut) for row in scored] for cut in CUTS}
    return Metrics(
        rows=len(scored),
        recall_at_1=mean(recalls[1]),
        recall_at_5=mean(recalls[5]),
        recall_at_10=mean(recalls[10]),
        mrr=mean([_reciprocal(row) for row in scored]),
        recall_at_20=mean(recalls[20]),
        recall_at_30=mean(recalls[30]),
        ndcg_at_10=mean([_gain(row) for row in scored]),
    )


def measure_by_category(rows: Iterable[Ranked]) -> dict[str, Metrics]:
    """The metrics of each category, by its name."""
    groups: dict[str, list[Ranked]] = defaultdict(list)
    for row in rows:
        groups[row.category].append(row)
    return {name: measure(group) for name, group in sorted(groups.items())}


def mean(values: Sequence[float]) -> float:
    """Rounded to four places; 0 of nothing."""
    return round(sum(values) / len(values), 4) if values else 0.0


def share(gold: frozenset[str], found: Iterable[str]) -> float:
    """Fraction of the gold ids that were found."""
    return len(gold & set(found)) / len(gold)


def _recall(row: Ranked, cut: int) -> float:
    return share(row.gold, row.ranking[:cut])


def _reciprocal(row: Ranked) -> float:
    return next((1 / place for place, one in enumerate(row.ranking, 1) if one in row.gold), 0.0)


def _gain(row: Ranked) -> float:
    """nDCG of one query, binary relevance. An id that is named again gains nothing."""
    ranking = list(dict.fromkeys(row.ranking))[:_DISCOUNTED]
    gained = sum(1 / math.log2(place + 1) for place, one in enumerate(ranking, 1) if one in row.gold)
    best = sum(1 / math.log2(place + 1) for place in range(1, min(len(row.gold), _DISCOUNTED) + 1))
    return gained / best


@contextmanager
def ranker(archives: Sequence[Path], vault: Path | None) -> Iterator[Rank]:
    """Ingest the archives and rank by recall's own pool.

    `vault`: the folder to ingest into, which makes a second run quick; None for one that is thrown away.
    Each archive is an account of its own, as its reader names it.
    """
    with TemporaryDirectory() as scratch:
        root = vault or Path(scratch) / "vault"
        ingest(IngestRequest(vault=root, archives=tuple(archives), command="eval", apart=True))
        embedder = load_embedder()
        with open_vault(root) as reader:
            yield lambda query, account, before: find(asked(query, account, before), reader.index, embedder)


def asked(query: str, account: str, before: datetime | None) -> Question:
    """A suite's query as a question with recall's own limit and pool; as of `before`, else timeless."""
    return Question(query, Where(account, before=before), before or TIMELESS, LIMIT, POOL)


TIMELESS = datetime.min.replace(tzinfo=UTC)
"""A moment before anything was said: nothing has faded yet."""


def find(question: Question, index: Index, embedder: Embedder) -> FoundIds:
    """Rank conversations and messages by their best hit in the pool, and fill the packages.

    A thread is nobody's one conversation, so its map counts for none; in a package it takes its room.
    """
    around = partial(beside, index=index, embedder=embedder)
    return found_among(question, gather(question, index, embedder), dict(FUNNEL), around=around)


def found_among(
    question: Question,
    candidates: Sequence[Candidate],
    steps: Mapping[str, Step],
    budgets: Sequence[int] = PACKAGE_TOKENS,
    gate: Step = fitting,
    around: Around = nothing_around,
    *,
    abstains: bool = True,
) -> FoundIds:
    """What is found among the candidates by such a funnel: its rank orders, floor and gate annotate."""
    pool = [one for one in steps["rank"](question, candidates)[0] if one.payload.kind is not PointKind.THREAD]
    above, _ = steps["similarity floor"](question, candidates)
    fit = {one.id for one in gate(question, above)[0]}
    came = {one.id for one in above}
    packages = {
        budget: package_of(
            replace(question, options=replace(question.options, budget=budget)),
            candidates,
            steps=tuple(steps.items()),
            around=around,
            abstains=abstains,
        )
        for budget in budgets
    }
    return FoundIds(
        conversations=tuple(dict.fromkeys(one.payload.conversation_id for one in pool)),
        messages=tuple(dict.fromkeys(one.payload.message_id for one in pool if one.payload.message_id)),
        packages={
            budget: tuple(
                dict.fromkeys(hit.conversation_id for hit in package.hits if hit.kind is not PointKind.THREAD)
            )
            for budget, package in packages.items()
        },
        judged=tuple(
            JudgedCandidate(
                conversation=one.payload.conversation_id, message=one.payload.message_id, kept=one.id in fit
            )
            for one in pool
            if one.id in came
        ),
    )


class GateCount:
    """What the gate did over many queries."""

    def __init__(self) -> None:
        self._rows: list[Ranked] = []
        self._came = self._dropped = 0

    def add(self, category: str, gold: frozenset[str], judged: Sequence[tuple[str, bool]]) -> None:
        """One query: (own id, kept) of each candidate, in ranked order."""
        kept = tuple(dict.fromkeys(one for one, stays in judged if stays))
        self._rows.append(Ranked(category, gold, kept))
        others = [stays for one, stays in judged if one not in gold]
        self._came += len(others)
        self._dropped += others.count(False)

    def metrics(self, categories: Sequence[str] | None = None) -> Metrics:
        """The ranking of what was kept; of some categories alone where they are named."""
        return measure([row for row in self._rows if categories is None or row.category in categories])

    @property
    def dropped(self) -> float:
        """Share of the candidates that are not gold."""
        return round(self._dropped / self._came, 4) if self._came else 0.0


def read_rows(path: Path, kind: type[Row]) -> list[Row]:
    """The lines of a JSON Lines file. Raises PathMissing where there is no such file."""
    if not path.is_file():
        raise PathMissing("no such file", where=str(path))
    return [kind.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def write_dump(path: Path, rows: Iterable[RankingDumpRow]) -> None:
    """One JSON object a line."""
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row.model_dump(), ensure_ascii=False) + "\n" for row in rows)


def own_ids(ids: Iterable[str], natives: Mapping[str, str]) -> tuple[str, ...]:
    """Ids of mnemic as the evaluation set writes them."""
    return tuple(natives[one] for one in ids)
