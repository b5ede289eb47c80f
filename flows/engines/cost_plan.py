"""What extracting archives with a language model would take, before anything is asked or spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from archives import open_archive
from extract.model.model_summaries import TOKENS_PER_WORD
from extract.model.notes.note_windows import PATH_TOKENS, TOKENS_PER_SENTENCE, TOKENS_PER_TOKEN
from extract.model.prefixes import PREFIX_TOKENS
from flows.engines.engine_choice import EngineChoice, provider_for, questions_by_tier
from flows.intake.exclusions import kept_rules
from flows.reports.progress import Progress, Silent
from inference.forecast import Forecast, Foresight
from inference.language_model import ModelQuestion, Reach
from inference.provider import Provider
from inference.secret_cover import concealed
from inference.speed import READS_FASTER, Speed, speed_on_record
from schemas.base import Noun
from schemas.conversation import Conversation, Origin
from schemas.deferred import deferred
from vault.layout import VaultLayout

if TYPE_CHECKING:
    from extract.model import conversation_questions, model_maps, proofreading
    from inference import language_model, stored_model
    from inference import prices as inference_prices
    from inference import store as inference_store
    from inference.store import Store
else:
    inference_store = deferred("inference.store")
    model_maps = deferred("extract.model.model_maps")
    proofreading = deferred("extract.model.proofreading")
    conversation_questions = deferred("extract.model.conversation_questions")
    stored_model = deferred("inference.stored_model")
    language_model = deferred("inference.language_model")
    inference_prices = deferred("inference.prices")


ASSUMPTIONS: tuple[str, ...] = (
    "tokens are estimated at 2.7 UTF-8 bytes each: the service's own count is exact, and is what is recorded",
    f"an answer is taken to have {TOKENS_PER_TOKEN} tokens for each token of text and {TOKENS_PER_SENTENCE} "
    "for each sentence, and the model not to think",
    "no prompt is taken to be read from the service's cache: where it is, input costs less",
    "no request fails, and none is asked twice",
    "short questions of one kind travel together, as a run would send them if nothing were answered before",
)


MAPS_PER_CONVERSATION, MAP_TOKENS, MAP_ANSWER_TOKENS = 0.172, 7_900, 611
"""By `benchmarks/quality/map_questions.py` over RealMem: threads are found only once everything is loaded."""
TELLING_ASSUMPTIONS: tuple[str, ...] = (
    f"a summary is taken to have {TOKENS_PER_WORD} tokens a word, and as many words as are asked for",
    f"{MAPS_PER_CONVERSATION} thread maps a conversation, each of {MAP_TOKENS:,} tokens, as in RealMem:"
    " threads are found by the load; a night that adds to a thread asks for its map again",
)
SPEED_ASSUMPTIONS: dict[str, str] = {
    "record": "the calls on record are typical, and a model reads "
    f"{READS_FASTER:.0f} times faster than it writes",
    "probe": "a small request is typical, and calls at once do not slow each other down",
}
NOTE_TOKENS, LINE_TOKENS = 23, 47
"""Of an answer, for each note and each line; by the recorded answers, as what follows."""
NOTES_SHOWN, LINES_SHOWN = 0.87, 1.09
"""Of what is written, the tokens that a second reading is shown of it: of notes, of lines of summaries."""
PROOF_ASSUMPTION = (
    f"a second reading is shown the text again, with {NOTES_SHOWN} of the notes' tokens and {LINES_SHOWN} of "
    "the summaries', and finds few of them false"
)
FILING_ASSUMPTION = (
    f"where notes belong is taken to add {PATH_TOKENS} tokens a sentence to an answer, and the taxonomy to a "
    "prompt"
)
PREFIX_ASSUMPTION = f"a contextual prefix is taken to have {PREFIX_TOKENS} tokens, and every chunk to get one"


class ArchivePlan(Noun):
    """One archive, or all of them together."""

    archive: str
    conversations: int = 0
    turn_pairs: int = 0
    """Messages with words that the owner typed: each with its answer is a pair."""
    questions: Forecast = Forecast()
    """Of everything together."""
    tiers: dict[str, Forecast] = Field(default_factory=dict)
    """Of units, prefixes, summaries and thread maps, as far as they are asked for."""

    def together(self, other: ArchivePlan) -> ArchivePlan:
        """Both, under this one's name."""
        return ArchivePlan(
            archive=self.archive,
            conversations=self.conversations + other.conversations,
            turn_pairs=self.turn_pairs + other.turn_pairs,
            questions=self.questions + other.questions,
            tiers={
                tier: self.tiers.get(tier, Forecast()) + other.tiers.get(tier, Forecast())
                for tier in (self.tiers | other.tiers)
            },
        )


