"""Paths that a language model named for the notes that it wrote: staged with a batch, merged with it.

Where a note is filed is said by `flows.generation.note_filing`, which holds them against the taxonomy of the
day; a note that was read again without a path has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.deferred import deferred
from schemas.semantic_path import NamedPaths
from vault.ledger import Ledger, Stamp

if TYPE_CHECKING:
    import pyarrow as pa

    from vault import rows as vault_rows
else:
    pa = deferred("pyarrow")
    vault_rows = deferred("vault.rows")

_STAGED = "model_paths.parquet"


def stage_model_paths(folder: Path, found: Iterable[NamedPaths]) -> int:
    """Store what a batch's notes were named beside its other tables; returns how many paths."""
    words = ("account", "conversation_id", "unit_id", "path", "filer")
    schema = pa.schema([*((name, pa.string()) for name in words), ("place", pa.int64())])
    return vault_rows.write_rows(
        folder / _STAGED,
        schema,
        (
            {**one.model_dump(exclude={"paths"}), "path": path, "place": place}
            for one in found
            for place, path in enumerate(one.paths)
        ),
    )


def merge_model_paths(ledger: Ledger, folder: Path, wanted: Sequence[str], stamp: Stamp) -> None:
    """Replace the paths of the wanted conversations' staged notes by those that were named now.

    A note that was not found again keeps its own: it stays on record, and so may its place.
    """
    staged = folder / _STAGED
    ledger.query(
        """DELETE FROM model_paths WHERE unit_id IN (
               SELECT id FROM read_parquet(?) WHERE conversation_id IN (SELECT unnest(?)))""",
        [str(folder / "units.parquet"), list(wanted)],
    )
    if staged.exists():  # else it was staged before models were asked for paths
        ledger.query(
            """INSERT INTO model_paths BY NAME SELECT *, ? AS run FROM read_parquet(?)
               WHERE conversation_id IN (SELECT unnest(?))""",
            [stamp.run, str(staged), list(wanted)],
        )


def model_paths_of(ledger: Ledger, conversation: str) -> tuple[NamedPaths, ...]:
    """What the notes of a conversation were named, by note."""
    found = ledger.rows(
        """SELECT account, conversation_id, unit_id, filer, list(path ORDER BY place) AS paths
           FROM model_paths WHERE conversation_id = ? GROUP BY ALL ORDER BY unit_id""",
        [conversation],
    )
    return tuple(NamedPaths.model_validate(row, strict=False) for row in found)
