"""`mnemic skill`."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import click

from interfaces.cli.options import json_option
from interfaces.cli.terminal import print_json, say
from schemas.errors import UsageError
from vault.files import write_text_durably

NAME = "mnemic-paths"


@click.group("skill")
def command() -> None:
    """A file that teaches an assistant to go through the paths of a memory: survey, pick, descend, fetch.

    \b
    Examples:
      mnemic skill show
      mnemic skill install
    """


@command.command("show")
def show() -> None:
    """Print the file.

    \b
    Examples:
      mnemic skill show
    """
    say(skill_text(), nl=False)


@command.command("install")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    help="Folder of an assistant's skills. [default: ~/.claude/skills]",
)
@click.option("--force", is_flag=True, help="Also where another file lies there.")
@json_option
def install(folder: Path | None, force: bool, as_json: bool) -> None:
    """Put the file where an assistant looks for skills, and say where that is.

    \b
    Examples:
      mnemic skill install
      mnemic skill install --folder ./.claude/skills
    """
    path = (folder or Path.home() / ".claude" / "skills") / NAME / "SKILL.md"
    text = skill_text()
    there = path.exists()
    if there and not force and path.read_bytes() != text.encode():
        raise UsageError(
            "another file lies there already",
            where=str(path),
            remedy="--force replaces it, --folder goes elsewhere",
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text_durably(path, text)
    if as_json:
        print_json({"installed": str(path), "replaced": there})
    else:
        say(f"installed at {path}")


def skill_text() -> str:
    """The file, as it ships."""
    return (resources.files("interfaces.skill") / "SKILL.md").read_text(encoding="utf-8")
