"""Whose an archive is, asked while it is opened; and what a vault learns of its person from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from schemas.act import ActKind, Deed
from schemas.conversation import Conversation
from schemas.resource import Resource
from vault.account_book import AccountBook, Placed
from vault.accounts import Names
from vault.journal import Journal
from vault.layout import VaultLayout

READER = "ingest"
"""Who says that a name is one of an account's: nothing that the owner did, so `mnemic undo` leaves it."""
_Read = TypeVar("_Read", Conversation, Resource)


@dataclass(slots=True)
class Naming:
    """Handed to `archives.open_archive` as the account: tells it the name of which ids are made."""

    book: AccountBook
    said: str | None
    """The account that the run was told."""
    apart: bool = False
    """Where it was told none, each archive is an account of its own."""
    placed: Placed | None = None
    """What came of it, once the archive is open."""

    def __call__(self, format_id: str, named: str | None, by_name: str) -> str:
        """The name under which the archive comes."""
        own = (named or by_name) if self.apart else None
        self.placed = self.book.place(format_id, said=self.said or own, named=named, by_name=by_name)
        return self.placed.came_as

    @property
    def account(self) -> str:
        """Whose the archive is; "" before it is open."""
        return self.placed.account if self.placed else ""

    @property
    def remark(self) -> str:
        """What the owner should know of that."""
        return self.placed.remark if self.placed else ""


def at_home(names: Names, read: _Read) -> _Read:
    """What was read, with the account that it is of rather than the name that it came under."""
    account = names.now(read.account, read.id)
    if account == read.account:
        return read
    return _given_to(account, read)


def as_it_came(stored: _Read, came_as: Mapping[str, str]) -> _Read:
    """A record of the ledger with the hash that it had when it came under another name (by id, where it did):
    else every export after a merge would find it changed."""
    name = came_as.get(stored.id)
    return stored if name is None else _given_to(stored.account, stored.model_copy(update={"account": name}))


def _given_to(account: str, read: _Read) -> _Read:
    given = read.model_copy(update={"account": account})
    # the hash is that of what came, whoever has it now: it is handed on where it would be cached
    given.__dict__["content_hash"] = read.content_hash
    return given


def learn_name(layout: VaultLayout, naming: Naming) -> None:
    """Keep on record the name by which an export knows the person whose account took it in."""
    placed, book = naming.placed, naming.book
    if placed is None or placed.names_owner in ("", placed.account):
        return
    with Journal(layout.journal) as journal:
        deed = Deed(ActKind.ACCOUNT_MERGE, placed.names_owner, placed.account)
        seq = journal.record([deed], actor=READER, reason="an export of the account's names its owner so")
        acts = [act for act in journal.after(seq - 1) if act.seq == seq]
    names = book.names
    book.names = Names((*names.acts, *acts), names.ever | {placed.names_owner, placed.account})
