"""`mnemic get`."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import click

from interfaces.cli.lookup import opened
from interfaces.cli.options import GENERATION_OR_MOMENT, any_account_option, json_option, vault_option
from interfaces.cli.record_view import lines_of, print_whole
from interfaces.cli.terminal import print_json, say
from interfaces.history_answers import items_then, keys_below_then
from interfaces.path_survey import asked_namespace, entries_of, keys_below
from interfaces.record_items import got, items_of
from interfaces.ways_back import local_place
from retrieval.rendering import QUOTED
from vault.queries import Row
from vault.reader import VaultReader

KEYS_SHOWN = 5
"""Of the paths below one that is none itself."""
NOTHING_FOUND = 1
REMEDY = "`mnemic list` shows ids, `mnemic summarize --depth 2` paths"


@click.command("get")
@click.argument("ids", nargs=-1, required=True)
@click.option(
    "--as-of", "moment", type=GENERATION_OR_MOMENT, default=None, help="Notes as that generation had them."
)
@click.option("--full", is_flag=True, help="Everything on record, as tables; --json always has it.")
@click.option("-n", "--namespace", default=None, help='Whose: alice, user:alice or ("user","alice").')
@click.option("--stream", is_flag=True, help="One JSON object a line.")
@any_account_option
@vault_option
@json_option
def command(
    ids: tuple[str, ...],
    moment: int | datetime | None,
    full: bool,
    namespace: str | None,
    stream: bool,
    account: str | None,
    vault: Path | None,
    as_json: bool,
) -> int:
    """Show notes, chunks, summaries, threads, conversations or resources, or all the notes at a path.

    Ids may be shortened; a path is a whole one, as `mnemic summarize --keys` lists them. The text first,
    what it stands on, and what was said before and after. What is missing is reported as not found, and why;
    exit code 1 where nothing of what was asked for was found.

    \b
    Examples:
      mnemic get 3f2a9c41
      mnemic get 3f2a9c41 77b0d2e5 --json
      mnemic get home.garden.hedge 2026.03.14
      mnemic get 3f2a9c41 --full
      mnemic get 3f2a9c41 --as-of 12
      mnemic get 3f2a9c41 --as-of 2026-03-01
    """
    start = time.perf_counter()
    with opened(vault) as reader:
        whose = asked_namespace(reader, namespace, account)
        items = items_of(reader, ids, whose) if moment is None else items_then(reader, ids, moment, whose)
        for item in items:
            if isinstance(record := item["record"], dict):
                record["source_file"] = local_place(reader.ledger, record)
        missing = [str(item["id"]) for item in items if not item["found"] and not (stream or as_json)]
        below = (
            {one: keys_below(reader, one, whose) for one in missing}
            if moment is None
            else keys_below_then(reader, missing, moment, whose)
        )
    if stream:
        for item in items:
            say(json.dumps(item, ensure_ascii=False, default=str))
    elif as_json:
        print_json(got(items, start))
    else:
        _print(reader, items, below, full=full)
    return 0 if any(item["found"] for item in items) else NOTHING_FOUND


def _print(reader: VaultReader, items: Sequence[Row], below: Mapping[str, list[str]], *, full: bool) -> None:
    if any(item["found"] for item in items):
        say(QUOTED)
    for item in items:
        if not item["found"]:
            keys = below.get(str(item["id"]), [])
            hint = f"below it lie {', '.join(keys[:KEYS_SHOWN])}" if keys else f"{item['why']}. {REMEDY}"
            say(f"\n{item['id']}: not found; {hint}{' and others' if keys[KEYS_SHOWN:] else ''}")
        elif item["kind"] == "path":
            say(f"\n{item['key']}")
            for note in entries_of(item):
                day = f"{note['said_at']:%Y-%m-%d}" if note["said_at"] else "undated"
                say(f"  {reader.short_id(str(note['id']))} {day} {note['text']}")
        elif full:
            print_whole(item)
        else:
            say("\n" + "\n".join(lines_of(item, reader.short_id)))
    if not full and any(item["found"] and item["kind"] != "path" for item in items):
        say("\n--full shows everything on record")
