"""Whose conversations and documents are: accounts that the owner merged, renamed, split or made the default.

An id is made of the name that a record came under, so that name never changes; whose the record is now
follows from the owner's acts, replayed in order over that name. Nothing else is stored but the outcome, so an
act that is taken back leaves everything as it was without it, and what comes later under an old name goes
where the earlier ones went.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from schemas.act import NAMING_ACCOUNTS, ON_ACCOUNTS, Act, ActKind
from schemas.ids import conversation_id, resource_id
from vault.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Names:
    """The acts on accounts that stand, oldest first, and every name that any such act ever had."""

    acts: tuple[Act, ...] = ()
    ever: frozenset[str] = frozenset()

    def now(self, came_as: str, owner: str | None = None) -> str:
        """The account of what came under this name; with `owner`, of that conversation or document."""
        account = came_as
        for act in self.acts:
            if act.kind is ActKind.ACCOUNT_SPLIT:
                account = act.detail if act.subject == owner else account
            elif act.kind in NAMING_ACCOUNTS and act.subject == account:
                account = act.detail
        return account

    @property
    def split(self) -> frozenset[str]:
        """Ids of conversations and documents that were given to an account by themselves."""
        return frozenset(act.subject for act in self.acts if act.kind is ActKind.ACCOUNT_SPLIT)

    @property
    def default(self) -> str | None:
        """The account that the owner made the default, by its present name."""
        said = [act.subject for act in self.acts if act.kind is ActKind.ACCOUNT_DEFAULT]
        return self.now(said[-1]) if said else None


def names_of(acts: Iterable[Act]) -> Names:
    """By these acts and the undos among them, oldest first."""
    seen = list(acts)
    undone = {act.detail for act in seen if act.kind is ActKind.UNDO}
    ever = {
        name
        for act in seen
        if act.kind in ON_ACCOUNTS
        for name in (act.detail, *(() if act.kind is ActKind.ACCOUNT_SPLIT else (act.subject,)))
    }
    return Names(
        tuple(act for act in seen if act.kind in ON_ACCOUNTS and act.id not in undone),
        frozenset(ever - {""}),
    )


def acts_on_accounts(ledger: Ledger) -> list[Act]:
    """Those that the ledger has folded, and undos, oldest first."""
    kinds = [kind.value for kind in (*ON_ACCOUNTS, ActKind.UNDO)]
    rows = ledger.rows(
        "SELECT * EXCLUDE (run) FROM acts WHERE kind IN (SELECT unnest(?)) ORDER BY seq", [kinds]
    )
    return [Act.model_validate(row, strict=False) for row in rows]


def names_of_accounts(ledger: Ledger) -> Names:
    """By the acts that the ledger has folded."""
    return names_of(acts_on_accounts(ledger))


def came_as(names: Iterable[str], kind: str, row: Mapping[str, object]) -> str:
    """The name that a conversation or document came under: the one of which its id is made.

    `names` are those to try beside the account that it is of now; `kind` is `conversations` or `resources`.
    """
    derive = conversation_id if kind == "conversations" else resource_id
    account, provider, native = (str(row[name]) for name in ("account", "provider", "native_id"))
    candidates = (account, *names)
    return next((one for one in candidates if derive(one, provider, native) == row["id"]), account)


@dataclass(frozen=True, slots=True)
class Moves:
    """What is to change in a ledger for its accounts to be as the owner's acts say."""

    accounts: dict[str, str]
    """New account by the id of each conversation and document that changes hands."""
    origins: dict[str, str]
    """The name that it came under, of each that is not of the account of that name."""


def moves_due(ledger: Ledger, names: Names) -> Moves:
    """What the acts come to for the records that are there. Nothing is read where no act was ever done."""
    moves = Moves({}, {})
    if not names.ever:
        return moves
    known: dict[str, str] = {}
    split = names.split
    for kind, key in (("conversations", "conversation_id"), ("resources", "id")):
        for row in ledger.rows(f"SELECT {key} AS id, account, provider, native_id FROM {kind}"):
            owner, origin = str(row["id"]), came_as(sorted(names.ever), kind, row)
            if owner in split:
                account = names.now(origin, owner)
            else:
                account = known.get(origin) or known.setdefault(origin, names.now(origin))
            if account != row["account"]:
                moves.accounts[owner] = account
            if account != origin:
                moves.origins[owner] = origin
    return moves


def origins(ledger: Ledger) -> dict[str, str]:
    """The name that it came under, by the id of each record that is not of the account of that name."""
    return {
        str(owner): str(name) for owner, name in ledger.query("SELECT owner, account FROM account_origins")
    }


def concerns_accounts(acts: Sequence[Act]) -> bool:
    """Whether any of the acts is on accounts: it shows once a generation was made with it."""
    return any(act.kind in ON_ACCOUNTS for act in acts)
