"""What very many notes cost.

    python -m benchmarks.scale FOLDER --notes 100000 [--like VAULT] [--ask 100] [--graph]

Generates notes, loads, publishes and verifies them, adds a hundred more, and asks. The notes of `--like` are
real, and so are their vectors; what goes beyond them is the same again with noise added to the vectors.
Without it words and vectors are random. `--graph` builds a graph at the end and asks again. Each stage runs
in a process of its own, so that peak memory is its own, and prints one JSON line. The vault is removed.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from benchmarks.scale.measured_stages import (
    Figures,
    add_a_hundred,
    ask,
    build_graph,
    check,
    load_and_publish,
    measured,
    stored,
)


def main() -> None:
    """Run every stage and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--like", type=Path)
    parser.add_argument("--ask", type=int, default=100)
    parser.add_argument("--graph", action="store_true")
    options = parser.parse_args()
    vault = options.folder / f"vault-{options.notes}"
    stages: dict[str, tuple[Callable[..., Figures], *tuple[object, ...]]] = {
        "load": (load_and_publish, vault, options.notes, options.like),
        "disk": (stored, vault),
        "verify": (check, vault, False),
        "verify --full": (check, vault, True),
        "recall": (ask, vault, options.notes, options.like, options.ask),
        "a hundred more": (add_a_hundred, vault, options.folder),
        "disk afterwards": (stored, vault),
    }
    if options.graph:
        stages["graph"] = (build_graph, vault)
        stages["recall with a graph"] = stages["recall"]
    try:
        for name, stage in stages.items():
            with ProcessPoolExecutor(1, get_context("spawn")) as process:
                figures = process.submit(measured, *stage).result()
            print(json.dumps({"notes": options.notes, "stage": name, **figures}), flush=True)
    finally:
        shutil.rmtree(vault, ignore_errors=True)


if __name__ == "__main__":
    main()
