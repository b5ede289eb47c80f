"""The one writer's lock. The kernel lets go of it when the process dies, so no lock outlives its holder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from filelock import FileLock, Timeout

from schemas.errors import VaultLocked
from vault.layout import VaultLayout
from vault.readonly import require_writable


def is_being_written(layout: VaultLayout) -> bool:
    """Whether a process that is alive says that it holds the vault for writing."""
    try:
        os.kill(int(layout.lock.with_suffix(".holder").read_text(encoding="utf-8")), 0)
    except PermissionError:
        return True  # alive, and somebody else's
    except (OSError, ValueError):
        return False
    return True


@contextmanager
def writer_lock(layout: VaultLayout) -> Iterator[None]:
    """Hold the vault for writing.

    Raises VaultLocked at once when another process holds it: a nightly run that waits for a manual one
    would only find its work done. Raises VaultReadOnly where the vault may only be read.
    """
    require_writable(layout.root)
    lock = FileLock(layout.lock)
    holder = layout.lock.with_suffix(".holder")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        pid = holder.read_text(encoding="utf-8").strip() if holder.exists() else "unknown"
        raise VaultLocked(
            "another process is writing to this vault",
            where=str(layout.root),
            why=f"process {pid} holds {layout.lock.name}",
            remedy="Wait for it to end; reading works meanwhile",
        ) from None
    try:
        with suppress(
            OSError
        ):  # who holds it is told for comfort: a full disk must not keep from making room
            holder.write_text(str(os.getpid()), encoding="utf-8")
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()
