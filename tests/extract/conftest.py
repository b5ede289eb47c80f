from __future__ import annotations

from collections.abc import Callable

import pytest
from extract_talks import build

from schemas.conversation import Conversation


@pytest.fixture(scope="session")
def talk() -> Callable[..., Conversation]:
    return build
