"""Every provider of language models against a server that misbehaves as real ones do.

Nothing is lost, nothing that was answered is asked or paid for twice, and each fault is told.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from model_server import ModelServer, Scripted, user_text
from pydantic import BaseModel

from inference.anthropic_model import AnthropicProvider, ModelOptions
from inference.language_model import Prompt, Question, Reply
from inference.ollama import OllamaOptions, OllamaProvider
from inference.openai_chat import OpenAIOptions, OpenAIProvider
from inference.pacing import Pace
from inference.provider import Provider
from inference.service import Service
from inference.store import Store
from inference.stored_model import StoredModel
from schemas.errors import BudgetReached, ServiceRefused, ServiceUnavailable
from schemas.model_call import ModelCall

QUICK = Pace(concurrency=2, attempts=3, first_wait=0.01, longest_wait=0.3)
PROMPT = Prompt(name="length/1", text="Say how many characters the text has.")
PRICE = (1.0, 5.0)
PROVIDERS = ("anthropic", "ollama", "openai")
CHATS = ("ollama", "openai")
EVERY = pytest.mark.parametrize("name", PROVIDERS)
EVERY_CHAT = pytest.mark.parametrize("name", CHATS)


class Length(BaseModel):
    characters: int
    unit: Literal["character", "byte"] = "character"
    lines: list[str] = []


def measured(body: dict[str, Any]) -> dict[str, object]:
    return {"characters": len(user_text(body)), "unit": "character", "lines": []}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(measured) as running:
        yield running


def provider(name: str, url: str, *, timeout: float = 2.0, **options: Any) -> Provider:
    if name == "anthropic":
        service = Service("m", url, "test-key", timeout=timeout)
        return AnthropicProvider(ModelOptions(service, stated_price=PRICE, pace=QUICK))
    if name == "ollama":
        return OllamaProvider(OllamaOptions("m", url, timeout=timeout, pace=QUICK, **options))
    options = {"stated_price": PRICE, **options}
    return OpenAIProvider(OpenAIOptions("m", f"{url}/v1", timeout=timeout, pace=QUICK, **options))


Opened = Callable[..., StoredModel]


@pytest.fixture
def opened(server: ModelServer, tmp_path: Path) -> Iterator[Opened]:
    """Opens a provider's model on one store of answers, again and again."""
    models: list[StoredModel] = []

    def open_one(name: str, *, max_usd: float | None = None, url: str = "", **options: Any) -> StoredModel:
        models.append(StoredModel(provider(name, url or server.url, **options), tmp_path, max_usd))
        return models[-1]

    yield open_one
    for model in models:
        model.close()


def ask(model: StoredModel, *texts: str) -> list[Reply[Length]]:
    return model.complete([Question(PROMPT, text, Length) for text in texts])


def lengths(replies: list[Reply[Length]]) -> list[int | None]:
    return [reply.value.characters if reply.value else None for reply in replies]


def calls(folder: Path) -> list[ModelCall]:
    with Store(folder) as store:
        return store.calls_after(0)


@EVERY
def test_answers_come_in_order_are_on_record_and_are_asked_for_once(
    server: ModelServer, opened: Opened, tmp_path: Path, name: str
) -> None:
    texts = [f"text {'x' * number}" for number in range(7)]
    first = ask(opened(name), *texts, texts[0])
    again = ask(opened(name), *texts)
    assert lengths(first) == [*map(len, texts), len(texts[0])]
    assert lengths(again) == [*map(len, texts)]
    assert len(server.received) == 7
    assert server.most_at_once <= QUICK.concurrency
    assert all(reply.cached and not reply.usd for reply in again)
    on_record = calls(tmp_path)
    assert len(on_record) == 7
    assert {(call.model, call.outcome, call.temperature) for call in on_record} == {("m", "end_turn", "0")}
    assert all(call.input_tokens and call.output_tokens for call in on_record)
    paid = sum(call.input_tokens * PRICE[0] + call.output_tokens * PRICE[1] for call in on_record) / 1e6
    assert sum(call.usd for call in on_record) == (0 if name == "ollama" else pytest.approx(paid, rel=0.5))


