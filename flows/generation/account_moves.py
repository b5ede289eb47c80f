"""Accounts as the owner's acts say: rows and points of what changes hands get their new account.

Ids, states, evidence and vectors stay; nothing is embedded again. Threads that change hands as a whole keep
their maps until the accounts are linked anew; those that are torn apart are found again by the linking.
"""

from __future__ import annotations

from collections.abc import Sequence

from flows.generation.loading import POINTS_AT_ONCE, PointChanges, apply_changes
from vault.account_book import names_now
from vault.accounts import Moves, moves_due
from vault.generations import Building
from vault.ledger import Ledger

_BY_OWNER = {
    "conversations": "conversation_id",
    "messages": "conversation_id",
    "segments": "conversation_id",
    "chunks": "conversation_id",
    "units": "conversation_id",
    "session_summaries": "conversation_id",
    "restated_summaries": "conversation_id",
    "profiles": "conversation_id",
    "fallbacks": "conversation_id",
    "model_paths": "conversation_id",
    "resources": "id",
}
"""Tables whose rows are of an account, and the column that says of which conversation or document."""
_BY_NOTE = ("filed_paths", "relations", "judgements")
"""The same, of a note: its `unit_id`. What is between notes of two accounts is of that of the first."""


def settle_accounts(building: Building, run: str) -> int:
    """Give every conversation and document the account that the owner's acts, folded or not, say is its own.

    Returns how many changed hands. Costs nothing where no act on accounts was ever done.
    """
    ledger = building.ledger
    moves = moves_due(ledger, names_now(building.layout, ledger))
    _keep_origins(ledger, moves)
    if not moves.accounts:
        return 0
    ledger.insert(
        "CREATE OR REPLACE TEMP TABLE moved AS SELECT * FROM new_rows",
        [{"owner": owner, "account": account} for owner, account in moves.accounts.items()],
    )
    for table, key in _BY_OWNER.items():
        ledger.query(f"UPDATE {table} t SET account = m.account FROM moved m WHERE m.owner = t.{key}")
    # the run that last touched them: their threads are linked anew
    ledger.query("UPDATE conversations SET run = ? WHERE conversation_id IN (SELECT owner FROM moved)", [run])
    for table in _BY_NOTE:
        ledger.query(
            f"UPDATE {table} t SET account = u.account FROM units u"
            " WHERE u.id = t.unit_id AND u.account <> t.account"
        )
    torn = _move_threads(ledger)
    apply_changes(building, PointChanges([], [], _points_of(ledger, torn)), run)
    threads = [
        str(one) for (one,) in ledger.query("SELECT id FROM threads WHERE id IN (SELECT owner FROM moved)")
    ]
    _move_points(building, [*moves.accounts, *threads], run)
    ledger.query("DROP TABLE temp.moved")
    return len(moves.accounts)


def _keep_origins(ledger: Ledger, moves: Moves) -> None:
    """Have `account_origins` tell the names under which records came that are of other accounts now."""
    if not moves.origins and not ledger.query("SELECT 1 FROM account_origins LIMIT 1"):
        return
    ledger.query("DELETE FROM account_origins")
    ledger.insert(
        "INSERT INTO account_origins BY NAME SELECT * FROM new_rows",
        [{"owner": owner, "account": account} for owner, account in sorted(moves.origins.items())],
    )


def _move_threads(ledger: Ledger) -> list[str]:
    """Give threads that changed hands as a whole their account, and drop those that are torn apart; returns
    the ids of these. Threads that moved are put among what `moved` names."""
    rows = ledger.query(
        """
        SELECT t.id, min(c.account), count(DISTINCT c.account)
        FROM threads t, unnest(t.conversation_ids) AS n(one)
        JOIN conversations c ON c.conversation_id = n.one
        WHERE list_has_any(t.conversation_ids, (SELECT list(owner) FROM moved)) GROUP BY t.id
        """
    )
    torn = [str(thread) for thread, _, accounts in rows if accounts != 1]
    whole = [{"owner": str(thread), "account": str(one)} for thread, one, accounts in rows if accounts == 1]
    ledger.insert("INSERT INTO temp.moved BY NAME SELECT * FROM new_rows", whole)
    for table, key in (("threads", "id"), ("thread_maps", "thread_id")):
        ledger.query(f"UPDATE {table} t SET account = m.account FROM moved m WHERE m.owner = t.{key}")
        ledger.query(f"DELETE FROM {table} WHERE {key} IN (SELECT unnest(?))", [torn])
    return torn


def _points_of(ledger: Ledger, owners: Sequence[str]) -> list[str]:
    return sorted(ledger.points_of(owners)) if owners else []


def _move_points(building: Building, owners: Sequence[str], run: str) -> None:
    """Write the account into the payloads of the owners' points; their vectors stay."""
    ledger = building.ledger
    accounts = {str(one): str(account) for one, account in ledger.query("SELECT owner, account FROM moved")}
    points = _points_of(ledger, owners)
    for start in range(0, len(points), POINTS_AT_ONCE):
        found = building.index.payloads(points[start : start + POINTS_AT_ONCE])
        moved = [
            (point, payload.model_copy(update={"account": accounts[payload.conversation_id]}))
            for point, payload in found.items()
        ]
        apply_changes(building, PointChanges([], moved, []), run)
