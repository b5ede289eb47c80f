"""What travels between a model and its service: a call, and what came back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from inference.language_model import ModelQuestion, Usage
from schemas.base import Noun, sha256_text

NOT_ACCEPTED = "not accepted"
NOT_SENT = "not sent"
"""What the record of a call says of a temperature that the model does not take, or that nobody sent."""


@dataclass(frozen=True, slots=True)
class Call:
    """A question as it goes over the wire."""

    key: str
    """SHA-256 of service and parameters, in hex: the answer's name in the store, a batch's `custom_id`."""
    parameters: Mapping[str, Any]
    """The body of the request, without what only says how long a service is to cache the prompt. Empty where
    an earlier run sent it: it can be collected, and not be sent."""
    extra_body: Mapping[str, Any] | None
    """What Anthropic's SDK has no argument for: a temperature, for servers that take one."""
    prompt: str
    """Name and version of the prompt."""
    most_usd: float
    """What it costs at most: the whole prompt unread from the cache, the answer as long as it may be."""
    unfit: str = ""
    """Why it cannot be sent, and is not; "" if it can."""
    asked: str = ""
    """The question's name among recordings: SHA-256 of what is asked, whoever is asked."""
    shown: str = ""
    """The question's text, secrets masked."""
    questions: int = 1
    """How many it asks."""
    question: ModelQuestion[Any] | None = None
    """What it asks, where it may travel with others in one request."""


def asked_of(question: ModelQuestion[Any], shown: str) -> str:
    """A question's name among recordings: the SHA-256 of prompt, masked text and form, in hex."""
    parts = [question.prompt.text, shown, question.form.model_json_schema()]
    return sha256_text(json.dumps(parts, sort_keys=True, ensure_ascii=False))


class StoredResponse(Noun):
    """A response as it came: the cache keeps it so, and it is judged anew whenever it is read."""

    text: str
    stop_reason: str
    model: str
    """The model that the service says has answered."""
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int

    @property
    def usage(self) -> Usage:
        """What the service counted."""
        return Usage(self.input_tokens, self.output_tokens, self.cache_read_tokens, self.cache_write_tokens)


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of one call."""

    call: Call
    answer: StoredResponse | None
    problem: str
    """Why there is no answer; "" if there is one."""
    seconds: float
    """From the request that was answered to its answer; of a batch, how long the batch took."""
    attempts: int
    batch_id: str = ""
    """The batch that it travelled in."""
    said: str = ""
    """The service's own words on what is wrong, short and masked."""
    temperature: str = NOT_SENT
    """What was really sent: `0`, or why none."""
    booked: bool = False
    """It came with others in one request, whose cost is on record already, its share with it."""


Deliver = Callable[[Sent], None]
"""Takes a result as it comes in, in the thread that called `send`."""


class Sender(Protocol):
    """A way to the service."""

    @property
    def mode(self) -> str:
        """`messages`, `batch`, or the provider's name and `chat`."""
        ...

    @property
    def hour_cache(self) -> bool:
        """Whether the service is to keep the prompt for an hour, rather than five minutes."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...

    def send(self, calls: Sequence[Call], deliver: Deliver) -> frozenset[str]:
        """Send the calls and deliver what becomes of each, in any order; returns the keys still under way.

        A call that is neither delivered nor under way was not sent, because the budget did not allow it.
        Money is set aside here, and settled by the receiver. Raises ServiceRefused and ServiceUnavailable.
        """
        ...
