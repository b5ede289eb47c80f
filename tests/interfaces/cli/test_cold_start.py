"""What a command that shows a note does not load: each library costs a twentieth of a second or more."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from vault.queries import NoteFilter, list_notes
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]

HEAVY = ["archives.registry", "numpy", "onnxruntime", "prefect", "pyarrow", "tokenizers"]
ASKED = """
import json, sys
from interfaces.main import main
code = main(sys.argv[2:])
print(json.dumps([code, sorted(set(json.loads(sys.argv[1])) & sys.modules.keys())]), file=sys.stderr)
"""


def test_get_loads_no_library_of_search(tmp_path: Path, export: Exporter) -> None:
    vault = let_pass(tmp_path / "vault")
    ingested(IngestRequest(vault, (export("ada", {"hull": [("user", "The hull is 7 metres long.")]}),)))
    with open_vault(vault) as reader:
        (note, *_) = list_notes(reader.ledger, NoteFilter("ada", states=None))
    asked = [sys.executable, "-c", ASKED, json.dumps(HEAVY), "get", str(note["id"]), "--vault", str(vault)]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert "7 metres" in done.stdout
    assert json.loads(done.stderr.splitlines()[-1]) == [0, []]
