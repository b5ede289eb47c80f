"""`mnemic list`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import click

from inference.secret_cover import masked_throughout
from interfaces.cli.lookup import account_of, one_id, opened
from interfaces.cli.options import MOMENT, account_option, as_of_option, json_option, vault_option
from interfaces.cli.terminal import print_json, print_table, say
from interfaces.history_answers import then_of, what_is_gone
from schemas.unit import RECALLED_STATES, Category, State
from schemas.words import amount
from vault.notes_then import NOTES_THEN, recall_notes
from vault.queries import ORDERS, NoteFilter, Row, list_notes
from vault.relations import successors

_FIRST = {
    "oldest": "oldest",
    "newest": "newest",
    "category": "by category, oldest",
    "conversation": "by conversation, oldest",
    "often": "most often said",
}
"""What a list that was cut begins with."""


@click.command("list")
@click.option("--category", "categories", multiple=True, type=click.Choice([one.value for one in Category]))
@click.option(
    "--state",
    "states",
    multiple=True,
    type=click.Choice([one.value for one in State]),
    help="Notes in this state. [default: passed, review, kept]",
)
@click.option("--since", type=MOMENT, default=None, help="Said at or after this date.")
@click.option("--before", type=MOMENT, default=None, help="Said before this date.")
@click.option("--conversation", default=None, help="Only of this conversation (its id, or the start of it).")
@click.option(
    "--sort",
    type=click.Choice(list(ORDERS)),
    default="oldest",
    show_default=True,
    help="By when they were said, by category, by conversation, or by how often they were said.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), default=None, help="At most so many, the first ones of that order."
)
@as_of_option
@account_option
@vault_option
@json_option
def command(
    categories: tuple[str, ...],
    states: tuple[str, ...],
    since: datetime | None,
    before: datetime | None,
    conversation: str | None,
    sort: str,
    limit: int | None,
    moment: int | datetime | None,
    account: str | None,
    vault: Path | None,
    as_json: bool,
) -> None:
    """List notes with the ids of their conversations, in the order in which they were said unless --sort says
    another.

    \b
    Examples:
      mnemic list --category decision --since 2026-01-01
      mnemic list --category open_question --limit 20 --json
      mnemic list --sort newest --limit 10
      mnemic list --as-of 12
    """
    with opened(vault) as reader:
        whose = account_of(reader, account)
        wanted = NoteFilter(
            account=whose,
            categories=tuple(Category(one) for one in categories) or None,
            states=tuple(State(one) for one in states) or RECALLED_STATES,
            since=since,
            before=before,
            conversation=one_id(reader, "conversations", "conversation_id", conversation, whose)
            if conversation
            else None,
            limit=limit and limit + 1,
        )
        notices: list[str] = []
        if moment is None:
            found = list_notes(reader.ledger, wanted, order=sort)
        else:
            then = then_of(reader, moment)
            recall_notes(reader.ledger, then)
            found = list_notes(reader.ledger, wanted, NOTES_THEN, sort)
            notices = [f"as of generation {then.number}", *what_is_gone(reader, whose, then)]
        notes: list[Row] = masked_throughout(found[:limit])
        newer = successors(reader.ledger, [str(note["id"]) for note in notes]) if moment is None else {}
        notes = [
            {**note, "superseded_by": newer[one]} if (one := str(note["id"])) in newer else note
            for note in notes
        ]
    if as_json:
        print_json({"account": wanted.account, "notes": notes} | ({"notices": notices} if notices else {}))
        return
    for notice in notices:
        say(notice)
    columns = ("id", "said", "note; its category, conversation, title")
    more = f", {_FIRST[sort]} first; there are more" if len(found) > len(notes) else ""
    print_table(amount(len(notes), "note") + more, columns, _rows(notes, reader.short_id))


def _rows(notes: Sequence[Row], short: Callable[[str], str]) -> list[tuple[str, str, str]]:
    return [
        (
            short(str(note["id"])),
            f"{note['said_at']:%Y-%m-%d}" if note["said_at"] else "",
            f"{note['text']}\n{note['category']} · {short(str(note['conversation_id']))} · "
            f"{note['conversation'] or 'untitled'}"
            + (f" · superseded by {short(str(note['superseded_by']))}" if "superseded_by" in note else ""),
        )
        for note in notes
    ]
