"""A local server that stands for a language model's, and what opens a model on it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from model_server import ModelServer, Scripted

from inference.anthropic_model import AnthropicModel, ModelOptions
from inference.pacing import Pace
from inference.service import Service
from retrieval.deep.comparison import Opened


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(lambda _: Scripted()) as running:
        yield running
        for late in [one for one in threading.enumerate() if one.name == "deep-search"]:
            late.join()  # while its folder is there


@pytest.fixture
def opened(server: ModelServer, tmp_path: Path) -> Opened:
    service = Service("claude-haiku-5-5", server.url, "test-key", timeout=30.0)
    return lambda: AnthropicModel(ModelOptions(service, pace=Pace(1, 1)), tmp_path / "cache")
