"""How much an ingest costs beyond embedding: wall time of the whole over that of embedding the same texts.

    python benchmarks/speed/ingest_overhead.py ARCHIVE... [--account NAME] [--vault EMPTY_FOLDER]

Embedding is the part that no design can take away, so it is the limit to compare with. Both are measured in
this process, one after the other: first the ingest into an empty vault, then the very texts that it embedded,
handed to the embedder alone. Peak memory is the process's, before the comparison begins. The ratio of
processor times stands beside the one of wall times: others on the machine bend it less.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from flows.batches.batch_stages import EMBED_AT_ONCE, compose, extract_batch, summarise_batch, windows_for
from flows.engines.engine_choice import RULES
from flows.ingest import steps
from flows.ingest.accounting import Start
from flows.ingest.steps import IngestRequest
from flows.reports.progress import Silent
from inference import load_embedder
from vault.layout import VaultLayout


def measure(archives: tuple[Path, ...], account: str | None, folder: Path) -> dict[str, object]:
    """Ingest, then embed alone; seconds by stage, their ratio, and what was made."""
    layout = VaultLayout(folder)
    layout.create()
    request = IngestRequest(folder, archives, account)
    seconds: dict[str, float] = {}
    began, worked = time.monotonic(), time.process_time()

    def lap(stage: str) -> None:
        seconds[stage] = time.monotonic() - began - sum(seconds.values())

    embedder = load_embedder()
    lap("start")
    plan = steps.read(layout, request, embedder, RULES, Silent())
    lap("read")
    for batch in plan.batches:
        extract_batch(batch)
        summarise_batch(batch)
    lap("extract")
    embedded = sum(steps.embed(layout, batch, embedder) for batch in plan.batches)
    lap("embed")
    start = Start(str(uuid4()), datetime.now(UTC))
    steps.load(layout, request, plan, embedder, RULES, start, Silent())
    lap("load")
    whole, work = time.monotonic() - began, time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    windows = windows_for(embedder)
    drafts = [draft for batch in plan.batches for draft in compose(batch, {}, windows)]
    alone = alone_work = 0.0
    for first in range(0, len(drafts), EMBED_AT_ONCE):
        texts = [text for draft in drafts[first : first + EMBED_AT_ONCE] for text in draft.dense_texts]
        before, worked = time.monotonic(), time.process_time()
        embedder.embed(texts)
        alone += time.monotonic() - before
        alone_work += time.process_time() - worked
    return {
        "archives": [path.name for path in archives],
        "conversations": sum(result.new for result in plan.results),
        "notes_embedded": embedded,
        "seconds": {stage: round(spent, 1) for stage, spent in seconds.items()},
        "ingest_seconds": round(whole, 1),
        "embedding_alone_seconds": round(alone, 1),
        "ratio": round(whole / alone, 2),
        "processor_ratio": round(work / alone_work, 2),
        "peak_memory_mib": round(peak),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archives", nargs="+", type=Path)
    parser.add_argument("--account")
    parser.add_argument("--vault", type=Path, help="empty folder to ingest into, and to keep")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        vault = options.vault or Path(folder)
        print(json.dumps(measure(tuple(options.archives), options.account, vault), indent=2))


if __name__ == "__main__":
    main()
