"""Where notes lie for a reader: as published, or settled anew where acts are not folded yet."""

from __future__ import annotations

from schemas.act import ON_PATHS, Act, ActKind
from vault.journal import Journal, live
from vault.ledger import Ledger
from vault.paths import PUBLISHED, SETTLED, PathTables, settle_paths, standing_path_acts
from vault.reader import VaultReader


def path_tables(reader: VaultReader) -> PathTables:
    """The tables that tell where notes lie now.

    Where acts wait for the next run that would move a note, give it paths, or take them, the tables are
    settled with those acts, in memory and on this connection alone: once for the acts that there are, in a
    time that grows with the notes.
    """
    ledger, pending = reader.ledger, _pending(reader)
    concerned = reader.overlay().units or any(act.kind in (*ON_PATHS, ActKind.UNDO) for act in pending)
    if not concerned:
        return PUBLISHED
    if _settled_at(ledger) != str(reader.position):
        settle_paths(ledger, _standing(reader, pending))
        ledger.query(
            "CREATE OR REPLACE TEMP TABLE settled_at AS SELECT ? AS position", [str(reader.position)]
        )
    return SETTLED


def _settled_at(ledger: Ledger) -> str | None:
    """For which generation and act this connection settled the tables last."""
    if not ledger.has("settled_at"):
        return None
    ((position,),) = ledger.query("SELECT position FROM temp.settled_at")
    return str(position)


def standing_acts_now(reader: VaultReader) -> list[Act]:
    """The acts on paths that stand, folded or not, oldest first."""
    return _standing(reader, _pending(reader))


def _pending(reader: VaultReader) -> list[Act]:
    if not reader.layout.journal.exists():
        return []
    with Journal(reader.layout.journal) as journal:
        return journal.after(reader.generation.journal_seq)


def _standing(reader: VaultReader, pending: list[Act]) -> list[Act]:
    undone = {act.detail for act in pending if act.kind is ActKind.UNDO}
    folded = [act for act in standing_path_acts(reader.ledger) if act.id not in undone]
    return folded + [act for act in live(pending) if act.kind in ON_PATHS]
