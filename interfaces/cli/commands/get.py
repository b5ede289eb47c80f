"""`mnemic get`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from interfaces.cli.lookup import account_if_named, one_id, opened
from interfaces.cli.options import GENERATION_OR_MOMENT, any_account_option, json_option, vault_option
from interfaces.cli.record_view import lines_of, print_whole
from interfaces.cli.terminal import print_json, say
from interfaces.record_items import item_of, record_item
from retrieval.rendering import QUOTED
from schemas.errors import UnknownId
from vault.history import generation_of, note_as_of
from vault.queries import Row
from vault.reader import VaultReader


@click.command("get")
@click.argument("ids", nargs=-1, required=True)
@click.option(
    "--as-of", "moment", type=GENERATION_OR_MOMENT, default=None, help="Notes as that generation had them."
)
@click.option("--full", is_flag=True, help="Everything on record, as tables; --json always has it.")
@any_account_option
@vault_option
@json_option
def command(
    ids: tuple[str, ...],
    moment: int | datetime | None,
    full: bool,
    account: str | None,
    vault: Path | None,
    as_json: bool,
) -> None:
    """Show notes, chunks, summaries, threads, conversations or resources. Ids may be shortened.

    The text first, what it stands on, and what was said before and after. A missing id is no error: it is
    reported as not found.

    \b
    Examples:
      mnemic get 3f2a9c41
      mnemic get 3f2a9c41 77b0d2e5 --json
      mnemic get 3f2a9c41 --full
      mnemic get 3f2a9c41 --as-of 12
      mnemic get 3f2a9c41 --as-of 2026-03-01
    """
    with opened(vault) as reader:
        whose = account_if_named(reader, account)
        if moment is None:
            items = [item_of(reader, named, whose) for named in ids]
        else:
            items = [_note_as_of(reader, named, moment, whose) for named in ids]
    if as_json:
        print_json({"notices": [QUOTED], "items": items})
        return
    if any(item["found"] for item in items):
        say(QUOTED)
    for item in items:
        if not item["found"]:
            say(f"\n{item['id']}: not found")
        elif full:
            print_whole(item)
        else:
            say("\n" + "\n".join(lines_of(item, reader.short_id)))
    if not full and any(item["found"] for item in items):
        say("\n--full shows everything on record")


def _note_as_of(reader: VaultReader, named: str, moment: int | datetime, account: str | None) -> Row:
    try:
        unit = one_id(reader, "units", "id", named, account)
    except UnknownId:
        return record_item(reader, named, None, None)
    note = note_as_of(reader.ledger, unit, generation_of(reader.ledger, moment))
    if note is None:
        return record_item(reader, named, None, None)
    return record_item(reader, named, "unit", note.model_dump(mode="json"))
