"""Ollama, by its own `/api/chat`.

Its OpenAI-compatible address ignores how long a context is asked for and has models think; the usual context
is 4,096 tokens, and what is longer is cut without a word. So `num_ctx` goes with every request, what does not
fit is not sent, and the count of tokens that comes back is held against the text that was sent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from inference.budget import Budget
from inference.calls import Call, Sender, StoredResponse
from inference.chat import (
    LOCAL_CONTEXT,
    ChatTry,
    Endpoint,
    RequestPart,
    chat_call,
    cut_answer,
    is_cut,
    is_local,
    local_reach,
    prompt_of,
    schema_of,
    told_form,
)
from inference.language_model import ModelQuestion, Reach
from inference.pacing import Pace, PacedSender
from inference.prices import OWN_SERVER, ModelPrice, estimate_tokens, own_price
from inference.speed import PROBE_TOKENS, Speed, not_measured, not_probed, probe_messages, speed_together
from inference.store import Store

PACE = Pace(concurrency=1, attempts=3)
"""One call at a time: the server queues more, and a queued call's time runs out."""
TIMEOUT = 600.0
"""Seconds: a small model on processors alone takes minutes for a prompt of a few thousand tokens."""
_NANOSECONDS = 1e9
_STOPS = {"stop": "end_turn", "length": "max_tokens"}
_PARTS = (RequestPart("think", ("think", "thinking")), RequestPart("format", ("format", "schema", "grammar")))


@dataclass(frozen=True, slots=True)
class OllamaOptions:
    """Which model, where, how."""

    model: str
    url: str
    """The server's address, without a path."""
    key: str | None = field(default=None, repr=False)
    context: int = LOCAL_CONTEXT
    """Tokens in and out at once: `num_ctx`. A larger one takes more of the machine's memory."""
    timeout: float = TIMEOUT
    pace: Pace = PACE
    stated_price: tuple[float, float] | None = None


class OllamaProvider:
    """A model of an Ollama server."""

    name = "ollama"
    batches = False

    def __init__(self, options: OllamaOptions) -> None:
        self.options = options
        self.price: ModelPrice = own_price(options.stated_price)

    @property
    def model(self) -> str:
        """See `Provider.model`."""
        return self.options.model

    @property
    def url(self) -> str:
        """See `Provider.url`."""
        return self.options.url

    @property
    def priced_by(self) -> str:
        """See `Provider.priced_by`."""
        return "the stated price" if self.options.stated_price else OWN_SERVER

    @property
    def reach(self) -> Reach:
        """See `Provider.reach`."""
        return local_reach(self.options.context)

    @property
    def concurrency(self) -> int:
        """See `Provider.concurrency`."""
        return self.options.pace.concurrency

    def call(self, question: ModelQuestion[Any]) -> Call:
        """See `Provider.call`."""
        rest = self.body(question.most_tokens) | {"format": schema_of(question.form)}
        return chat_call(question, self.url, self.price, self.options.context, rest)

    def body(self, most_tokens: int) -> dict[str, Any]:
        """What every request has beside its messages."""
        return {
            "model": self.model,
            "stream": False,
            "think": False,
            # newer servers then say that a prompt is too long; older ones ignore both
            "truncate": False,
            "shift": False,
            "options": {
                "num_ctx": self.options.context,
                "num_predict": most_tokens,
                "temperature": 0,
                "seed": 0,
            },
        }

    def form_tokens(self, form: type[BaseModel]) -> int:
        """See `Provider.form_tokens`: the schema binds the answer, and only a sentence on it is read."""
        return estimate_tokens(told_form(form))

    def measured(self) -> Speed:
        """See `Provider.measured`; loading the model does not count, the server tells it apart."""
        if self.options.stated_price and max(self.options.stated_price) > 0:
            raise not_probed(self.name)
        asked = self.opened()
        got = asked.asked_once(self.body(PROBE_TOKENS) | {"messages": probe_messages()})
        asked.close()
        try:
            said = ChatResponse.model_validate_json(got.content)
        except ValidationError as error:
            raise not_measured(self.url) from error
        measured = (said.prompt_eval_count, said.eval_count, said.prompt_eval_duration, said.eval_duration)
        if min(measured) > 0:
            return Speed(
                read=said.prompt_eval_count / said.prompt_eval_duration * _NANOSECONDS,
                write=said.eval_count / said.eval_duration * _NANOSECONDS,
                source="probe",
            )
        return speed_together(self.url, said.prompt_eval_count, said.eval_count, got.seconds)

    def sender(self, budget: Budget, _: Store, /) -> Sender:
        """See `Provider.sender`; no key is needed."""
        opened = self.opened()
        return PacedSender("ollama chat", opened, budget, self.options.pace, opened.close)

    def opened(self) -> ChatTry:
        """The way to the server."""
        endpoint = Endpoint(
            url=f"{self.url}/api/chat",
            key=self.options.key,
            timeout=self.options.timeout,
            local=is_local(self.url),
            start_it="Start it with `ollama serve`, or say where it is with --base-url",
            unknown=f"`ollama pull {self.model}` fetches the model, `ollama list` names those that are there",
        )
        return ChatTry(endpoint, read_answer, _PARTS)


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore")
    content: str | None = None


class ChatResponse(BaseModel):
    """A response of `/api/chat`; times in nanoseconds."""

    model_config = ConfigDict(extra="ignore")
    model: str
    message: _Message
    done: bool
    done_reason: str | None = None
    prompt_eval_count: int = 0
    eval_count: int = 0
    prompt_eval_duration: int = 0
    eval_duration: int = 0


def read_answer(call: Call, content: bytes) -> StoredResponse | None:
    """The answer of a response; None if it is none. One to a prompt that was cut short is marked so."""
    try:
        said = ChatResponse.model_validate_json(content)
    except ValidationError:
        return None
    reason = said.done_reason or ("stop" if said.done else "")
    answer = StoredResponse(
        text=said.message.content or "",
        stop_reason=_STOPS.get(reason, reason) if said.done else "",
        model=said.model,
        input_tokens=said.prompt_eval_count,
        output_tokens=said.eval_count,
        cache_read_tokens=0,
        cache_write_tokens=0,
    )
    context = call.parameters["options"]["num_ctx"]
    # an older server that runs out of room while it writes forgets the beginning and goes on
    full = said.prompt_eval_count >= context - 1 or said.prompt_eval_count + said.eval_count > context
    if full or is_cut(prompt_of(call), said.prompt_eval_count):
        return cut_answer(answer)
    return answer
