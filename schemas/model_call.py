"""Model call: what one question to a language model cost."""

from __future__ import annotations

from schemas.base import Instant, Noun

NO_ANSWER = "no answer"
"""How the outcome of a call begins that has none."""


class ModelCall(Noun):
    """One paid or failed call. The store of answers notes it at once, the ledger with the next generation."""

    seq: int
    """Orders the calls of a vault."""
    key: str
    at: Instant
    service: str
    model: str
    prompt: str
    mode: str
    """`messages`, `batch`, `ollama chat` or `openai chat`."""
    batch_id: str
    outcome: str
    """The response's stop reason, or what went wrong."""
    temperature: str
    """What was really sent: `0`, `not accepted` by the model, or `not sent`."""
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    usd: float
    seconds: float
    attempts: int
