"""`mnemic session`."""

from __future__ import annotations

from pathlib import Path

import click

from interfaces.cli.lookup import account_of, opened
from interfaces.cli.options import account_option, json_option, vault_option
from interfaces.cli.terminal import print_json, print_table, say
from schemas.errors import UnknownId
from schemas.words import amount
from vault.reader import VaultReader
from vault.sessions import SessionRecord, Sessions


@click.group("session")
def command() -> None:
    """Say what the sessions of recall were asked and given.

    \b
    Examples:
      mnemic recall "how did we choose the hull's paint?" --session chat-42
      mnemic recall "what the yard said of the primer" --session chat-42 --why "the answer lacks a date"
      mnemic session show chat-42
    """


@command.command("list")
@account_option
@vault_option
@json_option
def list_sessions(account: str | None, vault: Path | None, as_json: bool) -> None:
    """List the sessions that can be gone on with, those used last first.

    \b
    Examples:
      mnemic session list
    """
    with opened(vault) as reader:
        found = Sessions(reader.layout).of(account_of(reader, account))
    if as_json:
        print_json({"sessions": [_as_row(one) for one in found]})
        return
    if found:
        rows = [
            (one.id, len(one.calls), one.calls_left, one.tokens_left, f"{one.used:%Y-%m-%d %H:%M}Z")
            for one in found
        ]
        print_table("Sessions", ("session", "calls", "calls left", "tokens left", "last used"), rows)
    say(amount(len(found), "session"), err=True)


@command.command("show")
@click.argument("name")
@account_option
@vault_option
@json_option
def show(name: str, account: str | None, vault: Path | None, as_json: bool) -> None:
    """Show what a session was asked, call by call, and the ids of what it was given.

    \b
    Examples:
      mnemic session show chat-42
    """
    with opened(vault) as reader:
        record = _there(reader, account, name)
        if as_json:
            print_json(_as_row(record))
            return
        for call in record.calls:
            why = f" (because: {call.why})" if call.why else ""
            say(f"{call.number}. {call.at:%Y-%m-%d %H:%M}Z {call.need}{why}")
            ids = ", ".join(reader.short_id(one.ref) for one in call.given) or "nothing"
            say(f"   {call.tokens} tokens, confidence {call.confidence:.2f}; given: {ids}")
    left = f"{amount(record.calls_left, 'call')} and {record.tokens_left} of {record.budget} tokens left"
    refused = f", {amount(record.refused, 'call')} refused" if record.refused else ""
    say(left + refused, err=True)


@command.command("end")
@click.argument("name")
@account_option
@vault_option
def end(name: str, account: str | None, vault: Path | None) -> None:
    """End a session: its log goes, and the name is free.

    \b
    Examples:
      mnemic session end chat-42
    """
    with opened(vault) as reader:
        record = _there(reader, account, name)
        Sessions(reader.layout).end(record.account, record.id)
    say(f"ended {record.id}")


def _there(reader: VaultReader, account: str | None, name: str) -> SessionRecord:
    record = Sessions(reader.layout).named(account_of(reader, account), name)
    if record is None:
        raise UnknownId(f"there is no session {name!r}", remedy="`mnemic session list` shows those there are")
    return record


def _as_row(record: SessionRecord) -> dict[str, object]:
    left = {"calls_left": record.calls_left, "tokens_left": record.tokens_left}
    return {**record.model_dump(mode="json"), **left}
