from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("MNEMIC_SHARED", REPOSITORY.parent / "shared"))

Turn = tuple[str, str]
"""(role, text)"""


@pytest.fixture(scope="session", autouse=True)
def no_real_vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test may reach the vault of whoever runs the suite."""
    before = os.environ.get("MNEMIC_VAULT")
    os.environ["MNEMIC_VAULT"] = str(tmp_path_factory.mktemp("default") / "vault")
    yield
    if before is None:
        del os.environ["MNEMIC_VAULT"]
    else:
        os.environ["MNEMIC_VAULT"] = before


@pytest.fixture
def shared() -> Path:
    """Evaluation sets and samples, where they are present."""
    if not SHARED.is_dir():
        pytest.skip(f"no evaluation sets at {SHARED}")
    return SHARED


def chatgpt_conversation(name: str, turns: Sequence[Turn], began: float = 1_767_225_600.0) -> dict[str, Any]:
    """A conversation in ChatGPT's layout: one branch, a minute between turns."""
    root = f"{name}-root"
    mapping: dict[str, Any] = {root: {"id": root, "parent": None, "children": [], "message": None}}
    parent = root
    for number, (role, text) in enumerate(turns):
        node = f"{name}-{number}"
        mapping[parent]["children"].append(node)
        mapping[node] = {
            "id": node,
            "parent": parent,
            "children": [],
            "message": {
                "id": node,
                "author": {"role": role, "name": None, "metadata": {}},
                "create_time": began + 60 * number,
                "content": {"content_type": "text", "parts": [text]},
                "status": "finished_successfully",
                "weight": 1.0,
                "metadata": {},
                "recipient": "all",
            },
        }
        parent = node
    return {
        "id": name,
        "conversation_id": name,
        "title": name.replace("-", " ").title(),
        "create_time": began,
        "update_time": began + 60 * len(turns),
        "mapping": mapping,
        "current_node": parent,
    }


Exporter = Callable[[str, dict[str, Sequence[Turn]]], Path]


@pytest.fixture
def export(tmp_path: Path) -> Exporter:
    """Writes an export `<account>.json` from turns by conversation name."""

    def write(account: str, conversations: dict[str, Sequence[Turn]]) -> Path:
        path = tmp_path / f"{account}.json"
        made = [chatgpt_conversation(name, turns) for name, turns in conversations.items()]
        path.write_text(json.dumps(made), encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="session", autouse=True)
def no_real_service() -> Iterator[None]:
    """No test may reach a language model's service, or spend the credit of whoever runs the suite."""
    before = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("ANTHROPIC_")}
    os.environ["ANTHROPIC_API_KEY"] = "a-key-for-local-servers"
    os.environ["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:9"
    yield
    del os.environ["ANTHROPIC_API_KEY"], os.environ["ANTHROPIC_BASE_URL"]
    os.environ.update(before)
