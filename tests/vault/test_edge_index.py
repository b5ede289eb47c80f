from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from test_index_conformance import DIMENSION, point

from vault.edge import EdgeIndex
from vault.remembered import RememberedPayloads


def test_twenty_processes_open_one_published_shard_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    index = EdgeIndex.create(folder, DIMENSION)
    index.upsert([point(f"n{number}", number) for number in range(100)])
    index.flush()
    index.close()
    code = (
        "import sys, time; from pathlib import Path; from vault.edge import EdgeIndex\n"
        "time.sleep(max(0.0, float(sys.argv[2]) - time.time()))\n"
        "print(EdgeIndex.open(Path(sys.argv[1])).count())"
    )
    together = str(time.time() + 3.0)
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(folder), together], stdout=subprocess.PIPE, text=True
        )
        for _ in range(20)
    ]
    assert [reader.communicate()[0].strip() for reader in readers] == ["100"] * 20


def test_what_was_asked_for_longest_ago_is_forgotten_first() -> None:
    payloads = {name: point(name, 1).payload for name in ("a", "b", "c")}
    memory = RememberedPayloads(most=2)
    memory.remember({"a": payloads["a"], "b": payloads["b"]})
    assert memory.known(["a"]) == {"a": payloads["a"]}
    memory.remember({"c": payloads["c"]})
    assert memory.known(["a", "b", "c"]) == {"a": payloads["a"], "c": payloads["c"]}
