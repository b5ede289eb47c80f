"""What libraries read of the environment is said before they are imported, whichever package comes first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from schemas.library_settings import SETTLED

REPOSITORY = Path(__file__).resolve().parents[2]
WATCHED = """
import importlib, os, sys

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name in ("numpy", "onnxruntime", "prefect"):
            missing = [one for one in NAMES if not os.environ.get(one)]
            assert not missing, f"{name} is imported before {missing} are said"

sys.meta_path.insert(0, Watch())
importlib.import_module(sys.argv[1])
assert "numpy" in sys.modules
"""


@pytest.mark.parametrize(
    "first",
    [
        "extract.reader.small_reader",
        "curation.pairs.small_judge",
        "inference.minilm",
        "retrieval.search.hybrid",
        "flows.ingest.steps",
        "interfaces.mcp.mcp_server",
    ],
)
def test_settings_are_said_before_numpy(first: str) -> None:
    bare = f"NAMES = {sorted(SETTLED)}\n{WATCHED}"
    done = subprocess.run(
        [sys.executable, "-c", bare, first],
        capture_output=True,
        text=True,
        check=False,
        cwd=REPOSITORY,
        env={"PATH": ""},
    )
    assert done.returncode == 0, done.stderr
