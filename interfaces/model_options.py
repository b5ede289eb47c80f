"""The options of commands that can use a language model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from inference.language_model import DEFAULT_MODEL

F = TypeVar("F", bound=Callable[..., Any])


class Price(click.ParamType[tuple[float, float]]):
    """Dollars per million tokens, in and out."""

    name = "in/out"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        """Read `0.10/0.50`; anything else is a misuse of the command."""
        if isinstance(value, tuple):
            return value
        paid, _, made = str(value).partition("/")
        try:
            price = float(paid), float(made)
        except ValueError:
            self.fail(f"{value!r} is not a price such as 0.10/0.50", param, ctx)
        if min(price) < 0:
            self.fail("a price is not below zero", param, ctx)
        return price


_OPTIONS = (
    click.option(
        "--model", default=DEFAULT_MODEL, show_default=True, envvar="MNEMIC_MODEL", help="Language model."
    ),
    click.option(
        "--base-url",
        default=None,
        help="An Anthropic-compatible server. [default: $ANTHROPIC_BASE_URL, else the public service]",
    ),
    click.option(
        "--price",
        type=Price(),
        default=None,
        help="Dollars per million tokens, for a model that the table of prices lacks; 0/0 for your own.",
    ),
)


prefix_option = click.option(
    "--contextual-prefix",
    is_flag=True,
    help="Have the model place every passage in its conversation by a sentence or two, for search alone. "
    "Costs extra: see `mnemic plan`.",
)


def model_options(command: F) -> F:
    """Add `--model`, `--base-url` and `--price`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
