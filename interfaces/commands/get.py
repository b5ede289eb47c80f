"""`mnemic get`."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import click

from chunking import estimate_tokens
from interfaces.options import GENERATION_OR_MOMENT, json_option, vault_option
from interfaces.reading import one_id, opened
from interfaces.terminal import console, print_json, table
from schemas.errors import UnknownId, UsageError
from vault.history import generation_of, note_as_of
from vault.queries import (
    Row,
    chunk_in_full,
    conversation_in_full,
    note_in_full,
    resolve_ids,
    resource_in_full,
    summary_in_full,
)
from vault.reader import VaultReader
from vault.threads import merged_into, thread_in_full

KINDS = (
    ("unit", "units", "id", note_in_full),
    ("chunk", "chunks", "id", chunk_in_full),
    ("conversation", "conversations", "conversation_id", conversation_in_full),
    ("summary", "session_summaries", "id", summary_in_full),
    ("thread", "threads", "id", thread_in_full),
    ("resource", "resources", "id", resource_in_full),
)


@click.command("get")
@click.argument("ids", nargs=-1, required=True)
@click.option(
    "--as-of", "moment", type=GENERATION_OR_MOMENT, default=None, help="Notes as that generation had them."
)
@vault_option
@json_option
def command(ids: tuple[str, ...], moment: int | datetime | None, vault: Path | None, as_json: bool) -> None:
    """Show notes, chunks, summaries, threads, conversations or resources in full. Ids may be shortened.

    A missing id is no error: it is reported as not found.

    \b
    Examples:
      mnemic get 3f2a9c41
      mnemic get 3f2a9c41 77b0d2e5 --json
      mnemic get 3f2a9c41 --as-of 12
      mnemic get 3f2a9c41 --as-of 2026-03-01
    """
    with opened(vault) as reader:
        if moment is None:
            items = [item_of(reader, named) for named in ids]
        else:
            items = [_note_as_of(reader, named, moment) for named in ids]
    if as_json:
        print_json({"items": items})
        return
    for item in items:
        _print(item)


def item_of(reader: VaultReader, named: str, account: str | None = None) -> Row:
    """The record that was named, whatever it is; `account`: as if nothing of other accounts existed.

    Raises UsageError where the beginning of an id names several records.
    """
    for kind, source, column, in_full in KINDS:
        found = resolve_ids(reader.ledger, source, column, named)
        if kind == "thread" and not found:
            found = merged_into(reader.ledger, named)
        if len(found) > 1 and named not in found:
            raise UsageError(f"several {source} begin with {named}", why=", ".join(found))
        if found:
            record = in_full(reader.ledger, named if named in found else found[0])
            if account in (None, record["account"]):
                return _item(named, kind, record)
    return _item(named, None, None)


def _item(named: str, kind: str | None, record: Row | None) -> Row:
    """The same keys, whether the record was found or not."""
    tokens = estimate_tokens(json.dumps(record, ensure_ascii=False, default=str)) if record else 0
    found = record is not None
    return {"id": named, "found": found, "kind": kind, "tokens": tokens, "record": record}


def _note_as_of(reader: VaultReader, named: str, moment: int | datetime) -> Row:
    try:
        unit = one_id(reader, "units", "id", named)
    except UnknownId:
        return _item(named, None, None)
    note = note_as_of(reader.ledger, unit, generation_of(reader.ledger, moment))
    return _item(named, "unit", note.model_dump(mode="json")) if note else _item(named, None, None)


def _print(item: Row) -> None:
    record = item["record"]
    if not isinstance(record, dict):
        click.echo(f"{item['id']}: not found")
        return
    simple = [(key, value) for key, value in record.items() if not isinstance(value, list)]
    out = console()
    out.print(table(f"{item['kind']} {item['id']}", ("field", "value"), simple))
    for key, value in record.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            out.print(table(key, tuple(value[0]), [tuple(one.values()) for one in value]))
