"""The abstention suite: what a memory says to questions on another person's life."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evals.ranking import PACKAGE_TOKENS, Rank, RankingDumpRow, mean, ranker, write_dump
from evals.realmem import Person, RealMemQuery, read_person
from schemas.base import Noun
from schemas.errors import PathMissing

FOREIGN, OWN = 50, 50
"""Queries of others, and of the person, that each memory is asked."""


class AbstentionScore(Noun):
    """Over all memories."""

    rows: int
    engine: str
    foreign_empty: float
    """Questions on another person's life that got an empty package / all of them. The higher the better."""
    own_empty: float
    """Answerable questions that wrongly got an empty package / all of them."""


def run_abstention_eval(
    folder: Path, engine: str = "offline", dump: Path | None = None, vault: Path | None = None
) -> AbstentionScore:
    """Ask each person's memory their own queries and others', each as of its own date.

    `folder` is laid out as the realmem suite. Raises PathMissing where it holds fewer than two archives.
    """
    archives = sorted(folder.glob("*.zip"))
    if len(archives) < 2:
        raise PathMissing("fewer than two archives of the realmem suite", where=str(folder))
    with ranker(archives, vault) as rank:
        return score_abstention([read_person(path) for path in archives], rank, engine, dump)


def score_abstention(
    people: Sequence[Person], rank: Rank, engine: str, dump: Path | None = None
) -> AbstentionScore:
    """Ask, and count what came back empty."""
    foreign, own = list[float](), list[float]()
    dumped: list[RankingDumpRow] = []
    for person in people:
        others = [query for other in people if other is not person for query in other.queries]
        for queries, empties in ((spread(others, FOREIGN), foreign), (spread(person.queries, OWN), own)):
            for query in queries:
                found = rank(query.query, person.account, query.before).packages[max(PACKAGE_TOKENS)]
                empties.append(float(not found))
                asked = f"{person.account}: {query.query}"
                dumped.append(
                    RankingDumpRow(query_id=query.id, query=asked, gold=(), ranked=found, baseline=())
                )
    if dump is not None:
        write_dump(dump, dumped)
    return AbstentionScore(
        rows=len(foreign) + len(own), engine=engine, foreign_empty=mean(foreign), own_empty=mean(own)
    )


def spread(queries: Sequence[RealMemQuery], count: int) -> list[RealMemQuery]:
    """So many of the queries, from all over the list."""
    step = max(len(queries) / count, 1.0)
    return [queries[int(place * step)] for place in range(min(count, len(queries)))]
