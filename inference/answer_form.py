"""An answer as it came, held against the form that was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from inference.calls import StoredResponse

A = TypeVar("A", bound=BaseModel)

PROMPT_CUT = "prompt cut"
"""The stop reason of an answer whose prompt the service cut short: it is about a part of the text."""
_STOPS = {
    "end_turn": "",
    "stop_sequence": "",
    "refusal": "refused",
    "max_tokens": "cut off",
    PROMPT_CUT: "the prompt was cut short",
}
"""What a response's stop reason says of it; any other reason means that it is not whole."""
_FENCE = re.compile(r"```(?:json)?[^\S\n]*\n(?P<inside>.*?)\n\s*```", re.DOTALL)
_THOUGHT = "</think>"


def judged(answer: StoredResponse, form: type[A]) -> tuple[A | None, str]:
    """The answer in the form asked for, or None and why not.

    What a model thought before it answered is left out, and where the answer has one fence of ``` only what
    is inside counts: servers that do not hold to a schema have both. Any other word beside the JSON, a
    preamble or an excuse, makes it none.
    """
    problem = _STOPS.get(answer.stop_reason, "not finished")
    if problem:
        return None, problem
    if not answer.text.strip():
        return None, "an empty answer"
    for text in readings(answer.text):
        try:
            return form.model_validate_json(text), ""
        except ValidationError:
            continue
    return None, "not the form asked for"


def readings(text: str) -> Iterator[str]:
    """The text as it is; without what was thought; what is fenced in it."""
    yield text
    _, thought, said = text.rpartition(_THOUGHT)
    if thought:
        yield said
    fences = _FENCE.findall(said)
    if len(fences) == 1:
        yield fences[0]
