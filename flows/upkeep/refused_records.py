"""What is in quarantine of an account that is to be forgotten: bytes of its archives that nobody could read.

They became nothing in the ledger, so no words of the ledger find them. Whose an archive's folder is, the
record of imports says by the archive's name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

from vault.files import fitting_name
from vault.layout import VaultLayout
from vault.ledger import Ledger

_OF_ARCHIVE = re.compile(r"(?P<archive>.+)-[0-9a-f]{8}")
"""The name of the folder of an archive's refused records (`flows.intake.quarantine`). What has another name
is a whole archive that came from the inbox, and is nobody's on record."""
_NOTE = ".note.json"


def refused_of(
    layout: VaultLayout, ledgers: Iterable[Ledger], account: str, now: Callable[[str], str]
) -> tuple[list[Path], list[str]]:
    """(folders that go with the account, a line on each that stays though it may have something of it).

    `now` tells the account of what came under a name.
    """
    owners: dict[str, set[str]] = defaultdict(set)
    everybody: set[str] = set()
    for ledger in ledgers:
        everybody.update(map(now, ledger.accounts()))
        for archive, came_as in ledger.query("SELECT DISTINCT archive, account FROM imports"):
            owners[fitting_name(Path(str(archive)).name)].add(now(str(came_as)))
    going, staying = [], []
    for entry in sorted(layout.quarantine.iterdir()) if layout.quarantine.is_dir() else ():
        named = _OF_ARCHIVE.fullmatch(entry.name) if entry.is_dir() else None
        # of an archive of which nothing could be read no import is on record
        whose = (owners.get(named["archive"]) if named else None) or everybody
        if named and whose == {account}:
            going.append(entry)
        elif account in whose and not entry.name.endswith(_NOTE):
            staying.append(f"{entry}: bytes of an archive that may be another account's, look yourself")
    return going, staying
