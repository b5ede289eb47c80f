"""The options of commands that can use a language model."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from inference.language_model import DEFAULT_MODEL, PROVIDERS, ProviderName
from schemas.deferred import deferred

if TYPE_CHECKING:
    from flows.engines import engine_choice
    from inference import provider_choice
else:
    provider_choice = deferred("inference.provider_choice")
    engine_choice = deferred("flows.engines.engine_choice")


F = TypeVar("F", bound=Callable[..., Any])
ENGINES = ("offline", *PROVIDERS)
EngineName = Literal["offline"] | ProviderName


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
        "--model",
        default=None,
        envvar="MNEMIC_MODEL",
        help=f"Language model. [default: {DEFAULT_MODEL} with anthropic; the others need a name]",
    ),
    click.option(
        "--base-url",
        default=None,
        help="Where it answers. [default: $ANTHROPIC_BASE_URL, $OLLAMA_HOST or $OPENAI_BASE_URL, "
        "else the provider's usual address]",
    ),
    click.option(
        "--price",
        type=Price(),
        default=None,
        help="Dollars per million tokens, for a model that the table of prices lacks. A server on this "
        "machine that --engine ollama or openai asks costs nothing.",
    ),
    click.option(
        "--context",
        type=click.IntRange(min=2_048),
        default=None,
        envvar="MNEMIC_CONTEXT",
        help="Tokens that a model of your own takes in and out at once. [default: 8192]",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=None,
        envvar="MNEMIC_TIMEOUT",
        metavar="SECONDS",
        help="How long one request may take. [default: 600 for a model of your own, else 300]",
    ),
)


_TAPE = (
    click.option(
        "--record",
        type=click.Path(path_type=Path, file_okay=False),
        default=None,
        help="Write every question down with its answer, in this folder.",
    ),
    click.option(
        "--replay",
        type=click.Path(path_type=Path, file_okay=False),
        default=None,
        help="Take the answers from such a folder, and ask nobody.",
    ),
)


prefix_option = click.option(
    "--contextual-prefix",
    is_flag=True,
    help="Have the model place every passage in its conversation by a sentence or two, for search alone. "
    "Costs extra: see `mnemic plan`.",
)


reads_option = click.option(
    "--model-reads",
    type=click.Choice(["all", "owner"]),
    default="all",
    show_default=True,
    envvar="MNEMIC_MODEL_READS",
    help="Whose sentences the model makes notes of: everybody's; or yours and other people's alone, for half "
    "the price, while the offline engine reads the assistant's.",
)


file_by_option = click.option(
    "--file-by",
    type=click.Choice(["reader", "model"]),
    default="reader",
    show_default=True,
    envvar="MNEMIC_FILE_BY",
    help="Who files notes under paths: the labelled examples that come with mnemic; or the model, in the "
    "request that it writes the notes in. Turned on, everything is read again: see `mnemic plan`.",
)


proofread_option = click.option(
    "--proofread",
    is_flag=True,
    envvar="MNEMIC_PROOFREAD",
    help="Have the model read what it wrote a second time, beside the conversation. What it then calls "
    "false, notes and lines of summaries, is not kept. Costs extra: see `mnemic plan`.",
)


summaries_option = click.option(
    "--summaries/--no-summaries",
    default=True,
    show_default=True,
    help="Have the model write session summaries and thread maps too, or leave them to the rules.",
)


decompose_by_option = click.option(
    "--decompose-by",
    type=click.Choice(["offline", "model"]),
    default="offline",
    show_default=True,
    help="Who puts the prompt in several ways: its own words, or a language model in one call, which also "
    "says its subject domain.",
)


def model_options(command: F) -> F:
    """Add what says of a model which one, where, and at what price."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def recording_options(command: F) -> F:
    """Add what has answers written down, or taken from a folder."""
    for option in reversed(_TAPE):
        command = option(command)
    return command


class ProviderChoice(click.Choice[str]):
    """A provider of language models. The setting may say `offline`, which asks none: then it is anthropic."""

    def __init__(self) -> None:
        super().__init__(PROVIDERS)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read the name."""
        return super().convert("anthropic" if value == "offline" else value, param, ctx)


def provider_options(command: F) -> F:
    """The same, and `--engine` for a command that asks a model whatever the engine is."""
    option = click.option(
        "--engine",
        type=ProviderChoice(),
        default="anthropic",
        show_default=True,
        envvar="MNEMIC_ENGINE",
        help="Whose language model is asked.",
    )
    return option(model_options(command))


def with_model(given: dict[str, Any]) -> dict[str, Any]:
    """The options of a command with what `provider_options` adds to them as one `asked`."""
    names = ("model", "base_url", "price", "context", "timeout", "record", "replay")
    named = {name: given[name] for name in names if name in given}
    rest = {name: value for name, value in given.items() if name not in (*named, "engine")}
    return {**rest, "asked": provider_choice.Asked(given["engine"], **named)}


def engine_option(what: str, setting: str | None = None) -> Callable[[F], F]:
    """`--engine`, for a command that can do without a model; `what` says what it chooses."""
    return click.option(
        "--engine",
        type=click.Choice(ENGINES),
        default="offline",
        show_default=True,
        envvar=setting,
        help=what,
    )


_ENGINE = (
    engine_option(
        "What makes notes of the text: the small reader that comes with mnemic, or a language model.",
        "MNEMIC_ENGINE",
    ),
    model_options,
    recording_options,
    prefix_option,
    reads_option,
    file_by_option,
    proofread_option,
    summaries_option,
    click.option(
        "--batch", is_flag=True, help="Ask by Message Batches: half the price, answers within a day."
    ),
    click.option(
        "--max-usd",
        type=click.FloatRange(min=0),
        default=None,
        help="Stop before a question that could bring this run's cost above so many dollars.",
    ),
    click.option(
        "--wait",
        "wait_minutes",
        type=click.FloatRange(min=0),
        default=0,
        metavar="MINUTES",
        help="Wait so long for a batch to end. By default the next run collects it.",
    ),
    click.option(
        "--concurrency",
        type=click.IntRange(1, 64),
        default=None,
        help="Calls at once. [default: 4; 1 for a model of your own]",
    ),
    click.option(
        "--pack/--no-pack",
        default=True,
        show_default=True,
        envvar="MNEMIC_PACK",
        help="Ask several short questions in one request, or each in its own.",
    ),
)


def engine_options(command: F) -> Callable[..., Any]:
    """Add the options that choose an engine; the command gets them as one `choice`."""

    @wraps(command)
    def chosen(*, engine: EngineName, **given: Any) -> Any:
        said = {name: given.pop(name) for name in engine_choice.EngineChoice.model_fields if name in given}
        return command(choice=engine_choice.EngineChoice(name=engine, **said), **given)

    with_options: Callable[..., Any] = chosen
    for option in reversed(_ENGINE):
        with_options = option(with_options)
    return with_options
