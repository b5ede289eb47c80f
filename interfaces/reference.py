"""Every command and setting as Markdown, from the code itself: `docs/commands.md` is this text.

python -m interfaces.reference > docs/commands.md
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator

import click

from interfaces.known_settings import SECRETS, KnownSettings
from interfaces.main import cli

_INTRODUCTION = """# Commands and settings

Made by `python -m interfaces.reference > docs/commands.md`; a test compares the two. Exit codes: 0 done,
1 nothing or failed, 2 misuse, 3 done in part.
"""


def reference() -> str:
    """The whole page."""
    context = click.Context(cli, info_name="mnemic")
    parts = [_INTRODUCTION]
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        if command is not None:
            parts.extend(_told(command, f"mnemic {name}", 2))
    return "\n".join([*parts, *_settings()])


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


def _settings() -> Iterator[str]:
    yield "## Settings\n"
    yield (
        "Flags go before the environment, the environment before `config.toml`. `mnemic config show` "
        "says where each comes from.\n"
    )
    yield "| variable | in the file | secret |\n|---|---|---|"
    yield "\n".join(
        f"| `{name.upper()}` | `{name}` | {'yes' if name in SECRETS else 'no'} |"
        for name in KnownSettings.model_fields
    )
    yield ""


if __name__ == "__main__":
    sys.stdout.write(reference())