class CostPlan(Noun):
    """What the archives come to."""

    model: str
    """Provider and model."""
    prices: str
    """Where the prices are from, in words that follow "at"."""
    batches: bool
    """Whether the questions can go as a batch, at another price."""
    archives: tuple[ArchivePlan, ...]
    total: ArchivePlan
    usd_batch_per_1000_pairs: float | None
    """None without a pair, and where there are no batches."""
    concurrency: int
    """Calls at once that the time is reckoned with."""
    speed: Speed | None = None
    """None where nothing is known of it."""
    seconds: float | None = None
    """How long all questions take; None where nothing is known of the model's speed."""
    assumptions: tuple[str, ...]


def plan_archives(
    paths: Sequence[Path],
    choice: EngineChoice,
    vault: Path,
    progress: Progress | None = None,
    *,
    probe: bool = False,
) -> CostPlan:
    """Read the archives and count; nothing is written and no key is needed.

    No service is spoken to either, save for a `probe`: one small request that measures a server of one's own.
    Raises what opening an archive raises, UsageError for a model without a price and for a probe that would
    cost, and ServiceUnavailable and ServiceRefused by a probe that fails.
    """
    layout, watch = VaultLayout(vault), progress or Silent()
    provider = provider_for(choice)
    speed = provider.measured() if probe else None
    rows = []
    with ExitStack() as stack:
        stored = (layout.cache / inference_store.FILE).exists()
        store = stack.enter_context(inference_store.Store(layout.cache)) if stored else None
        rules, reach = kept_rules(layout), choice.reach(provider, layout)
        for path in paths:
            count = _Count(choice, provider, reach, store)
            with open_archive(path) as archive:
                for conversation in archive.conversations():
                    watch.advance(1)
                    if not any(rule.matches(conversation) for rule in rules):
                        count.add(conversation)
            rows.append(count.total(path.name))
        if speed is None and store is not None:
            speed = speed_on_record(store.calls_after(0), provider.url, provider.model)
    if choice.proofread:
        rows = [_with_proofs(row, provider) for row in rows]
    if choice.summaries:
        rows = [_with_maps(row, provider) for row in rows]
    return _summed(rows, choice, provider, speed)


def _summed(
    rows: Sequence[ArchivePlan], choice: EngineChoice, provider: Provider, speed: Speed | None
) -> CostPlan:
    total = ArchivePlan(archive="all")
    for row in rows:
        total = total.together(row)
    pairs, asked = total.turn_pairs, total.questions
    by_batch = provider.batches and pairs
    seconds = None
    if speed is not None:
        read = asked.text_tokens + asked.prompt_tokens
        seconds = round(speed.seconds(read, asked.output_tokens, provider.concurrency), 1)
    return CostPlan(
        model=f"{provider.name} {provider.model}",
        prices=provider.priced_by,
        batches=provider.batches,
        archives=tuple(rows),
        total=total,
        concurrency=provider.concurrency,
        speed=speed,
        seconds=seconds,
        assumptions=(
            *ASSUMPTIONS,
            *(TELLING_ASSUMPTIONS if choice.summaries else ()),
            *((PREFIX_ASSUMPTION,) if choice.contextual_prefix else ()),
            *((FILING_ASSUMPTION,) if choice.file_by == "model" else ()),
            *((PROOF_ASSUMPTION,) if choice.proofread else ()),
            *((SPEED_ASSUMPTIONS[speed.source],) if speed else ()),
        ),
        usd_batch_per_1000_pairs=round(1000 * asked.usd_batch / pairs, 4) if by_batch else None,
    )


