"""`mnemic` without a command, on a terminal: the next step for whoever is new, and what is done already."""

from __future__ import annotations

from dataclasses import dataclass

from interfaces.cli.options import vault_folder
from interfaces.cli.terminal import say
from schemas.errors import MnemicError
from vault.generations import published_number
from vault.layout import VaultLayout


@dataclass(frozen=True, slots=True)
class _Step:
    title: str
    lines: tuple[str, ...]


_STEPS = (
    _Step(
        "Read an archive",
        (
            "mnemic ingest EXPORT.zip    an export of ChatGPT, Claude, Gemini and fifty others",
            "mnemic collect              what assistants keep on this machine: shown first, asked once",
        ),
    ),
    _Step(
        "Ask it something",
        (
            'mnemic recall "what did I decide about the boat?"',
            "mnemic open                 walk through it in the browser",
        ),
    ),
    _Step("Give it to your assistant", ("claude mcp add mnemic -- mnemic mcp",)),
    _Step("Have it read every night", ("mnemic serve                what lies in the vault's inbox",)),
)


def greet() -> None:
    """Print the steps, the first one that is not done yet marked."""
    layout = VaultLayout(vault_folder(None))
    try:
        filled = published_number(layout) is not None
        state = (
            f"Your memory lies in {layout.root}." if filled else f"There is no memory in {layout.root} yet."
        )
    except MnemicError as error:
        filled, state = True, f"{error}"
    say(f"mnemic turns exported conversations into a memory that answers. {state}\n")
    for number, step in enumerate(_STEPS, start=1):
        done, following = filled and number == 1, number == (2 if filled else 1)
        say(f"{'✓' if done else '→' if following else ' '} {number}. {step.title}")
        for line in step.lines:
            say(f"       {line}")
    say("\n`mnemic --help` lists every command, `mnemic COMMAND --help` has examples of each.")
