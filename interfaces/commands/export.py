"""`mnemic export`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import click

from interfaces.options import json_option, vault_folder, vault_option
from interfaces.reading import opened
from interfaces.terminal import print_json
from schemas.errors import PathMissing, UsageError
from vault.queries import EXPORTS, export
from vault.tombstones import remember_copy

FORMATS = ("jsonl", "parquet", "csv")


@click.command("export")
@click.argument("what", type=click.Choice(list(EXPORTS)))
@click.option("--format", "file_format", type=click.Choice(FORMATS), default="jsonl", show_default=True)
@click.option(
    "--to", type=click.Path(path_type=Path, dir_okay=False), help="File to write. [default: standard output]"
)
@vault_option
@json_option
def command(what: str, file_format: str, to: Path | None, vault: Path | None, as_json: bool) -> None:
    """Write every note, chunk, conversation or resource of the vault.

    \b
    Examples:
      mnemic export units > units.jsonl
      mnemic export conversations --format parquet --to conversations.parquet
    """
    if as_json and to is None:
        raise click.UsageError("--json reports on a file: name one with --to")
    if to is not None and not to.absolute().parent.is_dir():
        raise PathMissing("no such folder", where=str(to.parent), remedy="Make it, or name another file")
    if to is not None:
        to = to.resolve()  # a link stays, and what it names is written
        if to.is_relative_to(vault_folder(vault).resolve()):
            raise UsageError(
                "an export does not go into the vault", where=str(to), remedy="Name a file elsewhere"
            )
    special = to is not None and to.exists() and not to.is_file()
    beside = to.parent if to is not None and not special else None
    with opened(vault) as reader, tempfile.TemporaryDirectory(dir=beside) as folder:
        made = Path(folder) / f"export.{file_format}"
        count = export(reader.ledger, what, file_format, str(made))
        if to is None:
            with made.open("rb") as source:
                shutil.copyfileobj(source, sys.stdout.buffer)
            return
        if special:  # a pipe or device is written to, not replaced
            with made.open("rb") as source, to.open("wb") as sink:
                shutil.copyfileobj(source, sink)
        else:
            made.replace(to)
            remember_copy(reader.layout, to, "export")
    if as_json:
        print_json({"what": what, "format": file_format, "rows": count, "file": str(to)})
    else:
        click.echo(f"{count:,} {what} written to {to}")
