"""What extracting archives with a language model would take, before anything is asked or spent."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from archives import open_archive
from extract.model.prefixes import PREFIX_TOKENS
from extract.model.summaries import TOKENS_PER_WORD
from extract.model.windows import OUTPUT_SHARE
from flows.engines import EngineChoice, model_options, questions_by_tier
from flows.exclusions import kept_rules
from flows.progress import Progress, Silent
from inference.forecast import Forecast, forecast
from schemas.base import Noun
from schemas.conversation import Conversation, Origin
from vault.layout import VaultLayout

if TYPE_CHECKING:
    from inference.prices import ModelPrice
    from inference.store import Store

ASSUMPTIONS: tuple[str, ...] = (
    "tokens are estimated at 2.7 UTF-8 bytes each: the service's own count is exact, and is what is recorded",
    f"an answer is taken to have {OUTPUT_SHARE} tokens for each token of text, and the model not to think",
    "no prompt is taken to be read from the service's cache: where it is, input costs less",
    "no request fails, and none is asked twice",
)


MAPS_PER_CONVERSATION, MAP_TOKENS, MAP_ANSWER_TOKENS = 0.172, 7_900, 611
"""By `benchmarks/map_questions.py` over RealMem: threads are found only once everything is loaded."""
TELLING_ASSUMPTIONS: tuple[str, ...] = (
    f"a summary is taken to have {TOKENS_PER_WORD} tokens a word, and words in the middle of what is asked",
    f"{MAPS_PER_CONVERSATION} thread maps a conversation, each of {MAP_TOKENS:,} tokens, as in RealMem:"
    " threads are found by the load; a night that adds to a thread asks for its map again",
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


class Plan(Noun):
    """What the archives come to."""

    model: str
    prices_of: date
    archives: tuple[ArchivePlan, ...]
    total: ArchivePlan
    usd_batch_per_1000_pairs: float | None
    """None without a pair."""
    assumptions: tuple[str, ...]


def plan_archives(
    paths: Sequence[Path], choice: EngineChoice, vault: Path, progress: Progress | None = None
) -> Plan:
    """Read the archives and count; nothing is written and no service is spoken to, so no key is needed.

    Raises what opening an archive raises, and UsageError for a model without a price.
    """
    from inference.prices import price_of, price_table
    from inference.store import FILE, Store

    layout, watch = VaultLayout(vault), progress or Silent()
    price = price_of(choice.model, choice.price)
    rows = []
    with ExitStack() as stack:
        stored = (layout.cache / FILE).exists()
        store = stack.enter_context(Store(layout.cache)) if stored else None
        rules = kept_rules(layout)
        for path in paths:
            row = ArchivePlan(archive=path.name)
            with open_archive(path) as archive:
                for conversation in archive.conversations():
                    watch.advance(1)
                    if not any(rule.matches(conversation) for rule in rules):
                        row = row.together(_one(conversation, choice, price, store))
            rows.append(row)
    if choice.summaries:
        rows = [_with_maps(row, price) for row in rows]
    total = ArchivePlan(archive="all")
    for row in rows:
        total = total.together(row)
    pairs = total.turn_pairs
    return Plan(
        model=choice.model,
        prices_of=price_table().checked,
        archives=tuple(rows),
        total=total,
        assumptions=(
            *ASSUMPTIONS,
            *(TELLING_ASSUMPTIONS if choice.summaries else ()),
            *((PREFIX_ASSUMPTION,) if choice.contextual_prefix else ()),
        ),
        usd_batch_per_1000_pairs=round(1000 * total.questions.usd_batch / pairs, 4) if pairs else None,
    )


def _one(
    conversation: Conversation, choice: EngineChoice, price: ModelPrice, store: Store | None
) -> ArchivePlan:
    service = model_options(choice).service
    tiers = {
        tier: forecast(questions, service, price, store)
        for tier, questions in questions_by_tier(conversation, choice).items()
        if questions
    }
    return ArchivePlan(
        archive="",
        conversations=1,
        turn_pairs=sum(_typed(conversation)),
        questions=sum(tiers.values(), Forecast()),
        tiers=tiers,
    )


def _with_maps(row: ArchivePlan, price: ModelPrice) -> ArchivePlan:
    """The row with what its thread maps are likely to come to."""
    from extract.model.maps import PROMPT, MapAnswer
    from inference.language_model import Usage
    from inference.prices import cost, estimate_tokens
    from inference.service import form_tokens

    count = round(MAPS_PER_CONVERSATION * row.conversations)
    prompt = estimate_tokens(PROMPT.text) + form_tokens(MapAnswer)
    usage = Usage(MAP_TOKENS + prompt, MAP_ANSWER_TOKENS)
    maps = Forecast(
        questions=count,
        text_tokens=count * MAP_TOKENS,
        prompt_tokens=count * prompt,
        output_tokens=count * MAP_ANSWER_TOKENS,
        usd_messages=count * cost(price, usage, batch=False, hour_cache=False),
        usd_batch=count * cost(price, usage, batch=True, hour_cache=True),
    )
    tiers = {**row.tiers, "maps": maps} if count else row.tiers
    return row.model_copy(update={"questions": row.questions + maps, "tiers": tiers})


def _typed(conversation: Conversation) -> list[bool]:
    return [
        not message.hidden and any(segment.origin is Origin.TYPED for segment in message.segments)
        for message in conversation.messages
    ]
