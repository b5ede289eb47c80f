from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from chatgpt_export import Turn, chatgpt_conversation

from schemas.library_settings import settle_libraries

settle_libraries()

from remembered_vectors import remember_vectors, settle_for  # noqa: E402 - the libraries are settled first

remember_vectors()

REPOSITORY = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("MNEMIC_SHARED", REPOSITORY.parent / "shared"))


SLOW_FIRST = (
    *("test_faults", "test_forgetting", "test_drills", "test_branches"),
    *("test_accounts_merged", "test_secrets_travel", "test_keeping", "test_collection"),
    *("test_filing_by_model", "test_model_ingest", "test_model_maps", "test_paths_command"),
    *("test_sweeps", "test_ingest", "test_extract_growth", "test_retellings"),
    *("test_gone_conversations", "test_orchestration", "test_sample_end_to_end"),
    *("test_backups", "test_chunk_properties", "test_cli_model", "test_review_browser"),
    *("test_archive_memory", "test_name_graph", "test_recorded_answers"),
    *("test_cli_local_models", "test_minilm", "test_threads", "test_archives_fuzz"),
    *("test_pair_acts", "test_cli", "test_gating", "test_blocks"),
)
"""The files that take 10 s of processor time or more (`tests/processor_time.py`), the longest first."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long come first, short ones last: two workers are then busy to the end."""
    place = {name: number for number, name in enumerate(SLOW_FIRST)}
    items.sort(key=lambda item: place.get(item.path.stem, len(place)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Whether an embedder may give what it gave before is settled before the test's fixtures are made."""
    settle_for(item.path.relative_to(REPOSITORY))


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
    services = ("ANTHROPIC_", "OLLAMA_", "OPENAI_")
    before = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(services)}
    nowhere = {
        "ANTHROPIC_API_KEY": "a-key-for-local-servers",
        **dict.fromkeys(("ANTHROPIC_BASE_URL", "OLLAMA_HOST", "OPENAI_BASE_URL"), "http://127.0.0.1:9"),
    }
    os.environ.update(nowhere)
    yield
    for name in nowhere:
        del os.environ[name]
    os.environ.update(before)
