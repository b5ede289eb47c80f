"""What a person changed in exported pages, taken in as the owner's acts: corrections, keeps and discards."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from curation.correction import corrected
from flows.notebook.markdown_escaping import unescaped
from flows.notebook.note_pages import PageKind
from flows.notebook.page_folder import WrittenPage, page_file, read_page, read_record
from schemas.act import STATE_AFTER, ActKind, Deed
from schemas.base import Noun, sha256_text
from schemas.errors import UsageError
from vault.journal import Journal
from vault.reader import VaultReader

_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_ACTS = {state.value: kind for kind, state in STATE_AFTER.items()}
REASON = "edited in Markdown"


class EditOutcome(StrEnum):
    """What came of an edited page."""

    CORRECTED = "corrected"
    STATED = "kept or discarded"
    CONFLICT = "changed in the vault too"
    REFUSED = "refused"


class TakenEdit(Noun):
    """One change of a person's, and what came of it."""

    unit_id: str
    path: str
    outcome: EditOutcome
    said: str
    """The new text or state; of what was not taken in, why."""


@dataclass(frozen=True, slots=True)
class Edited:
    """What a page says of its note."""

    text: str
    state: str


def read_edited(content: str) -> Edited | None:
    """The sentence and the state that a note's page has; None where it has lost its front matter."""
    front = _FRONT.match(content)
    if front is None:
        return None
    values = dict(line.split(":", 1) for line in front[1].splitlines() if ":" in line and line[0] != " ")
    body = content[front.end() :].strip().split("\n\n")[0]
    return Edited(
        unescaped(" ".join(body.split())), values.get("state", "").split("#")[0].strip().strip("\"'").lower()
    )


def import_markdown(reader: VaultReader, folder: Path, *, dry_run: bool = False) -> list[TakenEdit]:
    """Record what was edited as one lot of acts. A page that both sides changed is left alone and named.

    Raises UsageError where nothing was exported to the folder, or what was is not this vault's.
    """
    record = read_record(folder)
    if record is None:
        raise UsageError(
            "nothing was exported to this folder",
            where=str(folder),
            remedy="`mnemic export markdown --to DIR` makes one",
        )
    if record.account not in reader.generation.accounts:
        raise UsageError(f"the vault has no account {record.account!r}", where=str(folder))
    notes = {identity: one for identity, one in record.pages.items() if one.kind is PageKind.NOTE}
    rows = reader.ledger.query(
        "SELECT id, text, state FROM units_current WHERE account = ? AND id IN (SELECT unnest(?))",
        [record.account, list(notes)],
    )
    taken: list[TakenEdit] = []
    deeds: list[Deed] = []
    for unit, text, state in rows:
        page = notes[str(unit)]
        found = read_page(page_file(folder, page.path))
        if found is None or sha256_text(found.content) == page.sum:
            continue
        for deed, what in _changes(str(unit), page, found.content, str(text), str(state)):
            taken.append(what)
            deeds += [deed] if deed else []
    if deeds and not dry_run:
        with Journal(reader.layout.journal) as journal:
            journal.record(deeds, reason=REASON)
    return taken


def _changes(
    unit: str, page: WrittenPage, content: str, text: str, state: str
) -> list[tuple[Deed | None, TakenEdit]]:
    """What an edited page asks for, against what the vault says now."""

    def refused(why: str, outcome: EditOutcome = EditOutcome.REFUSED) -> tuple[None, TakenEdit]:
        return None, TakenEdit(unit_id=unit, path=page.path, outcome=outcome, said=why)

    edited = read_edited(content)
    if edited is None:
        return [refused("the lines between the two --- at the top are gone")]
    found: list[tuple[Deed | None, TakenEdit]] = []
    if edited.text != text and sha256_text(edited.text) != page.text_sum:
        if sha256_text(text) != page.text_sum:
            found.append(refused(f"the vault says now: {text}", EditOutcome.CONFLICT))
        else:
            try:
                line = corrected(edited.text)
            except UsageError as error:
                found.append(refused(str(error)))
            else:
                said = TakenEdit(unit_id=unit, path=page.path, outcome=EditOutcome.CORRECTED, said=line)
                found.append((Deed(ActKind.CORRECT, unit, line), said))
    if edited.state not in (page.state, state):
        if edited.state not in _ACTS:
            found.append(refused(f"{edited.state!r} is no state that you can give: kept, discarded"))
        elif state != page.state:
            found.append(refused(f"the vault says now: {state}", EditOutcome.CONFLICT))
        else:
            said = TakenEdit(unit_id=unit, path=page.path, outcome=EditOutcome.STATED, said=edited.state)
            found.append((Deed(_ACTS[edited.state], unit), said))
    return found
