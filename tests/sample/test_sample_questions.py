"""The words that a question expects stand in the sample, said by its owner or by the assistant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE = REPOSITORY / "data" / "sample"
QUESTION_FILES = {
    "questions": SAMPLE / "questions.json",
    "questions_more": Path(__file__).with_name("questions_more.json"),
}


def spoken_texts() -> list[str]:
    """What the owner and the assistant said, message by message: no hidden text, no tool, no reasoning."""
    texts = []
    for chat in json.loads((SAMPLE / "conversations.json").read_text(encoding="utf-8")):
        for node in chat["mapping"].values():
            message = node["message"]
            if message is None or message["author"]["role"] not in ("user", "assistant"):
                continue
            for part in message["content"].get("parts", []):
                texts.append(part if isinstance(part, str) else part.get("text", ""))
    return texts


@pytest.mark.parametrize("name", QUESTION_FILES)
def test_expected_words_are_in_the_archive(name: str) -> None:
    texts = spoken_texts()
    for entry in json.loads(QUESTION_FILES[name].read_text(encoding="utf-8")):
        assert set(entry) == {"question", "expects", "why"}
        assert entry["question"].endswith("?")
        assert entry["why"]
        assert entry["expects"]
        for words in entry["expects"]:
            assert any(words in text for text in texts), (entry["question"], words)


def test_no_question_gives_its_answer_away() -> None:
    for path in QUESTION_FILES.values():
        for entry in json.loads(path.read_text(encoding="utf-8")):
            for words in entry["expects"]:
                assert words.casefold() not in entry["question"].casefold(), entry["question"]


def test_there_are_three_examples_and_at_least_eight_more() -> None:
    counts = {
        name: len(json.loads(path.read_text(encoding="utf-8"))) for name, path in QUESTION_FILES.items()
    }
    assert counts["questions"] == 3
    assert counts["questions_more"] >= 8
