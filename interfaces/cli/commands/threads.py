"""`mnemic threads`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from inference.secret_cover import masked_throughout
from interfaces.cli.commands.show import conversation_of
from interfaces.cli.lookup import account_of, one_thread, opened
from interfaces.cli.options import account_option, as_of_option, json_option, vault_option
from interfaces.cli.terminal import print_json, print_table, say
from interfaces.history_answers import MEMBERS_ALONE, then_of, what_is_gone
from schemas.errors import UsageError
from schemas.words import amount
from vault.notes_then import conversations_then, recall_notes
from vault.queries import Row
from vault.reader import VaultReader
from vault.threads import list_threads, thread_in_full


@click.command("threads")
@click.argument("thread", required=False)
@click.option("--conversation", default=None, help="Only the thread that this conversation belongs to.")
@as_of_option
@account_option
@vault_option
@json_option
def command(
    thread: str | None,
    conversation: str | None,
    moment: int | datetime | None,
    account: str | None,
    vault: Path | None,
    as_json: bool,
) -> None:
    """List the threads, the newest first; or show one THREAD with its map, by its id or the start of it.

    A thread is made of conversations that carry one line of thinking. Its id does not change when another one
    joins; where two threads became one, either id names it.

    \b
    Examples:
      mnemic threads
      mnemic threads 5c1e07aa
      mnemic threads --conversation 77b0d2e5 --json
    """
    if thread is not None and conversation is not None:
        raise UsageError("name a thread or a conversation, not both")
    with opened(vault) as reader:
        whose = account_of(reader, account)
        if moment is not None and thread is not None:
            raise UsageError(
                "a thread's map is on record as it is now",
                remedy="`mnemic threads --as-of` lists threads; `mnemic list --as-of` has the notes of then",
            )
        if thread is not None:
            record: Row = masked_throughout(thread_in_full(reader.ledger, one_thread(reader, thread, whose)))
            _show(record, as_json)
        else:
            _list(reader, whose, conversation, as_json, moment)


def _show(record: Row, as_json: bool) -> None:
    if as_json:
        print_json(record)
        return
    made = record["map"]
    say(str(made["text"]) if isinstance(made, dict) else "")


def _list(
    reader: VaultReader, account: str, conversation: str | None, as_json: bool, moment: int | datetime | None
) -> None:
    home = conversation_of(reader, conversation, account) if conversation else None
    notices: list[str] = []
    there = None
    if moment is not None:
        then = then_of(reader, moment)
        recall_notes(reader.ledger, then)
        there = conversations_then(reader.ledger, then)
        gone = what_is_gone(reader, account, then)
        notices = [f"as of generation {then.number}", MEMBERS_ALONE, *gone]
    found: list[Row] = masked_throughout(list_threads(reader.ledger, account, home, there))
    if as_json:
        print_json({"account": account, "threads": found} | ({"notices": notices} if notices else {}))
        return
    for notice in notices:
        say(notice)
    rows = [
        (
            reader.short_id(str(one["id"])),
            one["sessions"],
            str(one["first"])[:10],
            str(one["last"])[:10],
            one["label"],
        )
        for one in found
    ]
    print_table(amount(len(found), "thread"), ("id", "sessions", "first", "last", "label"), rows)
