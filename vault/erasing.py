"""What to erase, and a ledger and an index without it: both written anew, so that no byte of it stays."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import duckdb

from schemas.errors import DefectError
from schemas.relation import RelationKind
from schemas.unit import State
from vault.edge import EdgeIndex
from vault.judgements import states_before
from vault.ledger import Ledger
from vault.mentions import Mention, mentions
from vault.ownership import OWNERSHIP
from vault.points import Payload
from vault.relations import relations_of


@dataclass(frozen=True, slots=True)
class Erasure:
    """Which conversations and resources to forget: those that meet every condition given."""

    conversations: tuple[str, ...] = ()
    """Ids of conversations or resources."""
    match: str | None = None
    """A text, whatever its case, in a message, a title or a document; whole words of it."""
    inside_words: bool = False
    """Look for the text inside words too."""
    before: datetime | None = None
    """Those that began before then."""
    account: str | None = None


@dataclass(frozen=True, slots=True)
class Erased:
    """A conversation or resource that is to go."""

    owner: str
    account: str
    native_id: str
    title: str
    began: datetime | None
    messages: int
    notes: int
    mentions: tuple[Mention, ...] = ()
    """Where it has the text that was to be forgotten, in order; of another condition none."""


_OWNERS = """
    SELECT o.owner, o.account, o.native_id, coalesce(o.title, '') AS title, o.began, o.messages,
           (SELECT count(*) FROM units u WHERE u.conversation_id = o.owner) AS notes
    FROM (
        SELECT conversation_id AS owner, account, native_id, title, messages, coalesce(created_at, (
            SELECT min(m.created_at) FROM messages m WHERE m.conversation_id = c.conversation_id
        )) AS began FROM conversations c
        UNION ALL
        SELECT id, account, native_id, title, 0, created_at FROM resources
    ) o
"""


def find(ledger: Ledger, wanted: Erasure) -> list[Erased]:
    """What an erasure comes to, oldest first."""
    conditions: list[str] = []
    values: list[object] = []
    said: dict[str, list[Mention]] = {}
    if wanted.conversations:
        conditions.append("o.owner IN (SELECT unnest(?))")
        values.append(list(wanted.conversations))
    if wanted.match is not None:
        said = mentions(ledger, wanted.match, inside_words=wanted.inside_words)
        conditions.append("o.owner IN (SELECT unnest(?))")
        values.append(list(said))
    if wanted.before is not None:
        conditions.append("o.began < ?")
        values.append(wanted.before)
    if wanted.account is not None:
        conditions.append("o.account = ?")
        values.append(wanted.account)
    if not conditions:
        raise DefectError("an erasure without a condition would be everything")
    found = ledger.rows(
        f"{_OWNERS} WHERE {' AND '.join(conditions)} ORDER BY o.began NULLS FIRST, owner", values
    )
    return [
        Erased(**row, mentions=tuple(said.get(str(row["owner"]), ())))  # type: ignore[arg-type]  # columns
        for row in found
    ]


def units_of(ledger: Ledger, owners: Iterable[str]) -> list[str]:
    """Ids of all units that were made of them."""
    found = ledger.query("SELECT id FROM units WHERE conversation_id IN (SELECT unnest(?))", [list(owners)])
    return [str(unit) for (unit,) in found]


def texts_of(ledger: Ledger, owners: Iterable[str]) -> list[str]:
    """What was said in them, message by message and document by document."""
    found = ledger.query(
        """SELECT text FROM messages WHERE conversation_id IN (SELECT unnest($1))
           UNION ALL SELECT text FROM resources WHERE id IN (SELECT unnest($1))""",
        [list(owners)],
    )
    return [str(text) for (text,) in found]


def threads_of(ledger: Ledger, owners: Mapping[str, str]) -> dict[str, str]:
    """Account by id of the threads that one of the owners belongs to: a thread's map quotes all of it."""
    found = ledger.query(
        "SELECT id, account FROM threads WHERE list_has_any(conversation_ids, ?)", [list(owners)]
    )
    return {str(thread): str(account) for thread, account in found}


@dataclass(frozen=True, slots=True)
class Parted:
    """What an erasure leaves of notes that stand, or stood, with erased ones."""

    units: frozenset[str]
    """All of them: their points show evidence, or a successor, that goes."""
    hidden: dict[str, State]
    """Those that a sweep or the gate archived since an erased one stood for them, and the state before."""


