"""What a call costs: prices as data with a date, and token estimates for what was not sent yet."""

from __future__ import annotations

import tomllib
from datetime import date
from functools import lru_cache
from importlib import resources

from pydantic import Field

from inference.language_model import Usage
from schemas.base import Noun
from schemas.errors import UsageError

MILLION = 1_000_000
BYTES_PER_TOKEN = 2.7
"""UTF-8 bytes of a token. Claude's tokenizers up to 4.5 took about 3.5 characters of English a token, and
the newer one makes about 30% more of the same text (the models' pages on platform.claude.com). An estimate:
the exact count is the service's, and is what the record of a call holds."""

OWN_SERVER = "no price (own server)"
"""Where the price is from of a model that nobody bills."""


class Rates(Noun):
    """Dollars per million tokens."""

    input: float
    output: float
    cache_write_5m: float
    cache_write_1h: float
    cache_read: float


class LongPrompt(Rates):
    """Rates of a request whose prompt is longer than `over` tokens."""

    over: int


class ModelPrice(Rates):
    """A model's rates, and which settings it takes."""

    long_prompt: LongPrompt | None = None
    thinking: str | None = None
    """Value of `thinking.type` to send; None sends none."""
    effort: str | None = None
    temperature: bool = False
    """Whether it takes a temperature; then 0 is sent."""

    def rates(self, prompt_tokens: int) -> Rates:
        """The rates for a prompt of so many tokens, cached ones included."""
        if self.long_prompt is not None and prompt_tokens > self.long_prompt.over:
            return self.long_prompt
        return self


class PriceTable(Noun):
    """The table of prices, with the day on which somebody looked."""

    checked: date
    batch_discount: float = Field(gt=0, le=1)
    models: dict[str, ModelPrice]


@lru_cache(maxsize=1)
def price_table() -> PriceTable:
    """The table that ships with mnemic."""
    text = (resources.files("inference") / "prices.toml").read_text(encoding="utf-8")
    return PriceTable.model_validate(tomllib.loads(text))


def price_of(model: str, stated: tuple[float, float] | None = None) -> ModelPrice:
    """A model's price; `stated` is (input, output) in dollars per million tokens, and goes before the table.

    A model with a stated price that the table lacks is taken for a local server's: it is sent a temperature
    of 0 and no settings that only the service knows. Raises UsageError for a model without any price.
    """
    known = price_table().models.get(model)
    if stated is not None:
        own = own_price(stated)
        if known is not None:
            rates = own.model_dump(include=set(Rates.model_fields))
            return known.model_copy(update={**rates, "long_prompt": None})
        return own
    if known is None:
        raise UsageError(
            f"no price is known for the model {model!r}",
            why=f"the table of {price_table().checked} has {', '.join(price_table().models)}",
            remedy="State it with --price IN/OUT in dollars per million tokens; 0/0 for a server of your own",
        )
    return known


def own_price(stated: tuple[float, float] | None = None) -> ModelPrice:
    """The price of a model that no table knows: as stated, and nothing where nobody states one."""
    paid, made = stated or (0.0, 0.0)
    return ModelPrice(
        input=paid,
        output=made,
        cache_write_5m=1.25 * paid,
        cache_write_1h=2 * paid,
        cache_read=0.1 * paid,
        temperature=True,
    )


def cost(price: ModelPrice, usage: Usage, *, batch: bool, hour_cache: bool) -> float:
    """Dollars for what the service counted."""
    prompt = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
    rates = price.rates(prompt)
    write = rates.cache_write_1h if hour_cache else rates.cache_write_5m
    dollars = (
        usage.input_tokens * rates.input
        + usage.output_tokens * rates.output
        + usage.cache_read_tokens * rates.cache_read
        + usage.cache_write_tokens * write
    ) / MILLION
    return dollars * (price_table().batch_discount if batch else 1.0)


def estimate_tokens(text: str) -> int:
    """Tokens that a text is likely to come to, rounded up."""
    return -int(-len(text.encode()) // BYTES_PER_TOKEN)
