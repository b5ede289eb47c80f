"""The realmem suite: conversations of a user with an assistant, ranked for queries of the same user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from archives import open_archive
from evals.bm25 import Bm25
from evals.ranking import (
    PACKAGE_TOKENS,
    GateCount,
    Rank,
    Ranked,
    RankingDumpRow,
    RankingScore,
    mean,
    measure,
    measure_by_category,
    own_ids,
    ranker,
    read_rows,
    share,
    write_dump,
)
from schemas.base import Instant, Noun
from schemas.conversation import Conversation
from schemas.errors import PathMissing


class RealMemQuery(Noun):
    """One line of `<person>.queries.jsonl`; only conversations that began before `before` may answer."""

    id: str
    query: str
    before: Instant
    category: str
    gold_conversations: tuple[str, ...]
    gold_notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Person:
    """One archive with its queries."""

    account: str
    conversations: tuple[Conversation, ...]
    queries: tuple[RealMemQuery, ...]

    @property
    def natives(self) -> dict[str, str]:
        """The archive's own id of a conversation, by ours."""
        return {one.id: one.native_id for one in self.conversations}


def run_realmem_eval(
    folder: Path, engine: str = "offline", dump: Path | None = None, vault: Path | None = None
) -> RankingScore:
    """Score the ranking of conversations over a pool of 200, and the packages, for everybody in the folder.

    `vault` keeps the ingest for another run. Raises PathMissing where the folder holds no archive, or one
    without its queries.
    """
    archives = sorted(folder.glob("*.zip"))
    if not archives:
        raise PathMissing("no archives of the realmem suite", where=str(folder))
    with ranker(archives, vault) as rank:
        return score_people([read_person(path) for path in archives], rank, engine, dump)


def read_person(path: Path) -> Person:
    """The archive at `path` and the queries beside it."""
    queries = read_rows(path.with_name(f"{path.stem}.queries.jsonl"), RealMemQuery)
    with open_archive(path) as archive:
        return Person(archive.account, tuple(archive.conversations()), tuple(queries))


def score_people(people: Sequence[Person], rank: Rank, engine: str, dump: Path | None = None) -> RankingScore:
    """Rank every query and its baseline, and measure both."""
    rows, lines = list[Ranked](), list[Ranked]()
    packages: dict[int, list[float]] = {budget: [] for budget in PACKAGE_TOKENS}
    dumped: list[RankingDumpRow] = []
    gate = GateCount()
    for person in people:
        baseline, natives = _Baseline(person.conversations), person.natives
        for query in person.queries:
            gold = frozenset(query.gold_conversations)
            found = rank(query.query, person.account, query.before)
            ranking = own_ids(found.conversations, natives)
            raw = baseline.ranking(query.query, query.before)
            rows.append(Ranked(query.category, gold, ranking))
            lines.append(Ranked(query.category, gold, raw))
            gate.add(query.category, gold, [(natives[one.conversation], one.kept) for one in found.judged])
            for budget, inside in found.packages.items():
                packages[budget].append(share(gold, own_ids(inside, natives)))
            dumped.append(
                RankingDumpRow(
                    query_id=query.id, query=query.query, gold=tuple(gold), ranked=ranking, baseline=raw
                )
            )
    if dump is not None:
        write_dump(dump, dumped)
    return RankingScore(
        **measure(rows).model_dump(),
        engine=engine,
        baseline=measure(lines),
        by_category=measure_by_category(rows),
        with_gate=gate.metrics(),
        gate_dropped=gate.dropped,
        recall_in_package={budget: mean(shares) for budget, shares in packages.items()},
    )


class _Baseline:
    """BM25 over whole conversations, every message of the active branch."""

    def __init__(self, conversations: Sequence[Conversation]) -> None:
        self._conversations = conversations
        self._index = Bm25(
            ["\n".join(message.text for message in one.active_messages()) for one in conversations]
        )

    def ranking(self, query: str, before: datetime) -> tuple[str, ...]:
        """The archive's own ids of the conversations that began before `before`, best first."""
        found = (self._conversations[number] for number in self._index.ranking(query))
        return tuple(one.native_id for one in found if one.created_at and one.created_at < before)
