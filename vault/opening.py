"""Nothing of a generation is opened whose bytes are not those that were published.

The engine maps its files: a turned bit may have it loop, fill the memory, or answer with something else
(measured, docs/faults.md). So whoever opens a ledger or an index has the sums of its files compared with the
manifest first: once a day every byte, in between only those of files that do not look as they did then.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import suppress
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from schemas.base import Noun
from schemas.errors import IntegrityError
from schemas.generation import Generation
from vault.edge import EdgeIndex
from vault.files import stamp_of
from vault.layout import INDEX_FOLDER, LEDGER_FILE, VaultLayout
from vault.ledger import Ledger
from vault.readonly import may_write
from vault.sums import damaged_files

REBUILD = "Run `mnemic vault rebuild`: it makes the index anew from the ledger"
RESTORE = "Restore a backup (`mnemic vault restore`), or `mnemic vault rollback` to another generation"

LASTS = 24 * 3600.0
"""Seconds for which a file that looks as it did when it was read is not read again."""
TOUCHED = ""
"""Instead of a stamp, of a file that gets another date whenever a shard is opened (measured: its trackers and
flags, small ones, and those that can lead the engine astray): it is read each time."""
SMALL = 1 << 20
"""Bytes on the disk. A larger file that looks different, as all do after a `chmod` or a backup of hard links,
is read once and then has its new stamp: a vault is not read in full at each command of a day."""


class Look(Noun):
    """How files looked from outside when they were read whole and found to be what was published."""

    at: float
    """Seconds since 1970."""
    stamps: dict[str, str]
    """Of each file."""


_LOOKS = TypeAdapter(dict[str, Look])


def open_ledger(layout: VaultLayout, manifest: Generation) -> Ledger:
    """The ledger of a generation, read-only. Raises IntegrityError where its file is damaged."""
    require_whole(layout, manifest, LEDGER_FILE)
    return Ledger.open(layout.generation(manifest.number) / LEDGER_FILE, read_only=True)


def open_index(layout: VaultLayout, manifest: Generation) -> EdgeIndex:
    """The index of a generation, for reading. Raises IntegrityError where one of its files is damaged."""
    require_whole(layout, manifest, INDEX_FOLDER)
    return EdgeIndex.open(layout.generation(manifest.number) / INDEX_FOLDER)


def require_whole(layout: VaultLayout, manifest: Generation, *parts: str) -> None:
    """Raises IntegrityError, naming the first of the files, where the ledger or the index is damaged."""
    for part in parts:
        found = damage_of(layout, manifest, part)
        if found:
            more = f", and {len(found) - 1} more" if len(found) > 1 else ""
            raise IntegrityError(
                f"a file of generation {manifest.number} is damaged, so it is not opened",
                where=str(layout.generation(manifest.number)),
                why=found[0] + more,
                remedy=REBUILD if part == INDEX_FOLDER else RESTORE,
            )


def damage_of(layout: VaultLayout, manifest: Generation, part: str) -> list[str]:
    """What is wrong with the files of the ledger or the index, each line beginning with a file's name."""
    folder, key, now = layout.generation(manifest.number), f"{manifest.number}/{part}", time.time()
    looks = {name: one for name, one in _looks(layout.looks).items() if 0 <= now - one.at < LASTS}
    known = looks[key].stamps if key in looks else {}
    stamps = {name: stamp_of(folder / name) for name in manifest.files if name.startswith(part)}
    trusted = {name for name, stamp in stamps.items() if stamp and known.get(name) == stamp}
    found = damaged_files(folder, manifest.files, below=part, besides=trusted)
    again = {name for name in stamps if name not in trusted and name in known}
    after = {n: TOUCHED if n in again and _is_small(folder / n) else one for n, one in stamps.items()}
    if not found and after != known and may_write(layout.root):
        at = looks[key].at if key in looks else now
        _remember(layout.looks, {**looks, key: Look(at=at, stamps=after)})
    return found


def _is_small(path: Path) -> bool:
    return path.exists() and path.stat().st_blocks * 512 < SMALL


def _looks(path: Path) -> dict[str, Look]:
    try:
        return _LOOKS.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return {}


def _remember(path: Path, looks: dict[str, Look]) -> None:
    """Not durable, and on a full disk not at all: where it is lost the files are read again."""
    with suppress(OSError), tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as aside:
        part = Path(aside) / path.name
        part.write_bytes(_LOOKS.dump_json(looks))
        part.replace(path)
