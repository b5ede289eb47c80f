"""Which notes stand on one line of generations and not on another: the main line and its branches."""

from __future__ import annotations

from collections import Counter

from inference.secret_cover import masked_throughout
from interfaces.history_answers import change_row
from schemas.errors import UsageError
from schemas.unit import RECALLED_STATES, State
from vault.branches import branch_layout, branch_names
from vault.layout import VaultLayout
from vault.notes_then import NoteChange, NoteThen
from vault.paths_now import pending_acts_of
from vault.queries import Row
from vault.reader import open_vault

MAIN = "main"
"""What the main line is called here, unless a branch has this name."""


def branches_differing(layout: VaultLayout, account: str, before: str, after: str) -> Row:
    """Which of the account's notes stood in the published generation of one line and not in that of the
    other, or stood otherwise. Raises UnknownId for a branch that is not there."""
    told: dict[str, dict[str, NoteThen]] = {}
    waiting: dict[str, int] = {}
    if before == after:
        raise UsageError(f"{before} does not differ from itself", remedy="Name two lines, as in `main trial`")
    for name in (before, after):
        main = name == MAIN and MAIN not in branch_names(layout)
        with open_vault((layout if main else branch_layout(layout, name)).root) as reader:
            rows = reader.ledger.query(
                "SELECT id, text, category, state FROM units_current"
                " WHERE account = ? AND state IN (SELECT unnest(?))",
                [account, [state.value for state in RECALLED_STATES]],
            )
            waiting[name] = len(pending_acts_of(reader))
        told[name] = {
            str(unit): NoteThen(str(text), str(category), State(str(state)))
            for unit, text, category, state in rows
        }
    old, new = told[before], told[after]
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
                f"acts on {name} that no run has folded are in no generation yet: {count}"
                for name, count in waiting.items()
                if count
            ],
        }
    )
    return found
