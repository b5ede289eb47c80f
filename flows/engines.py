"""Which engine extracts, opened for a run: what it asks a model before extraction, and what that cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from extract.engine import Engine
from flows.progress import Stages
from flows.summary import ModelUse
from flows.working import OFFLINE
from inference.language_model import DEFAULT_MODEL
from schemas.base import Noun
from schemas.model_call import ModelCall
from vault.batch import Batch
from vault.layout import VaultLayout

if TYPE_CHECKING:
    from inference.anthropic_model import AnthropicModel, ModelOptions


class EngineChoice(Noun):
    """What the owner chose. The key of a service is never part of it."""

    name: Literal["offline", "anthropic"] = "offline"
    model: str = DEFAULT_MODEL
    base_url: str | None = None
    """An Anthropic-compatible server; None: `ANTHROPIC_BASE_URL`, else the public service."""
    batch: bool = False
    """By Message Batches: half the price, answers within a day."""
    max_usd: float | None = None
    """What a run may spend; None: no limit."""
    price: tuple[float, float] | None = None
    """(input, output) in dollars per million tokens, for a model that the table of prices lacks."""
    concurrency: int = 4
    poll_seconds: float = 20.0
    """How often a batch is looked at."""


BY_RULES = EngineChoice()
"""The offline engine."""


@dataclass(frozen=True, slots=True)
class OpenEngine:
    """An engine for a run."""

    engine: Engine
    ask: Callable[[Sequence[Batch], Stages], ModelUse | None]
    """Asks the model everything that the batches need, so that extraction finds the answers stored."""
    calls_after: Callable[[int], list[ModelCall]]
    """Calls on record that follow a number."""
    forget: Callable[[Sequence[str]], None]
    """Drops stored answers by key, so that they are asked again."""


RULES = OpenEngine(OFFLINE, lambda _, __: None, lambda _: [], lambda _: None)
"""The offline engine, which needs no opening."""


@contextmanager
def opened_engine(choice: EngineChoice, layout: VaultLayout) -> Iterator[OpenEngine]:
    """The engine that was chosen. Raises UsageError without a price, ServiceRefused without a key."""
    if choice.name == "offline":
        yield RULES
        return
    # the SDK takes a second to import, which the offline engine need not wait
    from extract.model.engine import ModelEngine
    from inference.anthropic_model import AnthropicModel

    with AnthropicModel(model_options(choice), layout.cache) as model:
        yield OpenEngine(
            ModelEngine(model.name, model.recorded),
            lambda batches, stages: _ask(model, choice, batches, stages),
            model.calls_after,
            model.forget,
        )


def model_options(choice: EngineChoice) -> ModelOptions:
    """The choice as the model takes it."""
    from inference.anthropic_model import ModelOptions
    from inference.batches import Patience
    from inference.messages import Pace
    from inference.service import Service

    return ModelOptions(
        Service(choice.model, choice.base_url),
        mode="batch" if choice.batch else "messages",
        max_usd=choice.max_usd,
        stated_price=choice.price,
        pace=Pace(choice.concurrency),
        patience=Patience(choice.poll_seconds),
    )


def _ask(model: AnthropicModel, choice: EngineChoice, batches: Sequence[Batch], stages: Stages) -> ModelUse:
    """Ask about every staged conversation; in one go, so that a Message Batch is waited for once."""
    from extract.model.questions import questions_of
    from inference.prices import price_table

    questions = [
        question for batch in batches for one in batch.conversations() for question in questions_of(one)
    ]
    ahead = model.forecast(questions)
    expected = ahead.usd_batch if choice.batch else ahead.usd_messages
    before = model.budget.spent
    what = f"questions (about ${expected:.4f} at the prices of {price_table().checked})"
    with stages.stage("ask", len(questions), what) as watch:
        model.on_answer = watch.advance
        model.complete(questions)
    return ModelUse(
        model=model.name,
        mode="batch" if choice.batch else "messages",
        questions=ahead.questions,
        answered_before=ahead.answered,
        expected_usd=round(expected, 6),
        spent_usd=round(model.budget.spent - before, 6),
    )
