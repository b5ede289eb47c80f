"""The `mnemic` command: finds the command's module, and turns errors into one line and an exit code.

Exit codes: 0 done, 1 nothing readable or failed, 2 misuse (a missing path included), 3 done with a part
quarantined. This is the only place where errors end.
"""

from __future__ import annotations

import difflib
import importlib
import io
import logging
import os
import sys
from collections.abc import Sequence
from keyword import iskeyword
from typing import TYPE_CHECKING

import click

from interfaces.cli.terminal import SaidWarnings, say
from interfaces.settings.sources import apply_file
from schemas.deferred import deferred
from schemas.errors import MnemicError, UsageError
from vault.full_disk import disk_full, says_full

if TYPE_CHECKING:
    from click import shell_completion

    from interfaces.cli import welcome
else:
    shell_completion = deferred("click.shell_completion")
    welcome = deferred("interfaces.cli.welcome")

COMMANDS: dict[str, str] = {
    "ingest": "Read archives and publish what they say as notes.",
    "collect": "Read what assistants keep on this machine.",
    "reprocess": "Do the work on what the vault holds again, with today's versions.",
    "plan": "Say what ingesting with a language model would cost.",
    "inspect": "Say what an archive is and what importing it would bring.",
    "recall": "Find the notes that fit a question.",
    "web": "Look after saved pages of the web, and the log of what left.",
    "diverge": "Have two analysts answer apart, and say where they differ.",
    "session": "Say what a session of recalls was asked and given.",
    "get": "Show notes in full, with their evidence, or what lies at a path.",
    "summarize": "Say how many notes lie where: by path, date or place.",
    "blame": "Show what happened to a note, newest first.",
    "diff": "Show which notes changed between generations.",
    "branch": "Try archives and decisions aside, out of sight.",
    "merge": "Bring a branch to the main line.",
    "skill": "Teach an assistant to go through paths.",
    "path": "Say where notes lie, and move, rename or merge.",
    "list": "List notes by category, time or state.",
    "show": "Show a conversation and the notes made of it.",
    "summary": "Say in 200-400 words what a conversation came to.",
    "threads": "List threads of conversations, or show one with its map.",
    "status": "Say what the vault holds and what came in.",
    "gate": "Say what the gate made of notes, and why.",
    "open": "Walk through the memory in the browser.",
    "review": "Decide in the browser what is kept.",
    "keep": "Keep notes: they become engrams.",
    "clean": "Merge duplicates and retire what was superseded.",
    "discard": "Discard notes: recall no longer shows them.",
    "correct": "Correct the text of a note.",
    "undo": "Take back what you did last.",
    "policy": "Say which notes are kept without asking.",
    "sql": "Ask the ledger in SQL, read-only.",
    "forget": "Erase conversations for good, from everywhere.",
    "doctor": "Check installation and vault, and name remedies.",
    "index": "Carry the index to a Qdrant server.",
    "vault": "Look after the store: generations, integrity, backups.",
    "account": "Whose memory: merge, rename, split accounts, and say which is yours.",
    "exclusions": "Say what is left out when archives are read.",
    "chunk": "Cut a Markdown file by its headings and show the chunks.",
    "serve": "Serve the flows that run every night, on a Prefect server.",
    "mcp": "Serve the memory to an assistant.",
    "export": "Write notes, chunks or conversations to a file, or pages to a folder.",
    "import": "Take in what you edited in exported Markdown pages.",
    "train": "Teach the offline reader by what a language model found in your vault.",
    "eval": "Score extraction or retrieval on an evaluation set.",
    "config": "Say how mnemic is set up, and where each setting comes from.",
    "setup": "Install the embedding weights.",
    "completion": "Have your shell complete commands and options.",
}
"""Command by name with its one-line help, so that `--help` imports no command."""

ELSEWHERE = {
    "search": "recall",
    "find": "recall",
    "ask": "recall",
    "query": "recall",
    "delete": "forget",
    "remove": "forget",
    "init": "setup",
    "install": "setup",
}
"""What other programs call a command, to the command: suggested, not run."""
FAILED, MISUSE, INTERRUPTED = 1, 2, 130
COMPLETING = "_MNEMIC_COMPLETE"
"""Set by a shell that asks what may follow (`mnemic completion`)."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called: `--version` must answer at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands' names, in the order in which a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        # a module cannot bear the name of a keyword, as `import` is
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        module = importlib.import_module(f"interfaces.cli.commands.{name}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was named; of one that is not there, the nearest are told."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = _nearest(args[0])
            meant = f" Did you mean {' or '.join(near)}?" if near else " `mnemic --help` lists them."
            raise click.UsageError(f"There is no command {args[0]!r}.{meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _nearest(typed: str) -> list[str]:
    """The commands that may be meant, best first: what two neighbouring letters swapped make, which is one
    slip, goes before what only looks alike."""
    words = {name: name for name in COMMANDS} | ELSEWHERE
    swapped = {typed[:at] + typed[at : at + 2][::-1] + typed[at + 2 :] for at in range(len(typed))}
    near = sorted(swapped & words.keys()) or difflib.get_close_matches(typed, words, n=3)
    return list(dict.fromkeys(words[one] for one in near))


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        say(f"mnemic {version('mnemic')}")
        ctx.exit()


@click.group(
    cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Turn exported conversations into a memory that answers.

    \b
    Examples:
      mnemic ingest chatgpt-export.zip
      mnemic recall "what did I decide about the boat's paint?"
      mnemic list --category decision --since 2026-01-01
    """
    if ctx.invoked_subcommand is None:
        if sys.stdout.isatty():
            welcome.greet()
        else:
            if first := welcome.needs_setup():
                say(first)
            say(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    logging.lastResort = SaidWarnings(logging.WARNING)
    if asked := os.environ.get(COMPLETING):
        return shell_completion.shell_complete(cli, {}, "mnemic", COMPLETING, asked)
    try:
        # not `cli.main`: it would turn a reader that went away into exit code 1
        given = list(sys.argv[1:] if arguments is None else arguments)
        with cli.make_context("mnemic", given, obj=apply_file()) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        told = io.StringIO()
        error.show(file=told)  # it repeats what was typed, such as the name of a file
        say(told.getvalue(), err=True, nl=False)
        return error.exit_code
    except MnemicError as error:
        return _fail(error)
    except (KeyboardInterrupt, click.exceptions.Abort):
        return _say("interrupted; what was finished is kept, and a rerun goes on from there", INTERRUPTED)
    except BrokenPipeError:
        # the reader of our output went away, as `head` does: not an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if says_full(error):
            return _fail(disk_full(str(error.filename or "")))
        return _say(f"{error}", FAILED)
    except Exception as error:
        # here every error ends: a person gets a line, not a traceback
        if says_full(error):
            return _fail(disk_full(""))
        if os.environ.get("MNEMIC_DEBUG"):
            raise
        first = (str(error).strip() or "no message").splitlines()[0]
        return _say(f"unexpected {type(error).__name__}: {first}. MNEMIC_DEBUG=1 shows where", FAILED)
    return code if isinstance(code, int) else 0


def _fail(error: MnemicError) -> int:
    return _say(str(error), MISUSE if isinstance(error, UsageError) else FAILED)


def _say(line: str, code: int) -> int:
    say(f"mnemic: {line}", err=True)
    return code


def run() -> None:
    """Entry point of the console script."""
    sys.exit(main())
