"""Sentences, words, chunks and windows of a text are found in time that grows as the text does."""

from __future__ import annotations

import pytest
from growth import Work, too_fast

from chunking import chunk_markdown, chunk_message, embedding_windows
from chunking.language import content_words, language_of
from chunking.language import sentences as sentences_of_talk
from chunking.sentences import sentences
from chunking.tokens import estimate_tokens

SIZE = 8_000

STAGES: dict[str, Work] = {
    "sentences of talk": lambda text: list(sentences_of_talk(text)),
    "sentences": sentences,
    "words": content_words,
    "language": language_of,
    "chunks of a message": lambda text: chunk_message(text, "m"),
    "chunks of a document": lambda text: chunk_markdown(text, "d"),
    "windows": lambda text: list(embedding_windows(text, estimate_tokens, 200)),
}


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_is_linear(stage: str) -> None:
    assert too_fast(STAGES[stage], SIZE) == []
