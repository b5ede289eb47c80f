"""What a command asks a person at a terminal, and nobody else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import tzinfo
from pathlib import Path

from archives import open_archive
from interfaces.cli.options import ZONE
from interfaces.cli.terminal import prompted
from schemas.errors import InputError


def zone_of(paths: Sequence[Path], format_id: str | None) -> tzinfo | None:
    """The zone that times without one were written in, asked where an archive's times have none.

    None where no archive needs it or nobody is there to ask: UTC is taken then, and the report says so.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    local = [path.name for path in paths if _has_local_times(path, format_id)]
    if not local:
        return None
    question = f"The times in {', '.join(local)} name no zone. In which were they written?"
    return prompted(question, default="UTC", kind=ZONE)


def _has_local_times(path: Path, format_id: str | None) -> bool:
    try:
        with open_archive(path, format_id=format_id) as archive:
            return archive.local_times
    except InputError:
        return False
