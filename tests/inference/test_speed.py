from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from model_server import ModelServer, Scripted

from inference.ollama import OllamaOptions, OllamaProvider
from inference.openai_chat import OpenAIOptions, OpenAIProvider
from inference.provider_choice import Asked, provider_of
from inference.speed import READS_FASTER, speed_on_record
from schemas.errors import ServiceRefused, ServiceUnavailable, UsageError
from schemas.model_call import ModelCall


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(lambda _: "A lighthouse keeper counted the ships.") as running:
        yield running


def test_ollama_says_itself_how_long_it_read_and_wrote(server: ModelServer) -> None:
    provider = OllamaProvider(OllamaOptions("m", server.url))
    speed, again = provider.measured(), provider.measured()
    assert (speed.read, speed.write) == (pytest.approx(500), pytest.approx(50))
    assert speed == again
    first, second = server.received
    assert first["options"]["num_ctx"] == provider.options.context, (
        "another would have it load the model again"
    )
    assert first["messages"] != second["messages"], "nothing of an earlier probe may be in the server's cache"


def test_where_reading_and_writing_are_told_together_reading_is_taken_to_be_faster(
    server: ModelServer,
) -> None:
    server.script = lambda body: Scripted("A lighthouse.", seconds=0.05, prompt_tokens=600)
    provider = OpenAIProvider(OpenAIOptions("m", f"{server.url}/v1"))
    speed = provider.measured()
    assert speed.read == pytest.approx(READS_FASTER * speed.write)
    assert 0 < speed.write <= (600 / READS_FASTER + 4) / 0.05
    assert [body["max_tokens"] for body in server.received] == [1, 64], "the first has the model loaded"


def test_what_llama_cpp_says_of_its_times_is_taken(server: ModelServer) -> None:
    said = {
        "choices": [{"message": {"content": "x"}, "finish_reason": "stop"}],
        "timings": {"prompt_per_second": 321.5, "predicted_per_second": 12.25},
    }
    server.script = lambda _: Scripted(raw=json.dumps(said).encode())
    speed = OpenAIProvider(OpenAIOptions("m", f"{server.url}/v1")).measured()
    assert (speed.read, speed.write, speed.source) == (321.5, 12.25, "probe")
    assert speed.seconds(643, 1_225, 2) == pytest.approx((2 + 100) / 2)


def test_a_probe_that_would_cost_is_refused() -> None:
    for asked in (Asked(), Asked("openai", "m", price=(1.0, 1.0)), Asked("ollama", "m", price=(0.0, 1.0))):
        with pytest.raises(UsageError, match="would cost money"):
            provider_of(asked).measured()


@pytest.mark.parametrize(
    ("scripted", "error"),
    [
        (Scripted(status=404, said="model 'm' not found"), ServiceRefused),
        (Scripted(status=500), ServiceUnavailable),
        (Scripted(raw=b"<html>"), ServiceUnavailable),
        (Scripted(raw=b'{"model": "m", "message": {}, "done": true}'), ServiceUnavailable),
    ],
)
def test_a_probe_that_fails_says_so(server: ModelServer, scripted: Scripted, error: type[Exception]) -> None:
    server.script = lambda _: scripted
    with pytest.raises(error):
        OllamaProvider(OllamaOptions("m", server.url)).measured()


def test_the_speed_of_calls_on_record_is_that_of_the_same_model_at_the_same_place() -> None:
    def call(**said: Any) -> ModelCall:
        usual = {
            "seq": 1, "key": "k", "at": datetime.now(UTC), "service": "http://a", "model": "m", "prompt": "p",
            "mode": "ollama chat", "batch_id": "", "outcome": "end_turn", "temperature": "0",
            "input_tokens": 1_000, "output_tokens": 100, "cache_read_tokens": 0, "cache_write_tokens": 0,
            "usd": 0.0, "seconds": 4.0, "attempts": 1,
        }  # fmt: skip
        return ModelCall.model_validate({**usual, **said})

    others = [
        call(service="http://b", seconds=1.0),
        call(model="n", seconds=1.0),
        call(mode="batch", seconds=3600.0),
        call(outcome="no answer: timed out", input_tokens=0, output_tokens=0, seconds=600.0),
    ]
    speed = speed_on_record([call(), call(), *others], "http://a", "m")
    assert speed is not None
    assert (speed.write, speed.read, speed.calls) == (pytest.approx(50), pytest.approx(500), 2)
    assert speed_on_record(others, "http://a", "m") is None
