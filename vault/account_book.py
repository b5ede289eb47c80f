"""Whose an archive is: said by its owner, named by the export, or the vault's own person's."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from vault.accounts import Names, acts_on_accounts, names_of
from vault.generations import JOURNAL_SEQ
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.ledger import Ledger

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")


def is_address(name: str) -> bool:
    """Whether an account's name is somebody's e-mail address."""
    return _ADDRESS.fullmatch(name) is not None


def names_now(layout: VaultLayout, ledger: Ledger | None) -> Names:
    """By every act, folded or not; the folded ones are the ledger's, so a lost journal takes none back."""
    acts = acts_on_accounts(ledger) if ledger is not None else []
    if layout.journal.exists():
        folded = int(ledger.setting(JOURNAL_SEQ) or 0) if ledger is not None else 0
        with Journal(layout.journal) as journal:
            acts += journal.after(folded)
    return names_of(acts)


@dataclass(frozen=True, slots=True)
class Placed:
    """Whose an archive is."""

    came_as: str
    """The name of which the ids of what it holds are made."""
    account: str
    remark: str = ""
    """What its owner should know of that."""
    names_owner: str = ""
    """The name by which the export knows its owner, where it is from now on one of the account's."""


@dataclass(slots=True)
class AccountBook:
    """Who is known to a vault, to tell whose an archive is; it learns from what it tells."""

    names: Names = field(default_factory=Names)
    imports: list[tuple[str, str]] = field(default_factory=list)
    """(format, the name it came under) of every import, oldest first."""
    accounts: set[str] = field(default_factory=set)

    def place(self, format_id: str, *, said: str | None, named: str | None, by_name: str) -> Placed:
        """Whose the archive is: as `said` by its owner, else as `named` by the export, else the vault's own
        person's.

        `by_name` is the archive's own name: what a vault that knows nobody calls its first account.
        """
        placed = self._place(format_id, said, named, by_name)
        self.imports.append((format_id, placed.came_as))
        self.accounts.add(placed.account)
        return placed

    def _place(self, format_id: str, said: str | None, named: str | None, by_name: str) -> Placed:
        if said is not None:
            account = self.names.now(said)
            return Placed(self._came_as(format_id, account, said), account)
        for name in filter(None, (named, by_name if named is None else None)):
            came_so = any(name == label for _, label in self.imports)
            if came_so or name in self.accounts or name in self.names.ever:
                account = self.names.now(name)
                return Placed(name if came_so else self._came_as(format_id, account, name), account)
        own = self.default(format_id)
        if own is None:
            return Placed(named or by_name, named or by_name)
        others = sorted(one for one in self._labels(own) if is_address(one))
        if named is not None and is_address(named) and others:
            remark = (
                f"it names {named}, and the account {own} is {others[0]}'s: it is kept apart."
                f" If both are yours, `mnemic account merge {named} {own}` makes them one"
            )
            return Placed(named, named, remark)
        return Placed(self._came_as(format_id, own, self._first(own)), own, names_owner=named or "")

    def default(self, format_id: str = "") -> str | None:
        """The account of an archive that names nobody; None in a vault that knows nobody.

        The one that the owner said, else the only one, else the one that alone has archives of this service,
        else that of the first archive.
        """
        if (said := self.names.default) is not None:
            return said
        if len(self.accounts) < 2:
            return next(iter(self.accounts), None)
        having = {self.names.now(name) for one, name in self.imports if one == format_id} & self.accounts
        first = (account for _, name in self.imports if (account := self.names.now(name)) in self.accounts)
        earliest = next(first, min(self.accounts))
        return next(iter(having)) if len(having) == 1 and format_id else earliest

    def _labels(self, account: str) -> set[str]:
        """Every name that is the account's."""
        known = {name for _, name in self.imports} | self.names.ever | {account}
        return {name for name in known if self.names.now(name) == account}

    def _first(self, account: str) -> str:
        return next((name for _, name in self.imports if self.names.now(name) == account), account)

    def _came_as(self, format_id: str, account: str, otherwise: str) -> str:
        """The name under which the account's last archive of this service came: a newer one's conversations
        then have the ids that they had."""
        own = (name for one, name in reversed(self.imports) if one == format_id)
        return next((name for name in own if self.names.now(name) == account), otherwise)


def account_book(layout: VaultLayout, ledger: Ledger | None) -> AccountBook:
    """What a vault knows of accounts; `ledger` is the published one."""
    names = names_now(layout, ledger)
    if ledger is None:
        return AccountBook(names)
    imports = ledger.query("SELECT format, account FROM imports ORDER BY imported_at, archive")
    return AccountBook(names, [(str(one), str(name)) for one, name in imports], _accounts(ledger, names))


def _accounts(ledger: Ledger, names: Names) -> set[str]:
    """Those of the ledger, as acts that are not folded yet leave them."""
    return {names.now(account) for account in ledger.accounts()}
