"""`mnemic path`."""

from __future__ import annotations

from pathlib import Path

import click

from curation.filing.taxonomy import read_taxonomy, shipped_taxonomy
from interfaces.cli.lookup import account_of, one_id, opened
from interfaces.cli.options import account_option, json_option, vault_folder, vault_option
from interfaces.cli.terminal import print_json, print_table, say
from interfaces.path_survey import as_key
from schemas.act import ActKind, Deed
from schemas.errors import UnknownId, UsageError
from schemas.semantic_path import MAX_PATHS, checked_path, is_below
from schemas.unit import RECALLED_STATES
from schemas.words import amount
from vault.files import write_text_durably
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.lock import writer_lock
from vault.path_queries import notes_below, paths_of_notes
from vault.paths_now import path_tables
from vault.reader import VaultReader


@click.group("path")
def command() -> None:
    """Where notes lie: paths of one to three names, such as home.garden.hedge.

    Notes are filed by their words; what you do here holds over that, for good, and `mnemic undo` takes it
    back.

    \b
    Examples:
      mnemic path show 3f2a9c41
      mnemic path move 3f2a9c41 home.garden
      mnemic path rename leisure.arts leisure.music
    """


@command.command("show")
@click.argument("named", nargs=-1, required=True, metavar="ID|PATH...")
@account_option
@vault_option
@json_option
def show(named: tuple[str, ...], account: str | None, vault: Path | None, as_json: bool) -> int:
    """Show the paths of notes, and the notes at or below paths.

    \b
    Examples:
      mnemic path show 3f2a9c41 home.garden
    """
    with opened(vault) as reader:
        whose = account_of(reader, account)
        rows = [row for one in named for row in _lying(reader, one, whose)]
        short = [(reader.short_id(unit), path) for unit, path in rows]
    if as_json:
        print_json({"account": whose, "notes": [{"id": unit, "path": path} for unit, path in rows]})
    elif rows:
        print_table(amount(len(rows), "place"), ("note", "path"), short)
    else:
        say("no note lies there")
    return 0 if rows else 1


@command.command("move")
@click.argument("named", nargs=-1, required=True, metavar="ID|PATH... TO")
@click.option("--reason", default="", help="Why; kept with the act.")
@account_option
@vault_option
@json_option
def move(named: tuple[str, ...], reason: str, account: str | None, vault: Path | None, as_json: bool) -> int:
    """Move notes, or the notes that lie at a path now, TO another path.

    A note that is named lies there and nowhere else. Of notes at a path, that path alone changes. Later runs
    file them nowhere else; what comes later is filed as ever: `rename` is for that.

    \b
    Examples:
      mnemic path move 3f2a9c41 77b0d2e5 home.garden
      mnemic path move unsorted.the-boat home.vehicles.boat
    """
    if len(named) < 2:
        raise UsageError(
            "it is not said what to move where", remedy="Name ids or a path, and then the new path"
        )
    *sources, target = named
    to = checked_path(target)
    with opened(vault) as reader:
        whose = account_of(reader, account)
        places: dict[str, list[str]] = {}
        for one in sources:
            places |= _moved(reader, one, to, whose, places)
        deeds = [Deed(ActKind.PATH_MOVE, unit, " ".join(paths)) for unit, paths in sorted(places.items())]
        with Journal(reader.layout.journal) as journal:
            seq = journal.record(deeds, reason=reason)
    if as_json:
        print_json({"act": "path move", "to": to, "units": sorted(places), "journal_seq": seq})
    else:
        say(f"{amount(len(places), 'note')} moved to {to}; `mnemic undo` takes it back")
    return 0


def _lying(reader: VaultReader, named: str, account: str) -> list[tuple[str, str]]:
    """(note, path) of what was named. Raises UnknownId where it is neither a path with notes nor a note."""
    tables = path_tables(reader)
    key = as_key(reader, named, account)
    if key and (found := list(notes_below(reader.ledger, tables, account, key[1]))):
        return found
    if key and "." in key[1]:
        return []
    unit = one_id(reader, "units", "id", named, account)
    return [(unit, path) for path in paths_of_notes(reader.ledger, tables, account, [unit]).get(unit, [])]


