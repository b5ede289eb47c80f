"""Every provider's model, opened at the local server that tests script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from model_server import ModelServer, user_text
from pydantic import BaseModel

from inference.anthropic_model import AnthropicProvider, ModelOptions
from inference.language_model import ModelQuestion, Prompt, Reply
from inference.ollama import OllamaOptions, OllamaProvider
from inference.openai_chat import OpenAIOptions, OpenAIProvider
from inference.pacing import Pace
from inference.provider import Provider
from inference.service import Service
from inference.store import Store
from inference.stored_model import StoredModel
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


def provider(name: str, url: str, *, timeout: float = 60.0, **options: Any) -> Provider:
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
    return model.complete([ModelQuestion(PROMPT, text, Length) for text in texts])


def lengths(replies: list[Reply[Length]]) -> list[int | None]:
    return [reply.value.characters if reply.value else None for reply in replies]


def calls(folder: Path) -> list[ModelCall]:
    with Store(folder) as store:
        return store.calls_after(0)
