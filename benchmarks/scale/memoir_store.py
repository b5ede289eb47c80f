"""What `memoir-ai` takes for the same questions; run by the Python of an environment that has it.

    PYTHON benchmarks/scale/memoir_store.py FOLDER KEYS ASK

Makes a store with the keys that `benchmarks.scale.paths` names (committed once: its command line would take a
second a key), changes a hundred of them in a second commit, and asks in process: `read_store`, which is what
its `summarize` reads, `get` of five keys, and which keys differ between the commits. Prints one JSON line.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoir.services.branch_service import BranchService
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


@dataclass(frozen=True, slots=True)
class AskedStore:
    """A store of theirs, open."""

    memories: MemoryService
    store: StoreService
    branches: BranchService

    def survey(self) -> object:
        """What its `summarize` reads: every namespace with its keys."""
        return self.store.read_store()

    def get(self, keys: Sequence[str]) -> object:
        """The memories at these keys. Raises AssertionError where one is not found."""
        items = self.memories.get(list(keys), namespace="default").items
        assert all(item["found"] for item in items)
        return items

    def diff(self) -> object:
        """The keys that differ between the two commits. Raises AssertionError where it is not CHANGED."""
        changes = self.branches.diff_keys("HEAD~1", "HEAD")
        assert len(changes) == CHANGED
        return changes


def made_store(folder: Path, count: int) -> AskedStore:
    """A store of so many keys, of which CHANGED differ in its second commit."""
    StoreService().create_store(str(folder))
    store = ProllyTreeStore(str(folder), auto_commit=False)
    for number in range(count):
        store.put(("default",), key(number), value(number, f"Note {number} says this and that of something."))
    store.commit("first")
    for number in range(CHANGED):
        store.put(("default",), key(number), value(number, "It says something else now."))
    store.commit("second")
    return AskedStore(MemoryService(str(folder)), StoreService(str(folder)), BranchService(str(folder)))


def main() -> None:
    """Make, change, ask, print."""
    folder, count, times = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    made = made_store(folder, count)
    five = [key(random.Random(1).randrange(count)) for _ in range(5)]
    figures = {
        "summarize (read_store), warm": median_ms(made.survey, times),
        "get of 5, warm": median_ms(lambda: made.get(five), times),
        "diff, warm": median_ms(made.diff, min(times, 10)),
        "five": five,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
