"""`mnemic export`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interfaces.cli.lookup import account_of, opened
from interfaces.cli.options import account_option, json_option, vault_folder, vault_option
from interfaces.cli.terminal import pour, print_json, say
from schemas.deferred import deferred
from schemas.errors import PathMissing, UsageError
from schemas.unit import State
from schemas.words import amount
from vault.outside import beside, put_in_place
from vault.queries import EXPORTS, export
from vault.tombstones import remember_copy

if TYPE_CHECKING:
    from flows.notebook import page_export
else:
    page_export = deferred("flows.notebook.page_export")


FORMATS = ("jsonl", "parquet", "csv")
PARTLY = 3


@click.group("export")
def command() -> None:
    """Write what the vault holds: rows to a file, or pages to a folder.

    \b
    Examples:
      mnemic export units > units.jsonl
      mnemic export conversations --format parquet --to conversations.parquet
      mnemic export markdown --to ~/Notes/memory
    """


@command.command("markdown")
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder to write to.",
)
@click.option(
    "--state",
    "states",
    multiple=True,
    type=click.Choice([one.value for one in State]),
    default=[State.KEPT.value],
    show_default=True,
    help="Notes in this state; may be given again.",
)
@click.option(
    "--transcripts/--no-transcripts",
    default=None,
    help="Whole conversations too, a page each. [default: if the folder has them]",
)
@click.option("--replace-edits", is_flag=True, help="Write over pages that were edited, too.")
@account_option
@vault_option
@json_option
def markdown(
    folder: Path,
    states: tuple[str, ...],
    transcripts: bool | None,
    replace_edits: bool,
    account: str | None,
    vault: Path | None,
    as_json: bool,
) -> int:
    """Write kept notes, session summaries, thread maps and who is named as Markdown pages, for Obsidian and
    the like.

    Only what changed is written. A page that you edited is left as it is, and named; exit code 3 where the
    vault says something new of it. `mnemic import markdown DIR` takes edits in.

    \b
    Examples:
      mnemic export markdown --to ~/Notes/memory
      mnemic export markdown --to ~/Notes/memory --state kept --state review
      mnemic export markdown --to ~/Notes/memory --transcripts
    """
    folder = _outside(folder, vault)
    with opened(vault) as reader:
        done = page_export.export_markdown(
            reader,
            account_of(reader, account),
            folder,
            tuple(map(State, states)),
            replace_edits=replace_edits,
            transcripts=transcripts,
        )
    if as_json:
        print_json(done.model_dump(mode="json"))
        return PARTLY if done.outdated else 0
    for page in done.edited:
        say(f"{page}: edited, left as it is; `mnemic import markdown` takes it in")
    for page in done.outdated:
        say(f"{page}: edited, left as it is, though the vault has news of it; --replace-edits writes over it")
    for page in done.deleted:
        say(f"{page}: you deleted it, and it stays so; --replace-edits writes it again")
    say(
        f"{amount(len(done.written), 'page')} written, {len(done.removed):,} removed,"
        f" {done.unchanged:,} unchanged, {len(done.edited) + len(done.outdated):,} edited by you, in {folder}"
    )
    return PARTLY if done.outdated else 0


def _outside(to: Path, vault: Path | None) -> Path:
    """Where a link leads to, which must not be in the vault."""
    to = to.resolve()
    if to.is_relative_to(vault_folder(vault).resolve()):
        raise UsageError(
            "an export does not go into the vault", where=str(to), remedy="Name a place elsewhere"
        )
    return to


@click.command("rows")
@click.option("--format", "file_format", type=click.Choice(FORMATS), default="jsonl", show_default=True)
@click.option(
    "--to", type=click.Path(path_type=Path, dir_okay=False), help="File to write. [default: standard output]"
)
@vault_option
@json_option
@click.pass_context
def rows(
    context: click.Context, file_format: str, to: Path | None, vault: Path | None, as_json: bool
) -> None:
    """Write every row of the kind that the command names."""
    what = str(context.info_name)
    if as_json and to is None:
        raise click.UsageError("--json reports on a file: name one with --to")
    if to is None and file_format == "parquet" and sys.stdout.isatty():
        raise UsageError("a terminal shows no parquet", remedy="Name a file with --to")
    if to is not None and not to.absolute().parent.is_dir():
        raise PathMissing("no such folder", where=str(to.parent), remedy="Make it, or name another file")
    to = _outside(to, vault) if to is not None else None  # a link stays, and what it names is written
    special = to is not None and to.exists() and not to.is_file()
    with opened(vault) as reader:
        if to is not None and not special:
            with beside(reader.layout, to) as folder:
                count = export(reader.ledger, what, file_format, folder / "export")
                put_in_place(folder / "export", to)
            remember_copy(reader.layout, to, "export")
        else:
            with tempfile.TemporaryDirectory() as private:
                made = Path(private) / "export"
                count = export(reader.ledger, what, file_format, made)
                if to is None:
                    pour(made, as_json=file_format == "jsonl")
                    return
                # a pipe or device is written to, not replaced
                with made.open("rb") as source, to.open("wb") as sink:
                    shutil.copyfileobj(source, sink)
    if as_json:
        print_json({"what": what, "format": file_format, "rows": count, "file": str(to)})
    else:
        say(f"{count:,} {what} written to {to}")


for _what in EXPORTS:
    _help = f"Write all {_what} as rows, to a file or to standard output."
    command.add_command(click.Command(_what, callback=rows.callback, params=rows.params, help=_help))
