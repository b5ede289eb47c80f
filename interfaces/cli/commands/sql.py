"""`mnemic sql`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import click
import duckdb

from interfaces.cli.lookup import opened
from interfaces.cli.options import json_option, vault_option
from interfaces.cli.terminal import print_json, print_table, say
from schemas.errors import UsageError
from schemas.words import amount
from vault.ledger import Ledger

SECONDS = 60
"""What a query may take: a join of a large ledger with itself would never end."""


@click.command("sql")
@click.argument("query")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True, max=86_400),
    default=SECONDS,
    show_default=True,
    help="A query that takes longer is stopped.",
)
@vault_option
@json_option
def command(query: str, seconds: float, vault: Path | None, as_json: bool) -> None:
    """Run one SQL QUERY on the published ledger, read-only. docs/ledger.md has the tables and views.

    \b
    Examples:
      mnemic sql "SELECT category, count(*) FROM units_current GROUP BY ALL ORDER BY 2 DESC"
      mnemic sql "SELECT said_at, text FROM decisions ORDER BY said_at" --json
    """
    with opened(vault) as reader:
        try:
            if (statements := len(duckdb.extract_statements(query))) != 1:
                what = f"{statements} statements were given" if statements else "the query is empty"
                raise UsageError(what, remedy="Give one statement, such as 'SHOW TABLES'")
            # a query may neither write nor reach other files, nor turn on a log that would
            reader.ledger.query("SET enable_external_access = false")
            reader.ledger.query("SET lock_configuration = true")
            with _stopped_after(seconds, reader.ledger):
                rows = reader.ledger.rows(query)
        except duckdb.InterruptException as error:
            raise UsageError(
                "the query was stopped",
                why=f"it took longer than {seconds:g} seconds",
                remedy="Ask for less, or allow it more with --seconds",
            ) from error
        except duckdb.Error as error:
            what = str(error).splitlines()[0]
            raise UsageError(what, remedy="`mnemic sql 'SHOW TABLES'` lists tables and views") from error
    if as_json:
        print_json(rows)
    elif rows:
        print_table(amount(len(rows), "row"), tuple(rows[0]), (tuple(row.values()) for row in rows))
    else:
        say("no rows")


@contextmanager
def _stopped_after(seconds: float, ledger: Ledger) -> Iterator[None]:
    timer = Timer(seconds, ledger.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
