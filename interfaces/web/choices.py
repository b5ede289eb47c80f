"""What the filters of the pages offer: threads, services and paths to choose from."""

from __future__ import annotations

from dataclasses import dataclass

from vault.deck import Row, threads
from vault.ledger import Ledger
from vault.path_queries import Survey, branches
from vault.paths import PathTables

PATH_DEPTH = 2
"""Names of a path that a filter goes down to."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to choose; no act on a note changes it, only a run or a moved path does."""

    threads: list[Row]
    """The largest first, with their conversations' first and last time."""
    providers: list[str]
    paths: list[str]


def choices_of(ledger: Ledger, account: str, tables: PathTables) -> Choices:
    """The choices of an account: three questions to the ledger, so keep what they come to."""
    providers = ledger.query(
        "SELECT DISTINCT provider FROM conversations WHERE account = ? ORDER BY 1", [account]
    )
    return Choices(
        threads(ledger, account),
        [str(provider) for (provider,) in providers],
        [one.prefix for one in branches(ledger, tables, Survey(account), PATH_DEPTH)],
    )
