"""Who and what the exported notes name, for pages that link them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from flows.notebook.note_pages import NamedNotes
from vault.deck import lay_out
from vault.engrams import ToldNote
from vault.ledger import Ledger
from vault.named_things import NAMED_IN, WORDS_OF_TIME, lay_out_names, named_beside

_MOST_NAMES = 2_000


def named_notes(ledger: Ledger, account: str, notes: Sequence[ToldNote]) -> list[NamedNotes]:
    """The names that at least NAMED_IN of the notes have, with those notes; by name."""
    if not notes:
        return []
    lay_out(ledger, account)
    lay_out_names(ledger, account, WORDS_OF_TIME)
    told = {note.id: note for note in notes}
    having: dict[str, list[ToldNote]] = defaultdict(list)
    for name, unit in ledger.query("SELECT name, id FROM named_in ORDER BY name, id"):
        if note := told.get(str(unit)):
            having[str(name)].append(note)
    chosen = sorted(
        (name for name, those in having.items() if len(those) >= NAMED_IN),
        key=lambda name: (-len(having[name]), name),
    )[:_MOST_NAMES]
    there = frozenset(chosen)
    return [
        NamedNotes(
            name,
            tuple(sorted(having[name], key=lambda note: (note.said_at is None, note.said_at, note.id))),
            tuple(one for row in named_beside(ledger, name) if (one := str(row["name"])) in there),
        )
        for name in sorted(chosen)
    ]
