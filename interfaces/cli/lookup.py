"""What the reading commands share: the open vault, the account, ids given in full or in part."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from interfaces.cli.options import the_account, vault_folder
from schemas.errors import UnknownId, UsageError
from vault.account_book import names_now
from vault.accounts import names_of_accounts
from vault.queries import NAMED, resolve_ids
from vault.reader import VaultReader, open_vault
from vault.threads import merged_into


@contextmanager
def opened(vault: Path | None) -> Iterator[VaultReader]:
    """The published generation of the vault that was named, or of the default one."""
    with open_vault(vault_folder(vault)) as reader:
        yield reader


def account_of(reader: VaultReader, named: str | None) -> str:
    """The account that a command is about: the one named, else the only one, else the owner's default."""
    accounts = list(reader.generation.accounts)
    if named is not None and named not in accounts:
        named = names_of_accounts(reader.ledger).now(named)  # the owner may have merged or renamed it
    if named is None and len(accounts) > 1:
        default = names_now(reader.layout, reader.ledger).default
        named = default if default in accounts else None
    return the_account(named, accounts)


def account_if_named(reader: VaultReader, named: str | None) -> str | None:
    """The account that an id is looked for in; None, which is any, where none was named."""
    return None if named is None else account_of(reader, named)


def one_id(reader: VaultReader, table: str, column: str, named: str, account: str | None = None) -> str:
    """The one id that was named, in full or by its beginning; `account`: as if there were no other.

    Raises UnknownId where there is none, UsageError where there are several.
    """
    found = resolve_ids(reader.ledger, table, column, named, account)
    if len(found) == 1:
        return found[0]
    wanted = WORDS.get(table, table)
    if found:
        raise UsageError(f"several {wanted}s begin with {named}", why=", ".join(found))
    raise _other_than(reader, table, named, account) or UnknownId(
        f"no {wanted} has the id {named}", remedy="`mnemic list` shows ids"
    )


def _other_than(reader: VaultReader, table: str, named: str, account: str | None) -> UnknownId | None:
    """What to say where the id that was named is of a record of another table."""
    for other, column in NAMED:
        if other == table or not (found := resolve_ids(reader.ledger, other, column, named, account)):
            continue
        route = _ROUTES[other]
        if table == "threads" and other != "resources":
            route = "`mnemic threads --conversation {id}` lists the threads that it is of"
        return UnknownId(
            f"{named} is the id of a {WORDS[other]}, and a {WORDS.get(table, table)} is asked for",
            remedy=route.format(id=reader.short_id(found[0])),
        )
    return None


WORDS = {
    "units": "note",
    "chunks": "passage",
    "conversations": "conversation",
    "session_summaries": "summary",
    "threads": "thread",
    "resources": "document",
}
"""What a person calls the records of a table of `vault.queries.NAMED`."""

_IN_ITS_TALK = "`mnemic get {id}` shows it; `mnemic show {id}` its conversation, with the ids of its notes"
_ROUTES = {
    "units": "`mnemic get {id}` shows the note, and which conversation it is of",
    "chunks": _IN_ITS_TALK,
    "session_summaries": _IN_ITS_TALK,
    "conversations": "`mnemic show {id}` shows it with the ids of its notes; `keep` and `discard` take those"
    " that passed the gate with `--all-passed --conversation {id}`, and `mnemic forget --conversation {id}`"
    " erases it",
    "threads": "`mnemic threads {id}` shows it; `keep` and `discard` take its notes with `--thread {id}`",
    "resources": "`mnemic get {id}` shows it, and `mnemic forget --conversation {id}` erases it",
}
"""What to do with a record of another kind than was asked for."""


def one_thread(reader: VaultReader, named: str, account: str | None = None) -> str:
    """The one thread that was named by its id, by the beginning of it, or by an id merged into it.

    Raises UnknownId where there is none, UsageError where there are several.
    """
    ledger = reader.ledger
    found = resolve_ids(ledger, "threads", "id", named, account) or merged_into(ledger, named, account)
    if len(found) == 1:
        return found[0]
    if not found:
        raise _other_than(reader, "threads", named, account) or UnknownId(
            f"no thread has the id {named}", remedy="`mnemic threads` shows ids"
        )
    raise UsageError(f"several threads begin with {named}", why=", ".join(found))


def notes_of_thread(reader: VaultReader, named: str, account: str) -> set[str]:
    """Ids of the notes said in the conversations of the account's thread.

    Raises UnknownId where no thread has this id.
    """
    thread = one_thread(reader, named, account)
    found = reader.ledger.query(
        """
        SELECT id FROM units WHERE conversation_id IN
            (SELECT unnest(conversation_ids) FROM threads WHERE id = ?)
        """,
        [thread],
    )
    return {str(unit) for (unit,) in found}


def conversations_of(
    reader: VaultReader, conversation: str | None, thread: str | None, account: str | None = None
) -> tuple[str, ...] | None:
    """Ids of the account's conversation, or of those of its thread, that were named; None where neither was.

    Raises UnknownId where there is no such record, UsageError where both were named.
    """
    if conversation and thread:
        raise UsageError("a conversation and a thread exclude each other", remedy="Name one of them")
    if conversation:
        return (one_id(reader, "conversations", "conversation_id", conversation, account),)
    if thread:
        named = one_thread(reader, thread, account)
        found = reader.ledger.query("SELECT unnest(conversation_ids) FROM threads WHERE id = ?", [named])
        return tuple(str(one) for (one,) in found)
    return None
