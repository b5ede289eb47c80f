"""What chats over plain HTTP share: one request of JSON and one answer of JSON, errors told apart.

`inference.ollama` and `inference.openai_chat` say what goes into a request and what stands in an answer.
"""

from __future__ import annotations

import hashlib
import ipaddress
import json
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from types import UnionType
from typing import Any, get_args, get_origin
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel

from inference.answer_form import PROMPT_CUT
from inference.calls import NOT_ACCEPTED, Call, StoredResponse, asked_of
from inference.headers import retry_after
from inference.language_model import REACH, ModelQuestion, Reach, Usage
from inference.pacing import Tried
from inference.prices import ModelPrice, cost, estimate_tokens
from inference.secret_cover import uncovered
from inference.secrets import mask_secrets
from schemas.errors import ServiceRefused, ServiceUnavailable

Body = dict[str, Any]

MOST_BYTES = 20_000_000
"""Of one response: beyond, it is no answer to any question of ours."""
MOST_CHARACTERS_PER_TOKEN = 6.0
"""Characters of a prompt for each token that the server counted, runs of one sign taken as one. English has
about 4.5 and other languages fewer in today's vocabularies; a prompt with more was cut before it was read."""
LOCAL_CONTEXT = 8_192
"""Tokens that a model of one's own is taken to have room for, in and out, where nobody says."""
_SMALL_WINDOW, _LEAST_WINDOW = 1_250, 250
_BESIDE_WINDOW, _WINDOWS_OF_CONTEXT = 3_000, 4
"""Prompt, form and the sentences before come to less than 3,000 tokens; the window itself, an answer that is
at most 2.2 times as long, and what numbers and names add take four times its size."""
_ANSWERED = 1.5
"""Times as long as a window that its answer is likely to be, with room."""
_TEMPLATE = 64
"""Tokens that a model's own template puts around two messages."""
_SHOWN = 300
_CONNECT = 30.0
"""Seconds until a connection must stand."""
_RUN = re.compile(r"([\W_])\1+")
_FATAL = {401: "the key is not accepted", 402: "the account's credit is used up", 403: "not permitted"}
_MISUSED = (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.NOT_IMPLEMENTED)
_PASSING = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS)
_KINDS = {str: "text", int: "whole number", float: "number", bool: "true or false"}


