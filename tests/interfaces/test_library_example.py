"""The example of `docs/retrieval.md`, run as it stands there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from interfaces.main import main

ROOT = Path(__file__).parents[2]


def test_the_example_of_the_docs_runs(tmp_path: Path) -> None:
    talk = {
        "id": "c1",
        "owner": "Mara",
        "title": "The boat's paint",
        "messages": [
            {"id": "m1", "role": "user", "name": "Mara", "text": "I decided to paint the boat green."}
        ],
    }
    archive = tmp_path / "boat.transcript.jsonl"
    archive.write_text(json.dumps(talk) + "\n", encoding="utf-8")
    assert main(["ingest", str(archive), "--account", "mara", "--vault", str(tmp_path / "my-vault")]) == 0
    page = (ROOT / "docs" / "retrieval.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", example],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "paint the boat green" in done.stdout
