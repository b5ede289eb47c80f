"""Decomposition by a model: its protocol against a real local server, and what of it may be searched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from model_server import ModelServer, Scripted, user_text

from inference.anthropic_model import AnthropicModel, ModelOptions
from inference.pacing import Pace
from inference.service import Service
from retrieval.search.decomposition import variations
from retrieval.search.model_decomposition import WayOfAsking, by_words, decompose_with, usable
from schemas.provenance import Tier

PROMPT = "Why did the kiln in Bremen show error 502?"
ANSWER = {
    "domain": "pottery kilns",
    "ways": [
        {"aim": "concept", "text": "kiln in Bremen, error 502 and its causes"},
        {"aim": "methodology", "text": "how kiln errors are diagnosed"},  # no name, no number
        {"aim": "supplemental authority", "text": "manual on error 502 of the kiln in Bremen"},
        {"aim": "concept", "text": "Bremen kiln 502 again"},
    ],
}


def opened(server: ModelServer, folder: Path) -> AnthropicModel:
    service = Service("claude-haiku-5-5", server.url, "test-key", timeout=10.0)
    return AnthropicModel(ModelOptions(service, pace=Pace(1, 1)), folder)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(lambda _: ANSWER) as running:
        yield running


def test_a_model_says_the_ways_and_the_domain(server: ModelServer, tmp_path: Path) -> None:
    with opened(server, tmp_path) as model:
        found = decompose_with(model)(PROMPT)
    assert found.altitude == "pottery kilns"
    assert [one.aim for one in found.ways] == ["concept", "supplemental authority"]
    assert found.ways[1].tiers == (Tier.ENGRAM, Tier.RESOURCE)
    assert server.messages_sent == 1
    assert "<prompt>" in user_text(server.asked[0])


@pytest.mark.parametrize(
    "said", [{"domain": "x", "ways": []}, {"domain": "x" * 200, "ways": []}, {"no": "form"}]
)
def test_what_may_not_be_searched_leaves_the_prompt_s_words(said: dict[str, object], tmp_path: Path) -> None:
    with ModelServer(lambda _: said) as server, opened(server, tmp_path) as model:
        found = decompose_with(model)(PROMPT)
    assert found.ways == tuple(variations(PROMPT))
    assert found.altitude in (None, "x")


def test_a_model_that_stays_away_leaves_the_prompt_s_words(tmp_path: Path) -> None:
    with ModelServer(lambda _: Scripted(status=400)) as server, opened(server, tmp_path) as model:
        assert decompose_with(model)(PROMPT) == by_words(PROMPT)


def test_a_way_keeps_names_and_numbers_and_is_not_the_prompt() -> None:
    ways = [
        WayOfAsking(aim="concept", text=PROMPT),
        WayOfAsking(aim="methodology", text="Bremen kiln 502 " + "x" * 400),
    ]
    assert usable(PROMPT, ways) == ()
