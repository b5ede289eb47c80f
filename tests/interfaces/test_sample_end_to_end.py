from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.ingest.steps import IngestRequest, ingest
from inference import load_embedder
from tests.asking import recall
from vault.reader import open_vault

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE = REPOSITORY / "data" / "sample"
QUESTIONS = json.loads((SAMPLE / "questions.json").read_text(encoding="utf-8"))
MORE = json.loads((REPOSITORY / "tests" / "sample" / "questions_more.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "vault"
    assert ingest(IngestRequest(folder, (SAMPLE / "conversations.json",))).exit_code == 0
    return folder


def answered(vault: Path, question: dict[str, object], limit: int) -> bool:
    with open_vault(vault) as reader:
        package = recall(
            str(question["question"]),
            index=reader.index,
            embedder=load_embedder(),
            account=reader.generation.accounts[0],
            limit=limit,
        )
    found = package.render().casefold()
    return all(str(wanted).casefold() in found for wanted in question["expects"])  # type: ignore[attr-defined]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one["question"])
def test_the_readmes_questions_are_answered_in_the_first_five(
    vault: Path, question: dict[str, object]
) -> None:
    assert answered(vault, question, limit=5)


def test_most_other_questions_are_answered_too(vault: Path) -> None:
    missed = [one["question"] for one in MORE if not answered(vault, one, limit=15)]
    assert len(missed) <= len(MORE) // 5, missed
