"""The options of a recall that may look further."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import click

from inference.provider_choice import open_model
from interfaces.cli.lookup import account_of
from retrieval.deep.comparison import compare_with
from retrieval.deep.escalation import CALLS, THRESHOLD, Allowance, DeepMode, DeepSearch
from retrieval.deep.joint_comparison import compare_together_with, each_offline
from retrieval.deep.learning import kind_of, logged, threshold_of
from retrieval.deep.offline_judge import compared_offline
from vault.deep_log import DeepLog
from vault.name_graph import NameGraph
from vault.reader import VaultReader

F = TypeVar("F", bound=Callable[..., Any])

mode_option = click.option(
    "--deep-mode",
    type=click.Choice([one.value for one in DeepMode]),
    default=DeepMode.ON.value,
    show_default=True,
    envvar="MNEMIC_DEEP_SEARCH_MODE",
    help="What --deep does: nothing; everything, for the log alone; everything.",
)
threshold_option = click.option(
    "--deep-threshold",
    type=click.FloatRange(min=0, max=1),
    default=THRESHOLD,
    show_default=True,
    envvar="MNEMIC_DEEP_SEARCH_THRESHOLD",
    help="Confidence strictly below which --deep looks further; less for kinds of questions where that "
    "seldom brought anything.",
)
_OPTIONS = (
    click.option(
        "--deep/--no-deep",
        default=False,
        show_default=True,
        envvar="MNEMIC_DEEP_SEARCH_ENABLED",
        help="Look further where the confidence is too small: beside the notes in time, and by names.",
    ),
    mode_option,
    threshold_option,
    click.option(
        "--deep-judge",
        type=click.Choice(["offline", "model"]),
        default="offline",
        show_default=True,
        help="Who orders what --deep finds: the small judge, which reads each note beside the question, or a "
        "language model in one call of 10 seconds.",
    ),
)


def deep_options(command: F) -> F:
    """Give a command the options."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def deep_searches(reader: VaultReader, given: Mapping[str, Any]) -> Callable[[str], DeepSearch | None]:
    """A query to how it looks further; None where that is off. A model is opened when it is asked, in its own
    thread.

    What this gives shares calls and allowance. The deep searches of a named session count together, whichever
    processes make them.
    """
    mode = DeepMode(given["deep_mode"])
    if not given["deep"] or mode is DeepMode.OFF:
        return lambda _: None
    log, whose, session = DeepLog(reader.layout), account_of(reader, given["account"]), given["session"] or ""
    searches = log.searches(whose)
    made = log.made_in(whose, session, datetime.now(UTC)) if session else 0
    asks, by_model = given["deep_judge"] == "model", partial(open_model, given["asked"], reader.layout.cache)
    shared = DeepSearch(
        mode,
        given["deep_threshold"],
        compare_with(by_model) if asks else compared_offline,
        compare_together_with(by_model) if asks else each_offline,
        Allowance(CALLS - made),
        logged(log, session),
        lambda: NameGraph(reader.ledger),
    )
    return lambda query: replace(shared, threshold=threshold_of(searches, kind_of(query), shared.threshold))
