"""`mnemic` without a command, on a terminal: the next step for whoever is new, and what is done already."""

from __future__ import annotations

import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from inference.setup import is_installed
from interfaces.cli.options import vault_folder
from interfaces.cli.terminal import say
from schemas.errors import MnemicError
from vault.generations import published_number
from vault.layout import VaultLayout, platform_vault_folder
from vault.lock import is_being_written


@dataclass(frozen=True, slots=True)
class _Step:
    title: str
    lines: tuple[str, ...]


_READ = _Step(
    "Read an archive",
    (
        "mnemic ingest EXPORT.zip    an export of ChatGPT, Claude, Gemini and fifty others",
        "mnemic collect              what assistants keep on this machine: shown first, asked once",
    ),
)
_NIGHTLY = _Step("Have it read every night", ("mnemic serve                what lies in the vault's inbox",))
_ASK = _Step(
    "Ask it something",
    (
        'mnemic recall "what did I decide about the boat?"',
        "mnemic open                 walk through it in the browser, keep and discard notes",
    ),
)


def _steps() -> list[tuple[_Step, bool]]:
    """The steps, each with whether it is done. Whether somebody asked leaves no trace, and is not known."""
    layout = VaultLayout(vault_folder(None))
    weights = _Step("Fetch the embedding weights", ("mnemic setup                84 MB, once, by hash",))
    assistant = _Step("Give it to your assistant", (assistant_line(layout.root),))
    filled = published_number(layout) is not None
    return [(weights, is_installed()), (_READ, filled), (_ASK, False), (assistant, False), (_NIGHTLY, False)]


def assistant_line(vault: Path) -> str:
    """The command that gives a vault to Claude Code. It is named where it is not the platform's own: an
    assistant knows nothing of this shell's MNEMIC_VAULT."""
    whole = vault.expanduser().absolute()
    named = "" if whole == platform_vault_folder() else f" --vault {shlex.quote(str(whole))}"
    return f"claude mcp add mnemic -- {_called_by()} mcp{named}"


def needs_setup() -> str:
    """What to do first where the weights are missing; "" where they are there."""
    return "" if is_installed() else "Begin with `mnemic setup`: the embedding weights are missing.\n"


def _called_by() -> str:
    """The command as another program has to call it: an assistant knows nothing of this shell's PATH."""
    found = shutil.which(sys.argv[0])
    return shlex.quote(str(Path(found).absolute())) if found else "mnemic"


def greet() -> None:
    """Print the steps, the first one that is not done yet marked."""
    layout = VaultLayout(vault_folder(None))
    try:
        steps = _steps()
        filled = steps[1][1]
        state = (
            f"Your memory lies in {layout.root}." if filled else f"There is no memory in {layout.root} yet."
        )
        if not filled and is_being_written(layout):
            state = f"The first archive is being read into {layout.root}."
    except MnemicError as error:
        steps, state = [], f"{error}"
    say(f"mnemic turns exported conversations into a memory that answers. {state}\n")
    following = next((step for step, done in steps if not done), None)
    for number, (step, done) in enumerate(steps, start=1):
        say(f"{'✓' if done else '→' if step is following else ' '} {number}. {step.title}")
        for line in step.lines:
            say(f"       {line}")
    say("\n`mnemic --help` lists every command, `mnemic COMMAND --help` has examples of each.")
