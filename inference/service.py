"""The edge to an Anthropic-compatible service: the client, a call's form on the wire, its errors."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import anthropic
from pydantic import BaseModel, ConfigDict, ValidationError

from inference.calls import Call, StoredResponse, asked_of
from inference.language_model import ModelQuestion, Usage
from inference.prices import ModelPrice, cost, estimate_tokens
from inference.secret_cover import uncovered
from inference.secrets import mask_secrets
from schemas.errors import ServiceRefused

DEFAULT_SERVICE = "https://api.anthropic.com"
_OLD_API_VERSION = "2023-06-01"
"""The version under which a temperature is taken; the SDK's own default refuses one."""
_FATAL = {401: "the key is not accepted", 402: "the account's credit is used up", 403: "not permitted"}
RETRIED = frozenset({408, 409, 429})
"""Statuses below 500 that may pass: timeout, conflict, rate limit."""
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Service:
    """Where the model answers, and under which name."""

    model: str
    base_url: str | None = None
    """None: `ANTHROPIC_BASE_URL`, else the public service."""
    api_key: str | None = None
    """None: as the SDK finds it (`ANTHROPIC_API_KEY` and its other places)."""
    timeout: float = 300.0
    """Seconds for one request."""

    @property
    def url(self) -> str:
        """Where the model answers: part of an answer's name in the store."""
        return (self.base_url or os.environ.get("ANTHROPIC_BASE_URL") or DEFAULT_SERVICE).rstrip("/")


def connect(service: Service) -> anthropic.Anthropic:
    """A client that retries nothing by itself. Raises ServiceRefused where no key can be found."""
    client = anthropic.Anthropic(
        api_key=service.api_key, base_url=service.url, max_retries=0, timeout=service.timeout
    )
    if not (client.api_key or client.auth_token or client.credentials):
        if service.url == DEFAULT_SERVICE:
            raise ServiceRefused(
                "no key for the language model's service",
                remedy="Set ANTHROPIC_API_KEY, or use --engine offline, which needs none",
            )
        client = client.copy(api_key="none")  # a server of one's own asks for no key, the SDK does
    return client


def call_for(question: ModelQuestion[Any], service: Service, price: ModelPrice, *, batch: bool) -> Call:
    """A question as a call. Secrets are masked here, so that nothing gets around it."""
    shown = uncovered(question.text)
    form: dict[str, Any] = {"type": "json_schema", "schema": anthropic.transform_schema(question.form)}
    parameters: dict[str, Any] = {
        "model": service.model,
        "max_tokens": question.most_tokens,
        "system": [{"type": "text", "text": question.prompt.text}],
        "messages": [{"role": "user", "content": shown}],
        "output_config": {"format": form, **({"effort": price.effort} if price.effort else {})},
    }
    if price.thinking:
        parameters["thinking"] = {"type": price.thinking}
    extra_body = {"temperature": 0} if price.temperature else None
    asked = json.dumps([service.url, parameters, extra_body], sort_keys=True, ensure_ascii=False)
    return Call(
        key=hashlib.sha256(asked.encode()).hexdigest(),
        parameters=parameters,
        extra_body=extra_body,
        prompt=question.prompt.name,
        most_usd=worst_cost(question, price, batch=batch),
        asked=asked_of(question, shown),
        shown=shown,
    )


def worst_cost(question: ModelQuestion[Any], price: ModelPrice, *, batch: bool) -> float:
    """Dollars for a question at most: its prompt written to the cache, its answer at full length."""
    usage = Usage(
        input_tokens=estimate_tokens(question.text) + form_tokens(question.form),
        output_tokens=question.most_tokens,
        cache_write_tokens=estimate_tokens(question.prompt.text),
    )
    return cost(price, usage, batch=batch, hour_cache=batch)


def form_tokens(form: type[BaseModel]) -> int:
    """Tokens of an answer's JSON Schema: the service puts it before the prompt."""
    return estimate_tokens(json.dumps(anthropic.transform_schema(form)))


def wire(call: Call, *, hour_cache: bool) -> dict[str, Any]:
    """The arguments of `messages.create`, the fixed part marked for the service's cache."""
    lifetime = "1h" if hour_cache else "5m"
    block = dict(call.parameters["system"][0])
    block["cache_control"] = {"type": "ephemeral", "ttl": lifetime}
    return {**call.parameters, "system": [block]}


def extras(call: Call) -> dict[str, Any]:
    """What the SDK needs beside the arguments: a body and header for servers that take a temperature."""
    if call.extra_body is None:
        return {}
    return {
        "extra_body": dict(call.extra_body),
        "extra_headers": {"anthropic-version": _OLD_API_VERSION},
    }


class _Block(BaseModel):
    model_config = ConfigDict(extra="ignore")
    type: str
    text: str = ""


class _Usage(BaseModel):
    model_config = ConfigDict(extra="ignore")
    input_tokens: int
    output_tokens: int
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore")
    model: str
    content: list[_Block]
    stop_reason: str | None
    usage: _Usage


def read_answer(body: str | Mapping[str, Any]) -> StoredResponse | None:
    """A message of the service as the store keeps it, its thinking left out; None if it is no message.

    The SDK builds its objects without validating them, so it is done here.
    """
    try:
        if isinstance(body, str):
            message = _Message.model_validate_json(body)
        else:
            message = _Message.model_validate(body)
    except ValidationError:
        return None
    return StoredResponse(
        text="".join(block.text for block in message.content if block.type == "text"),
        stop_reason=message.stop_reason or "",
        model=message.model,
        input_tokens=message.usage.input_tokens,
        output_tokens=message.usage.output_tokens,
        cache_read_tokens=message.usage.cache_read_input_tokens or 0,
        cache_write_tokens=message.usage.cache_creation_input_tokens or 0,
    )


def is_fatal(error: anthropic.APIStatusError) -> bool:
    """Whether no further call can succeed either."""
    return error.status_code in _FATAL or (error.status_code == 404 and error.type == "not_found_error")


def refused(error: anthropic.APIStatusError) -> ServiceRefused:
    """The error for the user; the service's own words are kept short and masked."""
    said = mask_secrets(str(error.api_message or error.type or ""))[:_SHOWN]
    return ServiceRefused(
        _FATAL.get(error.status_code, "the service does not know what was asked for"),
        where=str(error.request.url.copy_with(query=None)),
        why=f"status {error.status_code}: {said}",
        remedy="Check the key, the model's name and --base-url; what was answered is kept",
    )
