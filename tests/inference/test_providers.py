"""Every provider of language models against a server that misbehaves as real ones do.

Nothing is lost, nothing that was answered is asked or paid for twice, and each fault is told.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Scripted, user_text
from provider_models import (
    CHATS,
    EVERY,
    PRICE,
    PROMPT,
    QUICK,
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
from schemas.errors import ServiceRefused, ServiceUnavailable

__all__ = ["opened", "server"]


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
    (recorded,) = opened(name).recorded([ModelQuestion(PROMPT, "bad", Length)])
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


@EVERY
def test_a_slow_answer_is_given_up(server: ModelServer, opened: Opened, name: str) -> None:
    server.script = lambda _: Scripted("{}", seconds=1.0)
    assert ask(opened(name, timeout=0.2), "text")[0].problem == "no answer: timed out"
    server.script = measured
    assert lengths(ask(opened(name), "text")) == [4]


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
