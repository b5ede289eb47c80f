"""Where notes lie for a reader: as published, settled anew where acts are not folded yet, or as they lay."""

from __future__ import annotations

from schemas.act import ON_PATHS, Act, ActKind
from vault.history import PastGeneration
from vault.journal import Journal, live
from vault.ledger import Ledger
from vault.notes_then import NOTES_THEN, path_acts_then, recall_notes
from vault.paths import PUBLISHED, SETTLED, PathTables, settle_paths, standing_path_acts
from vault.reader import VaultReader


def path_tables(reader: VaultReader) -> PathTables:
    """The tables that tell where notes lie now.

    Where acts wait for the next run that would move a note, give it paths, or take them, the tables are
    settled with those acts, in memory and on this connection alone: once for the acts that there are, in a
    time that grows with the notes.
    """
    ledger, pending = reader.ledger, pending_acts_of(reader)
    concerned = reader.overlay().units or any(act.kind in (*ON_PATHS, ActKind.UNDO) for act in pending)
    if not concerned:
        return PUBLISHED
    if _settled_at(ledger) != str(reader.position):
        settle_paths(ledger, _standing(reader, pending))
        ledger.query(
            "CREATE OR REPLACE TEMP TABLE settled_at AS SELECT ? AS position", [str(reader.position)]
        )
    return SETTLED


def path_tables_then(reader: VaultReader, then: PastGeneration) -> PathTables:
    """The tables that tell where the notes of an earlier generation lay, made on this connection, in a time
    that grows with the notes; with them the table of the notes (`vault.notes_then.NOTES_THEN`)."""
    recall_notes(reader.ledger, then)
    settle_paths(reader.ledger, path_acts_then(reader.ledger, then), NOTES_THEN)
    reader.ledger.query("DROP TABLE IF EXISTS temp.settled_at")  # the tables are not those of now any more
    return SETTLED


def _settled_at(ledger: Ledger) -> str | None:
    """For which generation and act this connection settled the tables last."""
    if not ledger.has("settled_at"):
        return None
    ((position,),) = ledger.query("SELECT position FROM temp.settled_at")
    return str(position)


def standing_acts_now(reader: VaultReader) -> list[Act]:
    """The acts on paths that stand, folded or not, oldest first."""
    return _standing(reader, pending_acts_of(reader))


def pending_acts_of(reader: VaultReader) -> list[Act]:
    """The acts that the open generation has not folded, oldest first."""
    if not reader.layout.journal.exists():
        return []
    with Journal(reader.layout.journal) as journal:
        return journal.after(reader.generation.journal_seq)


def _standing(reader: VaultReader, pending: list[Act]) -> list[Act]:
    undone = {act.detail for act in pending if act.kind is ActKind.UNDO}
    folded = [act for act in standing_path_acts(reader.ledger) if act.id not in undone]
    return folded + [act for act in live(pending) if act.kind in ON_PATHS]
