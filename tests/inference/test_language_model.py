from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Scripted, user_text
from pydantic import BaseModel

from inference.anthropic_model import AnthropicModel, ModelOptions
from inference.batches import Patience
from inference.language_model import ModelQuestion, Prompt, Reply
from inference.pacing import Pace
from inference.prices import price_of
from inference.service import Service
from inference.store import FILE, Store, damaged_rows
from schemas.errors import BudgetReached, ServiceRefused, ServiceUnavailable, UsageError

QUICK = Pace(concurrency=3, attempts=3, first_wait=0.01, longest_wait=0.3)
PATIENT = Patience(poll=0.01, longest=5.0, attempts=3, first_wait=0.01)
PROMPT = Prompt(name="length/1", text="Say how many characters the text has. " * 40)


class Length(BaseModel):
    characters: int


def measured(body: dict[str, Any]) -> dict[str, object]:
    return {"characters": len(user_text(body))}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(measured) as running:
        yield running


def opened(server: ModelServer, folder: Path, **options: Any) -> AnthropicModel:
    service = Service(options.pop("model", "claude-haiku-5-5"), server.url, "test-key", timeout=10.0)
    return AnthropicModel(ModelOptions(service, pace=QUICK, patience=PATIENT, **options), folder)


def ask(model: AnthropicModel, *texts: str) -> list[Reply[Length]]:
    return model.complete([ModelQuestion(PROMPT, text, Length) for text in texts])


MODES = pytest.mark.parametrize("mode", ["messages", "batch"])


@MODES
def test_every_question_has_its_validated_answer_in_order(
    server: ModelServer, tmp_path: Path, mode: str
) -> None:
    texts = [f"text {'x' * number}" for number in range(9)]
    with opened(server, tmp_path, mode=mode) as model:
        replies = ask(model, *texts)
    assert [reply.value.characters if reply.value else None for reply in replies] == [*map(len, texts)]
    assert server.most_at_once <= QUICK.concurrency
    if mode == "batch":
        assert (server.batches_made, server.messages_sent) == (1, 0)


@MODES
def test_an_answer_is_paid_once_also_by_the_other_way(server: ModelServer, tmp_path: Path, mode: str) -> None:
    with opened(server, tmp_path, mode=mode) as model:
        first = ask(model, "one", "two", "one")
    asked = len(server.received)
    with opened(server, tmp_path, mode="messages" if mode == "batch" else "batch") as model:
        second = ask(model, "one", "two", "one")
        assert model.budget.spent == 0
    assert asked == len(server.received) == 2
    assert [reply.value for reply in first] == [reply.value for reply in second]
    assert all(reply.cached and not reply.usd for reply in second)
    assert sum(reply.usd for reply in first[:2]) > 0


def test_every_call_is_on_record(server: ModelServer, tmp_path: Path) -> None:
    with opened(server, tmp_path) as model:
        ask(model, "one")
        ask(model, "two")
    with Store(tmp_path) as store:
        first, second = store.calls_after(0)
    assert (first.model, first.prompt, first.mode) == ("claude-haiku-5-5", "length/1", "messages")
    assert (first.outcome, first.temperature, first.attempts) == ("end_turn", "not accepted", 1)
    assert first.cache_write_tokens > 0
    assert second.cache_read_tokens == first.cache_write_tokens
    price = price_of("claude-haiku-5-5")
    expected = (
        second.input_tokens * price.input
        + second.output_tokens * price.output
        + second.cache_read_tokens * price.cache_read
    ) / 1e6
    assert second.usd == pytest.approx(expected)


def test_a_damaged_answer_is_none_and_is_asked_for_again(server: ModelServer, tmp_path: Path) -> None:
    with opened(server, tmp_path) as model:
        ask(model, "one", "two")
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("UPDATE answers SET answer = replace(answer, 'a', 'b') WHERE rowid = 1")
        connection.execute("UPDATE calls SET usd = 0 WHERE seq = 2")
    connection.close()
    answer, call = damaged_rows(tmp_path)
    assert (answer.split()[0], call) == ("answer", "call 2")
    with opened(server, tmp_path) as model:
        assert [reply.cached for reply in ask(model, "one", "two")].count(False) == 1
    with Store(tmp_path) as store:
        store.drop_damaged(damaged_rows(tmp_path))
    assert damaged_rows(tmp_path) == []


def test_what_goes_over_the_wire(server: ModelServer, tmp_path: Path) -> None:
    with opened(server, tmp_path) as model:
        ask(model, "My key is sk-ant-api03-abcdefghijklmnop1234 and no more.")
    body = server.received[0]
    assert "tools" not in body
    assert "temperature" not in body
    assert body["thinking"] == {"type": "disabled"}
    assert body["system"][0]["cache_control"] == {"type": "ephemeral", "ttl": "5m"}
    assert body["output_config"]["format"]["schema"]["properties"].keys() == {"characters"}
    assert user_text(body) == "My key is [masked: model key] and no more."


