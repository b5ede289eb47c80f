"""A Dask cluster of several worker processes, one of them killed in the middle: the same rows come out.

    python -m benchmarks.dask_drill [--conversations 400] [--workers 3] [--shared]

Imports an invented archive twice: in one process, and by the cluster with a worker killed (SIGKILL) once the
first batches are done. Prints what the two ledgers hold; exit code 1 where they differ. `--shared` hands the
batches out through another folder by URL, as an object store would.
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
from importlib import import_module
from pathlib import Path
from typing import Any

from prefect.testing.utilities import prefect_test_harness

from flows.orchestrated import run_with_prefect
from flows.runners import DASK_SCHEDULER
from flows.steps import IngestRequest, ingest
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


def kill_one(cluster: Any, staging: Path, killed: list[int]) -> None:
    """Kill a worker process once two batches are extracted."""
    while len(list(staging.glob("*/extract.json"))) < 2 if staging.exists() else True:
        time.sleep(0.05)
    pid = next(iter(cluster.workers.values())).pid
    os.kill(pid, signal.SIGKILL)
    killed.append(pid)


def main() -> int:
    """Run the drill."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--conversations", type=int, default=400)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--shared", action="store_true")
    asked = parser.parse_args()
    # an extra of mnemic's, so nothing else of it may need it
    local_cluster = import_module("distributed").LocalCluster
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
            local_cluster(n_workers=asked.workers, threads_per_worker=1, dashboard_address=None) as cluster,
        ):
            os.environ[DASK_SCHEDULER] = cluster.scheduler_address
            watched = share if asked.shared else request.vault / "staging"
            threading.Thread(target=kill_one, args=(cluster, watched, killed), daemon=True).start()
            began = time.monotonic()
            summary = run_with_prefect(request, "dask", share.as_uri() if asked.shared else None)
            clustered = time.monotonic() - began
        here, there = digest(root / "alone"), digest(root / "cluster")
    print(f"{asked.conversations} conversations, {asked.workers} worker processes, killed: {len(killed)}")
    print(f"one process {alone:.1f} s; cluster {clustered:.1f} s; generation {summary.generation} published")
    print(f"{'table':20}{'one process':>24}{'cluster':>24}")
    for table in TABLES:
        print(f"{table:20}{here[table][0]:>14,} {here[table][1]}{there[table][0]:>15,} {there[table][1]}")
    same = here == there and bool(killed)
    print("the same rows" if same else "NOT the same")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
