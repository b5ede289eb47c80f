"""`mnemic show`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from interfaces.cli.lookup import account_if_named, one_id, opened
from interfaces.cli.options import any_account_option, json_option, vault_option
from interfaces.cli.terminal import print_json, print_table, say
from interfaces.ways_back import local_place, way_back_of
from schemas.errors import UsageError
from vault.queries import Row, conversation_in_full, resolve_ids
from vault.reader import VaultReader


@click.command("show")
@click.argument("conversation")
@any_account_option
@vault_option
@json_option
def command(conversation: str, account: str | None, vault: Path | None, as_json: bool) -> None:
    """Show a CONVERSATION with the notes made of it: by its id, by the service's, or by that of a note or
    summary of it.

    \b
    Examples:
      mnemic show 77b0d2e5
    """
    with opened(vault) as reader:
        identity = conversation_of(reader, conversation, account_if_named(reader, account))
        record = conversation_in_full(reader.ledger, identity)
        kept, link = local_place(reader.ledger, record), way_back_of(reader.ledger, record)
    if as_json:
        print_json({**record, "source_link": link, "source_file": kept})
        return
    began = record["created_at"]
    when = f"{began:%Y-%m-%d %H:%M} UTC" if isinstance(began, datetime) else "undated"
    say(f"{record['title'] or 'untitled'}  ({record['provider']}, {when})")
    say(f"{kept or link}\n" if kept or link else "")
    for message in _dicts(record["message_list"]):
        if message["hidden"] or not str(message["text"]).strip():
            continue
        mark = "" if message["on_active_branch"] else " (another branch)"
        say(f"{message['author'] or message['role']}{mark}:\n{message['text']}\n")
    rows = [
        (reader.short_id(str(one["id"])), one["category"], one["text"]) for one in _dicts(record["notes"])
    ]
    print_table("Notes", ("id", "category", "note"), rows)


def _dicts(value: object) -> list[Row]:
    return value if isinstance(value, list) else []


def conversation_of(reader: VaultReader, named: str, account: str | None) -> str:
    """The conversation of this id, here or at its service, or that of a note or summary of this id; with
    `account`, as if there were no other."""
    by_service = reader.ledger.query(
        """SELECT conversation_id FROM conversations
           WHERE native_id = $named AND ($account IS NULL OR account = $account)""",
        {"named": named, "account": account},
    )
    if len(by_service) == 1:
        return str(by_service[0][0])
    found = resolve_ids(reader.ledger, "conversations", "conversation_id", named, account)
    homes = {
        one: str(home)
        for notes in ("units", "chunks", "session_summaries")
        for one in resolve_ids(reader.ledger, notes, "id", named, account)
        for (home,) in reader.ledger.query(f"SELECT conversation_id FROM {notes} WHERE id = ?", [one])
    }
    if len({*found, *homes.values()}) > 1:
        several = ", ".join([*(f"conversation {one}" for one in found), *(f"note {one}" for one in homes)])
        raise UsageError(f"several records begin with {named}", why=several)
    if homes:
        return next(iter(homes.values()))
    return one_id(reader, "conversations", "conversation_id", named, account)
