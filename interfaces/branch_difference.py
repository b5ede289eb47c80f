"""Which notes stand on one line of generations and not on another: the main line and its branches."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from inference.secret_cover import masked_throughout
from interfaces.cli.options import the_account
from interfaces.history_answers import change_row
from schemas.errors import UsageError
from schemas.unit import RECALLED_STATES, State
from vault.account_book import names_now
from vault.accounts import Names, names_of_accounts
from vault.branches import MAIN, branch_layout, branch_names
from vault.layout import VaultLayout
from vault.notes_then import NoteChange, NoteThen
from vault.opening import open_ledger
from vault.paths_now import pending_acts_of
from vault.queries import Row
from vault.reader import open_vault


@dataclass(frozen=True, slots=True)
class _Line:
    """One line as its published generation has it."""

    accounts: tuple[str, ...]
    called: Names
    default: str | None
    notes: dict[str, dict[str, NoteThen]]
    """The notes that stand, by account and id."""
    waiting: int
    """Acts that no run has folded yet."""


def branches_differing(layout: VaultLayout, account: str | None, before: str, after: str) -> Row:
    """Which of the account's notes stood in the published generation of one line and not in that of the
    other, or stood otherwise. An account is one by every name that either line gave it.

    `layout` is the vault or one of its branches. Raises UnknownId for a branch that is not there,
    AccountNeeded where the lines have several accounts, or not the one that was named.
    """
    if before == after:
        raise UsageError(f"{before} does not differ from itself", remedy="Name two lines, as in `main trial`")
    lines = {name: _read(layout.main_line, name) for name in (before, after)}
    first, second = lines.values()
    ids = {act.id for act in first.called.acts}
    called = Names((*first.called.acts, *(act for act in second.called.acts if act.id not in ids)))
    present = sorted({called.now(one) for line in lines.values() for one in line.accounts})
    if account is None and len(present) > 1:
        defaults = (called.now(line.default) for line in lines.values() if line.default)
        account = next((one for one in defaults if one in present), None)
    account = the_account(account if account is None or account in present else called.now(account), present)
    old, new = (
        {
            unit: note
            for one, notes in line.notes.items()
            if called.now(one) == account
            for unit, note in notes.items()
        }
        for line in lines.values()
    )
    changes = [
        NoteChange(unit, old.get(unit), new.get(unit))
        for unit in sorted(old.keys() | new.keys())
        if old.get(unit) != new.get(unit)
    ]
    counts = Counter(one.operation for one in changes)
    found: Row = masked_throughout(
        {
            "mode": "[mode=diff]",
            "success": True,
            "namespace": account,
            "from": before,
            "to": after,
            "stat": {name: counts[name] for name in ("added", "removed", "changed")},
            "changes": [change_row(one, account) for one in changes],
            "notices": [
                f"acts on {name} that no run has folded are in no generation yet: {line.waiting}"
                for name, line in lines.items()
                if line.waiting
            ],
        }
    )
    return found


def _read(layout: VaultLayout, name: str) -> _Line:
    # a branch of an earlier version may have the name
    main = name == MAIN and MAIN not in branch_names(layout)
    with open_vault((layout if main else branch_layout(layout, name)).root) as reader:
        # not the reader's ledger: over that one lie the acts that are in no generation yet
        with open_ledger(reader.layout, reader.generation) as ledger:
            rows = ledger.query(
                "SELECT account, id, text, category, state FROM units_current"
                " WHERE state IN (SELECT unnest(?))",
                [[state.value for state in RECALLED_STATES]],
            )
            called = names_of_accounts(ledger)
            default = names_now(reader.layout, ledger).default
        notes: dict[str, dict[str, NoteThen]] = {}
        for account, unit, text, category, state in rows:
            note = NoteThen(str(text), str(category), State(str(state)))
            notes.setdefault(str(account), {})[str(unit)] = note
        return _Line(reader.generation.accounts, called, default, notes, len(pending_acts_of(reader)))
