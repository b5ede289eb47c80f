"""Which options of `mnemic recall` a mode by path reads; the others are refused, not passed over."""

from __future__ import annotations

import click
from click.core import ParameterSource

from retrieval.by_path.drill import DrillMode
from schemas.errors import UsageError

MODES_BY_PATH = frozenset(one.value for one in DrillMode)

READ_BY_PATH = frozenset({
    "query", "mode", "pick", "threshold", "limit", "budget", "as_of", "categories", "tiers", "states",
    "after", "before", "providers", "people", "conversation", "thread", "engine", "model", "base_url",
    "price", "context", "timeout", "account", "vault", "branch", "as_json",
})  # fmt: skip
"""Parameters of the command that recall by path reads; every other is in one of the next two."""
READ_BY_PATH_ALONE = frozenset({"pick", "threshold"})
"""Of these, those that no other mode reads."""
NOT_READ_BY_PATH = frozenset({
    "questions", "kinds", "fusion", "decompose", "decompose_by", "gate", "rerank", "deep", "deep_mode",
    "deep_threshold", "deep_judge", "web", "web_keep", "hyde", "intent", "no_funnel", "output", "window",
    "detail", "explain", "trace", "session", "session_budget", "session_calls", "why", "also",
})  # fmt: skip
"""Parameters of the other modes: paths are one account's, gone through for one question, and what is found
there is told as it is."""


def check_read(context: click.Context) -> None:
    """Raises UsageError where an option was typed that the mode does not read.

    What the environment sets for all recalls is no word on this one.
    """
    by_path = context.params["mode"] in MODES_BY_PATH
    unread = [_spelled(one) for one in context.command.params if _typed(context, one)
              and (one.name in NOT_READ_BY_PATH if by_path else one.name in READ_BY_PATH_ALONE)]  # fmt: skip
    if unread:
        raise UsageError(
            f"--mode {context.params['mode']} does not read {', '.join(unread)}",
            why="what a recall by path reads is in docs/paths.md",
            remedy=f"Leave {'them' if unread[1:] else 'it'} out, or name another --mode",
        )


def _typed(context: click.Context, parameter: click.Parameter) -> bool:
    name = str(parameter.name)
    if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
        return False
    value = getattr(parameter, "flag_value", None)  # one of several flags for the same parameter
    return not isinstance(value, str) or context.params[name] == value


def _spelled(parameter: click.Parameter) -> str:
    return "/".join((*parameter.opts[:1], *parameter.secondary_opts[:1]))