PASSING = {
    "429 with a time": Scripted(status=429, headers={"retry-after": "0.05"}),
    "429 without": Scripted(status=429),
    "500": Scripted(status=500),
    "529": Scripted(status=529),
    "cut off before the answer": Scripted(hang_up=True),
    "cut off in the answer": Scripted('{"characters": 4, "lines": []}', half=True),
}


@EVERY
@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING.keys())
def test_what_passes_leaves_no_trace_but_its_tries(
    server: ModelServer, opened: Opened, tmp_path: Path, name: str, fault: Scripted
) -> None:
    server.faults.extend([fault, fault])
    assert lengths(ask(opened(name), "text")) == [4]
    (call,) = calls(tmp_path)
    assert (call.attempts, call.outcome, len(server.received)) == (3, "end_turn", 3)


SCHEMA = json.dumps(Length.model_json_schema())
ANSWERED_BADLY = {
    "refusal": (Scripted("I won't.", stop_reason="refusal"), "refused"),
    "too long": (Scripted('{"characters": 4, "li', stop_reason="max_tokens"), "cut off"),
    "stopped for no reason": (Scripted('{"characters": 4', stop_reason=""), "not finished"),
    "invalid JSON": (Scripted('{"characters": 4,'), "not the form asked for"),
    "two objects": (Scripted('{"characters": 4} {"characters": 5}'), "not the form asked for"),
    "the schema itself": (Scripted(SCHEMA), "not the form asked for"),
    "an excuse": (Scripted("I'm sorry, but I can't help with that."), "not the form asked for"),
    "only thoughts": (Scripted("<think>The text has four"), "not the form asked for"),
    "nothing": (Scripted(""), "an empty answer"),
    "white space": (Scripted(" \n\n"), "an empty answer"),
}


@EVERY
@pytest.mark.parametrize(("scripted", "problem"), ANSWERED_BADLY.values(), ids=ANSWERED_BADLY.keys())
def test_a_bad_answer_is_no_value_harms_no_other_and_is_not_paid_again(
    server: ModelServer, opened: Opened, tmp_path: Path, name: str, scripted: Scripted, problem: str
) -> None:
    server.script = lambda body: scripted if user_text(body) == "bad" else measured(body)
    good, bad = ask(opened(name), "good", "bad")
    assert lengths([good]) == [4]
    if (name, problem) == ("ollama", "refused"):
        problem = "not the form asked for"  # it has no reason of its own for a refusal
    assert (bad.value, bad.problem) == (None, problem)
    (again,) = ask(opened(name), "bad")
    (recorded,) = opened(name).recorded([Question(PROMPT, "bad", Length)])
    assert again.problem == recorded.problem == problem
    assert len(server.received) == len(calls(tmp_path)) == 2


STRAYED = {
    "thoughts": '<think>{"characters": 9}? No, four.</think>\n\n{"characters": 4}',
    "thoughts whose beginning the template has": 'Four, I think.\n</think>\n{"characters": 4}',
    "a fence": '```json\n{"characters": 4}\n```',
    "a fence with words around": 'Here it is:\n\n```\n{"characters": 4}\n```\nAnything else?',
    "thoughts and a fence": '<think>\nhm\n</think>\n```json\n{"characters": 4}\n```',
}


@EVERY
@pytest.mark.parametrize("said", STRAYED.values(), ids=STRAYED.keys())
def test_what_stands_around_an_answer_is_left_out(
    server: ModelServer, opened: Opened, name: str, said: str
) -> None:
    server.script = lambda _: said
    assert lengths(ask(opened(name), "text")) == [4]


NO_MESSAGE = {
    "half a stream": b'data: {"choices": [{"delta": {"content": "{\\"char"}}]}\n\n',
    "half a line": b'{"model": "m", "message": {"role": "assistant", "content": "{\\"cha',
    "a proxy's page": b"<html>502 Bad Gateway</html>",
    "an error said as an answer": b'{"error": {"message": "the runner has stopped"}}',
    "nothing": b"",
}


