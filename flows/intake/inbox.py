"""The inbox of a vault: what lies there is taken by the nightly run, and moved when it is done with."""

from __future__ import annotations

import logging
import os
import stat
import time
from collections.abc import Sequence
from pathlib import Path

from flows.reports.run_summary import ArchiveOutcome, ArchiveResult
from vault.files import fitting_name, write_text_durably
from vault.layout import VaultLayout

log = logging.getLogger(__name__)

SETTLED_SECONDS = 60.0
"""A file that changed less than this ago may still be on its way in."""
NOTE = ".note.json"
"""What the name of the note on an archive has after the archive's own."""


def settled_archives(layout: VaultLayout, now: float | None = None) -> list[Path]:
    """What has lain still in the inbox for a minute, oldest first. `now` is in epoch seconds.

    What is neither file nor folder (a link that leads nowhere, a pipe) is left there, and logged.
    """
    moment = time.time() if now is None else now
    entries = [entry for entry in layout.inbox.iterdir() if not entry.name.startswith(".")]
    found = [(_last_change(entry), entry) for entry in entries]
    settled = [(at, entry) for at, entry in found if at is not None and moment - at >= SETTLED_SECONDS]
    return [entry for _, entry in sorted(settled, key=lambda pair: (pair[0], pair[1].name))]


def move_out(layout: VaultLayout, results: Sequence[ArchiveResult], since: float | None = None) -> None:
    """Move each archive to `processed/` or `quarantine/`, with a note beside it that says how it went.

    One that waits for a model's answers stays for the next run, and so does one that changed after `since`
    (epoch seconds): it was not read as it is now.
    """
    for result in results:
        if result.outcome is ArchiveOutcome.WAITING:
            continue
        source = _in_inbox(layout, result.archive)
        changed = _last_change(source)
        if changed is None or (since is not None and changed >= since):
            log.warning("%s went away or changed while it was read: it is left as it is", result.archive)
            continue
        bad = result.outcome is ArchiveOutcome.FAILED
        folder, name = layout.quarantine if bad else layout.processed, Path(result.archive).name
        target = _free_name(folder / fitting_name(name))
        # the note first: a kill in between leaves the archive to be met again, not a move without a reason
        write_text_durably(target.with_name(target.name + NOTE), result.model_dump_json(indent=2) + "\n")
        source.rename(target)


def _in_inbox(layout: VaultLayout, named: str) -> Path:
    """The archive that a result names; of a name that is no UTF-8 the result has a readable form."""
    path = Path(named)
    alike = (one for one in layout.inbox.iterdir() if os.fsencode(one).decode("utf-8", "replace") == named)
    return path if os.path.lexists(path) else next(alike, path)


def _last_change(entry: Path) -> float | None:
    """In epoch seconds, of a file or of anything in a folder; None for what is neither, or is not there."""
    try:
        found = entry.stat()
        if stat.S_ISREG(found.st_mode):
            return found.st_mtime
        if stat.S_ISDIR(found.st_mode):
            return max([found.st_mtime, *(one.lstat().st_mtime for one in entry.rglob("*"))])
    except OSError as error:
        log.warning("left in the inbox: %s", error)
        return None
    log.warning("left in the inbox, being neither file nor folder: %s", entry)
    return None


def _free_name(path: Path) -> Path:
    """The path itself, or with a number where it is taken: nothing is overwritten."""
    number, free = 1, path
    while free.exists() or free.with_name(free.name + NOTE).exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free
