"""`mnemic collect`."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import click

from archives.places import TOOLS
from flows.engines.engine_choice import EngineChoice
from flows.ingest.collection import Collected, account_of, by_tool, collect, found_units, to_read
from flows.intake.collected import CollectedGroup, keep_answers, kept_answers
from interfaces.cli.commands.ingest import print_summary
from interfaces.cli.model_options import engine_options
from interfaces.cli.options import json_option, vault_folder, vault_option
from interfaces.cli.session_end_hook import hook_line, install, settings_file
from interfaces.cli.terminal import TerminalProgress, agreed, print_json, print_table, say
from interfaces.cli.watching import QUIET_SECONDS, WatchPace
from schemas.errors import UsageError, VaultLocked
from schemas.words import amount
from vault.layout import VaultLayout

COLUMNS = ("assistant", "read", "sessions", "megabytes", "newest")


@click.command("collect")
@click.option("--tool", "tools", multiple=True, type=click.Choice(TOOLS), help="Only this assistant.")
@click.option("--off", multiple=True, type=click.Choice(TOOLS), help="No longer read this assistant.")
@click.option("--account", default=None, help="Whose they are, from now on. [default: the vault's only one]")
@click.option("--yes", is_flag=True, help="Do not ask: read what was found, now and later.")
@click.option("--dry-run", is_flag=True, help="Only say what was found.")
@click.option("--again", is_flag=True, help="Read everything again; nothing comes in twice.")
@click.option("--watch", is_flag=True, help="Go on, and read what changes, until interrupted.")
@click.option(
    "--every", type=click.FloatRange(min=0), default=10.0, show_default=True,
    help="With --watch: publish at most once in so many minutes.",
)  # fmt: skip
@click.option("--install-hook", is_flag=True, help="Have Claude Code hand over each session when it ends.")
@engine_options
@vault_option
@json_option
def command(
    tools: tuple[str, ...],
    off: tuple[str, ...],
    account: str | None,
    yes: bool,
    dry_run: bool,
    again: bool,
    watch: bool,
    every: float,
    install_hook: bool,
    choice: EngineChoice,
    vault: Path | None,
    as_json: bool,
) -> int:
    """Read what assistants keep on this machine. It shows what it found and asks once; the answer is kept.

    Nothing is written where the assistants keep their files. Later runs read only what changed.

    \b
    Examples:
      mnemic collect --dry-run
      mnemic collect
      mnemic collect --tool claude-code --tool codex --yes
      mnemic collect --watch --every 10
      mnemic collect --install-hook
    """
    if watch and as_json:
        raise UsageError("--watch tells as it goes", remedy="Leave out --json, or --watch")
    if install_hook:
        tools = tools or ("claude-code",)
    layout = VaultLayout(vault_folder(vault))
    found = found_units(tools or None)
    if not as_json:
        _show(layout, found)
    if dry_run:
        if as_json:
            print_json({"found": _rows(layout, found), "summary": None})
        return 0
    layout.create()
    _ask(layout, found, tools, off, yes or install_hook)
    account = account_of(layout, account)
    keep_answers(layout, kept_answers(layout).model_copy(update={"account": account}))
    if install_hook:
        _install(layout)
    if watch:
        _follow(layout, tools, choice, every * 60)
    done = collect(layout.root, choice, None if as_json else TerminalProgress(), tools=tools, again=again)
    if as_json:
        told = done.summary.model_dump(mode="json") if done.summary else None
        rest = {"unfinished": done.unfinished, "unreadable": done.unreadable}
        print_json({"found": _rows(layout, found), "summary": told, **rest})
    else:
        _tell(done)
    return done.exit_code


def _rows(layout: VaultLayout, found: list[CollectedGroup]) -> list[dict[str, object]]:
    said = kept_answers(layout).tools
    return [
        {
            "tool": tool,
            "allowed": said.get(tool),
            "sessions": len(units),
            "bytes": sum(unit.size for unit in units),
            "newest": datetime.fromtimestamp(max(unit.changed for unit in units), UTC).isoformat(),
        }
        for tool, units in by_tool(found).items()
    ]


def _show(layout: VaultLayout, found: list[CollectedGroup]) -> None:
    words = {None: "not asked yet", True: "yes", False: "no"}
    said = kept_answers(layout).tools
    print_table(
        "What assistants keep on this machine",
        COLUMNS,
        (
            (
                tool,
                words[said.get(tool)],
                f"{len(units):,}",
                f"{sum(unit.size for unit in units) / 1e6:,.1f}",
                datetime.fromtimestamp(max(unit.changed for unit in units), UTC).date().isoformat(),
            )
            for tool, units in by_tool(found).items()
        ),
    )


def _ask(
    layout: VaultLayout,
    found: list[CollectedGroup],
    tools: tuple[str, ...],
    off: tuple[str, ...],
    agrees: bool,
) -> None:
    """Have the owner's word on every assistant that was found, once, and keep it."""
    answers = kept_answers(layout)
    said = dict(answers.tools) | dict.fromkeys(off, False)
    # naming one again takes an earlier no back, once it is agreed to
    asked = dict.fromkeys((*by_tool(found), *tools))
    new = [one for one in asked if one not in off and (one not in said or (one in tools and not said[one]))]
    if new and not agrees:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            if not any(said.values()):
                raise UsageError(
                    "nobody has said yet what may be collected",
                    why=f"there is something of {', '.join(new)}",
                    remedy="Run `mnemic collect` in a terminal, or say --yes; --tool NAME takes one alone",
                )
            new = []  # of those that are allowed, the run goes on
        else:
            agrees = agreed(f"Read {', '.join(new)} into {layout.root}, now and whenever collect runs?")
    said |= dict.fromkeys(new, agrees)
    keep_answers(layout, answers.model_copy(update={"tools": said}))


def _install(layout: VaultLayout) -> None:
    file = settings_file()
    is_new = install(file, hook_line(layout.root))
    said = f"Claude Code hands over each session when it ends: the hook is in {file}"
    say(said if is_new else f"The hook was in {file} already")


def _tell(done: Collected) -> None:
    if done.summary is None:
        say("Nothing changed since the last run")
    else:
        print_summary(done.summary)
    if done.unfinished:
        files = amount(len(done.unfinished), "file")
        say(f"{files} being written, left to the next run: {', '.join(done.unfinished[:3])}")
    for line in done.unreadable:
        say(f"mnemic: not read: {line}", err=True)


def _follow(layout: VaultLayout, tools: tuple[str, ...], choice: EngineChoice, least: float) -> None:
    """Collect what changes, once it has been quiet for a while, until interrupted."""
    pace = WatchPace(least)
    say(f"Watching; what changes is published at most once in {least / 60:g} minutes. Ctrl+C ends it")
    while True:
        state = tuple((unit.key, unit.stamp) for unit in to_read(layout, tools))
        if pace.is_due(state, time.monotonic()):
            try:
                _tell(collect(layout.root, choice, TerminalProgress(), tools=tools))
            except VaultLocked as error:
                say(f"mnemic: {error}; tried again later", err=True)
            pace.ran(time.monotonic())
        time.sleep(QUIET_SECONDS / 3)
