"""What a call leaves on record."""

from __future__ import annotations

from datetime import UTC, datetime

from inference.calls import Sender, Sent
from inference.language_model import Usage
from inference.prices import cost
from inference.provider import Provider
from schemas.model_call import ModelCall


def dollars(provider: Provider, sender: Sender, usage: Usage) -> float:
    """What the service counted, in dollars, by the way that it travelled."""
    return cost(provider.price, usage, batch=sender.mode == "batch", hour_cache=sender.hour_cache)


def record_of(
    sent: Sent, provider: Provider, sender: Sender, *, key: str, prompt: str, usage: Usage, seconds: float
) -> ModelCall:
    """The record of a question of a call; `usage` and `seconds` are its share of the call's."""
    return ModelCall(
        seq=0,
        key=key,
        at=datetime.now(UTC),
        service=provider.url,
        model=provider.model,
        prompt=prompt,
        mode=sender.mode,
        batch_id=sent.batch_id,
        outcome=sent.answer.stop_reason if sent.answer else sent.problem,
        temperature=sent.temperature,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        usd=dollars(provider, sender, usage),
        seconds=round(seconds, 3),
        attempts=sent.attempts,
    )
