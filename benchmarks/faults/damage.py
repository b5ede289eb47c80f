"""A torn write, a flipped bit and a truncation in every stored file: found and named, or without effect."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.faults.ground import Drill, rows, run, some_units, write_archive
from flows.engines import BY_RULES, opened_engine
from flows.progress import Silent
from flows.steps import IngestRequest, embed, prepare, read
from flows.verifying import verify
from flows.working import extract_batch, summarise_batch
from inference import load_embedder
from inference.calls import Answer
from inference.store import FILE, Store
from schemas.model_call import ModelCall
from vault.files import copy_tree, files_below
from vault.layout import VaultLayout
from vault.lock import writer_lock
from vault.sums import UNSUMMED

Damage = Callable[[bytes, random.Random], bytes]

TORN_BYTES = 512
"""A sector: what a disk writes whole or not at all."""
ANSWERS = 40


def _flip(whole: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(whole))
    return whole[:at] + bytes([whole[at] ^ (1 << chance.randrange(8))]) + whole[at + 1 :]


def _tear(whole: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(0, len(whole), TORN_BYTES)
    torn = bytes(byte ^ 0x5A for byte in whole[at : at + TORN_BYTES])
    return whole[:at] + torn + whole[at + TORN_BYTES :]


def _truncate(whole: bytes, chance: random.Random) -> bytes:
    return whole[: chance.randrange(len(whole))]


DAMAGES: dict[str, Damage] = {"flipped bit": _flip, "torn write": _tear, "truncated": _truncate}


def damage(folder: Path, limit: int | None, seed: int) -> Drill:
    """Damage each stored file of a vault in each way, verify, and put it back. `limit` caps the files."""
    drill = Drill("damaged files")
    chance = random.Random(seed)
    vault = folder / "vault"
    run(vault, "ingest", str(write_archive(folder / "archives", 2)))
    run(vault, "keep", some_units(vault, 1)[0])
    run(vault, "exclusions", "--add", "project:Work*")
    _answer(vault)
    before = rows(vault)
    turn: dict[Path, int] = {}
    stored = [path for path in files_below(vault) if _is_stored(path)]
    chance.shuffle(stored)
    of_kind: Counter[str] = Counter()
    for path in stored:
        of_kind[_kind(path)] += 1
        turn[path] = of_kind[_kind(path)]
    stored.sort(key=turn.__getitem__)  # a few of them are of every kind
    for path in stored[:limit]:
        for name, changed in _damaged(vault / path, chance):
            _, found = verify(vault, full=True)
            drill.count(f"{name} in {_kind(path)}")
            harmless = not found and _says_the_same(vault / path, changed)
            drill.expect(bool(found) or harmless, f"{name} in {path} is found")
            drill.expect(all(one.remedy for one in found), f"{name} in {path} has a remedy")
    drill.expect(verify(vault, full=True)[1] == [], "all is well once the files are back")
    drill.expect(rows(vault) == before, "the rows are as before")
    _damage_staged(drill, folder, vault, limit, chance)
    shutil.rmtree(vault)
    return drill


def _damaged(path: Path, chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """Damage a file in each way, and put it back; gives the name of the way and the bytes before."""
    whole = path.read_bytes()
    for name, change in DAMAGES.items():
        if whole:
            path.write_bytes(change(whole, chance))
            yield name, whole
            path.write_bytes(whole)


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
            answer = Answer(
                text=f"line {number} " * 40, stop_reason="end_turn", model="m", input_tokens=number,
                output_tokens=1, cache_read_tokens=0, cache_write_tokens=0,
            )  # fmt: skip
            store.keep(call, answer)


def _is_stored(path: Path) -> bool:
    """What a vault must not lose: the published generation, the journal, `CURRENT`, the owner's rules, and
    what was paid for."""
    parts = path.parts
    if parts[0] == "generations":
        return "/".join(parts[2:]) not in UNSUMMED or path.name == "generation.json"
    return path.name in ("CURRENT", "journal.sqlite", "exclusions.json", FILE)


def _kind(path: Path) -> str:
    if path.parts[0] != "generations":
        return path.name
    return "index" if "index" in path.parts else path.name


def _says_the_same(path: Path, whole: bytes) -> bool:
    """Whether a file that nothing was found in gives its readers what it gave them before it was damaged.

    The owner's rules are read as they stand: a person may have written them.
    """
    if path.name == "exclusions.json":
        return True
    if path.suffix != ".sqlite":
        return path.read_bytes().strip() == whole.strip()
    copy = path.with_suffix(".before")
    copy.write_bytes(whole)
    try:
        return _dumped(path) == _dumped(copy)
    finally:
        copy.unlink()


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
            whole = (torn / path).read_bytes()
            if whole:
                (torn / path).write_bytes(DAMAGES[name](whole, chance))
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
