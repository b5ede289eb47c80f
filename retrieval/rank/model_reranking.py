"""Rerank with a language model: one call scores all notes, and whatever goes wrong leaves the order."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from importlib import resources
from typing import TypeAlias

from pydantic import BaseModel

from inference.fence import fenced
from inference.language_model import LanguageModel, ModelQuestion, read_prompt
from schemas.errors import ServiceError

Reranker: TypeAlias = Callable[[str, Sequence[str]], list[float] | None]
"""(query, texts) to a score for each text, in order, the higher the better; None where there are none."""

TEXT_CHARACTERS = 400
"""Of a note, for a language model."""

PROMPT = read_prompt(resources.files("retrieval") / "prompts", "rerank", 1)

_LINE = re.compile(r"^\s{0,8}(\d{1,4})\s{0,4}[:.)]\s{0,4}(\d{1,3})\b", re.MULTILINE)

UNRANKED = "nothing is reranked, the order stays: %s"

log = logging.getLogger(__name__)


class RankLines(BaseModel):
    """The form of a model's answer."""

    lines: list[str]


def asked_of_model(query: str, texts: Sequence[str]) -> ModelQuestion[RankLines]:
    """The one question: what is asked, and every note with its number."""
    parts = [fenced("question", query)]
    for number, text in enumerate(texts, 1):
        parts.append(f"{number}:\n{fenced('note', ' '.join(text.split())[:TEXT_CHARACTERS])}")
    expected = 6 * len(texts)
    return ModelQuestion(
        PROMPT, "\n\n".join(parts), RankLines, expected_tokens=expected, most_tokens=200 + 3 * expected
    )


def read_scores(text: str, count: int) -> list[float] | None:
    """The scores of `count` notes that an answer holds, 0-10. A note without one gets the mean of the others;
    None where no line has one."""
    scores = dict[int, float]()
    for line in _LINE.finditer(text):
        place = int(line[1]) - 1
        if 0 <= place < count:
            scores.setdefault(place, float(min(int(line[2]), 10)))
    if not scores:
        return None
    mean = sum(scores.values()) / len(scores)
    return [scores.get(place, mean) for place in range(count)]


def rerank_with(model: LanguageModel) -> Reranker:
    """A second look by a language model, in one call. Whatever goes wrong leaves the order as it was."""

    def rerank(query: str, texts: Sequence[str]) -> list[float] | None:
        try:
            (reply,) = model.complete([asked_of_model(query, texts)])
        except ServiceError as error:
            log.warning(UNRANKED, str(error).splitlines()[0])
            return None
        scores = read_scores("\n".join(reply.value.lines), len(texts)) if reply.value else None
        if scores is None:
            log.warning(UNRANKED, reply.problem or "no line with a score")
        return scores

    return rerank
