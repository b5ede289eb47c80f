"""`mnemic show`."""

from __future__ import annotations

from pathlib import Path

import click

from interfaces.options import json_option, vault_option
from interfaces.reading import one_id, opened
from interfaces.terminal import console, print_json, table, visible
from vault.queries import Row, conversation_in_full


@click.command("show")
@click.argument("conversation")
@vault_option
@json_option
def command(conversation: str, vault: Path | None, as_json: bool) -> None:
    """Show a CONVERSATION (its id, or the start of it) with the notes made of it.

    \b
    Examples:
      mnemic show 77b0d2e5
    """
    with opened(vault) as reader:
        identity = one_id(reader, "conversations", "conversation_id", conversation)
        record = conversation_in_full(reader.ledger, identity)
    if as_json:
        print_json(record)
        return
    click.echo(
        f"{visible(str(record['title'] or 'untitled'))}  ({record['provider']}, {record['created_at']})\n"
    )
    for message in _dicts(record["message_list"]):
        if message["hidden"] or not str(message["text"]).strip():
            continue
        mark = "" if message["on_active_branch"] else " (another branch)"
        click.echo(f"{message['author'] or message['role']}{mark}:\n{visible(str(message['text']))}\n")
    rows = [(str(one["id"])[:8], one["category"], one["text"]) for one in _dicts(record["notes"])]
    console().print(table("Notes", ("id", "category", "note"), rows))


def _dicts(value: object) -> list[Row]:
    return value if isinstance(value, list) else []
