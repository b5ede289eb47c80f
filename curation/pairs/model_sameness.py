"""A language model on the pairs of notes that the small judge is in doubt about: whether both say the same.

What form settles (`guards`) and what the small judge is sure of is not asked. No answer, or one that is not
in the form asked for, joins nothing; the next sweep asks again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from pydantic import BaseModel

from curation.pairs.near_duplicates import SameJudge, doubtful_pairs
from curation.pairs.small_judge import PairJudge
from curation.swept_note import SweptNote
from inference.fence import fenced
from inference.language_model import LanguageModel, ModelQuestion, read_prompt

PROMPT = read_prompt(files("curation") / "prompts", "sameness", 1)


class Sameness(BaseModel):
    """What the model answers."""

    same: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ToldSame:
    """The small judge, with what a model said where that was in doubt."""

    judge: PairJudge
    said: Mapping[frozenset[str], bool]
    """By the two texts."""

    def same(self, one: str, other: str) -> bool:
        """Whether keeping one of two texts loses nothing."""
        return self.said.get(frozenset((one, other)), False) or self.judge.same(one, other)


def sameness_name(model: LanguageModel) -> str:
    """Engine, model, prompt and its version."""
    return f"{model.name} {PROMPT.name}"


def ask_in_doubt(
    model: LanguageModel, judge: PairJudge, notes: Sequence[SweptNote], new: Collection[str] | None
) -> tuple[SameJudge, list[SweptNote]]:
    """The judge with the model's word on every doubtful pair of texts, each asked once, and the newer notes
    of the pairs without one.

    Raises what `LanguageModel.complete` raises; what was answered until then is not paid for again.
    """
    doubtful = doubtful_pairs(notes, new, judge)
    texts = list(dict.fromkeys(frozenset((pair.older.text, pair.newer.text)) for pair in doubtful))
    replies = model.complete([question_of(*sorted(pair)) for pair in texts])
    said = {
        pair: reply.value.same for pair, reply in zip(texts, replies, strict=True) if reply.value is not None
    }
    silent = [pair.newer for pair in doubtful if frozenset((pair.older.text, pair.newer.text)) not in said]
    return ToldSame(judge, said), silent


def question_of(one: str, other: str) -> ModelQuestion[Sameness]:
    """The pair as a question."""
    text = f"{fenced('one', one)}\n{fenced('other', other)}"
    return ModelQuestion(PROMPT, text, Sameness, expected_tokens=40, most_tokens=300)
