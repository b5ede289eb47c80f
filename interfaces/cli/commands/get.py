"""`mnemic get`."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import click

from chunking import estimate_tokens
from inference.secret_cover import concealed, masked_throughout
from interfaces.cli.lookup import account_if_named, one_id, opened
from interfaces.cli.options import GENERATION_OR_MOMENT, any_account_option, json_option, vault_option
from interfaces.cli.record_view import lines_of, print_whole
from interfaces.cli.terminal import print_json, say
from interfaces.path_survey import as_key, at_keys, entries_of, milliseconds_since, namespace_of
from retrieval.rendering import QUOTED
from schemas.errors import UnknownId, UsageError
from vault.history import generation_of, note_as_of
from vault.paths_now import path_tables_then
from vault.queries import (
    NAMED,
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
    ("unit", note_in_full),
    ("chunk", chunk_in_full),
    ("conversation", conversation_in_full),
    ("summary", summary_in_full),
    ("thread", thread_in_full),
    ("resource", resource_in_full),
)
"""What each of `vault.queries.NAMED` holds, and how it is read in full."""


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
) -> None:
    """Show notes, chunks, summaries, threads, conversations or resources, or all the notes at a path.

    Ids may be shortened; a path is a whole one, as `mnemic summarize --keys` lists them. The text first,
    what it stands on, and what was said before and after. A missing id or path is no error: it is reported
    as not found.

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
        whose = namespace_of(reader, namespace) if namespace else account_if_named(reader, account)
        items = items_of(reader, ids, whose) if moment is None else _items_as_of(reader, ids, moment, whose)
    if stream:
        for item in items:
            say(json.dumps(item, ensure_ascii=False, default=str))
    elif as_json:
        print_json(got(items, start))
    else:
        _print(reader, items, full=full)


def got(items: Sequence[Row], start: float) -> Row:
    """What a get comes to, as one object; `start` is of `time.perf_counter`."""
    return {
        "mode": "[mode=get]",
        "success": True,
        "notices": [QUOTED],
        "items": list(items),
        "count": len(items),
        "found_count": sum(bool(item["found"]) for item in items),
        "timing_ms": milliseconds_since(start),
        "error": None,
    }


def _print(reader: VaultReader, items: Sequence[Row], *, full: bool) -> None:
    if any(item["found"] for item in items):
        say(QUOTED)
    for item in items:
        if not item["found"]:
            say(f"\n{item['id']}: not found")
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


def items_of(reader: VaultReader, named: Sequence[str], account: str | None = None) -> list[Row]:
    """An item for each of the ids and paths, in their order; paths are looked up at once."""
    keys = at_keys(reader, named, account)
    return [keys[one] if one in keys else item_of(reader, one, account) for one in named]


def item_of(reader: VaultReader, named: str, account: str | None = None) -> Row:
    """The record that was named, whatever it is; `account`: as if nothing of other accounts existed.

    Raises UsageError where the beginning of an id names several records.
    """
    found = [
        (kind, in_full, one)
        for (kind, in_full), (source, column) in zip(KINDS, NAMED, strict=True)
        for one in resolve_ids(reader.ledger, source, column, named, account)
    ] or [("thread", thread_in_full, one) for one in merged_into(reader.ledger, named, account)]
    if len(found) > 1:
        raise UsageError(
            f"several records begin with {named}", why=", ".join(f"{kind} {one}" for kind, _, one in found)
        )
    for kind, in_full, one in found:
        return _item(named, kind, _told(reader, in_full(reader.ledger, one)))
    return _item(named, None, None)


def _item(named: str, kind: str | None, record: Row | None) -> Row:
    """The same keys, whether the record was found or not."""
    tokens = estimate_tokens(json.dumps(record, ensure_ascii=False, default=str)) if record else 0
    found = record is not None
    whose = record.get("account") if record else None
    return {
        "id": named, "key": named, "namespace": whose, "full_key": f"{whose}:{named}" if whose else named,
        "found": found, "kind": kind, "tokens": tokens, "record": record, "value": None,
    }  # fmt: skip


def _told(reader: VaultReader, record: Row) -> Row:
    """The record with its secrets masked. Messages and quotes are masked as they stand in their conversation:
    what tells that a value is a secret may have been said before."""
    cited = [name for name in _CITING if _members(record, name)]
    home = record.get("conversation_id")
    conversation = reader.ledger.conversation(str(home)) if home and cited else None
    texts = {one.id: one.text for one in concealed(conversation).messages} if conversation else {}
    told = {**record, **{name: [_covered(one, texts) for one in _members(record, name)] for name in cited}}
    masked: Row = masked_throughout(told)
    return masked


_CITING = ("evidence", "context", "around", "message_list")
"""Lists of a record whose members are messages, or stand in one."""


def _members(record: Row, name: str) -> list[Row]:
    value = record.get(name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list | tuple) else []


def _covered(one: Row, texts: Mapping[str, str]) -> Row:
    """A message, or what is quoted of it, as it stands in these texts."""
    text = texts.get(str(one.get("message_id") or one.get("id")))
    if text is None:
        return one
    start, end = one.get("start"), one.get("end")
    if isinstance(start, int) and isinstance(end, int):
        return {**one, "quote": text[start:end]}
    return {**one, "text": text}


def _items_as_of(
    reader: VaultReader, named: Sequence[str], moment: int | datetime, account: str | None
) -> list[Row]:
    """Items as that generation had them: paths with the notes that lay there, and notes."""
    generation = generation_of(reader.ledger, moment)
    path_like = [one for one in named if as_key(reader, one, account) is not None]
    tables = path_tables_then(reader, generation) if path_like else None
    keys = at_keys(reader, path_like, account, tables) if tables else {}
    return [keys[one] if one in keys else _note_as_of(reader, one, moment, account) for one in named]


def _note_as_of(reader: VaultReader, named: str, moment: int | datetime, account: str | None) -> Row:
    try:
        unit = one_id(reader, "units", "id", named, account)
    except UnknownId:
        return _item(named, None, None)
    note = note_as_of(reader.ledger, unit, generation_of(reader.ledger, moment))
    return (
        _item(named, "unit", _told(reader, note.model_dump(mode="json")))
        if note
        else _item(named, None, None)
    )
