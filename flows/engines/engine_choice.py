"""Which engine extracts, opened for a run: what it asks a model before extraction, and what that cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from curation.filing.taxonomy import read_taxonomy
from extract.engine import Engine, OfflineEngine
from flows.batches.batch_stages import OFFLINE, chunks_of
from flows.engines.recorded_engine import RecordedEngine
from flows.engines.taught_reader import taught_reader
from flows.generation.thread_linking import Chart
from flows.intake.staging import ReadingPlan
from flows.reports.progress import Stages
from flows.reports.run_summary import ModelUse
from inference.language_model import PROVIDERS, ModelQuestion, ProviderName, Reach
from inference.provider import Provider
from inference.provider_choice import Asked, open_model, provider_of
from inference.secret_cover import concealed
from schemas.base import Noun
from schemas.conversation import Conversation
from schemas.deferred import deferred
from schemas.errors import Unanswered, UsageError
from schemas.model_call import ModelCall
from vault.batch import Batch
from vault.generations import published_ledger, read_manifest, require_published
from vault.layout import VaultLayout
from vault.ledger import Ledger
from vault.opening import open_ledger

if TYPE_CHECKING:
    from curation.filing import model_filing
    from extract.model import conversation_questions, model_engine
    from flows.generation import thread_map_requests
    from inference.forecast import Forecast
    from inference.stored_model import StoredModel
else:
    model_filing = deferred("curation.filing.model_filing")
    model_engine = deferred("extract.model.model_engine")
    thread_map_requests = deferred("flows.generation.thread_map_requests")
    conversation_questions = deferred("extract.model.conversation_questions")


class EngineChoice(Noun):
    """What the owner chose. The key of a service is never part of it."""

    name: Literal["offline", "recorded"] | ProviderName = "offline"
    model: str | None = None
    """Which model; None: the provider's own, where it has one."""
    made_by: dict[str, str] = Field(default_factory=dict)
    """Of `recorded`, which extracts nothing and takes the ledger's units: versions of who found them."""
    base_url: str | None = None
    """Where the model answers; None: the provider's own variable (`ANTHROPIC_BASE_URL`, `OLLAMA_HOST`,
    `OPENAI_BASE_URL`), else its usual address."""
    batch: bool = False
    """By Message Batches: half the price, answers within a day."""
    max_usd: float | None = None
    """What a run may spend; None: no limit."""
    price: tuple[float, float] | None = None
    """(input, output) in dollars per million tokens, for a model that the table of prices lacks."""
    contextual_prefix: bool = False
    """Whether the model also writes what places each chunk in its conversation (`extract.model.prefixes`)."""
    summaries: bool = True
    """Whether the model also writes session summaries and thread maps; else the offline engine does."""
    model_reads: Literal["all", "owner"] = "all"
    """Whose sentences the model makes notes of: everybody's, or all but the assistant's, which the offline
    engine then reads."""
    file_by: Literal["reader", "model"] = "reader"
    """Who files notes under paths: the labelled examples, or the model, in the request that it writes them
    in."""
    proofread: bool = False
    """Whether what the model wrote is shown to it once more, to say what of it is false."""
    concurrency: int | None = None
    """Calls at once; None: 4, and 1 on a server of one's own."""
    context: int | None = None
    """Tokens that a model of one's own takes in and out at once."""
    timeout: float | None = None
    """Seconds for one request; None: the provider's own."""
    wait_minutes: float = 0.0
    """How long a run waits for its batches; what has not ended by then, a later run collects."""
    poll_seconds: float = 20.0
    """How often a batch is looked at meanwhile."""
    pack: bool = True
    """Whether several short questions go in one request."""
    record: Path | None = None
    """Folder that questions are written down in with their answers."""
    replay: Path | None = None
    """Folder that answers are taken from; nobody is asked."""

    def reach(self, provider: Provider, layout: VaultLayout) -> Reach:
        """How much text a question shows the provider's model, whose it is asked about, and which paths of
        the vault's taxonomy notes can be filed under, where the model is to file them.

        Raises UsageError where the vault's own taxonomy is asked for and cannot be read.
        """
        reach, listed = provider.reach, ""
        if self.file_by == "model":
            listed = model_filing.listed_paths(read_taxonomy(layout.taxonomy), brief=reach.brief)
        return replace(reach, owner_only=self.model_reads == "owner", filing=listed, proofread=self.proofread)

    @property
    def asks(self) -> bool:
        """Whether a language model is asked."""
        return self.name in PROVIDERS


