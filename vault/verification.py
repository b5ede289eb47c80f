"""Is a published generation still what was published? A list of checks, each naming what it finds.

The files come first: what cannot be trusted as bytes is not opened.
"""

from __future__ import annotations

import os
import resource
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from schemas.errors import IntegrityError
from schemas.generation import Generation
from vault.edge import EdgeIndex
from vault.files import copy_tree, tree_size
from vault.generations import finished_numbers, published_number, read_manifest
from vault.integrity import differences, expected_digest, spot_check
from vault.journal import DROP_ACTS, MOVE_AWAY
from vault.journal_damage import damaged_acts
from vault.layout import INDEX_FOLDER, LEDGER_FILE, VaultLayout
from vault.ledger import Ledger
from vault.occupancy import occupy
from vault.opening import REBUILD, RESTORE, damage_of
from vault.sums import damaged_files

PATIENCE = 30.0
"""Seconds, beside those that the generation's size asks for, to compare a damaged one point by point."""
COMPARED_A_SECOND = 4 * 2**20
"""Bytes; a sound generation is compared ten times as fast."""
COMPARED_IN = 2 * 2**30
"""Bytes of memory that the comparison may take beside twice the generation's size."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be."""

    check: str
    where: str
    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Subject:
    """The generation under examination, open."""

    layout: VaultLayout
    manifest: Generation
    ledger: Ledger
    index: EdgeIndex
    full: bool


Check = Callable[[Subject], Iterator[Finding]]


def check_rows(subject: Subject) -> Iterator[Finding]:
    """Every value of every table can be read; the counts are the manifest's."""
    for table in subject.ledger.tables() if subject.full else ():
        subject.ledger.query(f"SELECT bit_xor(hash(t)) FROM {table} t")
    for table, count in subject.ledger.row_counts(subject.manifest.rows).items():
        if count != subject.manifest.rows[table]:
            what = f"{count} rows, {subject.manifest.rows[table]} when it was published"
            yield Finding("rows", table, what, RESTORE)


def check_evidence(subject: Subject) -> Iterator[Finding]:
    """Every quote stands verbatim at its span of the text it was taken from."""
    if not subject.full:
        return
    for unit, message in subject.ledger.query(
        """
        SELECT u.id, e.message_id FROM (SELECT id, unnest(evidence) AS e FROM units) u
        JOIN messages m ON m.message_id = e.message_id AND m.text_hash = e.text_hash
        WHERE substring(m.text, e."start" + 1, e."end" - e."start") <> e.quote LIMIT 20
        """
    ):
        yield Finding("evidence", str(unit), f"its quote is not in the message {message}", RESTORE)


def check_points(subject: Subject) -> Iterator[Finding]:
    """The index holds what the ledger says: by id, or a sample of it."""
    if subject.full:
        found = differences(subject.index, subject.ledger)
    else:
        found = spot_check(subject.index, subject.ledger, {})
    for line in found:
        yield _point_finding(line)


def check_digest(subject: Subject) -> Iterator[Finding]:
    """The points that the ledger expects are those that were published."""
    points, digest = expected_digest(subject.ledger)
    if (points, digest) != (subject.manifest.points, subject.manifest.points_digest):
        what = f"{points} points, not the {subject.manifest.points} that were published, or other ones"
        yield Finding("digest", LEDGER_FILE, what, RESTORE)


CHECKS: tuple[Check, ...] = (check_rows, check_evidence, check_points, check_digest)


def check_current(layout: VaultLayout) -> Iterator[Finding]:
    """`CURRENT` names the newest generation."""
    try:
        number = published_number(layout)
    except IntegrityError as error:
        yield Finding("current", "CURRENT", f"{error.what} ({error.why})", error.remedy)
        return
    newest = max([*finished_numbers(layout), 0])
    if number is not None and newest > number:
        what = f"it names {number}, and generation {newest} is there: it was set back, or a run was killed"
        yield Finding("current", "CURRENT", what, f"Run `mnemic vault rollback {newest}`")


