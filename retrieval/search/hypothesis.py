"""HyDE, an option: a language model writes a note that would answer the question, and it is searched too.

What it says is invented. So it is searched by meaning alone, it only adds notes, at half of what they are
worth to it, and it never counts as evidence that the memory knows an answer: similarity stays the prompt's.
(Gao et al. 2022, "Precise zero-shot dense retrieval without relevance labels".)
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib import resources
from typing import TypeAlias

from pydantic import BaseModel

from inference.fence import fenced
from inference.language_model import LanguageModel, ModelQuestion, read_prompt
from retrieval.search.question_names import numbers_of
from schemas.errors import ServiceError

Writer: TypeAlias = Callable[[str], str | None]
"""A prompt to a note that would answer it; None where there is none that may be searched."""

HYPOTHESIS_COUNTS = 0.5
"""What a note's relevance to the hypothesis counts beside the prompt's own. Not measured with a model."""

FEWEST_CHARACTERS, MOST_CHARACTERS = 20, 500

PROMPT = read_prompt(resources.files("retrieval") / "prompts", "hypothesis", 1)

log = logging.getLogger(__name__)


class Written(BaseModel):
    """The form of the answer."""

    note: str


def usable(prompt: str, written: str) -> str | None:
    """The hypothesis, if it may be searched: of 20 to 500 characters, with every number of the prompt."""
    text = " ".join(written.split())
    if not FEWEST_CHARACTERS <= len(text) <= MOST_CHARACTERS:
        return None
    return text if all(number in text for number in numbers_of(prompt)) else None


def hypotheses_of(model: LanguageModel) -> Writer:
    """Hypotheses by a language model; without an answer that may be used, the prompt alone is searched."""

    def write(prompt: str) -> str | None:
        question = ModelQuestion(
            PROMPT, fenced("question", prompt), Written, expected_tokens=80, most_tokens=400
        )
        try:
            (reply,) = model.complete([question])
        except ServiceError as error:
            log.warning("no hypothesis, the prompt alone is searched: %s", str(error).splitlines()[0])
            return None
        return usable(prompt, reply.value.note) if reply.value else None

    return write
