"""Ollama and chat completions: what each is sent, and what only they do wrong."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Scripted
from provider_models import (
    EVERY_CHAT,
    PROMPT,
    Length,
    Opened,
    ask,
    calls,
    lengths,
    measured,
    opened,
    server,
)  # fmt: skip

from inference.language_model import ModelQuestion
from schemas.errors import BudgetReached, ServiceRefused, ServiceUnavailable

__all__ = ["opened", "server"]


def test_an_unknown_model_of_ollama_says_how_to_fetch_it(server: ModelServer, opened: Opened) -> None:
    server.script = lambda _: Scripted(status=404, said="model 'm' not found")
    with pytest.raises(ServiceRefused, match=r"model 'm' not found.*`ollama pull m`"):
        ask(opened("ollama"), "text")


@EVERY_CHAT
def test_where_no_server_runs_it_is_said_at_once(opened: Opened, name: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ServiceUnavailable, match="no server answers there") as away:
            ask(opened(name, url=url), *"abcdef")
    assert "--base-url" in str(away.value)


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
    questions = [ModelQuestion(PROMPT, text, Length) for text in (LONG, "short")]
    ahead = model.forecast(questions)
    assert (ahead.questions, ahead.answered, ahead.unfit) == (2, 0, 1)
    long, short = model.complete(questions)
    assert (long.problem, *lengths([short])) == ("longer than the 4,096 tokens of the model's context", 5)
    assert model.recorded(questions)[0].problem == long.problem
    assert len(server.received) == len(calls(tmp_path)) == 1
    assert lengths(ask(opened(name, context=32_768), LONG)) == [len(LONG)]


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