@EVERY
@pytest.mark.parametrize("raw", NO_MESSAGE.values(), ids=NO_MESSAGE.keys())
def test_what_is_no_message_is_told_and_asked_for_again_by_the_next_run(
    server: ModelServer, opened: Opened, tmp_path: Path, name: str, raw: bytes
) -> None:
    server.script = lambda body: Scripted(raw=raw) if user_text(body) == "bad" else measured(body)
    good, bad = ask(opened(name), "good", "bad")
    assert lengths([good]) == [4]
    assert bad.problem == "no answer: not a message"
    # a server of one's own is asked again at once; elsewhere it may have been paid for
    assert (
        sum(call.attempts for call in calls(tmp_path)) == len(server.received) == (4 if name in CHATS else 2)
    )
    server.script = measured
    assert lengths(ask(opened(name), "good", "bad")) == [4, 3]
    assert user_text(server.received[-1]) == "bad"


@EVERY
def test_a_request_that_is_refused_alone_stops_no_other(
    server: ModelServer, opened: Opened, name: str
) -> None:
    server.script = lambda body: Scripted(status=400) if user_text(body) == "bad" else measured(body)
    bad, good = ask(opened(name), "bad", "good")
    assert (bad.problem, *lengths([good])) == ("no answer: status 400", 4)
    assert len(server.received) == 2


@EVERY
@pytest.mark.parametrize("status", [401, 403, 404])
def test_where_no_call_can_succeed_the_run_stops_and_keeps_what_it_has(
    server: ModelServer, opened: Opened, name: str, status: int
) -> None:
    ask(opened(name), "a", "b")
    server.script = lambda _: Scripted(status=status, said="model 'm' not found")
    with pytest.raises(ServiceRefused) as refused:
        ask(opened(name), *"abcdefghij")
    assert refused.value.remedy
    assert server.messages_sent <= 2 + QUICK.concurrency
    server.script = measured
    assert lengths(ask(opened(name), *"abcdefghij")) == [1] * 10
    assert sum(user_text(body) in "ab" for body in server.received) == 2


def test_an_unknown_model_of_ollama_says_how_to_fetch_it(server: ModelServer, opened: Opened) -> None:
    server.script = lambda _: Scripted(status=404, said="model 'm' not found")
    with pytest.raises(ServiceRefused, match=r"model 'm' not found.*`ollama pull m`"):
        ask(opened("ollama"), "text")


@EVERY
def test_a_service_that_is_away_stops_the_run_in_its_own_words(
    server: ModelServer, opened: Opened, name: str
) -> None:
    ask(opened(name), "a")
    server.script = lambda _: Scripted(status=503, said="loading model")
    with pytest.raises(ServiceUnavailable, match="in a row") as away:
        ask(opened(name), *"abcdefghijkl")
    assert ("loading model" in str(away.value)) == (name in CHATS)
    server.script = measured
    assert lengths(ask(opened(name), *"abc")) == [1, 1, 1]
    assert sum(user_text(body) == "a" for body in server.received) == 1


@EVERY_CHAT
def test_where_no_server_runs_it_is_said_at_once(opened: Opened, name: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ServiceUnavailable, match="no server answers there") as away:
            ask(opened(name, url=url), *"abcdef")
    assert "--base-url" in str(away.value)


@EVERY
def test_a_slow_answer_is_given_up(server: ModelServer, opened: Opened, name: str) -> None:
    server.script = lambda body: Scripted("{}", seconds=0.5) if user_text(body) == "slow" else measured(body)
    slow, quick = ask(opened(name, timeout=0.2), "slow", "quick")
    assert (slow.problem, *lengths([quick])) == ("no answer: timed out", 5)


@EVERY_CHAT
def test_an_answer_that_trickles_is_given_up_too(server: ModelServer, opened: Opened, name: str) -> None:
    server.script = lambda body: Scripted(json.dumps(measured(body)), trickle=0.02)
    assert ask(opened(name, timeout=0.3), "text")[0].problem == "no answer: timed out"
    assert len(server.received) == 1, "a server of one's own would take as long again"


LONG = " ".join(f"Sentence {number} says a little of the garden." for number in range(400))