def test_a_server_of_ones_own_is_sent_a_temperature_of_zero(server: ModelServer, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no price is known"):
        opened(server, tmp_path, model="local-model")
    with opened(server, tmp_path, model="local-model", stated_price=(0.0, 0.0)) as model:
        assert ask(model, "text")[0].value == Length(characters=4)
    assert server.received[0]["temperature"] == 0
    assert "thinking" not in server.received[0]
    with Store(tmp_path) as store:
        assert store.calls_after(0)[0].temperature == "0"


@pytest.mark.parametrize(
    ("scripted", "problem"),
    [
        (Scripted(stop_reason="refusal"), "refused"),
        (Scripted('{"characters": 4', stop_reason="max_tokens"), "cut off"),
        (Scripted('{"characters": 4'), "not the form asked for"),
        (Scripted('Sure! Here is the JSON: {"characters": 4}'), "not the form asked for"),
        (Scripted('{"characters": "many"}'), "not the form asked for"),
        (Scripted("I'm sorry, but I can't help with that."), "not the form asked for"),
        (Scripted(status=400), "no answer: status 400"),
        (Scripted(raw=b"<html>a proxy's page</html>"), "no answer: not a message"),
        (Scripted(raw=b'{"type": "message", "content"'), "no answer: not a message"),
    ],
)
def test_a_bad_answer_is_no_value_and_harms_no_other(
    server: ModelServer, tmp_path: Path, scripted: Scripted, problem: str
) -> None:
    server.script = lambda body: scripted if user_text(body) == "bad" else measured(body)
    with opened(server, tmp_path) as model:
        good, bad = ask(model, "good", "bad")
    assert good.value == Length(characters=4)
    assert (bad.value, bad.problem) == (None, problem)


def test_a_fence_around_the_whole_answer_is_taken_off(server: ModelServer, tmp_path: Path) -> None:
    server.script = lambda _: '```json\n{"characters": 4}\n```'
    with opened(server, tmp_path) as model:
        assert ask(model, "text")[0].value == Length(characters=4)


@pytest.mark.parametrize(
    "fault",
    [
        Scripted(status=429, headers={"retry-after": "0.05"}),
        Scripted(status=529),
        Scripted(status=500),
        Scripted(hang_up=True),
    ],
)
def test_a_passing_fault_is_passed_over(server: ModelServer, tmp_path: Path, fault: Scripted) -> None:
    server.faults.extend([fault, fault])
    with opened(server, tmp_path) as model:
        assert ask(model, "text")[0].value == Length(characters=4)
    with Store(tmp_path) as store:
        assert [record.attempts for record in store.calls_after(0)] == [3]


def test_a_slow_answer_is_given_up(server: ModelServer, tmp_path: Path) -> None:
    server.faults.append(Scripted('{"characters": 4}', seconds=1.0))
    service = Service("claude-haiku-5-5", server.url, "test-key", timeout=0.2)
    with AnthropicModel(ModelOptions(service, pace=Pace(1, 1)), tmp_path) as model:
        assert ask(model, "text")[0].problem == "no answer: timed out"


def test_a_rate_limit_holds_all_calls_back(server: ModelServer, tmp_path: Path) -> None:
    server.script = lambda body: Scripted(
        json.dumps(measured(body)),
        headers={"anthropic-ratelimit-requests-remaining": "0", "retry-after": "0.01"},
    )
    with opened(server, tmp_path) as model:
        assert all(reply.value for reply in ask(model, *"abcdef"))


def test_a_service_that_is_away_stops_the_run_and_nothing_is_paid_again(
    server: ModelServer, tmp_path: Path
) -> None:
    with opened(server, tmp_path) as model:
        ask(model, "a", "b")
        server.script = lambda _: Scripted(status=529)
        with pytest.raises(ServiceUnavailable, match="in a row"):
            ask(model, *"abcdefghijkl")
        server.script = measured
        before = len(server.received)
        assert all(reply.value for reply in ask(model, *"abcdef"))
        assert len(server.received) == before + 4


def test_a_refused_key_stops_at_once(server: ModelServer, tmp_path: Path) -> None:
    server.script = lambda _: Scripted(status=401)
    with opened(server, tmp_path) as model, pytest.raises(ServiceRefused, match="key"):
        ask(model, *"abcdefghij")
    assert server.messages_sent <= QUICK.concurrency


@MODES
def test_a_budget_is_never_passed_and_a_larger_one_goes_on(
    server: ModelServer, tmp_path: Path, mode: str
) -> None:
    texts = [f"text {number}" for number in range(12)]
    limit = 0.0009 if mode == "messages" else 0.0004
    with opened(server, tmp_path, mode=mode, max_usd=limit) as model:
        with pytest.raises(BudgetReached, match="of 12 questions are answered"):
            ask(model, *texts)
        assert 0 < model.budget.spent <= limit
    answered = len(server.received)
    assert 0 < answered < 12
    with opened(server, tmp_path, mode=mode, max_usd=1.0) as model:
        assert all(reply.value for reply in ask(model, *texts))
    assert len(server.received) == 12
    with opened(server, tmp_path, mode=mode, max_usd=0.0) as model:
        assert all(reply.value for reply in ask(model, *texts)), "what is cached needs no budget"
