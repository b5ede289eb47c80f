"""What the language model cost, and where the offline engine spoke instead, in the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa

from schemas.fallback import Fallback
from schemas.model_call import ModelCall
from vault import rows
from vault.ledger import Ledger, Stamp

_FOLDED = "model_calls_seq"
_STAGED = "fallbacks.parquet"
_FALLBACKS = pa.schema(
    [
        ("account", pa.string()),
        ("conversation_id", pa.string()),
        ("engine", pa.string()),
        ("key", pa.string()),
        ("reason", pa.string()),
        ("sentences", pa.int64()),
        ("whole", pa.bool_()),
    ]
)


def folded_calls(ledger: Ledger) -> int:
    """The last call of the store of answers that the ledger has."""
    return int(ledger.setting(_FOLDED) or 0)


def add_model_calls(ledger: Ledger, calls: Sequence[ModelCall], run: str) -> None:
    """Record calls that follow those the ledger has."""
    if not calls:
        return
    ledger.insert(
        "INSERT INTO model_calls BY NAME SELECT * FROM new_rows",
        [{**call.model_dump(), "run": run} for call in calls],
    )
    ledger.settle(_FOLDED, str(max(call.seq for call in calls)))


def stage_fallbacks(folder: Path, found: Iterable[Fallback]) -> int:
    """Store what extraction found of a batch beside its other tables; returns how many."""
    return rows.write_rows(folder / _STAGED, _FALLBACKS, (one.model_dump() for one in found))


def merge_fallbacks(ledger: Ledger, folder: Path, wanted: Sequence[str], stamp: Stamp) -> None:
    """Replace the fallbacks of a batch's wanted conversations by those that extraction found now."""
    ledger.query("DELETE FROM fallbacks WHERE conversation_id IN (SELECT unnest(?))", [list(wanted)])
    path = folder / _STAGED
    if path.exists():  # else it was staged before extraction gave any
        ledger.query(
            """INSERT INTO fallbacks BY NAME SELECT *, ? AS run FROM read_parquet(?)
               WHERE conversation_id IN (SELECT unnest(?))""",
            [stamp.run, str(path), list(wanted)],
        )


def fallbacks(ledger: Ledger) -> list[Fallback]:
    """Every place where the offline engine spoke instead, whole windows first."""
    found = ledger.rows("SELECT * EXCLUDE (run) FROM fallbacks ORDER BY NOT whole, conversation_id, key")
    return [Fallback.model_validate(row) for row in found]