@EVERY_CHAT
def test_a_prompt_that_the_server_cut_short_in_silence_is_found_out(
    server: ModelServer, opened: Opened, tmp_path: Path, name: str
) -> None:
    server.script = lambda body: Scripted(json.dumps(measured(body)), prompt_tokens=2_050)
    model = opened(name)
    (reply,) = ask(model, LONG)
    assert (reply.value, reply.problem) == (None, "the prompt was cut short")
    assert [call.outcome for call in calls(tmp_path)] == ["prompt cut"]
    assert ask(opened(name), LONG)[0].problem == "the prompt was cut short"
    assert len(server.received) == 1, "it was answered, and is asked again only where that is said"
    model.forget([reply.key])
    server.script = measured
    assert lengths(ask(opened(name), LONG)) == [len(LONG)]


def test_a_full_context_is_a_prompt_cut_short(server: ModelServer, opened: Opened) -> None:
    server.script = lambda body: Scripted(json.dumps(measured(body)), prompt_tokens=4_095)
    assert ask(opened("ollama", context=4_096), "text")[0].problem == "the prompt was cut short"
    server.script = lambda body: Scripted(
        json.dumps({**measured(body), "lines": ["x" * 600]}), prompt_tokens=3_950
    )
    assert ask(opened("ollama", context=4_096), "other")[0].problem == "the prompt was cut short"


@pytest.mark.parametrize("text", ["garden " * 500, "庭の木を植える。" * 120, "| --- " * 300, "=" * 4000])
def test_a_prompt_that_was_read_whole_is_not_taken_for_cut(
    server: ModelServer, opened: Opened, text: str
) -> None:
    tokens = len(text) // 5 if text.isascii() and "=" not in text else len(text) // 40
    tokens = len(text) if not text.isascii() else tokens
    server.script = lambda body: Scripted(json.dumps(measured(body)), prompt_tokens=60 + tokens)
    assert lengths(ask(opened("ollama"), text)) == [len(text)]


@EVERY_CHAT
def test_what_does_not_fit_is_not_sent_and_says_so(
    server: ModelServer, opened: Opened, tmp_path: Path, name: str
) -> None:
    model = opened(name, context=4_096)
    questions = [Question(PROMPT, text, Length) for text in (LONG, "short")]
    ahead = model.forecast(questions)
    assert (ahead.questions, ahead.answered, ahead.unfit) == (2, 0, 1)
    long, short = model.complete(questions)
    assert (long.problem, *lengths([short])) == ("longer than the 4,096 tokens of the model's context", 5)
    assert model.recorded(questions)[0].problem == long.problem
    assert len(server.received) == len(calls(tmp_path)) == 1
    assert lengths(ask(opened(name, context=32_768), LONG)) == [len(LONG)]


@EVERY
def test_one_run_through_every_fault_loses_and_repeats_nothing(
    server: ModelServer, opened: Opened, tmp_path: Path, name: str
) -> None:
    faults = {f"passing {number}": [one] for number, one in enumerate(PASSING.values())}
    bad = {f"bad {number}": one for number, (one, _) in enumerate(ANSWERED_BADLY.values())}
    fine = [f"fine {number}" for number in range(5)]

    def script(body: dict[str, Any]) -> object:
        text = user_text(body)
        if faults.get(text):
            return faults[text].pop()
        return bad.get(text) or measured(body)

    server.script = script  # type: ignore[assignment]
    texts = [one for three in zip([*faults, *fine], bad, strict=False) for one in three]
    replies = ask(opened(name), *texts)
    for text, reply in zip(texts, replies, strict=True):
        assert (reply.value is None) == (text in bad)
        assert bool(reply.problem) == (text in bad)
    assert len(calls(tmp_path)) == len(texts)
    asked = len(server.received)
    assert asked == len(texts) + len(PASSING)
    assert [reply.problem for reply in ask(opened(name), *texts)] == [reply.problem for reply in replies]
    assert len(server.received) == asked


@EVERY
def test_secrets_are_masked_and_the_key_goes_in_the_header(
    server: ModelServer, opened: Opened, name: str
) -> None:
    key = {} if name == "anthropic" else {"key": "test-key"}
    ask(opened(name, **key), "My key is sk-ant-api03-abcdefghijklmnop1234 and no more.")
    assert user_text(server.received[0]) == "My key is [masked: model key] and no more."
    said = {name.lower(): value for name, value in server.headers[0].items()}
    assert "test-key" in said.get("authorization", "") + said.get("x-api-key", "")
    assert "test-key" not in json.dumps(server.received)


