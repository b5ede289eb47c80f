"""A vault on a read-only medium is read in full, and what would write to it says so."""

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
from schemas.act import ActKind
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault

MOUNT = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" -c "$3" "$1"'
COMMANDS = """
import contextlib, io, json, sys
from pathlib import Path
from interfaces.main import main
vault = str(Path(sys.argv[1]) / "vault")
outcomes = {}
for line in (
    "recall hedge", "list", "sql FROM(units_current)", "vault verify --full", "doctor",
    "vault rollback 1", "vault prune", "policy on own-words", "ingest " + sys.argv[1] + "/ada.json",
):
    said = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        outcomes[line.split("/")[0]] = [main([*line.split(), "--vault", vault]), said.getvalue()]
print(json.dumps(outcomes))
"""


def test_it_is_read_and_not_written(tmp_path: Path, export: Callable[..., Path]) -> None:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("no permission to mount a folder read-only")
    folder = tmp_path / "medium"
    folder.mkdir()
    archive = export(
        "ada", {"garden": [("user", "The garden is 40 square metres. The hornbeam hedge is 12 metres long.")]}
    )
    shutil.copy(archive, folder / "ada.json")
    ingested(IngestRequest(folder / "vault", (folder / "ada.json",)))
    with open_vault(folder / "vault") as reader, Journal(VaultLayout(folder / "vault").journal) as journal:
        journal.append(ActKind.KEEP, [str(reader.ledger.query("SELECT id FROM units")[0][0])])
    command = ["unshare", "--mount", "sh", "-c", MOUNT, "sh", str(folder), sys.executable, COMMANDS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "permission" in done.stderr.lower():
        pytest.skip("no permission to mount a folder read-only")
    outcomes = json.loads(done.stdout.splitlines()[-1])
    codes = {name: code for name, (code, _) in outcomes.items()}
    assert [codes[one] for one in list(codes)[:4]] == [0] * 4, outcomes
    for name in list(codes)[5:]:
        assert codes[name] == 1, name
        assert "may only be read" in outcomes[name][1], name