BY_RULES = EngineChoice()
"""The offline engine."""


@dataclass(frozen=True, slots=True)
class OpenEngine:
    """An engine for a run."""

    engine: Engine
    ask: Callable[[ReadingPlan, Stages], ModelUse | None]
    """Asks the model everything that a plan's batches need, so that extraction finds the answers stored.

    Batches with a question that has no answer yet are postponed."""
    calls_after: Callable[[int], list[ModelCall]]
    """Calls on record that follow a number."""
    forget: Callable[[Sequence[str]], None]
    """Drops stored answers by key, so that they are asked again."""
    chart: Chart = OFFLINE.chart
    """Writes the maps of threads; a model is asked for them then."""
    ready: Callable[[Ledger | None], Sequence[str]] = lambda _: ()
    """Conversations of threads whose maps waited for a model and can be written now."""
    used: Callable[[ModelUse | None], ModelUse | None] = lambda use: use
    """What a run used in all, once its maps are written."""


RULES = OpenEngine(OFFLINE, lambda _, __: None, lambda _: [], lambda _: None)
"""The offline engine, which needs no opening."""


@contextmanager
def opened_engine(choice: EngineChoice, layout: VaultLayout, *, asking: bool = True) -> Iterator[OpenEngine]:
    """The engine that was chosen. Raises UsageError without a price, ServiceRefused without a key.

    Not `asking`: only its versions are wanted, as for a plan, which needs no key.
    """
    _refuse_without_model(choice)
    if choice.name == "offline":
        taught = taught_reader(layout)
        yield replace(RULES, engine=OfflineEngine(taught)) if taught else RULES
        return
    if choice.name == "recorded":
        with open_ledger(layout, read_manifest(layout.generation(require_published(layout)))) as ledger:
            yield replace(RULES, engine=RecordedEngine(ledger, choice.made_by))
        return

    if not asking:
        provider = provider_for(choice)
        yield replace(
            RULES,
            engine=model_engine.ModelEngine(
                f"{provider.name} {provider.model}",
                lambda _: [],
                contextual_prefix=choice.contextual_prefix,
                summaries=choice.summaries,
                reach=choice.reach(provider, layout),
            ),
        )
        return
    with open_model(asked_of(choice), layout.cache) as model:
        reach = choice.reach(model.provider, layout)
        engine = model_engine.ModelEngine(
            model.name,
            model.recorded,
            contextual_prefix=choice.contextual_prefix,
            summaries=choice.summaries,
            reach=reach,
        )
        charting = thread_map_requests.Charting(engine, model, choice.batch)

        def ask(plan: ReadingPlan, stages: Stages) -> ModelUse:
            with published_ledger(layout) as ledger:
                waiting = [question for _, question in charting.waiting(ledger)]
            return _ask(model, choice, reach, plan, waiting, stages)

        yield OpenEngine(
            engine,
            ask,
            model.calls_after,
            model.forget,
            charting.chart,
            charting.ready,
            lambda use: charting.used(use) if use else None,
        )


def _refuse_without_model(choice: EngineChoice) -> None:
    """Raises UsageError where something is wanted that takes a model, and none is asked."""
    if choice.asks:
        return
    if choice.contextual_prefix:
        raise UsageError(
            "a contextual prefix takes a model",
            remedy=f"Add --engine {' or '.join(PROVIDERS)}, or leave it out",
        )
    if choice.proofread:
        raise UsageError(
            "a second reading takes a model",
            remedy=f"Add --engine {' or '.join(PROVIDERS)}, or leave --proofread out",
        )
    if choice.file_by == "model":
        raise UsageError(
            "filing by a model takes a model",
            remedy=f"Add --engine {' or '.join(PROVIDERS)}, or --file-by reader",
        )


def asked_of(choice: EngineChoice) -> Asked:
    """The choice as providers of models take it. Raises UsageError where it asks none."""
    if choice.name == "offline" or choice.name == "recorded":
        raise UsageError(
            f"the engine {choice.name} asks no language model",
            remedy=f"Choose {' or '.join(PROVIDERS)}",
        )
    return Asked(
        choice.name,
        choice.model,
        choice.base_url,
        choice.price,
        choice.max_usd,
        choice.concurrency,
        choice.context,
        choice.timeout,
        choice.batch,
        choice.poll_seconds,
        choice.wait_minutes,
        choice.record,
        choice.replay,
        choice.pack,
    )


