"""A torn write, a flipped bit and a truncation in every stored file: found and named, or without effect."""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from benchmarks.faults.drill import Drill, rows, run, some_units, write_archive
from benchmarks.faults.repairs import mended
from benchmarks.faults.unverified_opening import REFUSED, opened_unseen
from flows.batches.batch_stages import extract_batch, summarise_batch
from flows.engines.engine_choice import BY_RULES, opened_engine
from flows.ingest.steps import IngestRequest, embed, prepare, read
from flows.reports.progress import Silent
from flows.upkeep.checkup import examine_all
from flows.upkeep.full_verification import verify
from inference import load_embedder
from inference.calls import StoredResponse
from inference.store import FILE, Store
from schemas.model_call import ModelCall
from vault.files import copy_file, copy_tree, data_extents, files_below
from vault.generations import published_number
from vault.layout import VaultLayout
from vault.lock import writer_lock

Damage = Callable[[BinaryIO, int, random.Random], None]
"""Damages a file at or behind a place where it has data."""

TORN_BYTES = 512
"""A sector: what a disk writes whole or not at all."""
ANSWERS = 40


def _flip(file: BinaryIO, at: int, chance: random.Random) -> None:
    file.seek(at)
    (byte,) = file.read(1)
    file.seek(at)
    file.write(bytes([byte ^ (1 << chance.randrange(8))]))


def _tear(file: BinaryIO, at: int, _: random.Random) -> None:
    file.seek(at - at % TORN_BYTES)
    torn = bytes(byte ^ 0x5A for byte in file.read(TORN_BYTES))
    file.seek(at - at % TORN_BYTES)
    file.write(torn)


def _truncate(file: BinaryIO, at: int, _: random.Random) -> None:
    file.truncate(at)


DAMAGES: dict[str, Damage] = {"flipped bit": _flip, "torn write": _tear, "truncated": _truncate}


def damage(folder: Path, limit: int | None, seed: int, share: tuple[int, int] = (1, 1)) -> Drill:
    """Damage each stored file of a vault in each way: open it unseen, have the doctor name it, put it back.

    Of the files that play one part, such as the trackers of all fields, one is mended, after a verification
    of everything: the remedy does not depend on which of them it was. `limit` caps the files; `share` (k, n)
    takes every n-th of them from the k-th on.
    """
    drill = Drill("damaged files")
    chance = random.Random(seed)
    vault, backup = folder / "vault", folder / "backup.zip"
    _furnish(folder, vault, backup)
    published = published_number(VaultLayout(vault)) or 0
    before, answered = rows(vault), opened_unseen(vault)
    stored = _in_turn([path for path in files_below(vault) if _is_stored(path, published)], chance)
    mended_roles: set[str] = set()
    for place, path in enumerate(stored[share[0] - 1 : limit : share[1]]):
        for number, (name, whole) in enumerate(_damaged(vault / path, folder / "whole", chance)):
            what = f"{name} in {path}"
            drill.count(f"{name} in {_kind(path)}")
            _expect_no_wrong_answer(drill, answered, opened_unseen(vault), what)
            ill = [one for one in examine_all(vault) if not one.well]
            drill.count("named by the doctor" if ill else "nothing to be found: its reader gets the same")
            drill.expect(bool(ill) or _says_the_same(vault / path, whole), f"{what} is found")
            drill.expect(all(one.remedy for one in ill), f"{what} has a remedy")
            if ill and _role(path) not in mended_roles and number == place % len(DAMAGES):
                mended_roles.add(_role(path))
                _expect_mended(drill, vault, backup, published, before, what)
    drill.expect(verify(vault, full=True)[1] == [], "all is well once the files are back")
    drill.expect(rows(vault) == before, "the rows are as before")
    if share[0] == 1:
        _damage_staged(drill, folder, vault, limit, chance)
    shutil.rmtree(vault)
    return drill


def _furnish(folder: Path, vault: Path, backup: Path) -> None:
    """A vault with something in each of its files, two generations that say the same, and a backup."""
    archive = str(write_archive(folder / "archives", 2))
    run(vault, "ingest", archive)
    run(vault, "keep", some_units(vault, 1)[0])
    run(vault, "exclusions", "--add", "project:Work*")
    run(vault, "ingest", archive)
    _answer(vault)
    run(vault, "vault", "rollback", str(published_number(VaultLayout(vault))))
    run(vault, "vault", "backup", str(backup))


def _in_turn(stored: list[Path], chance: random.Random) -> list[Path]:
    """In an order in which a few of them are of every kind."""
    chance.shuffle(stored)
    turn: dict[Path, int] = {}
    of_kind: Counter[str] = Counter()
    for path in stored:
        of_kind[_kind(path)] += 1
        turn[path] = of_kind[_kind(path)]
    return sorted(stored, key=turn.__getitem__)


