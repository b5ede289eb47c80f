"""A vault whose gate passes every note that form does not stop."""

from __future__ import annotations

import json
from pathlib import Path


def let_pass(vault: Path) -> Path:
    """The vault, its gate told to pass every note that form does not stop."""
    vault.mkdir(parents=True, exist_ok=True)
    bounds = {"passing": 0.0, "rejecting": 0.0, "own": 0.0}
    (vault / "gate.json").write_text(json.dumps(bounds), encoding="utf-8")
    return vault