def provider_for(choice: EngineChoice) -> Provider:
    """The provider that was chosen. Raises UsageError without a model or a price where one is needed."""
    return provider_of(asked_of(choice))


def questions_about(
    conversation: Conversation, choice: EngineChoice, reach: Reach
) -> list[ModelQuestion[Any]]:
    """Everything that the model is asked about a conversation, as chosen."""
    return [one for asked in questions_by_tier(conversation, choice, reach).values() for one in asked]


def questions_by_tier(
    conversation: Conversation, choice: EngineChoice, reach: Reach
) -> Mapping[str, Sequence[ModelQuestion[Any]]]:
    """The same by what the answers make."""
    hidden = concealed(conversation)
    placed = chunks_of(hidden) if choice.contextual_prefix else ()
    return conversation_questions.questions_of(hidden, placed, summary=choice.summaries, reach=reach)


def _wanted(plan: ReadingPlan, batch: Batch) -> Iterator[Conversation]:
    """The conversations of a batch that are still to be read."""
    wanted = set(plan.to_load(batch))
    return (one for one in batch.conversations() if one.id in wanted)


def _about_answers(
    model: StoredModel, choice: EngineChoice, reach: Reach, plan: ReadingPlan
) -> Iterator[list[list[ModelQuestion[Any]]]]:
    """By batch, what is asked once answers are there: once more what could not be read of them; then, with
    that answered, second readings."""
    recorded = model.recorded
    again = conversation_questions.questions_again
    yield [
        [question for one in _wanted(plan, batch) for question in again(concealed(one), recorded, reach)]
        for batch in plan.batches
    ]
    if choice.proofread:
        told = choice.summaries
        proofs = conversation_questions.proof_questions
        yield [
            [
                question
                for one in _wanted(plan, batch)
                for question in proofs(concealed(one), recorded, reach, summary=told)
            ]
            for batch in plan.batches
        ]


def _dollars(ahead: Forecast, choice: EngineChoice) -> float:
    return ahead.usd_batch if choice.batch else ahead.usd_messages


def _ask(
    model: StoredModel,
    choice: EngineChoice,
    reach: Reach,
    plan: ReadingPlan,
    waiting: Sequence[ModelQuestion[Any]],
    stages: Stages,
) -> ModelUse:
    """Ask about every staged conversation, and for maps that wait.

    In one go, so that a Message Batch is waited for once; what depends on the answers comes after it.
    """
    by_batch = [
        [question for one in _wanted(plan, batch) for question in questions_about(one, choice, reach)]
        for batch in plan.batches
    ]
    questions = [*(question for asked in by_batch for question in asked), *waiting]
    ahead = model.forecast(questions)
    before = model.budget.spent
    what = f"questions (about ${_dollars(ahead, choice):.4f} at {model.provider.priced_by})"
    late = _about_answers(model, choice, reach, plan)
    with stages.stage("ask", len(questions), what) as watch:
        model.on_answer = watch.advance
        try:
            model.complete(questions)
            for after in late:
                more = [question for asked in after for question in asked]
                ahead += model.forecast(more)
                by_batch = [[*asked, *new] for asked, new in zip(by_batch, after, strict=True)]
                model.complete(more)
            stop = None
        except Unanswered as error:
            stop = error
    unsent, under_way = (stop.unsent, stop.under_way) if stop else (frozenset[str](), frozenset[str]())
    if stop:
        # what would have been asked next about answers that are there: their batches wait for it too
        for after in late:
            by_batch = [[*asked, *new] for asked, new in zip(by_batch, after, strict=True)]
            unsent |= model.missing([question for asked in after for question in asked])
    plan.postpone(
        [
            batch
            for batch, asked in zip(plan.batches, by_batch, strict=True)
            if any(model.key(question) in unsent | under_way for question in asked)
        ]
    )
    return ModelUse(
        model=model.name,
        mode=model.mode,
        questions=ahead.questions,
        answered_before=ahead.answered,
        expected_usd=round(_dollars(ahead, choice), 6),
        spent_usd=round(model.budget.spent - before, 6),
        under_way=len(under_way),
        unsent=len(unsent),
        stopped=str(stop or ""),
    )
