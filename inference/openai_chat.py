"""Chat completions: llama.cpp's server, LM Studio, vLLM and hosted services that speak OpenAI's API.

They differ in what they take. What one says it does not take (a schema, a temperature, the name of the limit
on an answer) is left out or renamed from then on, and the record of a call holds what was really sent.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, PositiveFloat, ValidationError

from inference.budget import Budget
from inference.calls import Call, Sender, StoredResponse
from inference.chat import (
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
from inference.prices import OWN_SERVER, ModelPrice, estimate_tokens, own_price, price_of, price_table
from inference.speed import PROBE_TOKENS, Speed, not_measured, not_probed, probe_messages, speed_together
from inference.store import Store
from schemas.errors import ServiceRefused

PACE, LOCAL_PACE = Pace(), Pace(concurrency=1, attempts=3)
TIMEOUT, LOCAL_TIMEOUT = 300.0, 600.0
"""Seconds for one request, hosted and on this machine."""
_ROOMY = 32_768
"""Tokens of a hosted model's context from which on it is shown as much as any: the longest question fits."""
_STOPS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
_PARTS = (
    RequestPart("response_format", ("response_format", "json_schema", "schema", "grammar")),
    RequestPart("temperature", ("temperature",)),
    RequestPart("max_tokens", ("max_tokens",), instead="max_completion_tokens"),
)


@dataclass(frozen=True, slots=True)
class OpenAIOptions:
    """Which model, where, how."""

    model: str
    url: str
    """The address that `/chat/completions` follows, such as `http://127.0.0.1:1234/v1`."""
    key: str | None = field(default=None, repr=False)
    context: int | None = None
    """Tokens in and out at once; None: what the server has, which refuses a longer question itself."""
    timeout: float = TIMEOUT
    pace: Pace = PACE
    stated_price: tuple[float, float] | None = None


class OpenAIProvider:
    """A model behind chat completions. Raises UsageError for a hosted one without a price."""

    name = "openai"
    batches = False

    def __init__(self, options: OpenAIOptions) -> None:
        self.options = options
        self._local = is_local(options.url)
        own = self._local or options.stated_price is not None
        stated = options.stated_price
        self.price: ModelPrice = own_price(stated) if own else price_of(options.model)

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
        if self.options.stated_price:
            return "the stated price"
        return OWN_SERVER if self._local else f"the prices of {price_table().checked}"

    @property
    def reach(self) -> Reach:
        """See `Provider.reach`."""
        context = self.options.context
        if context is None or (context >= _ROOMY and not self._local):
            return Reach()
        return local_reach(context)

    @property
    def concurrency(self) -> int:
        """See `Provider.concurrency`."""
        return self.options.pace.concurrency

    def call(self, question: ModelQuestion[Any]) -> Call:
        """See `Provider.call`."""
        schema = {"name": question.form.__name__, "strict": True, "schema": schema_of(question.form)}
        rest = self.body(question.most_tokens) | {
            "response_format": {"type": "json_schema", "json_schema": schema}
        }
        return chat_call(question, self.url, self.price, self.options.context, rest)

    def body(self, most_tokens: int) -> dict[str, Any]:
        """What every request has beside its messages."""
        return {"model": self.model, "stream": False, "temperature": 0, "max_tokens": most_tokens}

    def form_tokens(self, form: type[BaseModel]) -> int:
        """See `Provider.form_tokens`: services that bill count the schema with the prompt."""
        return estimate_tokens(told_form(form)) + estimate_tokens(str(schema_of(form)))

    def measured(self) -> Speed:
        """See `Provider.measured`. One request before it has the server load the model."""
        if self.price.input or self.price.output:
            raise not_probed(self.name)
        asked = self.opened()
        asked.asked_once(self.body(1) | {"messages": probe_messages()[1:]})
        got = asked.asked_once(self.body(PROBE_TOKENS) | {"messages": probe_messages()})
        asked.close()
        try:
            said = Completion.model_validate_json(got.content)
        except ValidationError as error:
            raise not_measured(self.url) from error
        with suppress(ValidationError):
            rates = _Timed.model_validate_json(got.content).timings
            return Speed(read=rates.prompt_per_second, write=rates.predicted_per_second, source="probe")
        usage = said.usage or _Usage()
        return speed_together(self.url, usage.prompt_tokens or 0, usage.completion_tokens or 0, got.seconds)

    def sender(self, budget: Budget, _: Store, /) -> Sender:
        """See `Provider.sender`."""
        if not self._local and not self.options.key:
            raise ServiceRefused(
                "no key for the language model's service",
                where=self.url,
                remedy="Set OPENAI_API_KEY (any word where a server asks for none), or use --engine offline",
            )
        opened = self.opened()
        return PacedSender("openai chat", opened, budget, self.options.pace, opened.close)

    def opened(self) -> ChatTry:
        """The way to the server."""
        endpoint = Endpoint(
            url=f"{self.url}/chat/completions",
            key=self.options.key,
            timeout=self.options.timeout,
            local=self._local,
            start_it="Start the server, or say where it is with --base-url",
            unknown="Check the model's name, and --base-url, which ends in /v1 with most servers",
        )
        return ChatTry(endpoint, read_answer, _PARTS)


class _TextPart(BaseModel):
    model_config = ConfigDict(extra="ignore")
    text: str | None = None


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore")
    content: str | list[_TextPart] | None = None
    refusal: str | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "".join(part.text or "" for part in self.content)
        return self.content or ""


class _Choice(BaseModel):
    model_config = ConfigDict(extra="ignore")
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    model_config = ConfigDict(extra="ignore")
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Rates(BaseModel):
    model_config = ConfigDict(extra="ignore")
    prompt_per_second: PositiveFloat
    predicted_per_second: PositiveFloat


class _Timed(BaseModel):
    """What llama.cpp's server says beside its answer."""

    model_config = ConfigDict(extra="ignore")
    timings: _Rates


class Completion(BaseModel):
    """A response of `/chat/completions`."""

    model_config = ConfigDict(extra="ignore")
    model: str | None = None
    choices: list[_Choice]
    usage: _Usage | None = None


def read_answer(call: Call, content: bytes) -> StoredResponse | None:
    """The answer of a response; None if it is none. One to a prompt that was cut short is marked so.

    Where the server counts no tokens they are estimated, so that what it costs is never taken for nothing.
    """
    try:
        said = Completion.model_validate_json(content)
    except ValidationError:
        return None
    if not said.choices:
        return None
    choice, prompt = said.choices[0], prompt_of(call)
    text, usage = choice.message.text, said.usage
    read, wrote = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
    reason = choice.finish_reason or ""
    answer = StoredResponse(
        text=text,
        stop_reason="refusal" if choice.message.refusal else _STOPS.get(reason, reason),
        model=said.model or "",
        input_tokens=estimate_tokens(prompt) if read is None else read,
        output_tokens=estimate_tokens(text) if wrote is None else wrote,
        cache_read_tokens=0,
        cache_write_tokens=0,
    )
    return cut_answer(answer) if is_cut(prompt, read or 0) else answer
