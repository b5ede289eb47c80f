"""The locomo suite: long conversations of two people, their messages ranked for questions about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from archives import open_archive
from evals.bm25 import Bm25
from evals.ranking import (
    PACKAGE_TOKENS,
    GateCount,
    Metrics,
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
from schemas.base import Noun
from schemas.conversation import Conversation
from schemas.errors import PathMissing

SCORED_CATEGORIES = ("1", "2", "3", "4")
"""The headline figures leave out category 5, whose questions have no answer in the conversation."""


class LocomoQuery(Noun):
    """One line of `<name>.queries.jsonl`."""

    id: str
    query: str
    category: int
    gold_messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpeakerPair:
    """Two people's transcript with its queries."""

    account: str
    conversations: tuple[Conversation, ...]
    queries: tuple[LocomoQuery, ...]

    @property
    def natives(self) -> dict[str, str]:
        """The transcript's own id of a session or message, by ours."""
        sessions = {one.id: one.native_id for one in self.conversations}
        return sessions | {said.id: said.native_id for one in self.conversations for said in one.messages}

    @property
    def session_of(self) -> dict[str, str]:
        """A message's session, both in the transcript's own ids."""
        return {said.native_id: one.native_id for one in self.conversations for said in one.messages}


def run_locomo_eval(
    folder: Path, engine: str = "offline", dump: Path | None = None, vault: Path | None = None
) -> RankingScore:
    """Score the ranking of messages (and of sessions) over a pool of 200, for every transcript of the folder.

    `vault` keeps the ingest for another run. Raises PathMissing where the folder holds no transcript.
    """
    transcripts = sorted(folder.glob("*.transcript.jsonl"))
    if not transcripts:
        raise PathMissing("no transcripts of the locomo suite", where=str(folder))
    with ranker(transcripts, vault) as rank:
        return score_pairs([read_pair(path) for path in transcripts], rank, engine, dump)


def read_pair(path: Path) -> SpeakerPair:
    """The transcript at `path` and the queries beside it."""
    queries = read_rows(path.with_name(path.name.replace(".transcript.", ".queries.")), LocomoQuery)
    with open_archive(path) as archive:
        return SpeakerPair(archive.account, tuple(archive.conversations()), tuple(queries))


def score_pairs(
    pairs: Sequence[SpeakerPair], rank: Rank, engine: str, dump: Path | None = None
) -> RankingScore:
    """Rank every query and its baselines, by message and by session, and measure them.

    The headline is by message over categories 1-4; `by_category` has each category, and `1-5` all of them.
    """
    rows = _Rows([], [], [], [])
    packages: dict[int, list[float]] = {budget: [] for budget in PACKAGE_TOKENS}
    dumped: list[RankingDumpRow] = []
    gate = GateCount()
    for pair in pairs:
        baseline, natives, session_of = _Baseline(pair.conversations), pair.natives, pair.session_of
        for query in pair.queries:
            gold, category = frozenset(query.gold_messages), str(query.category)
            sessions = frozenset(session_of[one] for one in gold)
            found = rank(query.query, pair.account, None)
            ranking = own_ids(found.messages, natives)
            raw = baseline.messages(query.query)
            rows.messages.append(Ranked(category, gold, ranking))
            rows.messages_raw.append(Ranked(category, gold, raw))
            gate.add(
                category, gold, [(natives[one.message], one.kept) for one in found.judged if one.message]
            )
            rows.sessions.append(Ranked(category, sessions, own_ids(found.conversations, natives)))
            rows.sessions_raw.append(Ranked(category, sessions, baseline.sessions(query.query)))
            if sessions and category in SCORED_CATEGORIES:
                for budget, inside in found.packages.items():
                    packages[budget].append(share(sessions, own_ids(inside, natives)))
            dumped.append(
                RankingDumpRow(
                    query_id=query.id, query=query.query, gold=tuple(gold), ranked=ranking, baseline=raw
                )
            )
    if dump is not None:
        write_dump(dump, dumped)
    return RankingScore(
        **_measured(rows.messages).model_dump(),
        engine=engine,
        baseline=_measured(rows.messages_raw),
        by_category={**measure_by_category(rows.messages), "1-5": measure(rows.messages)},
        with_gate=gate.metrics(SCORED_CATEGORIES),
        gate_dropped=gate.dropped,
        recall_in_package={budget: mean(shares) for budget, shares in packages.items()},
        session=_measured(rows.sessions),
        session_baseline=_measured(rows.sessions_raw),
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """A query's rankings at both levels, and those of the baseline on the raw texts."""

    messages: list[Ranked]
    messages_raw: list[Ranked]
    sessions: list[Ranked]
    sessions_raw: list[Ranked]


def _measured(rows: Sequence[Ranked]) -> Metrics:
    return measure([row for row in rows if row.category in SCORED_CATEGORIES])


class _Baseline:
    """BM25 over each message with the one before it, and over whole sessions."""

    def __init__(self, conversations: Sequence[Conversation]) -> None:
        self._messages = [said.native_id for one in conversations for said in one.messages]
        self._sessions = [one.native_id for one in conversations]
        pairs = [
            f"{before.text if before else ''}\n{said.text}"
            for one in conversations
            for before, said in zip((None, *one.messages), one.messages, strict=False)
        ]
        self._by_message = Bm25(pairs)
        self._by_session = Bm25(["\n".join(said.text for said in one.messages) for one in conversations])

    def messages(self, query: str) -> tuple[str, ...]:
        return tuple(self._messages[number] for number in self._by_message.ranking(query))

    def sessions(self, query: str) -> tuple[str, ...]:
        return tuple(self._sessions[number] for number in self._by_session.ranking(query))
