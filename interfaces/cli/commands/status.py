"""`mnemic status`."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from pathlib import Path

import click

from flows.engines.model_costs import Costs, costs
from flows.reports.run_page import newest_report
from interfaces.cli.lookup import opened
from interfaces.cli.options import json_option, vault_folder, vault_option
from interfaces.cli.terminal import counted, print_json, print_left_out, print_table, say
from retrieval.deep.learning import deep_summary
from schemas.fallback import Fallback
from schemas.generation import Generation
from schemas.words import amount
from vault.deep_log import DeepLog
from vault.layout import VaultLayout
from vault.model_calls import Spending, fallbacks
from vault.queries import Row, imports, overview
from vault.stored import read_by


@click.command("status")
@click.option("--imports", "with_imports", is_flag=True, help="Show every archive's import report.")
@click.option(
    "--retries", "with_retries", is_flag=True, help="Show where the offline engine spoke for the model."
)
@vault_option
@json_option
def command(with_imports: bool, with_retries: bool, vault: Path | None, as_json: bool) -> None:
    """Say what the vault holds.

    \b
    Examples:
      mnemic status
      mnemic status --imports --json
      mnemic status --retries
    """
    layout = VaultLayout(vault_folder(vault))
    with opened(vault) as reader:
        generation = reader.generation
        accounts = overview(reader.ledger)
        reports = imports(reader.ledger) if with_imports else []
        pending = len(reader.pending_states())
        spent = costs(layout, reader.ledger)
        retries = fallbacks(reader.ledger)
        engines = read_by(reader.ledger)
    looked = deep_summary(DeepLog(layout).searches())
    waiting, held = _names_in(layout.inbox), _names_in(layout.quarantine)
    page = newest_report(layout)
    if as_json:
        print_json(
            {
                "vault": str(layout.root),
                "generation": generation.model_dump(mode="json"),
                "accounts": accounts,
                "read_by": engines,
                "pending_acts": pending,
                "inbox": waiting,
                "quarantine": held,
                "report": str(page) if page else None,
                "imports": reports,
                "model": spent.model_dump(mode="json"),
                "deep_searches": looked,
                "fallbacks": len(retries),
                "retries": [{**one.model_dump(), "what": one.what} for one in retries if with_retries],
            }
        )
        return
    _print_generation(layout, generation)
    if pending:
        acts = amount(pending, "keep or discard", "keeps and discards")
        say(f"{acts} not in the counts yet: the next ingest takes them in")
    say(f"inbox: {len(waiting)} waiting; quarantine: {', '.join(held) or 'empty'}")
    if page:
        say(f"last run: {page.absolute().as_uri()}")
    _print_accounts(accounts)
    _print_readers(engines)
    _print_costs(spent)
    _print_looked(looked)
    if with_imports:
        _print_imports(reports)
    if retries:
        say(
            f"The offline engine wrote in the model's place: {_told(retries)}. `mnemic status --retries` "
            "lists them, `mnemic ingest --retry` asks again for whole windows, summaries and maps"
        )
    if with_retries:
        _print_retries(retries)


def _names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def _print_generation(layout: VaultLayout, generation: Generation) -> None:
    published = f"{generation.published_at:%Y-%m-%d %H:%M} UTC"
    say(f"{layout.root}: generation {generation.number}, published {published}")
    say(f"rows: {counted(generation.rows)}")


def _print_accounts(accounts: list[Row]) -> None:
    held = ("conversations", "messages", "notes", "kept", "resources", "gone")
    rows = [
        (row["account"], _day(row["first"]), _day(row["last"]), counted({name: row[name] for name in held}))
        for row in accounts
    ]
    print_table("Accounts", ("account", "first", "last", "what it holds"), rows)


def _day(moment: object) -> str:
    return f"{moment:%Y-%m-%d}" if isinstance(moment, datetime) else ""


def _print_readers(engines: list[Row]) -> None:
    by = ("conversations", "notes", "prefixes", "summaries")
    print_table("Read by", by, [tuple(one[name] for name in by) for one in engines])


def _told(retries: list[Fallback]) -> str:
    """How much of what the offline engine wrote, such as `session summary 2, sentences 5`."""
    amounts = Counter[str]()
    for one in retries:
        amounts[one.what] += one.sentences if one.what == "sentences" else 1
    return counted(dict(sorted(amounts.items())))


def _print_retries(retries: list[Fallback]) -> None:
    columns = ("conversation_id", "what", "reason", "sentences", "engine")
    rows = [tuple(getattr(one, name) for name in columns) for one in retries]
    print_table("Read offline in the model's place", columns, rows)


def _print_costs(spent: Costs) -> None:
    if spent.spending:
        columns = tuple(Spending.model_fields)
        rows = [tuple(one.model_dump().values()) for one in spent.spending]
        print_table(f"Language models: ${spent.usd:.4f}", columns, rows)
    for one in spent.under_way:
        since = f"{one.submitted_at:%Y-%m-%d %H:%M} UTC"
        batch = f"batch {one.batch_id or 'without an id'}, {amount(one.questions, 'question')}"
        say(f"Under way: {batch}, {since}")


def _print_looked(looked: list[Row]) -> None:
    if looked:
        columns = ("month", "deep searches", "judged", "hits", "share")
        rows = [tuple(one.values()) for one in looked]
        print_table("Looked further (`mnemic recall --deep`)", columns, rows)


def _print_imports(reports: list[Row]) -> None:
    rows = [
        (report["archive"], report["account"], report["format"], _accounted(report),
         "yes" if report["complete"] else "no: it broke off")
        for report in reports
    ]  # fmt: skip
    print_table("Imports", ("archive", "account", "format", "what it holds", "whole"), rows)
    notes = [
        (
            str(report["archive"]), note["kind"], note["reason"], f"{note['count']:,}", note["where"],
            note.get("remedy"),
        )
        for report in reports
        for note in _notes(report)
    ]  # fmt: skip
    if notes:
        print_left_out("Not imported, and why", notes)


def _accounted(report: Row) -> str:
    """`conversations 32; records 271 = messages 200, resources 6, left out 65`."""
    parts = {
        "messages": report["messages"],
        "resources": report["resources"],
        "left out": report["records_skipped"],
    }
    return f"conversations {report['conversations']:,}; records {report['records']:,} = {counted(parts) or 0}"


def _notes(report: Row) -> list[Row]:
    notes = report["notes"]
    return notes if isinstance(notes, list) else []