class _Count:
    """Counts the conversations of an archive: what is short of several travels in one request."""

    def __init__(self, choice: EngineChoice, provider: Provider, reach: Reach, store: Store | None) -> None:
        self._choice, self._provider, self._store = choice, provider, store
        self._reach = reach
        self._conversations = self._pairs = 0
        self._tiers: dict[str, Foresight] = {}

    def add(self, conversation: Conversation) -> None:
        self._conversations += 1
        self._pairs += sum(_typed(conversation))
        asked = dict(questions_by_tier(conversation, self._choice, self._reach))
        if self._choice.proofread and self._store is not None:
            asked["proofs"] = proofs_about(
                conversation, self._choice, self._reach, self._provider, self._store
            )
        for tier, questions in asked.items():
            if questions:
                if tier not in self._tiers:
                    self._tiers[tier] = Foresight(self._provider, self._store)
                self._tiers[tier].add(questions)

    def total(self, archive: str) -> ArchivePlan:
        tiers = {tier: ahead.total() for tier, ahead in self._tiers.items()}
        return ArchivePlan(
            archive=archive,
            conversations=self._conversations,
            turn_pairs=self._pairs,
            questions=sum(tiers.values(), Forecast()),
            tiers=tiers,
        )


def _with_proofs(row: ArchivePlan, provider: Provider) -> ArchivePlan:
    """The row with what second readings are likely to come to, beside those of answers that are stored."""
    likely = proofs_ahead(row.tiers, provider)
    proofs = row.tiers.get("proofs", Forecast()) + likely
    tiers = {**row.tiers, "proofs": proofs} if proofs.questions else row.tiers
    return row.model_copy(update={"questions": row.questions + likely, "tiers": tiers})


def proofs_about(
    conversation: Conversation, choice: EngineChoice, reach: Reach, provider: Provider, store: Store
) -> list[ModelQuestion[Any]]:
    """What second readings are asked about the answers that a store has."""
    return conversation_questions.proof_questions(
        concealed(conversation),
        partial(stored_model.recorded_replies, provider, store),
        reach,
        summary=choice.summaries,
    )


def proofs_ahead(tiers: Mapping[str, Forecast], provider: Provider) -> Forecast:
    """What second readings of answers that are still to come are likely to come to: one for each, none
    packed."""
    units, summaries = (tiers.get(tier, Forecast()) for tier in ("units", "summaries"))
    count = sum(one.questions - one.answered - one.unfit for one in (units, summaries))
    shown = units.text_tokens + summaries.text_tokens
    shown += int(NOTES_SHOWN * units.output_tokens + LINES_SHOWN * summaries.output_tokens)
    prompt = inference_prices.estimate_tokens(proofreading.PROMPT.text) + provider.form_tokens(
        proofreading.ProofAnswer
    )
    proposed = units.output_tokens // NOTE_TOKENS + summaries.output_tokens // LINE_TOKENS
    answers = proofreading.answer_tokens(proposed, count)
    return _alone(count, (shown, count * prompt, answers), provider)


def _with_maps(row: ArchivePlan, provider: Provider) -> ArchivePlan:
    """The row with what its thread maps are likely to come to."""
    count = round(MAPS_PER_CONVERSATION * row.conversations)
    shown = min(MAP_TOKENS, provider.reach.gist)
    prompt = inference_prices.estimate_tokens(model_maps.PROMPT.text) + provider.form_tokens(
        model_maps.MapAnswer
    )
    maps = _alone(count, (count * shown, count * prompt, count * MAP_ANSWER_TOKENS), provider)
    tiers = {**row.tiers, "maps": maps} if count else row.tiers
    return row.model_copy(update={"questions": row.questions + maps, "tiers": tiers})


def _alone(count: int, tokens: tuple[int, int, int], provider: Provider) -> Forecast:
    """Of so many questions, each alone, of so many tokens together: text, prompts, answers.

    Each costs what one of their average length does: a long request has another price.
    """
    if not count:
        return Forecast()
    text, prompts, answers = tokens
    usage = language_model.Usage((text + prompts) // count, answers // count)
    batch = provider.batches
    return Forecast(
        questions=count,
        requests=count,
        text_tokens=text,
        prompt_tokens=prompts,
        output_tokens=answers,
        usd_messages=count * inference_prices.cost(provider.price, usage, batch=False, hour_cache=False),
        usd_batch=count * inference_prices.cost(provider.price, usage, batch=batch, hour_cache=batch),
    )


def _typed(conversation: Conversation) -> list[bool]:
    return [
        not message.hidden and any(segment.origin is Origin.TYPED for segment in message.segments)
        for message in conversation.messages
    ]