def part_from(ledger: Ledger, units: Collection[str]) -> Parted:
    """What the relations of units that are to be erased come to for those that stay. Nothing is changed."""
    rows = relations_of(ledger, sorted(units))
    erased = set(units)
    beside = {one for row in rows for one in (row.unit_id, row.other_id)} - erased
    stood_for = {row.unit_id for row in rows if row.kind is RelationKind.DUPLICATE_OF} - erased
    stood_for |= {row.other_id for row in rows if row.kind is RelationKind.SUPERSEDES} - erased
    states = ledger.states(sorted(stood_for))
    before = states_before(ledger, stood_for)
    hidden = {one: before[one] for one in stood_for if states.get(one) is State.ARCHIVED and one in before}
    return Parted(frozenset(beside), hidden)


def restate_points(ledger: Ledger, payloads: Mapping[str, Payload], run: str) -> None:
    """Expect the points (payload by id) to have these payloads; their vectors stay."""
    rows = [{"point_id": point, "payload_hash": one.digest} for point, one in payloads.items()]
    ledger.insert(
        "UPDATE points p SET payload_hash = n.payload_hash FROM new_rows n WHERE n.point_id = p.point_id",
        rows,
    )
    ledger.query("UPDATE points SET run = ? WHERE point_id IN (SELECT unnest(?))", [run, list(payloads)])


def erase_rows(ledger: Ledger, owners: Mapping[str, str], units: Collection[str]) -> dict[str, int]:
    """Remove every row of the owners (account by id) and their units; returns how many of each table.

    `units` may be more than the ledger has: acts on what a rollback left behind are in it too.
    """
    ledger.query("CREATE OR REPLACE TEMP TABLE erased (owner VARCHAR, account VARCHAR)")
    for owner, account in owners.items():
        ledger.query("INSERT INTO erased VALUES (?, ?)", [owner, account])
    ledger.query("INSERT INTO erased SELECT * FROM account_origins WHERE owner IN (SELECT owner FROM erased)")
    ledger.query(
        """CREATE OR REPLACE TEMP TABLE erased_units AS
           SELECT id FROM units WHERE conversation_id IN (SELECT owner FROM erased) UNION SELECT unnest(?)""",
        [sorted(units)],
    )
    gone: dict[str, int] = {}
    for table in ledger.tables():
        ownership = OWNERSHIP[table]
        if ownership.rows is not None:
            ((count,),) = ledger.query(f"DELETE FROM {table} WHERE {ownership.rows}")
            gone[table] = int(str(count))
        if ownership.scrub is not None:
            ledger.query(f"UPDATE {table} SET {ownership.scrub} WHERE {ownership.scrubbed}")
    return gone


def rewrite_ledger(path: Path) -> None:
    """Write the ledger's file anew: DuckDB leaves deleted rows in free blocks. The file must be closed."""
    fresh = path.with_suffix(".fresh")
    fresh.unlink(missing_ok=True)
    connection = duckdb.connect()
    old, new = (str(one).replace("'", "''") for one in (path, fresh))
    connection.execute(f"ATTACH '{old}' AS old (READ_ONLY)").fetchall()
    connection.execute(f"ATTACH '{new}' AS new").fetchall()
    connection.execute("COPY FROM DATABASE old TO new").fetchall()
    connection.close()
    fresh.replace(path)
    for leftover in path.parent.glob(f"{path.name}.*"):
        leftover.unlink()


def rewrite_index(
    published: Path, target: Path, dimension: int, owners: Mapping[str, str], changed: Mapping[str, Payload]
) -> None:
    """Write a shard anew with the points of everybody else, vectors included: nothing is embedded.

    Those in `changed` get these payloads.
    """
    shutil.rmtree(target, ignore_errors=True)
    source, fresh = EdgeIndex.open(published), EdgeIndex.create(target, dimension)
    try:
        fresh.upsert(
            replace(point, payload=changed.get(point.id, point.payload))
            for point in source.points()
            if point.payload.conversation_id not in owners
        )
        fresh.flush()
    finally:
        source.close()
        fresh.close()
