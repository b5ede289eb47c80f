"""The fit-gate with a language model: one call for all notes, and whatever goes wrong keeps them.

Each line of the answer is `number: KEEP|DROP - reason`. A line that is missing, garbled or out of range keeps
its note. So does every error of the service: a gate that fails shut would hide the memory.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from importlib import resources

from pydantic import BaseModel

from inference.fence import fenced
from inference.language_model import LanguageModel, ModelQuestion, read_prompt
from retrieval.relevance.filter_verdict import FilterVerdict, Judge, by_rules
from retrieval.relevance.relevance_filter import PlacedNote
from schemas.errors import ServiceError

PROMPT = read_prompt(resources.files("retrieval") / "prompts", "fit", 1)

MOST_JUDGED = 40
"""Notes that the model is asked about, most relevant first; what comes after them is judged offline."""

TEXT_CHARACTERS, PLACE_CHARACTERS, REASON_CHARACTERS = 400, 160, 80

LINE_TOKENS = 14
"""Of a verdict with its reason."""

_LINE = re.compile(
    r"^\s{0,8}(\d{1,4})\s{0,4}[:.)]\s{0,4}(keep|drop)\b[\s:—–-]{0,8}(.{0,200})", re.IGNORECASE | re.MULTILINE
)

log = logging.getLogger(__name__)


class FilterLines(BaseModel):
    """The form of the answer."""

    lines: list[str]


def read_verdicts(text: str, count: int) -> list[FilterVerdict]:
    """The verdicts on `count` notes that a model's answer holds; the first line on a note counts."""
    verdicts = [FilterVerdict(True, "no verdict: kept", judged=False)] * count
    seen = set[int]()
    for line in _LINE.finditer(text):
        place = int(line[1]) - 1
        if 0 <= place < count and place not in seen:
            seen.add(place)
            word = line[2].lower()
            reason = " ".join(line[3].split())[:REASON_CHARACTERS]
            verdicts[place] = FilterVerdict(word == "keep", reason or word)
    return verdicts


def asked_of_model(query: str, intent: str | None, notes: Sequence[PlacedNote]) -> ModelQuestion[FilterLines]:
    """The one question: the prompt, the query and its domain, and every note with its place."""
    parts = [fenced("question", query)]
    if intent:
        parts.append(fenced("domain", intent))
    for number, note in enumerate(notes, 1):
        place = " ".join(note.place.split())[:PLACE_CHARACTERS]
        text = " ".join(note.text.split())[:TEXT_CHARACTERS]
        parts.append(f"{number}:\n{fenced('place', place)}\n{fenced('note', text)}")
    expected = 14 * len(notes)
    return ModelQuestion(
        PROMPT, "\n\n".join(parts), FilterLines, expected_tokens=expected, most_tokens=200 + 3 * expected
    )


def judge_with(model: LanguageModel) -> Judge:
    """A gate that asks the model. No notes: no call."""

    def judge(query: str, intent: str | None, notes: Sequence[PlacedNote]) -> list[FilterVerdict]:
        first = notes[:MOST_JUDGED]
        if not first:
            return []
        try:
            (reply,) = model.complete([asked_of_model(query, intent, first)])
        except ServiceError as error:
            return _all_kept(str(error).splitlines()[0], len(notes))
        if reply.value is None:
            return _all_kept(reply.problem, len(notes))
        verdicts = read_verdicts("\n".join(reply.value.lines), len(first))
        return verdicts + by_rules(query, intent, notes)[len(first) :]

    return judge


def _all_kept(why: str, count: int) -> list[FilterVerdict]:
    log.warning("the fit-gate's model gave no verdicts, so every note stays: %s", why)
    return [FilterVerdict(True, f"kept, no verdict: {why}"[:REASON_CHARACTERS], judged=False)] * count
