"""Scores of a cross-encoder that were paid for with processor time: kept by model, question and text.

Only sums of the texts are stored, no words of them.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from inference.cross_encoder import CrossEncoder
from schemas.base import sha256_text

FILE = "scores.sqlite"

_PATIENCE = 2.0
"""Seconds to wait for another process: to score again takes less."""

log = logging.getLogger(__name__)

_TABLE = "CREATE TABLE IF NOT EXISTS scores (key TEXT PRIMARY KEY, score REAL NOT NULL) WITHOUT ROWID"


class RememberedScores:
    """A cross-encoder that scores each pair once. Every call opens the file: nothing is held between two.
    Where the file cannot be read or written (damaged, locked, a full disk), pairs are scored again."""

    def __init__(self, encoder: CrossEncoder, folder: Path) -> None:
        self._encoder, self._file = encoder, folder / FILE
        self.name = encoder.name

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """See `CrossEncoder.scores`; only pairs that were never scored reach the model."""
        keys = [sha256_text(json.dumps((self.name, query, text))) for text in texts]
        known = self._known(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            scored = dict(zip(new, self._encoder.scores(query, list(new.values())), strict=True))
            self._keep(scored)
            known |= scored
        return [known[key] for key in keys]

    def _known(self, keys: Sequence[str]) -> dict[str, float]:
        marks = ",".join("?" * len(keys))
        try:
            with self._opened() as store:
                return dict(store.execute(f"SELECT key, score FROM scores WHERE key IN ({marks})", keys))
        except (sqlite3.Error, OSError) as error:
            log.warning("scores kept before are not read: %s: %s", self._file, error)
            return {}

    def _keep(self, scored: Mapping[str, float]) -> None:
        try:
            with self._opened() as store:
                store.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", list(scored.items()))
        except (sqlite3.Error, OSError) as error:
            log.warning("scores are not kept: %s: %s", self._file, error)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self._file, timeout=_PATIENCE)) as store, store:
            store.execute(_TABLE)
            yield store
