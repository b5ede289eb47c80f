from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.relation import Link, Relation, RelationKind
from vault import rows
from vault.batch import LINKS_FILE
from vault.ledger import Ledger, Stamp
from vault.migrations import MIGRATIONS
from vault.relations import (
    add_relations,
    merge_links,
    relations_of,
    standing_relations,
    withdraw_relations,
)

NOW = datetime(2026, 5, 1, tzinfo=UTC)
STAMP = Stamp("run-2", NOW, "extract:offline/9", "gate:1")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.duckdb", read_only=False) as opened:
        yield opened


def relation(unit: str, kind: RelationKind, other: str, *, account: str = "ada") -> Relation:
    return Relation(
        account=account, unit_id=unit, kind=kind, other_id=other, reason="it says so",
        actor="sweep:clean-duplicates", at=NOW, run="run-1",
    )  # fmt: skip


def test_a_relation_is_found_from_either_side_and_added_once(ledger: Ledger) -> None:
    one = relation("new", RelationKind.SUPERSEDES, "old")
    add_relations(ledger, [one, one])
    add_relations(ledger, [one])
    assert relations_of(ledger, ["new"]) == relations_of(ledger, ["old"]) == [one]
    assert relations_of(ledger, ["old"], [RelationKind.OVERLAPS]) == []
    assert standing_relations(ledger, "ada") == [one]
    assert standing_relations(ledger, "bob") == []


def test_what_a_sweep_took_back_may_return_and_what_the_owner_took_back_may_not(ledger: Ledger) -> None:
    one = relation("new", RelationKind.SUPERSEDES, "old")
    for actor, returns in (("sweep:clean-superseded", True), ("user", False)):
        add_relations(ledger, [one])
        withdraw_relations(ledger, [one], actor=actor, reason="no", at=NOW + timedelta(days=1))
        assert relations_of(ledger, ["new"]) == []
        add_relations(ledger, [one])
        assert bool(relations_of(ledger, ["new"])) is returns
    kept = ledger.query("SELECT withdrawn_by FROM relations ORDER BY relation_no")
    assert kept == [("sweep:clean-superseded",), ("user",)]


def stage(folder: Path, links: list[Link]) -> Path:
    folder.mkdir()
    staged = [{**one.model_dump(mode="json"), "conversation_id": "talk"} for one in links]
    pq.write_table(pa.Table.from_pylist(staged, schema=rows.LINKS), folder / LINKS_FILE)
    return folder


def add_unit(ledger: Ledger, unit: str) -> None:
    ledger.query(
        """INSERT INTO units BY NAME SELECT ? AS id, 'ada' AS account, 'talk' AS conversation_id,
           'fact' AS category, 'x' AS text, 'owner' AS speaker, [] AS evidence, [] AS context,
           true AS active_branch, 'offline/9' AS extractor, 'passed' AS gate_state, [] AS verdicts,
           'run-1' AS run""",
        [unit],
    )


def test_a_new_extraction_replaces_the_links_of_the_one_before(ledger: Ledger, tmp_path: Path) -> None:
    add_unit(ledger, "a")
    link = Link(account="ada", unit_id="a", kind=RelationKind.SUPERSEDES, other_id="b", reason="taken back")
    merge_links(ledger, stage(tmp_path / "one", [link]), ["another talk"], STAMP)
    assert relations_of(ledger, ["a"]) == []
    merge_links(ledger, tmp_path / "one", ["talk"], STAMP)
    (found,) = relations_of(ledger, ["a"])
    assert (found.actor, found.run, found.other_id) == ("extract:offline/9", "run-2", "b")
    other = link.model_copy(update={"other_id": "c"})
    merge_links(ledger, stage(tmp_path / "two", [other]), ["talk"], STAMP)
    assert [one.other_id for one in relations_of(ledger, ["a"])] == ["c"]


def test_a_batch_staged_before_there_were_links_loads(ledger: Ledger, tmp_path: Path) -> None:
    merge_links(ledger, tmp_path, ["talk"], STAMP)
    assert standing_relations(ledger, "ada") == []


def test_a_ledger_of_the_first_release_opens_and_gains_the_tables(tmp_path: Path) -> None:
    path = tmp_path / "ledger.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE migrations (version BIGINT, name VARCHAR, applied_at TIMESTAMPTZ)")
        connection.execute(MIGRATIONS[0].sql)
        connection.execute("INSERT INTO migrations VALUES (1, 'first ledger', now())")
    with Ledger.open(path, read_only=False) as ledger:
        assert standing_relations(ledger, "ada") == []
        assert ledger.row_counts()["relations"] == 0
