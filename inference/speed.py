"""How long questions take a model: tokens a second, from the calls on record or from one small request."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Literal

from schemas.base import Noun
from schemas.errors import ServiceUnavailable, UsageError
from schemas.model_call import NO_ANSWER, ModelCall

READS_FASTER = 10.0
"""Times as fast as it writes that a model is taken to read, where only both together were measured: more on a
device, fewer on processors alone. An assumption, which a plan says."""
PROBE_TOKENS = 64
"""Tokens that a probe's answer has at most."""
_TEXT = (
    "A lighthouse keeper counted the ships that passed in a week. On Monday eleven ships came by, two of "
    "them with red hulls. On Tuesday fog lay on the water, and he heard nine horns and saw nothing. On "
    "Wednesday a convoy of twenty-three went north. Thursday was quiet: four fishing boats and a ferry. On "
    "Friday the mail came late, because the harbour had lost its pilot. The weekend brought sails. "
)


class Speed(Noun):
    """Tokens a second of one call."""

    read: float
    """Of a prompt."""
    write: float
    """Of an answer."""
    source: Literal["probe", "record"]
    calls: int = 1
    """How many it was measured by."""

    def seconds(self, read_tokens: int, written_tokens: int, concurrency: int) -> float:
        """How long so many tokens take, so many calls at once; none is taken to be read from a cache."""
        return (read_tokens / self.read + written_tokens / self.write) / concurrency


def probe_messages() -> list[dict[str, Any]]:
    """A small request that no server has in its cache: some 700 tokens to read, and words to write."""
    # what comes first differs, so that nothing of an earlier probe counts as read
    system = f"Note {secrets.token_hex(8)}. Repeat what you are given, word for word.\n\n{_TEXT * 4}"
    return [{"role": "system", "content": system}, {"role": "user", "content": _TEXT}]


def not_probed(name: str) -> UsageError:
    """The error of a provider whose answers cost money."""
    return UsageError(
        f"a probe of {name} would cost money",
        remedy="Leave --probe out: time is told by the calls on record, as soon as there are some",
    )


def together(read: int, wrote: int, seconds: float) -> tuple[float, float] | None:
    """(read, write) in tokens a second, of a time that says only how long both took; None without tokens."""
    tokens = read / READS_FASTER + wrote
    if tokens <= 0 or seconds <= 0:
        return None
    return READS_FASTER * tokens / seconds, tokens / seconds


def speed_together(url: str, read: int, wrote: int, seconds: float) -> Speed:
    """A probe's speed where the server does not tell reading from writing."""
    rates = together(read, wrote, seconds)
    if rates is None:
        raise not_measured(url)
    return Speed(read=rates[0], write=rates[1], source="probe")


def not_measured(url: str) -> ServiceUnavailable:
    """The error of an answer that says nothing of its tokens."""
    return ServiceUnavailable(
        "the probe's answer does not say how many tokens it took", where=url, remedy="Leave --probe out"
    )


def speed_on_record(calls: Sequence[ModelCall], url: str, model: str) -> Speed | None:
    """The speed of a model at an address by its answered calls on record; None where there are none.

    What a batch took says nothing of the model.
    """
    own = [
        call
        for call in calls
        if (call.service, call.model) == (url, model)
        and call.mode != "batch"
        and not call.outcome.startswith(NO_ANSWER)
    ]
    read = sum(call.input_tokens + call.cache_write_tokens for call in own)
    rates = together(read, sum(call.output_tokens for call in own), sum(call.seconds for call in own))
    return Speed(read=rates[0], write=rates[1], source="record", calls=len(own)) if rates else None
