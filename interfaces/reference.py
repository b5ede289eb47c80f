"""Every command and every setting as Markdown, from the code: `docs/commands.md`, `docs/settings.md`.

python -m interfaces.reference > docs/commands.md
python -m interfaces.reference settings > docs/settings.md
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, get_args, get_origin

import click

from interfaces.main import cli
from interfaces.settings.known_settings import SECRETS, FiledSettings

_COMMANDS = """# Commands

Made by `python -m interfaces.reference > docs/commands.md`; a test compares the two. Exit codes: 0 done,
1 nothing or failed, 2 misuse, 3 done in part. The environment and a file say more: [settings](settings.md).
"""
_SETTINGS = """# Settings

Made by `python -m interfaces.reference settings > docs/settings.md`; a test compares the two.

A flag of a command goes before the environment, the environment before `config.toml`, the file before what is
built in. The file lies in this platform's place for settings, or where `MNEMIC_CONFIG` points; its names are
those of the variables in small letters, such as `mnemic_vault = "/data/memory"`. `mnemic config show` says
where each comes from, and prints no secret. A name that is not in the table is an error.

| variable | what it says | kind |
|---|---|---|
"""
_ENVIRONMENT = """
## Said by the environment alone

These belong to one process or one machine, so the file has no names for them.

| variable | what it says |
|---|---|
| `MNEMIC_CONFIG` | where the file of settings is |
| `MNEMIC_NOTIFY` | Prefect's notification block that hears of failed runs, such as `custom-webhook/mnemic` |
| `MNEMIC_DEBUG` | anything: a defect shows its whole traceback |
| `MNEMIC_DASK_SCHEDULER` | address of a Dask cluster that runs already, for `--runner dask` |
| `MNEMIC_RAY_ADDRESS` | address of a Ray cluster that runs already, for `--runner ray` |
| `PREFECT_API_URL` | the Prefect server that runs are recorded on; Prefect has settings of its own |
| `MNEMIC_SHARED` | for the tests: folder of the evaluation sets |
"""


def commands_page() -> str:
    """Every command with its options and examples."""
    context = click.Context(cli, info_name="mnemic")
    parts = [_COMMANDS]
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        if command is not None:
            parts.extend(_told(command, f"mnemic {name}", 2))
    return "\n".join(parts)


def settings_page() -> str:
    """Every setting, what it says and of which kind it is."""
    rows = [
        f"| `{name.upper()}` | {_plain(field.description or '')} | {_kind(name, field.annotation)} |"
        for name, field in FiledSettings.model_fields.items()
    ]
    return _SETTINGS + "\n".join(rows) + "\n" + _ENVIRONMENT


def _kind(name: str, annotation: object) -> str:
    """A setting's kind in a person's words; the None that says nothing is left out."""
    if name in SECRETS:
        return "secret"
    kinds = {str: "text", Path: "folder", bool: "`true` or `false`", int: "whole number", float: "number"}
    said = next(one for one in get_args(annotation) if one is not type(None))
    return kinds[get_args(said)[0] if get_origin(said) is Annotated else said]


def _told(command: click.Command, name: str, level: int) -> Iterator[str]:
    context = click.Context(command, info_name=name)
    yield f"{'#' * level} {name}\n"
    text = inspect.cleandoc(command.help or "").replace("\b\n", "")
    prose, _, examples = text.partition("Examples:\n")
    yield prose.strip() + "\n"
    if examples.strip():
        yield "```sh\n" + inspect.cleandoc(examples) + "\n```\n"
    rows = [_row(one, context) for one in command.get_params(context) if one.name not in ("help", "version")]
    if rows:
        yield "| argument or option | what it does |\n|---|---|"
        yield "\n".join(rows) + "\n"
    if isinstance(command, click.Group):
        for sub in command.list_commands(context):
            found = command.get_command(context, sub)
            if found is not None:
                yield from _told(found, f"{name} {sub}", level + 1)


def _row(parameter: click.Parameter, context: click.Context) -> str:
    if isinstance(parameter, click.Option):
        record = parameter.get_help_record(context)
        names, told = record if record else (", ".join(parameter.opts), "")
    else:
        names, told = parameter.make_metavar(context), ""
    return f"| `{_plain(names)}` | {_plain(told).replace('<', '&lt;').replace('[', chr(92) + '[')} |"


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(settings_page() if "settings" in sys.argv[1:] else commands_page())
