"""The options that say how much an archive may unfold to."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from archives import Limits, stated_limits

F = TypeVar("F", bound=Callable[..., Any])

BUILT_IN = Limits()
_OPTIONS = (
    click.option(
        "--max-ratio",
        type=click.FloatRange(min=1),
        default=None,
        help=f"Times its packed size that a zip's member may unfold to. [default: {BUILT_IN.ratio:g}]",
    ),
    click.option(
        "--max-gigabytes",
        type=click.FloatRange(min=0, min_open=True),
        default=None,
        help=f"Gigabytes that an archive may unfold to. [default: {BUILT_IN.total_bytes / 1e9:.0f}]",
    ),
    click.option(
        "--max-members",
        type=click.IntRange(min=1),
        default=None,
        help=f"Members that a zip may have. [default: {BUILT_IN.members:,}]",
    ),
    click.option(
        "--max-nesting",
        type=click.IntRange(0, 8),
        default=None,
        help=f"How deep to look into zips inside zips. [default: {BUILT_IN.nesting}]",
    ),
)


def limits_options(command: F) -> F:
    """Give a command the options, as one argument `limits`. The settings say what no flag says."""

    @wraps(command)
    def taken(
        *args: Any,
        max_ratio: float | None,
        max_gigabytes: float | None,
        max_members: int | None,
        max_nesting: int | None,
        **options: Any,
    ) -> Any:
        limits = stated_limits(
            ratio=max_ratio, gigabytes=max_gigabytes, members=max_members, nesting=max_nesting
        )
        return command(*args, limits=limits, **options)

    for option in reversed(_OPTIONS):
        taken = option(taken)
    return taken  # type: ignore[return-value]  # it takes what the options give and passes the rest on
