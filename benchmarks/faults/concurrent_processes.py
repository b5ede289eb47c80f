"""Two writers at once; a reader through twenty publications."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

from benchmarks.faults.drill import Drill, is_sound, rows, run, some_units, start, write_archive
from flows.upkeep.index_rebuild import rollback
from vault.generations import require_published
from vault.index import Where
from vault.layout import VaultLayout
from vault.reader import open_vault

PUBLICATIONS = 20
PAUSE = 0.005
"""Seconds between two reads."""


def two_writers(folder: Path, count: int) -> Drill:
    """Start `count` pairs of ingests together: one writes, the other waits outside and says why."""
    drill = Drill("two writers")
    calm, vault = folder / "calm", folder / "vault"
    archives = [write_archive(folder / f"a{number}", 1 + number % 3) for number in range(count)]
    for number, archive in enumerate(archives):
        pair = [start(vault, "ingest", str(archive)) for _ in range(2)]
        said = [process.communicate()[1].decode() for process in pair]
        for process, text in zip(pair, said, strict=True):
            drill.count("wrote" if process.returncode == 0 else "refused")
            refused = process.returncode == 1 and "another process is writing" in text
            drill.expect(process.returncode == 0 or refused, f"pair {number}: done, or told why not")
        drill.expect(any(process.returncode == 0 for process in pair), f"pair {number}: one of them wrote")
        drill.expect(is_sound(vault), f"sound after pair {number}")
        run(calm, "ingest", str(archive))
    drill.expect(rows(calm) == rows(vault), "the rows of one writer after another")
    return drill


def reader_through_publications(folder: Path, count: int) -> Drill:
    """Read all the time while `count` generations are published: every answer is whole, from one of them."""
    drill = Drill("a reader through publications")
    vault = folder / "vault"
    run(vault, "ingest", str(write_archive(folder / "archives", 2)))
    layout = VaultLayout(vault)
    (unit,) = some_units(vault, 1)
    done = Event()
    problems: list[str] = []
    seen: set[int] = set()
    reads = 0

    def read() -> None:
        nonlocal reads
        with open_vault(vault) as reader:
            while not done.is_set():
                reader.refresh()
                index = reader.index
                found = index.search_dense(first, Where(account), 5)
                known = reader.ledger.query("SELECT count(*) FROM units WHERE id = ?", [unit])
                if not found or known != [(1,)] or index.count() != reader.generation.points:
                    problems.append(f"generation {reader.generation.number} answered with a part")
                seen.add(reader.generation.number)
                reads += 1
                # some looks into every step of a publication; more would only keep a core from the writer
                done.wait(PAUSE)

    with open_vault(vault) as reader:
        first = next(one.vector for one in reader.index.points() if one.vector is not None)
        account = reader.generation.accounts[0]
    thread = Thread(target=read)
    thread.start()
    try:
        for _ in range(count):
            rollback(vault, require_published(layout))
            drill.count("publications")
    finally:
        done.set()
        thread.join()
    drill.counts["reads"] = reads
    drill.counts["generations seen"] = len(seen)
    drill.expect(problems == [], "; ".join(problems[:3]))
    drill.expect(reads > 0, "something was read")
    drill.expect(require_published(layout) == count + 1, "every publication is there")
    drill.expect(is_sound(vault), "sound at the end")
    return drill