def is_local(url: str) -> bool:
    """Whether an address is this machine's own: no key is needed there, and no proxy asked."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def schema_of(form: type[BaseModel]) -> Body:
    """The JSON Schema of an answer, closed: nothing beside its fields."""
    schema = form.model_json_schema()
    for one in (schema, *schema.get("$defs", {}).values()):
        one.pop("description", None)
        one["additionalProperties"] = False
    return schema


def told_form(form: type[BaseModel]) -> str:
    """The form of an answer in a sentence, for servers that ignore a schema.

    Not the schema itself: small models answer with that.
    """
    return f"Answer with one JSON object of this form and nothing else: {_object(form)}"


def _object(form: type[BaseModel]) -> str:
    fields = ", ".join(f'"{name}": {_kind(field.annotation)}' for name, field in form.model_fields.items())
    return f"{{{fields}}}"


def _kind(annotation: Any) -> str:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _object(annotation)
    inside = get_args(annotation)
    if get_origin(annotation) is list:
        return f"[{_kind(inside[0])}, ...]"
    if inside and not isinstance(annotation, UnionType):
        return " or ".join(f'"{one}"' for one in inside)
    return f"<{_KINDS.get(annotation, 'text')}>"


def chat_call(
    question: ModelQuestion[Any], url: str, price: ModelPrice, context: int | None, rest: Body
) -> Call:
    """A question as a call: `rest` of the body beside the messages. Secrets are masked here.

    `context` is how many tokens the model takes in and out at once; None where the server says so itself.
    """
    system = f"{question.prompt.text}\n\n{told_form(question.form)}"
    user = uncovered(question.text)
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    parameters = {"messages": messages, "stream": False, **rest}
    asked = json.dumps([url, parameters], sort_keys=True, ensure_ascii=False)
    prompt = estimate_tokens(system) + estimate_tokens(user) + _TEMPLATE
    usage = Usage(input_tokens=prompt, output_tokens=question.most_tokens)
    fits = context is None or prompt + question.most_tokens <= context
    return Call(
        key=hashlib.sha256(asked.encode()).hexdigest(),
        parameters=parameters,
        extra_body=None,
        prompt=question.prompt.name,
        most_usd=cost(price, usage, batch=False, hour_cache=False),
        unfit="" if fits else f"longer than the {context:,} tokens of the model's context",
        asked=asked_of(question, user),
        shown=user,
    )


def local_reach(context: int) -> Reach:
    """What a small model reads well of a context of so many tokens: windows of 1,000 to 1,500 tokens.

    Of a context of less than 8,192 tokens prompt, sentences before and the longest answer leave less.
    """
    detail = min(_SMALL_WINDOW, max(_LEAST_WINDOW, (context - _BESIDE_WINDOW) // _WINDOWS_OF_CONTEXT))
    gist = max(detail, min(REACH.gist, context // 2))
    return Reach(detail=detail, gist=gist, brief=True, answers=int(_ANSWERED * detail))


def prompt_of(call: Call) -> str:
    """The text of a call."""
    return "\n".join(str(one["content"]) for one in call.parameters["messages"])


def is_cut(prompt: str, counted: int) -> bool:
    """Whether a server that counted so many tokens of a prompt read only a part of it."""
    return 0 < counted * MOST_CHARACTERS_PER_TOKEN < len(_RUN.sub(r"\1", prompt))


def cut_answer(answer: StoredResponse) -> StoredResponse:
    """The answer, marked as one about a part of the prompt: it is kept, and is no value."""
    return answer.model_copy(update={"stop_reason": PROMPT_CUT})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where requests go."""

    url: str
    """The whole address."""
    key: str | None = field(repr=False)
    timeout: float
    """Seconds for one request from its beginning to the last byte of its answer."""
    local: bool
    start_it: str
    """What to do where nothing answers there."""
    unknown: str
    """What to do where the model is not known there."""


@dataclass(frozen=True, slots=True)
class Got:
    """A response, read whole."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    seconds: float


@dataclass(frozen=True, slots=True)
class RequestPart:
    """A part of a request that an answer can do without, or under another name."""

    name: str
    words: tuple[str, ...]
    """What a server's complaint names it by."""
    instead: str | None = None


Read = Callable[[Call, bytes], StoredResponse | None]
"""The answer in a response's body; None where it is none."""


