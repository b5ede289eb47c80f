"""Scores of a cross-encoder that were paid for with processor time: kept by model, question and text.

Only sums of the texts are stored, no words of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from inference.cross_encoder import CrossEncoder
from schemas.base import sha256_text

FILE = "scores.sqlite"

_TABLE = "CREATE TABLE IF NOT EXISTS scores (key TEXT PRIMARY KEY, score REAL NOT NULL) WITHOUT ROWID"


class RememberedScores:
    """A cross-encoder that scores each pair once. Every call opens the file: nothing is held between two."""

    def __init__(self, encoder: CrossEncoder, folder: Path) -> None:
        self._encoder, self._file = encoder, folder / FILE
        self.name = encoder.name

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """See `CrossEncoder.scores`; only pairs that were never scored reach the model."""
        keys = [sha256_text("\x1e".join((self.name, query, text))) for text in texts]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self._file, timeout=30)) as store, store:
            store.execute(_TABLE)
            marks = ",".join("?" * len(keys))
            known = dict(store.execute(f"SELECT key, score FROM scores WHERE key IN ({marks})", keys))
            new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
            if new:
                known |= zip(new, self._encoder.scores(query, list(new.values())), strict=True)
                rows = [(key, known[key]) for key in new]
                store.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", rows)
        return [known[key] for key in keys]
