"""What is measured of a vault of very many notes: functions of a folder, each run in a process of its own."""

from __future__ import annotations

import resource
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self
from uuid import uuid4

from benchmarks.faults.drill import write_archive
from benchmarks.scale.generated_vault import ACCOUNT, FIRST_DAY, batch_of, drawn_from, questions, talks_for
from benchmarks.speed.recall_latency import timed
from extract.threads.linking import LINKING_VERSION
from flows.generation.loading import load_batch
from flows.generation.thread_linking import LINKED_BY
from flows.ingest.steps import IngestRequest, ingest
from flows.upkeep.search_graph import optimize
from inference import load_embedder
from retrieval import Question, recall
from schemas.unit import Category
from vault.batch import Batch
from vault.files import tree_size
from vault.generations import building, require_published
from vault.index import Where
from vault.layout import INDEX_FOLDER, LEDGER_FILE, VaultLayout
from vault.ledger import Stamp
from vault.lock import writer_lock
from vault.reader import open_vault
from vault.verification import examine

REPORTS = 10
"""Loading rates that are printed on the way: growth shows in them."""

Figures = dict[str, object]


class Spent:
    """Wall and processor time spent inside, over all the times it was entered: on a busy machine, go by the
    latter."""

    def __init__(self) -> None:
        self.wall = self.processor = 0.0

    def __enter__(self) -> Self:
        self.wall -= time.monotonic()
        self.processor -= time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall += time.monotonic()
        self.processor += time.process_time()

    def said(self) -> Figures:
        """In seconds."""
        return {"seconds": round(self.wall, 1), "processor seconds": round(self.processor, 1)}


def load_and_publish(vault: Path, notes: int, like: Path | None) -> Figures:
    """Load the notes batch by batch into one generation, and publish it."""
    layout = VaultLayout(vault)
    layout.create()
    drawn, embedder = drawn_from(like, notes), load_embedder()
    batches = list(talks_for(notes))
    stamp = Stamp(str(uuid4()), datetime.now(UTC), "extract:generated/1", "gate:generated")
    rates: list[int] = []
    load, before = Spent(), 0.0
    with writer_lock(layout), building(layout, embedder.binding) as following:
        following.ledger.add_run(stamp.run, stamp.at, "benchmarks.scale", {})
        for number, (first, talks) in enumerate(batches, 1):
            batch = batch_of(layout.staging / "batch", first, talks, drawn, embedder)
            with load:
                load_batch(following, batch, list(batch_ids(batch)), embedder, stamp)
            shutil.rmtree(batch.folder)
            if number % max(1, len(batches) // REPORTS) == 0:
                done = notes * max(1, len(batches) // REPORTS) // len(batches)
                rates.append(round(done / (load.processor - before)))
                before = load.processor
                print(f"{number}/{len(batches)} batches, {rates[-1]} notes a second", file=sys.stderr)
        # generated talks have no threads: the ingests that follow link their own talks alone
        following.ledger.settle(LINKED_BY, LINKING_VERSION)
        with (publication := Spent()):
            published = following.publish(stamp.run, datetime.now(UTC))
    return {
        "points": published.points,
        "vectors": "random" if drawn is None else f"{len(drawn.texts)} real, then with noise",
        "load": load.said(),
        "notes a processor second": round(notes / load.processor),
        "notes a processor second, tenth by tenth": rates,
        "publish": publication.said(),
    }


def batch_ids(batch: Batch) -> Iterator[str]:
    """The conversations of a staged batch."""
    return (one.id for one in batch.conversations())


def check(vault: Path, full: bool) -> Figures:
    """Verify; without embedding a sample again, since most vectors are not their texts'."""
    layout = VaultLayout(vault)
    with (spent := Spent()):
        checks, found = examine(layout, require_published(layout), full=full)
    return {
        **spent.said(),
        "checks": checks,
        "findings": [f"{one.where}: {one.what}" for one in found[:3]],
    }


def add_a_hundred(vault: Path, folder: Path) -> Figures:
    """Two small ingests of some hundred notes each; the second finds a spare or copies, as any later one."""
    figures: Figures = {}
    for number in range(2):
        archive = write_archive(folder / "archives", 20, "more", 20 * number)
        with (spent := Spent()):
            summary = ingest(IngestRequest(vault, (archive,), account=ACCOUNT))
        stages = {stage: round(took, 2) for stage, took in summary.seconds.items()}
        figures[f"ingest {number + 1}"] = {**spent.said(), "seconds by stage": stages}
    return figures


def ask(vault: Path, notes: int, like: Path | None, count: int) -> Figures:
    """Recall with and without filters, warm; and the index alone."""
    asked = questions(drawn_from(like, notes), count)
    embedder = load_embedder()
    middle = FIRST_DAY + timedelta(hours=notes // 40)
    with open_vault(vault) as reader:
        began = time.monotonic()
        index = reader.index
        opening = time.monotonic() - began
        reader.warm()
        figures: Figures = {"opening seconds": round(opening, 2)}
        end = middle + timedelta(hours=notes // 200)

        def answered(text: str, where: Where) -> object:
            return recall(Question(text, where), index, embedder)

        ways: dict[str, Callable[[str], object]] = {
            "no filter but the account": lambda one: answered(one, Where(ACCOUNT)),
            "one category": lambda one: answered(one, Where(ACCOUNT, categories=(Category.DECISION,))),
            "a tenth of the time": lambda one: answered(one, Where(ACCOUNT, after=middle, before=end)),
            "dense search alone": lambda one: index.search_dense(
                embedder.embed([one])[0], Where(ACCOUNT), 15
            ),
        }  # fmt: skip
        for name, way in ways.items():
            for one in asked[:5]:
                way(one)
            figures[name] = timed(way, asked)
    return figures


def build_graph(vault: Path) -> Figures:
    """Publish a generation whose vectors have a graph."""
    with (spent := Spent()):
        optimize(vault)
    return spent.said()


def stored(vault: Path) -> Figures:
    """What one generation takes on the disk, in blocks."""
    layout = VaultLayout(vault)
    folder = layout.generation(require_published(layout))
    return {
        "MiB of a generation": tree_size(folder) // 2**20,
        "MiB of its ledger": (folder / LEDGER_FILE).stat().st_blocks * 512 // 2**20,
        "MiB of its index": tree_size(folder / INDEX_FOLDER) // 2**20,
        "MiB of the vault": tree_size(vault) // 2**20,
    }


def measured(stage: Callable[..., Figures], *values: object) -> Figures:
    """Run a stage in this process, and add what memory it took."""
    figures = stage(*values)
    return {**figures, "peak memory MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}
