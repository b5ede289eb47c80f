"""A language model as the judge of pairs. What protects the owner's words comes first, as offline.

An answer that does not come, or not in the form asked for, is no verdict: the next sweep tries again.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel

from curation.pairs.guards import protected
from curation.pairs.pair import JudgedNote, NotePair, PairVerdict, Ruling
from inference.fence import fenced
from inference.language_model import LanguageModel, ModelQuestion, read_prompt

PROMPT = read_prompt(files("curation") / "prompts", "supersession", 1)
LONGEST_REASON = 300


class Opinion(BaseModel):
    """What the model answers."""

    verdict: Literal["supersede", "contradict", "keep_both"]
    reason: str


def judge_name(model: LanguageModel) -> str:
    """Engine, model, prompt and its version: pairs are judged again when one of them changes."""
    return f"{model.name} {PROMPT.name}"


def judge_with(model: LanguageModel, pairs: Sequence[NotePair]) -> list[Ruling | None]:
    """One ruling a pair, in order; None where the model gave no verdict.

    Raises what `LanguageModel.complete` raises; what was answered until then is not paid for again.
    """
    kept = [protected(pair) for pair in pairs]
    asked = [pair for pair, ruling in zip(pairs, kept, strict=True) if ruling is None]
    replies = iter(model.complete([question_of(pair) for pair in asked]))
    rulings: list[Ruling | None] = []
    for ruling in kept:
        if ruling is None:
            opinion = next(replies).value
            if opinion is not None:
                ruling = Ruling(PairVerdict(opinion.verdict), _one_line(opinion.reason))
        rulings.append(ruling)
    return rulings


def question_of(pair: NotePair) -> ModelQuestion[Opinion]:
    """The pair as a question."""
    text = f"{_shown('older', pair.older)}\n{_shown('newer', pair.newer)}"
    return ModelQuestion(PROMPT, text, Opinion, expected_tokens=50, most_tokens=400)


def _shown(tag: str, note: JudgedNote) -> str:
    day = note.at.date().isoformat() if note.at else "undated"
    return fenced(tag, f"{day}, {note.speaker.value}, {note.category.value}\n{note.text}")


def _one_line(reason: str) -> str:
    return " ".join(reason.split())[:LONGEST_REASON] or "the model gave no reason"
