"""What was, and who made it so: the answers of `blame`, `diff` and `--as-of`, for commands and assistants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from inference.secret_cover import masked_throughout
from interfaces.cli.lookup import one_id
from interfaces.path_survey import as_key, at_keys, keys_below
from interfaces.record_items import not_found, record_item
from schemas.errors import UnknownId, UsageError
from vault.blame import Entry, blame
from vault.history import PastGeneration, generation_of, note_as_of
from vault.notes_then import NoteChange, NoteThen, changes_between, filed_since
from vault.path_blame import moving, newest, of_this_account, renames_told, touching
from vault.path_queries import notes_at
from vault.paths import PathTables
from vault.paths_now import path_tables, path_tables_then, pending_acts_of, standing_acts_now
from vault.queries import SHORTEST_PREFIX, Row
from vault.reader import VaultReader
from vault.tombstones import burials

NO_NOTE_NAMED = "no note has this id, and nothing else is shown as of a generation"
"""Why a record is not found as a generation had it."""
BLAMED = 10
"""Entries that a blame shows unless told otherwise."""
TEXTS_ALONE = (
    "as of a generation only notes answer: passages, summaries and thread maps are on record as they are now"
)
BEFORE_ALL = "the date is before the first generation on record: all notes answer, and recency counts from it"
FILED_AGAIN = (
    "notes were filed again since: they lie where today's filing puts them, moves and renames are of then"
)
MEMBERS_ALONE = (
    "threads and their members are told as far as their conversations were there; labels and links are of now"
)


def then_of(reader: VaultReader, moment: int | datetime) -> PastGeneration:
    """The generation that was published at the moment, or has the number.

    Raises UsageError where it is not on record.
    """
    return generation_of(reader.ledger, moment)


def what_is_gone(reader: VaultReader, account: str, then: PastGeneration) -> list[str]:
    """What cannot be told of that generation any more: what was forgotten since is in none."""
    found = [
        one
        for one in burials(reader.layout.journal).values()
        if one.account == account and one.at > then.published_at
    ]
    if not found:
        return []
    return [
        f"{len(found)} conversations or documents were forgotten since: nothing of them is in any generation"
    ]


def lying_notices(reader: VaultReader, account: str, then: PastGeneration) -> list[str]:
    """What cannot be told of the paths of that generation; its notes must have been recalled."""
    again = [FILED_AGAIN] if filed_since(reader.ledger, then) else []
    return what_is_gone(reader, account, then) + again


def lying_then(
    reader: VaultReader, account: str, moment: int | datetime
) -> tuple[PathTables, tuple[str, ...]]:
    """Where notes lay in that generation, for `interfaces.path_survey.surveyed`, and what to say of that."""
    then = then_of(reader, moment)
    tables = path_tables_then(reader, then)
    return tables, (f"as of generation {then.number}", *lying_notices(reader, account, then))


def items_then(
    reader: VaultReader, named: Sequence[str], moment: int | datetime, account: str | None
) -> list[Row]:
    """Items as that generation had them: paths with the notes that lay there, and notes."""
    then = then_of(reader, moment)
    path_like = [one for one in named if as_key(reader, one, account) is not None]
    tables = path_tables_then(reader, then) if path_like else None
    keys = at_keys(reader, path_like, account, tables) if tables else {}
    return [keys[one] if one in keys else _note_then(reader, one, then, account) for one in named]


def _note_then(reader: VaultReader, named: str, then: PastGeneration, account: str | None) -> Row:
    try:
        unit = one_id(reader, "units", "id", named, account)
    except UnknownId:
        return not_found(reader, named, NO_NOTE_NAMED)
    except UsageError as error:
        if len(named) >= SHORTEST_PREFIX:  # the beginning of several ids
            raise
        return not_found(reader, named, error.what)
    if (note := note_as_of(reader.ledger, unit, then)) is None:
        return not_found(reader, named, f"generation {then.number} had no such note")
    return record_item(reader, named, "unit", note.model_dump(mode="json"))


def keys_below_then(
    reader: VaultReader, named: Sequence[str], moment: int | datetime, account: str | None
) -> dict[str, list[str]]:
    """By what was named, the paths below it at which notes lay in that generation."""
    tables = path_tables_then(reader, then_of(reader, moment)) if named else None
    return {one: keys_below(reader, one, account, tables) for one in named}


def blamed(reader: VaultReader, account: str, named: str, limit: int = BLAMED) -> Row:
    """What happened to the note or to the notes at the path that was named, newest first, renames of
    its paths too; of a note also who filed it where.

    A path without notes has no entries but its renames. Raises UnknownId for an id of no note.
    """
    key = as_key(reader, named, account)
    notes = notes_at(reader.ledger, path_tables(reader), account, [key[1]]).get(key[1]) if key else None
    if notes:
        units = [str(note["id"]) for note in notes]
    else:
        try:
            units = [one_id(reader, "units", "id", named, account)]
        except UsageError:  # no id, one too short, or several
            if key is None or "." not in named:
                raise
            units = []
    pending, ledger = pending_acts_of(reader), reader.ledger
    found = blame(ledger, units, pending, limit, filed=not notes)
    if notes or not units:
        renames = renames_told(ledger, account, pending, touching(key[1] if key else named))
    else:
        acts = of_this_account(ledger, standing_acts_now(reader), account)
        renames = renames_told(ledger, account, pending, moving(ledger, units[0], acts), units[0])
    found = newest([*found, *renames], limit)
    told: Row = masked_throughout(
        {
            "mode": "[mode=blame]",
            "success": True,
            "key": named,
            "namespace": account,
            "notes": units,
            "entries": [_entry(one) for one in found],
        }
    )
    return told


def _entry(one: Entry) -> Row:
    message = one.what if not one.reason else f"{one.what}: {one.reason}"
    return {
        "commit": one.run, "generation": one.generation, "author": one.actor, "date": one.at.isoformat(),
        "message": message, "note": one.unit or None, "detail": one.detail or None,
    }  # fmt: skip


def differing(
    reader: VaultReader, account: str, before: int | datetime | None, after: int | datetime | None
) -> Row:
    """Which notes stood in one of two generations and not in the other, or stood otherwise.

    Without `after` it is the published generation, without `before` the one before that.
    """
    ledger = reader.ledger
    new = then_of(reader, reader.generation.number if after is None else after)
    if before is None:
        found = ledger.query("SELECT max(number) FROM generations WHERE number < ?", [new.number])
        before = int(str(found[0][0])) if found[0][0] is not None else new.number
    old = then_of(reader, before)
    changes = changes_between(ledger, account, old, new)
    counts = Counter(one.operation for one in changes)
    waiting = len(pending_acts_of(reader))
    notices = what_is_gone(reader, account, min(old, new, key=lambda one: one.number))
    if waiting:
        notices.append(f"acts that no run has folded are in no generation yet: {waiting}")
    told: Row = masked_throughout(
        {
            "mode": "[mode=diff]",
            "success": True,
            "namespace": account,
            "from": old.number,
            "to": new.number,
            "stat": {name: counts[name] for name in ("added", "removed", "changed")},
            "changes": [change_row(one, account) for one in changes],
            "notices": notices,
        }
    )
    return told


def change_row(one: NoteChange, account: str) -> Row:
    """A change as `diff` tells it."""
    return {
        "namespace": account, "key": one.unit, "operation": one.operation, "old": _note(one.old),
        "new": _note(one.new),
    }  # fmt: skip


def _note(one: NoteThen | None) -> Row | None:
    return None if one is None else {"text": one.text, "category": one.category, "state": one.state.value}
