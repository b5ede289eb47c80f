from __future__ import annotations

from datetime import UTC, datetime

import pytest

from evals.abstention import FOREIGN, OWN, run_abstention_eval, score_abstention, spread
from evals.ranking import FoundIds
from evals.realmem import Person, RealMemQuery
from schemas.errors import PathMissing

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def person(name: str, count: int) -> Person:
    queries = [
        RealMemQuery(id=f"{name} {n}", query=f"{name} {n}", before=NOON, category="c", gold_conversations=())
        for n in range(count)
    ]
    return Person(name, (), tuple(queries))


def test_empty_packages_are_counted_apart() -> None:
    def rank(query: str, account: str, before: datetime | None) -> FoundIds:
        own = query.startswith(account)
        number = int(query.split()[-1])
        found = ("c",) if (own and number != 0) or (not own and number == 0) else ()
        return FoundIds(conversations=(), messages=(), packages={1000: (), 2000: found})

    score = score_abstention([person("ada", 10), person("bo", 10)], rank, "offline")
    assert (score.rows, score.foreign_empty, score.own_empty) == (40, 0.9, 0.1)


def test_a_sample_is_from_all_over_the_list() -> None:
    queries = person("ada", 687).queries
    assert len(spread(queries, FOREIGN)) == FOREIGN
    assert spread(queries, 50)[-1] is queries[int(49 * 687 / 50)]
    assert len(spread(queries[:7], OWN)) == 7


def test_one_archive_is_not_enough(tmp_path: object) -> None:
    with pytest.raises(PathMissing):
        run_abstention_eval(tmp_path)  # type: ignore[arg-type]
