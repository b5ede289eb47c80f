"""What interrupted runs leave in a vault: batches that nobody will ask for, halves of files."""

from __future__ import annotations

import shutil

from inference.store import FILE, Store, damaged_rows
from vault.branches import half_made
from vault.journal_damage import drop_damaged_acts
from vault.layout import VaultLayout
from vault.outside import unfinished


def leftovers(layout: VaultLayout) -> list[str]:
    """What no later run needs, by its name in the vault or its path outside: staged batches (the next reading
    of their archive makes them again), and what killed processes, backups and exports left. Only true while
    nobody writes."""
    staged = sorted(layout.staging.iterdir()) if layout.staging.is_dir() else []
    parts = sorted(layout.root.glob(".*.part"))
    parts.extend(half_made(layout))
    outside = [str(folder) for folder in unfinished(layout)]
    return [str(path.relative_to(layout.root)) for path in (*staged, *parts)] + outside


def clear_leftovers(layout: VaultLayout) -> list[str]:
    """Remove them, and what is damaged of the models' answers and of the owner's acts; returns their names.
    Hold the writer's lock.

    Raises sqlite3.DatabaseError where the file of answers or acts is damaged as a whole.
    """
    names = leftovers(layout)
    for name in names:
        path = layout.root / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    if (layout.cache / FILE).exists() and (damaged := damaged_rows(layout.cache)):
        with Store(layout.cache) as store:
            store.drop_damaged(damaged)
        names.extend(f"{FILE}: {name}" for name in damaged)
    names.extend(f"{layout.journal.name}: act {seq}" for seq in drop_damaged_acts(layout.journal))
    return names