@EVERY_CHAT
def test_a_server_on_this_machine_needs_no_key_and_no_proxy(
    server: ModelServer, opened: Opened, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert lengths(ask(opened(name), "text")) == [4]
    assert "authorization" not in {one.lower() for one in server.headers[0]}


def test_a_hosted_service_needs_a_key(opened: Opened) -> None:
    with pytest.raises(ServiceRefused, match="no key"):
        opened("openai", url="https://models.example")


def test_what_goes_to_ollama(server: ModelServer, opened: Opened) -> None:
    ask(opened("ollama", context=12_288), "text")
    body = server.received[0]
    assert server.paths == ["/api/chat"]
    assert body["options"] == {"num_ctx": 12_288, "num_predict": 1_024, "temperature": 0, "seed": 0}
    assert (body["think"], body["stream"], body["truncate"], body["shift"]) == (False, False, False, False)
    assert body["format"]["properties"].keys() == {"characters", "unit", "lines"}
    system = body["messages"][0]["content"]
    assert system.startswith(PROMPT.text)
    form = '{"characters": <whole number>, "unit": "character" or "byte", "lines": [<text>, ...]}'
    assert system.endswith(form)


def test_a_server_s_refusal_of_a_part_is_heeded_from_then_on(
    server: ModelServer, opened: Opened, tmp_path: Path
) -> None:
    refusals = {
        "response_format": "This response_format type is unavailable now",
        "max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        "temperature": "Unsupported value: 'temperature' does not support 0 with this model",
    }

    def script(body: dict[str, Any]) -> object:
        refused = next((said for part, said in refusals.items() if part in body), None)
        return Scripted(status=400, said=refused) if refused else measured(body)

    server.script = script  # type: ignore[assignment]
    model = opened("openai")
    assert lengths(ask(model, "one")) == [3]
    assert len(server.received) == 4
    assert lengths(ask(model, "three", "four!")) == [5, 5]
    assert len(server.received) == 6
    assert server.received[-1]["max_completion_tokens"] == 1_024
    assert {call.temperature for call in calls(tmp_path)} == {"not accepted"}
    assert lengths(ask(opened("openai"), "one")) == [3]
    assert len(server.received) == 6


def test_a_model_of_ollama_that_cannot_but_think_is_let(server: ModelServer, opened: Opened) -> None:
    said = 'think value "false" is not supported for this model'
    server.script = lambda body: Scripted(status=400, said=said) if "think" in body else measured(body)
    assert lengths(ask(opened("ollama"), "text")) == [4]


def test_a_server_that_counts_no_tokens_is_not_taken_to_be_free(server: ModelServer, opened: Opened) -> None:
    message = {"choices": [{"message": {"content": '{"characters": 4}'}, "finish_reason": "stop"}]}
    server.script = lambda _: Scripted(raw=json.dumps(message).encode())
    (reply,) = ask(opened("openai"), "text")
    assert reply.value is not None
    assert reply.usd > 0


def test_an_answer_in_parts_and_a_refusal_beside_it(server: ModelServer, opened: Opened) -> None:
    parts = [{"type": "text", "text": '{"charac'}, {"type": "text", "text": 'ters": 4}'}]
    answers = iter([{"content": parts}, {"content": None, "refusal": "I will not."}])
    server.script = lambda _: Scripted(
        raw=json.dumps({"choices": [{"message": next(answers), "finish_reason": "stop"}]}).encode()
    )
    model = opened("openai")
    assert lengths(ask(model, "text")) == [4]
    assert ask(model, "other")[0].problem == "refused"


def test_a_budget_is_never_passed_and_a_larger_one_goes_on(server: ModelServer, opened: Opened) -> None:
    texts = [f"text {number}" for number in range(12)]
    model = opened("openai", max_usd=0.0106)
    with pytest.raises(BudgetReached, match="of 12 questions are answered"):
        ask(model, *texts)
    assert 0 < model.budget.spent <= 0.0106
    assert all(reply.value for reply in ask(opened("openai", max_usd=1.0), *texts))
    assert len(server.received) == 12
