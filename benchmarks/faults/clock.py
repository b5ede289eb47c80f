"""A clock that is set back: what happened later stays later."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from benchmarks.faults.drill import Drill, kept_units, run, some_units, write_archive
from vault.journal import Journal
from vault.layout import VaultLayout

FUTURE = "2099-01-01T00:00:00+00:00"


def clock_set_back(folder: Path, count: int) -> Drill:
    """Acts dated 2099, then today's: the later ones decide, whatever the dates say."""
    drill = Drill("clock set back")
    vault = folder / "vault"
    archive = write_archive(folder / "archives", 2)
    run(vault, "ingest", str(archive))
    units = some_units(vault, count)
    run(vault, "keep", *units)
    # the clock is wrong while the keeps are recorded, and right again afterwards
    with sqlite3.connect(VaultLayout(vault).journal) as connection:
        connection.execute("UPDATE acts SET at = ?", [FUTURE])
        connection.execute("DELETE FROM act_sums")
    connection.close()
    run(vault, "ingest", str(archive))
    drill.expect(kept_units(vault) == set(units), "kept, in 2099")
    run(vault, "discard", *units)
    drill.expect(kept_units(vault) == set(), "discarded before it is folded")
    run(vault, "ingest", str(write_archive(folder / "archives", 3)))
    drill.expect(kept_units(vault) == set(), "discarded, today")
    with Journal(VaultLayout(vault).journal) as journal:
        acts = [act.seq for act in journal.after(0)]
    drill.expect(acts == sorted(acts), "the journal keeps the order of the acts")
    drill.expect_sound(vault, "at the end")
    drill.counts["acts"] = len(acts)
    return drill
