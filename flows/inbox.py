"""The inbox of a vault: what lies there is taken by the nightly run, and moved when it is done with."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from flows.summary import ArchiveOutcome, ArchiveResult
from vault.files import write_text_durably
from vault.layout import VaultLayout

SETTLED_SECONDS = 60.0
"""A file that changed less than this ago may still be on its way in."""


def settled_archives(layout: VaultLayout, now: float | None = None) -> list[Path]:
    """What has lain still in the inbox for a minute, oldest first. `now` is in epoch seconds."""
    moment = time.time() if now is None else now
    entries = [entry for entry in layout.inbox.iterdir() if not entry.name.startswith(".")]
    found = [(_last_change(entry), entry) for entry in entries]
    settled = [(changed, entry) for changed, entry in found if moment - changed >= SETTLED_SECONDS]
    return [entry for _, entry in sorted(settled, key=lambda pair: (pair[0], pair[1].name))]


def move_out(layout: VaultLayout, results: Sequence[ArchiveResult]) -> None:
    """Move each archive to `processed/` or `quarantine/`, with a note beside it that says how it went.

    One that waits for a model's answers stays for the next run.
    """
    for result in results:
        if result.outcome is ArchiveOutcome.WAITING:
            continue
        source = Path(result.archive)
        bad = result.outcome is ArchiveOutcome.FAILED
        target = _free_name((layout.quarantine if bad else layout.processed) / source.name)
        # the note first: a kill in between leaves the archive to be met again, not a move without a reason
        write_text_durably(
            target.with_name(target.name + ".note.json"), result.model_dump_json(indent=2) + "\n"
        )
        source.rename(target)


def _last_change(entry: Path) -> float:
    files = [entry, *entry.rglob("*")] if entry.is_dir() else [entry]
    return max(file.stat().st_mtime for file in files)


def _free_name(path: Path) -> Path:
    """The path itself, or with a number where it is taken: nothing is overwritten."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free
