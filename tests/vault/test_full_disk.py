"""On a disk without a free byte every command says that the disk is full, and what makes room works."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from vault.reader import open_vault

REPOSITORY = Path(__file__).resolve().parents[2]
COMMANDS = """
import contextlib, io, json, subprocess, sys
from pathlib import Path
from benchmarks.faults import full_disks as disk
from interfaces.main import main
source, unit = sys.argv[1:]
disk.LEFT_FREE = 0
outcomes = {}
with disk.small_disk(Path(source).with_name("disk"), 2**26) as mounted:
    if mounted:
        vault = Path(source).with_name("disk") / "vault"
        subprocess.run(["cp", "-a", "--sparse=always", source, vault], check=True)
        disk.fill(vault.parent)
        for line in (
            "list", f"get {unit}", "sql FROM(units_current)", "recall hedge", f"keep {unit}",
            f"discard {unit}", "undo", "policy on own-words", "forget --match hornbeam --yes",
            "vault rollback 1", "vault prune --keep 1",
        ):
            said = io.StringIO()
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
                code = main([*line.split(), "--vault", str(vault)])
            outcomes[line.replace(unit, "ID")] = [code, said.getvalue()]
print(json.dumps(outcomes))
"""
READ = ("list", "get ID", "sql FROM(units_current)")
NEED_ROOM = ("recall hedge", "keep ID", "discard ID", "undo", "policy on own-words", "vault rollback 1")


def test_it_is_said_and_room_can_be_made(tmp_path: Path, export: Callable[..., Path]) -> None:
    if os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "mkfs.ext4"))):
        pytest.skip("no permission to mount a disk")
    said = [("user", "The garden is 40 square metres. The hornbeam hedge is 12 metres long.")]
    vault = tmp_path / "vault"
    ingested(IngestRequest(vault, (export("ada", {"garden": said}),)))
    ingested(IngestRequest(vault, (export("ada", {"garden": said, "boat": [("user", "My boat is dry.")]}),)))
    with open_vault(vault) as reader:
        unit = str(reader.ledger.query("SELECT min(id) FROM units")[0][0])
    command = ["unshare", "--mount", sys.executable, "-c", COMMANDS, str(vault), unit]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if "permi" in done.stderr.lower() or done.stdout == "{}\n":
        pytest.skip("no permission to mount a disk")
    outcomes = json.loads(done.stdout.splitlines()[-1])
    assert {one: outcomes[one][0] for one in READ} == dict.fromkeys(READ, 0)
    for one in (*NEED_ROOM, "forget --match hornbeam --yes"):
        code, told = outcomes[one]
        assert code == 1, (one, told)
        assert "the disk is full" in told or "not enough room" in told, (one, told)
        assert "Free some space" in told, (one, told)
    assert outcomes["vault prune --keep 1"][0] == 0, outcomes["vault prune --keep 1"]