def _damaged(path: Path, aside: Path, chance: random.Random) -> Iterator[tuple[str, Path]]:
    """Damage a file in each way, and put it back; gives the name of the way and a copy of what was there."""
    copy_file(path, aside)
    with path.open("rb") as file:
        data = list(data_extents(file.fileno(), path.stat().st_size))
    for name, change in DAMAGES.items() if data else ():
        start, end = chance.choice(data)
        with path.open("r+b") as file:
            change(file, chance.randrange(start, end), chance)
        yield name, aside
        copy_file(aside, path)


def _expect_no_wrong_answer(
    drill: Drill, answered: tuple[str, str], unseen: tuple[str, str], what: str
) -> None:
    for who, right, said in zip(("a reader", "a writer"), answered, unseen, strict=True):
        refused = said.startswith(REFUSED)
        drill.count(f"opened unseen by {who}: {'refused' if refused else 'answered as before'}")
        drill.expect(refused or said == right, f"{what}, opened unseen by {who}: {said[:200]}")


def _expect_mended(
    drill: Drill,
    vault: Path,
    backup: Path,
    published: int,
    before: dict[str, list[tuple[object, ...]]],
    what: str,
) -> None:
    copy = vault.with_name("mended")
    copy_tree(vault, copy)
    try:
        for done in mended(copy, backup, published):
            drill.count(f"mended by: {done}")
        drill.expect(rows(copy) == before, f"{what}: the rows are as before once it is mended")
    except AssertionError as error:
        drill.expect(False, f"{what} is mended: {error}")
    shutil.rmtree(copy)


def _answer(vault: Path) -> None:
    """Answers of a language model, as a run with one leaves them."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    with Store(VaultLayout(vault).cache) as store:
        for number in range(ANSWERS):
            call = ModelCall(
                seq=0, key=f"key {number}", at=at, service="anthropic", model="m", prompt="extract",
                mode="messages", batch_id="", outcome="end_turn", temperature="0", input_tokens=number,
                output_tokens=1, cache_read_tokens=0, cache_write_tokens=0, usd=0.25, seconds=1.0, attempts=1,
            )  # fmt: skip
            answer = StoredResponse(
                text=f"line {number} " * 40, stop_reason="end_turn", model="m", input_tokens=number,
                output_tokens=1, cache_read_tokens=0, cache_write_tokens=0,
            )  # fmt: skip
            store.keep(call, answer)


def _is_stored(path: Path, published: int) -> bool:
    """What a vault must not lose: the published generation, the journal, `CURRENT`, the owner's rules, and
    what was paid for."""
    if path.parts[0] == "generations":
        return path.parts[1] == str(published)
    return path.name in ("CURRENT", "journal.sqlite", "exclusions.json", FILE)


def _kind(path: Path) -> str:
    if path.parts[0] != "generations":
        return path.name
    return "index" if "index" in path.parts else path.name


def _role(path: Path) -> str:
    """What part a file plays: its path without what is drawn by chance or belongs to one field."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-z]{24}-\w+?(?=-)", "*", "/".join(path.parts[-4:]))


def _says_the_same(path: Path, whole: Path) -> bool:
    """Whether a file that nothing was found in gives its readers what it gave them before it was damaged.

    The owner's rules are read as they stand: a person may have written them.
    """
    if path.name == "exclusions.json":
        return True
    if path.suffix != ".sqlite":
        return path.read_bytes().strip() == whole.read_bytes().strip()
    return _dumped(path) == _dumped(whole)


def _dumped(path: Path) -> list[str]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return list(connection.iterdump())


def _damage_staged(drill: Drill, folder: Path, vault: Path, limit: int | None, chance: random.Random) -> None:
    """Damage each file of a batch that an interrupted run left: the next run does the work again."""
    archive = write_archive(folder / "archives", 3)
    calm = folder / "calm"
    copy_tree(vault, calm)
    drill.expect(run(calm, "ingest", str(archive))[0] == 0, "the undisturbed ingest")
    _stage(vault, archive)
    staged = [path for path in files_below(vault) if path.parts[0] == "staging"]
    chance.shuffle(staged)
    for path in staged[:limit]:
        for name in DAMAGES:
            torn = folder / "torn"
            copy_tree(vault, torn)
            if size := (torn / path).stat().st_size:
                with (torn / path).open("r+b") as file:
                    DAMAGES[name](file, chance.randrange(size), chance)
                drill.count(f"{name} in staging")
                drill.expect(
                    run(torn, "ingest", str(archive))[0] == 0, f"an ingest after {name} in {path.name}"
                )
                drill.expect(rows(torn) == rows(calm), f"the same rows after {name} in {path.name}")
            shutil.rmtree(torn)
    shutil.rmtree(calm)


def _stage(vault: Path, archive: Path) -> None:
    """An ingest up to where it would load."""
    layout = VaultLayout(vault)
    with writer_lock(layout), opened_engine(BY_RULES, layout) as opened:
        prepare(layout)
        embedder = load_embedder()
        plan = read(layout, IngestRequest(vault, (archive,)), embedder, opened, Silent())
        for batch in plan.batches:
            extract_batch(batch)
            summarise_batch(batch)
            embed(layout, batch, embedder)
