"""A cluster of several worker processes, one of them killed in the middle: the same rows come out.

    python -m benchmarks.scale.cluster_drill [--conversations 400] [--workers 3] [--shared] [--runner ray]

Imports an invented archive twice: in one process, and by a local Dask or Ray cluster with a worker killed
(SIGKILL) once the first batches are done. Prints what the two ledgers hold; exit code 1 where they differ.
`--shared` hands the batches out through another folder by URL, as an object store would. Ray is installed by
hand (docs/dependencies.md); its workers are found by their names in /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

from prefect.testing.utilities import prefect_test_harness

from flows.ingest.steps import IngestRequest, ingest
from flows.orchestration.ingest_flows import run_with_prefect
from flows.orchestration.task_runners import DASK_SCHEDULER
from vault.reader import open_vault

TABLES = ("conversations", "messages", "segments", "units", "chunks", "session_summaries", "points")
SENTENCES = (
    "The garden is {n} square metres.",
    "I can only spend {n} euros on the fence.",
    "The hedge of plot {n} grows 30 cm a year.",
    "OK let's go with plan {n} for the shed.",
    "Which month is best for planting row {n}?",
)


def archive(folder: Path, conversations: int) -> Path:
    """So many conversations of twelve turns, as chats for fine-tuning are written."""
    draw = random.Random(9)
    lines = []
    for _ in range(conversations):
        said = [draw.choice(SENTENCES).format(n=draw.randrange(10_000)) for _ in range(12)]
        roles = (("user", "assistant")[place % 2] for place in range(12))
        turns = [{"role": role, "content": text} for role, text in zip(roles, said, strict=True)]
        lines.append(json.dumps({"messages": turns}))
    path = folder / "train.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def digest(vault: Path) -> dict[str, tuple[int, str]]:
    """Rows and a sum over them by table, run ids and clocks left out."""
    with open_vault(vault) as reader:
        found = {}
        for table in TABLES:
            rows = reader.ledger.query(f"SELECT * EXCLUDE (run) FROM {table} ORDER BY ALL")
            found[table] = (len(rows), f"{hash(str(rows)) & 0xFFFFFFFF:08x}")
        return found


Victim = Callable[[], int | None]
"""The process of a worker that is at work, or None for the moment."""


@contextmanager
def dask(workers: int) -> Iterator[Victim]:
    """A local Dask cluster that the run is told of."""
    # an extra of mnemic's, so nothing else of it may need it
    made = import_module("distributed").LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address=None
    )
    with made as cluster:
        os.environ[DASK_SCHEDULER] = cluster.scheduler_address
        yield lambda: next((one.pid for one in cluster.workers.values()), None)


RAY_NOT_AT_WORK = (b"ray::IDLE", b"ray::DashboardAgent", b"ray::RuntimeEnvAgent")
"""A worker that waits, and a node's own agents: a node ends with its agents, which is no worker lost."""


@contextmanager
def ray(workers: int) -> Iterator[Victim]:
    """A local Ray cluster, which the run itself starts: as many workers as there are processors."""
    if workers != os.cpu_count():
        raise SystemExit(f"Ray takes a worker a processor: --workers {os.cpu_count()}")

    def at_work() -> int | None:
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):  # it may end while it is looked at
                name = path.read_bytes()
                if name.startswith(b"ray::") and not name.startswith(RAY_NOT_AT_WORK):
                    return int(path.parent.name)
        return None

    yield at_work


CLUSTERS = {"dask": dask, "ray": ray}


def kill_one(victim: Victim, staging: Path, killed: list[int]) -> None:
    """Kill a worker process at work once two batches are extracted."""
    while True:
        time.sleep(0.05)
        if staging.exists() and len(list(staging.glob("*/extract.json"))) >= 2:
            pid = victim()
            if pid is not None:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
                return


def main() -> int:
    """Run the drill."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--conversations", type=int, default=400)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--shared", action="store_true")
    parser.add_argument("--runner", choices=tuple(CLUSTERS), default="dask")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mnemic-drill-") as name:
        root = Path(name)
        request = IngestRequest(root / "cluster", (archive(root, asked.conversations),))
        began = time.monotonic()
        ingest(IngestRequest(root / "alone", request.archives))
        alone = time.monotonic() - began
        share = root / "share"
        share.mkdir()
        killed: list[int] = []
        with (
            prefect_test_harness(server_startup_timeout=600),
            CLUSTERS[asked.runner](asked.workers) as victim,
        ):
            watched = share if asked.shared else request.vault / "staging"
            threading.Thread(target=kill_one, args=(victim, watched, killed), daemon=True).start()
            began = time.monotonic()
            summary = run_with_prefect(request, asked.runner, share.as_uri() if asked.shared else None)
            clustered = time.monotonic() - began
        here, there = digest(root / "alone"), digest(root / "cluster")
    print(
        f"{asked.runner}: {asked.conversations} conversations, {asked.workers} workers, killed: {len(killed)}"
    )
    print(f"one process {alone:.1f} s; cluster {clustered:.1f} s; generation {summary.generation} published")
    print(f"{'table':20}{'one process':>24}{'cluster':>24}")
    for table in TABLES:
        print(f"{table:20}{here[table][0]:>14,} {here[table][1]}{there[table][0]:>15,} {there[table][1]}")
    same = here == there and bool(killed)
    print("the same rows" if same else "NOT the same")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