def _moved(
    reader: VaultReader, named: str, to: str, account: str, before: dict[str, list[str]]
) -> dict[str, list[str]]:
    """Where each note that is meant is to lie: at most three paths, `to` among them."""
    tables, key = path_tables(reader), as_key(reader, named, account)
    there = list(notes_below(reader.ledger, tables, account, key[1])) if key else []
    if not there:
        if key and "." in key[1]:
            raise UnknownId(f"no note lies at {key[1]}", remedy="`mnemic summarize --depth 3` shows paths")
        return {_told(reader, one_id(reader, "units", "id", named, account)): [to]}
    units = sorted({unit for unit, _ in there})
    lying = paths_of_notes(reader.ledger, tables, account, units) | before
    path = key[1] if key else named
    return {
        unit: sorted({to, *(one for one in lying[unit] if not is_below(one, path))})[:MAX_PATHS]
        for unit in units
    }


def _told(reader: VaultReader, unit: str) -> str:
    """The note, as recall tells it. Raises UsageError for one that it does not: such notes lie nowhere."""
    ((state,),) = reader.ledger.query("SELECT state FROM units_current WHERE id = ?", [unit])
    if state not in RECALLED_STATES:
        short = reader.short_id(unit)
        raise UsageError(
            f"the note {short} is {state} and lies nowhere",
            why="only notes that recall tells have paths",
            remedy=f"`mnemic keep {short}` has it told; then move it",
        )
    return unit


@command.command("rename")
@click.argument("before")
@click.argument("after")
@click.option("--reason", default="", help="Why; kept with the act.")
@account_option
@vault_option
@json_option
def rename(
    before: str, after: str, reason: str, account: str | None, vault: Path | None, as_json: bool
) -> int:
    """Rename the path BEFORE, and with it all that lies below it, for what comes later too.

    \b
    Examples:
      mnemic path rename leisure.arts leisure.music
    """
    return _rename(ActKind.PATH_RENAME, before, after, reason, account, vault, as_json)


@command.command("merge")
@click.argument("before")
@click.argument("into")
@click.option("--reason", default="", help="Why; kept with the act.")
@account_option
@vault_option
@json_option
def merge(before: str, into: str, reason: str, account: str | None, vault: Path | None, as_json: bool) -> int:
    """Merge the path BEFORE, and all that lies below it, INTO another where notes lie already.

    \b
    Examples:
      mnemic path merge unsorted health
    """
    return _rename(ActKind.PATH_MERGE, before, into, reason, account, vault, as_json)


def _rename(
    kind: ActKind,
    before: str,
    after: str,
    reason: str,
    account: str | None,
    vault: Path | None,
    as_json: bool,
) -> int:
    old, new = checked_path(before), checked_path(after)
    if old == new or is_below(new, old):
        raise UsageError(f"{new} is {old} itself, or below it", remedy="Name another path")
    with opened(vault) as reader:
        whose = account_of(reader, account)
        tables = path_tables(reader)
        units = {unit for unit, _ in notes_below(reader.ledger, tables, whose, old)}
        there = any(True for _ in notes_below(reader.ledger, tables, whose, new))
        if not units:
            raise UnknownId(f"no note lies at {old}", remedy="`mnemic summarize --depth 3` shows paths")
        if there and kind is ActKind.PATH_RENAME:
            raise UsageError(
                f"notes lie at {new} already", remedy="`mnemic path merge` puts the two together"
            )
        if not there and kind is ActKind.PATH_MERGE:
            raise UsageError(f"no note lies at {new}", remedy="`mnemic path rename` gives a path a new name")
        with Journal(reader.layout.journal) as journal:
            seq = journal.record([Deed(kind, old, f"{new} {whose}")], reason=reason)
    done = kind.value.replace("_", " ")
    if as_json:
        print_json({"act": done, "before": old, "after": new, "notes": len(units), "journal_seq": seq})
    else:
        say(f"{old} is {new} now, with {amount(len(units), 'note')}; `mnemic undo` takes it back")
    return 0


@command.command("taxonomy")
@click.option("--copy", is_flag=True, help="Put a copy into the vault, to be edited: it then holds.")
@vault_option
@json_option
def taxonomy(copy: bool, vault: Path | None, as_json: bool) -> int:
    """Show the paths that notes are filed under, and what each is about.

    \b
    Examples:
      mnemic path taxonomy
      mnemic path taxonomy --copy
    """
    layout = VaultLayout(vault_folder(vault))
    if copy:
        with writer_lock(layout):
            if layout.taxonomy.exists():
                raise UsageError("the vault has a taxonomy of its own", where=str(layout.taxonomy))
            write_text_durably(layout.taxonomy, shipped_taxonomy())
    leaves = [(path, branch.about) for path, branch in read_taxonomy(layout.taxonomy).leaves()]
    own = str(layout.taxonomy) if layout.taxonomy.exists() else None
    if as_json:
        print_json({"file": own, "paths": dict(leaves)})
    else:
        print_table(own or "the taxonomy that comes with mnemic", ("path", "about"), leaves)
    return 0
