"""What interrupted runs leave in a vault: batches that nobody will ask for, halves of files."""

from __future__ import annotations

import shutil

from vault.layout import VaultLayout


def leftovers(layout: VaultLayout) -> list[str]:
    """Names in the vault of what no later run needs: staged batches (the next reading of their archive makes
    them again), and temporary files of killed processes. Only true while nobody writes."""
    staged = sorted(layout.staging.iterdir()) if layout.staging.is_dir() else []
    parts = sorted(layout.root.glob(".*.part"))
    return [str(path.relative_to(layout.root)) for path in (*staged, *parts)]


def clear_leftovers(layout: VaultLayout) -> list[str]:
    """Remove them; returns their names. Hold the writer's lock."""
    names = leftovers(layout)
    for name in names:
        path = layout.root / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    return names
