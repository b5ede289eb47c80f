"""What `memoir-ai` takes for the same questions; run by the Python of an environment that has it.

    PYTHON benchmarks/scale/memoir_store.py FOLDER KEYS ASK

Makes a store with the keys that `benchmarks.scale.paths` names (committed once: its command line would take a
second a key), changes a hundred of them in a second commit, and asks in process: `read_store`, which is what
its `summarize` reads, and `get` of five keys. Prints one JSON line.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memoir.services.memory_service import MemoryService
from memoir.services.store_service import StoreService
from memoir.store.prolly_adapter import ProllyTreeStore

FIRSTS, SECONDS, CHANGED = 12, 20, 100


def key(number: int) -> str:
    """As `benchmarks.scale.paths.key`."""
    return f"first{number % FIRSTS}.second{number // FIRSTS % SECONDS}.third{number}"


def value(number: int, text: str) -> dict[str, Any]:
    """A memory as its `remember` writes one."""
    entry = {"content": text, "confidence": 1.0, "timestamp": 1_767_225_600.0, "status": "active"}
    return {**entry, "key": key(number), "namespace": "default", "related_keys": [], "entries": [entry],
            "schema_version": 2}  # fmt: skip


def median_ms(asked: Callable[[], object], times: int) -> float:
    """Median of so many calls, in milliseconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        asked()
        taken.append((time.perf_counter() - start) * 1000)
    return round(statistics.median(taken), 1)


def main() -> None:
    """Make, change, ask, print."""
    folder, count, times = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    StoreService().create_store(str(folder))
    store = ProllyTreeStore(str(folder), auto_commit=False)
    for number in range(count):
        store.put(("default",), key(number), value(number, f"Note {number} says this and that of something."))
    store.commit("first")
    for number in range(CHANGED):
        store.put(("default",), key(number), value(number, "It says something else now."))
    store.commit("second")
    five = [key(random.Random(1).randrange(count)) for _ in range(5)]
    service, reader = MemoryService(str(folder)), StoreService(str(folder))
    assert all(item["found"] for item in service.get(five, namespace="default").items)
    figures = {
        "summarize (read_store), warm": median_ms(reader.read_store, times),
        "get of 5, warm": median_ms(lambda: service.get(five, namespace="default"), times),
        "five": five,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
