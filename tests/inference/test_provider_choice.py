from __future__ import annotations

import pytest

from inference.chat import LOCAL_CONTEXT, is_local, local_reach
from inference.language_model import DEFAULT_MODEL, Reach
from inference.ollama import OllamaProvider
from inference.openai_chat import OpenAIProvider
from inference.provider_choice import Asked, provider_of
from schemas.errors import UsageError

VARIABLES = ("OLLAMA_HOST", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL")


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("said", "url"),
    [
        (None, "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("models.lan", "http://models.lan:11434"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("https://models.example/", "https://models.example"),
    ],
)
def test_ollama_is_where_its_own_variable_says(
    monkeypatch: pytest.MonkeyPatch, said: str | None, url: str
) -> None:
    if said:
        monkeypatch.setenv("OLLAMA_HOST", said)
    assert provider_of(Asked("ollama", "m")).url == url
    assert provider_of(Asked("ollama", "m", "http://other:1/v1/")).url == "http://other:1"


@pytest.mark.parametrize(
    ("said", "url"),
    [
        ("http://localhost:1234", "http://localhost:1234/v1"),
        ("http://localhost:1234/v1/", "http://localhost:1234/v1"),
        ("http://localhost:1234/v1/chat/completions", "http://localhost:1234/v1"),
        ("http://localhost:1234/api/openai", "http://localhost:1234/api/openai"),
    ],
)
def test_an_address_of_chat_completions_may_be_said_in_several_ways(
    monkeypatch: pytest.MonkeyPatch, said: str, url: str
) -> None:
    assert provider_of(Asked("openai", "m", said)).url == url
    monkeypatch.setenv("OPENAI_BASE_URL", said)
    assert provider_of(Asked("openai", "m")).url == url


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        (Asked("ollama"), "no model"),
        (Asked("openai", base_url="http://localhost:1234"), "no model"),
        (Asked("ollama", "m", batch=True), "no batches"),
        (Asked("ollama", "m", "localhost:11434"), "address"),
        (Asked("openai", "m"), "no price is known"),
    ],
)
def test_what_cannot_be_asked_for_says_what_to_do(asked: Asked, what: str) -> None:
    with pytest.raises(UsageError, match=what) as refused:
        provider_of(asked)
    assert refused.value.remedy


def test_each_provider_has_habits_of_its_own() -> None:
    hosted = provider_of(Asked("openai", "m", price=(1.0, 2.0), pack=False))
    own = provider_of(Asked("openai", "m", "http://localhost:1234"))
    ollama = provider_of(Asked("ollama", "m", pack=False))
    anthropic = provider_of(Asked())
    assert anthropic.model == DEFAULT_MODEL
    assert [one.concurrency for one in (anthropic, hosted, own, ollama)] == [4, 4, 1, 1]
    assert [one.batches for one in (anthropic, hosted, own, ollama)] == [True, False, False, False]
    assert [one.price.input for one in (hosted, own, ollama)] == [1.0, 0.0, 0.0]
    assert anthropic.reach == hosted.reach == Reach()
    roomy = provider_of(Asked("openai", "m", price=(1.0, 2.0), context=65_536))
    narrow = provider_of(Asked("openai", "m", price=(1.0, 2.0), context=8_192))
    assert (roomy.reach, narrow.reach) == (Reach(), local_reach(8_192))
    assert own.reach == ollama.reach == local_reach(LOCAL_CONTEXT)
    assert isinstance(ollama, OllamaProvider)
    assert isinstance(hosted, OpenAIProvider)
    assert (ollama.options.timeout, ollama.options.context) == (600.0, LOCAL_CONTEXT)
    assert (hosted.options.timeout, hosted.options.context) == (300.0, None)
    said = provider_of(
        Asked("ollama", "m", concurrency=3, context=16_384, timeout=1_200.0, price=(0.5, 1.0), pack=False)
    )
    assert isinstance(said, OllamaProvider)
    assert (said.concurrency, said.price.output) == (3, 1.0)
    assert (said.options.timeout, said.options.context) == (1_200.0, 16_384)


def test_a_small_model_is_shown_small_windows() -> None:
    assert 1_000 <= local_reach(LOCAL_CONTEXT).detail <= 1_500
    assert local_reach(32_768).detail == local_reach(LOCAL_CONTEXT).detail
    assert local_reach(131_072).gist == Reach().gist
    assert 0 < local_reach(2_048).detail < 500


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:1", True),
        ("http://LOCALHOST", True),
        ("http://app.localhost/v1", True),
        ("http://127.3.2.1:8000", True),
        ("http://[::1]:8000", True),
        ("http://192.168.1.5", False),
        ("http://localhost.example", False),
        ("https://api.openai.com/v1", False),
    ],
)
def test_which_addresses_are_this_machine_s(url: str, local: bool) -> None:
    assert is_local(url) == local
