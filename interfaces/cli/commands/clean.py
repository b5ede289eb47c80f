"""`mnemic clean`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from flows.sweeps.sweep import LIMIT, SweepRequest, SweepSummary
from interfaces.cli.lookup import account_if_named, one_id, opened
from interfaces.cli.model_options import EngineName, engine_option, model_options
from interfaces.cli.options import json_option, vault_folder, vault_option
from interfaces.cli.terminal import counted, print_json, print_table, say
from schemas.deferred import deferred
from schemas.errors import UsageError
from schemas.ids import short_id
from schemas.judgement import Effect
from schemas.words import amount
from vault.judgements import judgements_log

if TYPE_CHECKING:
    from flows.engines import engine_choice
    from flows.sweeps import clean_duplicates as sweeps_clean_duplicates
    from flows.sweeps import clean_superseded as sweeps_clean_superseded
    from flows.sweeps import decisions
else:
    sweeps_clean_duplicates = deferred("flows.sweeps.clean_duplicates")
    engine_choice = deferred("flows.engines.engine_choice")
    sweeps_clean_superseded = deferred("flows.sweeps.clean_superseded")
    decisions = deferred("flows.sweeps.decisions")


PARTIAL = 3
SHOWN = 20
"""Changes that are printed; `--json` and `mnemic clean log` have all."""


@click.group("clean")
def command() -> None:
    """Keep the corpus clean: merge duplicates, retire what was superseded.

    \b
    Examples:
      mnemic clean duplicates --dry-run
      mnemic clean superseded
      mnemic clean log --proposed
      mnemic clean undo 3f2a91c0
    """


_each_account = click.option("--account", default=None, help="Only this account. [default: each by itself]")


def _sweep_options(function: Callable[..., int]) -> Callable[..., int]:
    for option in (
        json_option,
        vault_option,
        _each_account,
        click.option(
            "--act-on-kept", is_flag=True, help="Archive kept notes too, instead of proposing it to you."
        ),
        click.option(
            "--limit", type=click.IntRange(min=1), default=LIMIT, show_default=True,
            help="New notes to look at; the next sweep takes the rest.",
        ),
        click.option("--dry-run", is_flag=True, help="Show every change and make none."),
    ):  # fmt: skip
        function = option(function)
    return function


_max_usd = click.option(
    "--max-usd", type=click.FloatRange(min=0), default=None, help="Stop before it costs more."
)


@command.command("duplicates")
@engine_option("Whom to ask where mnemic's own small model is in doubt: nobody, or a language model.")
@model_options
@_max_usd
@_sweep_options
def duplicates(
    dry_run: bool, limit: int, act_on_kept: bool, account: str | None, vault: Path | None, as_json: bool,
    engine: EngineName, max_usd: float | None, **asked: Any,
) -> int:  # fmt: skip
    """Merge notes that say the same into one that keeps the evidence of all.

    \b
    Examples:
      mnemic clean duplicates --dry-run
      mnemic clean duplicates --json
      mnemic clean duplicates --engine ollama --model qwen3:4b-instruct-2507
    """
    request = SweepRequest(vault_folder(vault), account, dry_run, limit, act_on_kept)
    choice = engine_choice.EngineChoice(name=engine, max_usd=max_usd, **asked)
    return _show(sweeps_clean_duplicates.clean_duplicates(request, choice), as_json)


@command.command("superseded")
@engine_option("Who judges the pairs: a small model of mnemic's own, or a language model.")
@model_options
@click.option(
    "--archive/--propose",
    default=True,
    show_default=True,
    help="What the offline rules find: archive or propose.",
)
@_max_usd
@_sweep_options
def superseded(
    dry_run: bool, limit: int, act_on_kept: bool, account: str | None, vault: Path | None, as_json: bool,
    engine: EngineName, max_usd: float | None, archive: bool, **asked: Any,
) -> int:  # fmt: skip
    """Archive notes that newer ones took the place of; link what contradicts.

    What you kept is only proposed, and with --propose all that the offline rules find: until you `accept`,
    recall shows the note behind its successor.

    \b
    Examples:
      mnemic clean superseded --dry-run
      mnemic clean superseded --limit 5000 --json
      mnemic clean superseded --engine anthropic --max-usd 1
    """
    request = SweepRequest(vault_folder(vault), account, dry_run, limit, act_on_kept, archive)
    choice = engine_choice.EngineChoice(name=engine, max_usd=max_usd, **asked)
    return _show(sweeps_clean_superseded.clean_superseded(request, choice), as_json)


def _show(summary: SweepSummary, as_json: bool) -> int:
    if as_json:
        print_json(summary.model_dump(mode="json"))
        return _code(summary)
    would = "would be " if summary.dry_run else ""
    rows = [
        (
            f"{would}{one.effect}",
            f"{one.text} {short_id(one.unit_id)}",
            f"{one.other_text} {short_id(one.other_id)}",
            one.reason,
        )
        for one in summary.changes[:SHOWN]
    ]
    title = "What would change" if summary.dry_run else "What changed"
    print_table(title, ("effect", "note that stays", "the other note", "why"), rows)
    if len(summary.changes) > SHOWN:
        say(f"and {len(summary.changes) - SHOWN} more: --json shows all")
    came_of_it = {
        f"{would}{name}" if name != Effect.NONE else "unchanged": n for name, n in summary.effects.items()
    }
    say(
        f"{amount(summary.new, 'new note')} of {summary.notes:,}, {amount(summary.judged, 'pair')} judged: "
        f"{counted(came_of_it) or 'nothing to do'}; {amount(summary.remaining, 'new note')} left to judge"
        + (f", {amount(summary.unanswered, 'pair')} without a verdict" if summary.unanswered else "")
    )
    if summary.dry_run:
        say("This was a dry run: nothing was changed")
    else:
        say(f"generation {summary.generation}; `mnemic clean undo --run {summary.run}` takes it back")
    return _code(summary)


def _code(summary: SweepSummary) -> int:
    """3 where a part is left for the next sweep."""
    return PARTIAL if summary.unanswered or summary.remaining else 0


@command.command("undo")
@click.argument("ids", nargs=-1)
@click.option("--run", default=None, help="Everything that this run of a sweep did.")
@click.option("--reason", default="", help="Why, for the record.")
@_each_account
@vault_option
@json_option
def undo_command(
    ids: tuple[str, ...],
    run: str | None,
    reason: str,
    account: str | None,
    vault: Path | None,
    as_json: bool,
) -> int:
    """Take back what sweeps did to the notes IDS, or in a run. The pairs do not come up again.

    \b
    Examples:
      mnemic clean undo 3f2a91c0
      mnemic clean undo --run 5b0c6a52-40ad-4a0e-9a69-0b1f3f2f7c11
    """
    if not ids and run is None:
        raise UsageError("nothing was named", remedy="Name notes, or a run with --run")
    units = _units(ids, account, vault)
    summary = decisions.undo(decisions.Decision(vault_folder(vault), units, run, reason, account))
    if as_json:
        print_json(summary.model_dump(mode="json"))
    else:
        restored = amount(len(summary.restored), "note")
        say(f"{restored} restored, {amount(summary.relations, 'relation')} taken back")
    return 0


@command.command("accept")
@click.argument("ids", nargs=-1, required=True)
@click.option("--reason", default="", help="Why, for the record.")
@_each_account
@vault_option
@json_option
def accept_command(
    ids: tuple[str, ...], reason: str, account: str | None, vault: Path | None, as_json: bool
) -> int:
    """Agree to what a sweep proposed for the notes IDS: they are archived.

    \b
    Examples:
      mnemic clean accept 3f2a91c0
    """
    units = _units(ids, account, vault)
    summary = decisions.accept(decisions.Decision(vault_folder(vault), units, None, reason, account))
    if as_json:
        print_json(summary.model_dump(mode="json"))
    else:
        say(f"{amount(len(summary.archived), 'note')} archived")
    return 0


def _units(ids: tuple[str, ...], account: str | None, vault: Path | None) -> tuple[str, ...]:
    with opened(vault) as reader:
        whose = account_if_named(reader, account)
        return tuple(one_id(reader, "units", "id", one, whose) for one in ids)


@command.command("log")
@click.option("--proposed", "wanted", flag_value=Effect.PROPOSED.value, help="What waits for your word.")
@click.option(
    "--contradictions", "wanted", flag_value=Effect.LINKED.value, help="Notes that cannot both hold."
)
@click.option("--all", "wanted", flag_value="all", help="Every judgement, those that changed nothing too.")
@click.option("--account", default=None, help="Only this account.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="Newest judgements.")
@vault_option
@json_option
def log_command(
    wanted: str | None, account: str | None, limit: int, vault: Path | None, as_json: bool
) -> int:
    """Show what sweeps said and did, newest first.

    \b
    Examples:
      mnemic clean log
      mnemic clean log --contradictions --json
    """
    effects = [wanted] if wanted not in (None, "all") else [effect.value for effect in Effect]
    if wanted is None:
        effects.remove(Effect.NONE.value)
    with opened(vault) as reader:
        rows = judgements_log(reader.ledger, account, effects, limit)
    if as_json:
        print_json({"judgements": rows})
        return 0
    if not rows:
        say("no sweep has said such a thing yet; `mnemic clean --help` lists the sweeps")
        return 0
    short = reader.short_id
    cells = [
        (f"{row['at']:%Y-%m-%d %H:%M}\n{row['sweep']}", f"{row['verdict']}\n{row['effect']}",
         f"{short(str(row['unit_id']))} {row['text']}\n{short(str(row['other_id']))} {row['other_text']}",
         row["reason"])
        for row in rows
    ]  # fmt: skip
    columns = ("when, and by whom", "verdict, effect", "the note, and the other", "why")
    print_table("What sweeps said", columns, cells)
    return 0
