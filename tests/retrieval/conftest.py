from __future__ import annotations

import pytest

from inference import load_embedder
from inference.embedder import Embedder
from schemas.errors import EmbedderMissing


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    try:
        return load_embedder()
    except EmbedderMissing as missing:
        pytest.skip(str(missing))
