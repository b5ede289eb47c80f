from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from test_index_conformance import DIMENSION, point

from vault.edge import EdgeIndex
from vault.remembered import RememberedPayloads


def test_many_processes_open_one_published_shard_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    index = EdgeIndex.create(folder, DIMENSION)
    index.upsert([point(f"n{number}", number) for number in range(100)])
    index.flush()
    index.close()
    code = (
        "import sys; from pathlib import Path; from vault.edge import EdgeIndex\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "print(EdgeIndex.open(Path(sys.argv[1])).count())"
    )
    started = [sys.executable, "-c", code, str(folder)]
    readers = [
        subprocess.Popen(started, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(8)
    ]
    for reader in readers:
        assert reader.stdout
        assert reader.stdout.readline() == "ready\n"
    for reader in readers:  # all have started: they open it at the same time, however busy the machine is
        assert reader.stdin
        reader.stdin.write("\n")
        reader.stdin.flush()
    assert [reader.communicate()[0].strip() for reader in readers] == ["100"] * 8


def test_what_was_asked_for_longest_ago_is_forgotten_first() -> None:
    payloads = {name: point(name, 1).payload for name in ("a", "b", "c")}
    memory = RememberedPayloads(most=2)
    memory.remember({"a": payloads["a"], "b": payloads["b"]})
    assert memory.known(["a"]) == {"a": payloads["a"]}
    memory.remember({"c": payloads["c"]})
    assert memory.known(["a", "b", "c"]) == {"a": payloads["a"], "c": payloads["c"]}