def check_journal(layout: VaultLayout) -> Iterator[Finding]:
    """The journal can be read, every act of it is whole, and it reaches as far as the ledger says."""
    if not layout.journal.exists():
        return
    try:
        for seq in damaged_acts(layout.journal):
            what = "the act is not what was recorded"
            yield Finding("journal", f"act {seq}", what, DROP_ACTS)
    except sqlite3.DatabaseError as error:
        yield Finding("journal", layout.journal.name, str(error), MOVE_AWAY)


def examine(
    layout: VaultLayout, number: int, *, full: bool, further: tuple[Check, ...] = ()
) -> tuple[list[str], list[Finding]]:
    """(checks that ran, findings) for one generation. `further` checks run after the vault's own.

    Without `full`, files are read once a day (`vault.opening`), points are sampled, and of a damaged
    generation the files are named and not the points.
    """
    folder = layout.generation(number)
    hold = occupy(folder)
    if hold is None:
        return ["manifest"], [Finding("manifest", str(folder), "it is not there", RESTORE)]
    try:
        manifest = read_manifest(folder)
    except IntegrityError as error:
        hold.release()
        return ["manifest"], [Finding("manifest", error.where, f"{error.what} ({error.why})", RESTORE)]
    try:
        damaged = (
            damaged_files(folder, manifest.files)
            if full
            else [one for part in (LEDGER_FILE, INDEX_FOLDER) for one in damage_of(layout, manifest, part)]
        )
        if damaged:
            found = [_file_finding(one) for one in damaged]
            if not full:
                return ["manifest", "files"], found
            return ["manifest", "files", "points"], found + _points_of_damaged(layout, folder)
        ran = ["manifest", "files", *(name_of(one) for one in (*CHECKS, *further))]
        return ran, list(_examine_open(layout, manifest, full, (*CHECKS, *further)))
    finally:
        hold.release()


def _examine_open(
    layout: VaultLayout, manifest: Generation, full: bool, checks: tuple[Check, ...]
) -> Iterator[Finding]:
    folder = layout.generation(manifest.number)
    try:
        with Ledger.open(folder / LEDGER_FILE, read_only=True) as ledger:
            index = EdgeIndex.open(folder / INDEX_FOLDER)
            try:
                subject = Subject(layout, manifest, ledger, index, full)
                for check in checks:
                    yield from check(subject)
            finally:
                index.close()
    except duckdb.Error as error:
        yield Finding("ledger", LEDGER_FILE, str(error).splitlines()[0], RESTORE)


def _points_of_damaged(layout: VaultLayout, folder: Path) -> list[Finding]:
    """Which points a damaged generation has wrong.

    A copy is opened, since the engine rewrites files that it finds broken, and in a process of its own, since
    they may kill it, or have it fill the memory without an end (measured: one turned bit of a field's index).
    """
    size = tree_size(folder)
    with TemporaryDirectory(dir=layout.root if os.access(layout.root, os.W_OK) else None) as private:
        copy_tree(folder, Path(private) / folder.name)
        here, there = Pipe(duplex=False)
        process = get_context("spawn").Process(
            target=_name_points,
            args=(str(Path(private) / folder.name), COMPARED_IN + 2 * size, there),
        )
        process.start()
        there.close()
        patience = PATIENCE + size / COMPARED_A_SECOND
        try:
            lines: list[str] | None = here.recv() if here.poll(patience) else None
        except EOFError:
            lines = None
        finally:
            here.close()
            process.kill()
            process.join()
    if lines is None:
        return [Finding("points", INDEX_FOLDER, "ledger and index cannot be compared", REBUILD)]
    return [_point_finding(line) for line in lines]


def _name_points(folder: str, memory: int, answer: Connection) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # of a damaged file it says a lot
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    with Ledger.open(Path(folder) / LEDGER_FILE, read_only=True) as ledger:
        answer.send(differences(EdgeIndex.open(Path(folder) / INDEX_FOLDER), ledger))


def _point_finding(line: str) -> Finding:
    point, _, what = line.partition(": ")
    return Finding("points", point, what or line, REBUILD)


def name_of(check: Check) -> str:
    """The name under which a check is reported."""
    return check.__name__.removeprefix("check_")


def _file_finding(line: str) -> Finding:
    name, _, what = line.partition(": ")
    remedy = REBUILD if name.startswith(f"{INDEX_FOLDER}/") else RESTORE
    return Finding("files", name, what, remedy)
