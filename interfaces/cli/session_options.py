"""The options of a recall that is part of a session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from retrieval.supplement import SESSION_BUDGET, SESSION_CALLS, RecallSession
from vault.reader import VaultReader
from vault.sessions import Sessions

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--session",
        default=None,
        help="A name of yours: nothing is given twice under it. Begun where there is none.",
    ),
    click.option(
        "--session-budget",
        type=click.IntRange(min=1),
        default=SESSION_BUDGET,
        show_default=True,
        help="Tokens that all packages of a session that begins may take together.",
    ),
    click.option(
        "--session-calls",
        type=click.IntRange(min=1),
        default=SESSION_CALLS,
        show_default=True,
        help="Recalls that a session that begins may make.",
    ),
    click.option("--why", default="", help="Why a session needs it; for `mnemic session show`."),
)


def session_options(command: F) -> F:
    """Give a command the options."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def session_of(reader: VaultReader, given: Mapping[str, Any]) -> RecallSession | None:
    """The session that was named; None where none was."""
    if given["session"] is None:
        return None
    bounds = given["session_budget"], given["session_calls"]
    return RecallSession(Sessions(reader.layout), given["session"], *bounds, why=given["why"])