class ChatTry:
    """Sends a call once: a `Try`. What a server says it does not take is left out from then on."""

    def __init__(self, endpoint: Endpoint, read: Read, parts: Sequence[RequestPart]) -> None:
        self._endpoint, self._read, self._parts = endpoint, read, parts
        # a proxy named in the environment does not reach this machine's own addresses
        timeout = httpx.Timeout(endpoint.timeout, connect=min(endpoint.timeout, _CONNECT))
        self._client = httpx.Client(timeout=timeout, trust_env=not endpoint.local)
        self._left_out: frozenset[RequestPart] = frozenset()
        self._lock = threading.Lock()

    def __call__(self, call: Call) -> Tried:
        """See `Try`."""
        left_out = self._left_out
        while True:
            body = _without(call.parameters, left_out)
            temperature = "0" if "temperature" in (body | body.get("options", {})) else NOT_ACCEPTED
            try:
                got = self.post(body)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                if self._endpoint.local:
                    raise self._not_there("no server answers there", str(error)) from error
                return Tried(None, "no answer: not reached", again=True, temperature=temperature)
            except httpx.TimeoutException:
                # a server of one's own would take as long again
                problem, again = "no answer: timed out", not self._endpoint.local
                return Tried(None, problem, again, temperature=temperature)
            except httpx.RequestError:
                return Tried(None, "no answer: cut off on the way", again=True, temperature=temperature)
            if got.status != HTTPStatus.OK:
                said = _said(got.content)
                part = self._named(body, said) if got.status in _MISUSED else None
                if part is not None:
                    left_out |= {part}
                    continue
                return self._failed(got, said, temperature)
            with self._lock:
                self._left_out |= left_out  # it helped
            answer = self._read(call, got.content)
            if answer is None:
                # nothing of it can be used; where it may have been paid, it is not asked for again
                said, again = _said(got.content), self._endpoint.local
                return Tried(None, "no answer: not a message", again, said=said, temperature=temperature)
            return Tried(answer, temperature=temperature)

    def post(self, body: Body) -> Got:
        """One request. Raises httpx's errors; ReadTimeout also where the answer trickles for too long."""
        began = time.monotonic()
        key = self._endpoint.key
        headers = {"authorization": f"Bearer {key}"} if key else {}
        with self._client.stream("POST", self._endpoint.url, json=body, headers=headers) as response:
            content = bytearray()
            for part in response.iter_bytes():
                content += part
                if time.monotonic() - began > self._endpoint.timeout:
                    raise httpx.ReadTimeout("the answer takes too long", request=response.request)
                if len(content) > MOST_BYTES:
                    raise httpx.RemoteProtocolError("an endless answer", request=response.request)
        return Got(response.status_code, response.headers, bytes(content), time.monotonic() - began)

    def asked_once(self, body: Body) -> Got:
        """The response to one request that has to succeed. Raises ServiceRefused and ServiceUnavailable."""
        try:
            got = self.post(body)
        except httpx.RequestError as error:
            raise self._not_there("no server answers there", str(error)) from error
        if got.status != HTTPStatus.OK:
            said = _said(got.content)
            self._failed(got, said, NOT_ACCEPTED)
            raise self._not_there(
                "the server does not answer a small request", f"status {got.status}: {said}"
            )
        return got

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _named(self, body: Body, said: str) -> RequestPart | None:
        """The part of the body that a complaint names."""
        low = said.lower()
        here = (part for part in self._parts if part.name in body)
        return next((one for one in here if any(re.search(rf"\b{word}\b", low) for word in one.words)), None)

    def _failed(self, got: Got, said: str, temperature: str) -> Tried:
        unknown = got.status == HTTPStatus.NOT_FOUND
        if got.status in _FATAL or unknown:
            mend = self._endpoint.unknown if unknown else "Check the key and --base-url"
            raise ServiceRefused(
                _FATAL.get(got.status, "the model or the address is not known there"),
                where=self._endpoint.url,
                why=f"status {got.status}: {said}" if said else f"status {got.status}",
                remedy=f"{mend}; what was answered is kept",
            )
        again = got.status >= HTTPStatus.INTERNAL_SERVER_ERROR or got.status in _PASSING
        problem = f"no answer: status {got.status}"
        return Tried(None, problem, again, wait=retry_after(got.headers), said=said, temperature=temperature)

    def _not_there(self, what: str, why: str) -> ServiceUnavailable:
        return ServiceUnavailable(
            what,
            where=self._endpoint.url,
            why=why,
            remedy=f"{self._endpoint.start_it}; what was answered is kept",
        )


def _without(parameters: Mapping[str, Any], left_out: frozenset[RequestPart]) -> Body:
    body = dict(parameters)
    for part in left_out:
        value = body.pop(part.name, None)
        if part.instead is not None and value is not None:
            body[part.instead] = value
    return body


def _said(content: bytes) -> str:
    """A server's own words on what is wrong, short and masked; "" where it says none."""
    try:
        body = json.loads(content)
    except ValueError:
        return ""
    error = body.get("error") if isinstance(body, dict) else None
    text = error.get("message") if isinstance(error, dict) else error
    return mask_secrets(" ".join(str(text or "").split()))[:_SHOWN]
