"""The corpus in pictures: what is counted, from the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from interfaces.web.page_filter import STATES, query
from interfaces.web.responses import day, words
from interfaces.web.views.svg_plots import Picture, bars, columns, spans
from schemas.unit import RECALLED_STATES, Category
from vault.deck import Row, threads
from vault.gating import outcomes
from vault.ledger import Ledger

THREADS = 20
CRITERIA = 12


def pictures(ledger: Ledger, account: str) -> list[Picture]:
    """Every picture that has something to show."""
    made = (
        _notes_over_time(ledger),
        _conversations(ledger, account),
        _threads(ledger, account),
        _gate(ledger, account),
        _criteria(ledger, account),
        _last_run(ledger, account),
    )
    return [picture for picture in made if picture is not None]


def _notes_over_time(ledger: Ledger) -> Picture | None:
    found = ledger.rows(
        """
        SELECT strftime(said_at, '%Y-%m') AS month, category, count(*) AS notes
        FROM deck LEFT JOIN pending p ON p.unit_id = deck.id
        WHERE said_at IS NOT NULL AND coalesce(p.state, deck.state) IN (SELECT unnest(?))
        GROUP BY ALL ORDER BY month
        """,
        [[state.value for state in RECALLED_STATES]],
    )
    if not found:
        return None
    months = _all_months(str(found[0]["month"]), str(found[-1]["month"]))
    counts = {(str(row["month"]), str(row["category"])): _count(row, "notes") for row in found}
    layers = [
        (str(words(one.value)), [counts.get((month, one.value), 0) for month in months]) for one in Category
    ]
    return columns(
        "Notes by category over time",
        "Notes that recall shows, by the month they were said in",
        months,
        layers,
        _notes_of,
    )


def _notes_of(month: str, name: str) -> str:
    """The list of the notes of a month (or a year) and a category, by its name as people say it."""
    year, _, number = month.partition("-")
    until = f"{int(year) + 1:04}-01-01" if number in ("", "12") else f"{year}-{int(number) + 1:02}-01"
    category = next((one.value for one in Category if words(one.value) == name), "")
    return "/notes" + query({"since": f"{year}-{number or '01'}-01", "before": until}, category=category)


def _all_months(first: str, last: str) -> list[str]:
    """Every month from the first to the last; years, where there are more than six of them."""
    (year, month), months = map(int, first.split("-")), []
    while (label := f"{year:04}-{month:02}") <= last:
        months.append(label)
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    return months


def _conversations(ledger: Ledger, account: str) -> Picture | None:
    found = ledger.query(
        "SELECT provider, count(*) FROM conversations WHERE account = ? GROUP BY provider ORDER BY 2 DESC",
        [account],
    )
    links = ["/conversations" + query({}, provider=str(provider)) for provider, _ in found]
    return _bars("Conversations by provider", "Where they were exported from", found, links)


def _threads(ledger: Ledger, account: str) -> Picture | None:
    dated, links = [], []
    for row in threads(ledger, account)[:THREADS]:
        label, first, last = str(row["label"]), row["first"], row["last"]
        if isinstance(first, datetime) and isinstance(last, datetime):
            told = f"{label}: {row['conversations']} conversations, {day(first)} to {day(last)}"
            dated.append((label, first, last, told))
            links.append(f"/thread/{row['id']}")
    if not dated:
        return None
    told = f"The {THREADS} threads with the most conversations"
    return spans("Threads on a timeline", told, dated, links)


def _gate(ledger: Ledger, account: str) -> Picture | None:
    states, _ = outcomes(ledger, account)
    links = ["/notes" + query({}, state=state if state in STATES else "all") for state in states]
    return _bars("What the gate said", "All notes, by the gate's outcome", list(states.items()), links)


def _criteria(ledger: Ledger, account: str) -> Picture | None:
    _, criteria = outcomes(ledger, account)
    found = [(f"{row['criterion']}, {row['outcome']}", _count(row, "notes")) for row in criteria[:CRITERIA]]
    return _bars(
        "Why the gate held or rejected notes", "A note counts for each criterion it did not pass", found
    )


def _last_run(ledger: Ledger, account: str) -> Picture | None:
    found = ledger.rows(
        """SELECT run, command, started_at FROM runs WHERE finished_at IS NOT NULL
           ORDER BY finished_at DESC LIMIT 1"""
    )
    if not found:
        return None
    events = ledger.query(
        """
        SELECT CASE WHEN starts_with(e.actor, 'gate:') THEN 'by the gate: '
                    WHEN starts_with(e.actor, 'extract:') THEN 'by extraction: '
                    WHEN starts_with(e.actor, 'sweep:') THEN 'by a sweep: '
                    ELSE 'by you: ' END || e.state, count(*)
        FROM unit_events e JOIN units u ON u.id = e.unit_id WHERE e.run = ? AND u.account = ?
        GROUP BY 1 ORDER BY 2 DESC
        """,
        [found[0]["run"], account],
    )
    told = f"{found[0]['command']} of {day(found[0]['started_at'])}: notes by the state that they came to"
    return _bars("What the last run did", told, events)


def _bars(
    title: str,
    told: str,
    found: list[tuple[object, ...]] | list[tuple[str, int]],
    links: Sequence[str] = (),
) -> Picture | None:
    rows = [(str(name), int(str(number))) for name, number in found]
    return bars(title, told, rows, links) if rows else None


def _count(row: Row, name: str) -> int:
    return int(str(row[name]))
