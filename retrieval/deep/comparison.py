"""Question and pool read together: a score and a reason a note, and which of them cannot both hold.

By a language model, in one call of at most MOST_TOKENS; offline `retrieval.deep.offline_judge` does.
Whatever goes wrong, or takes longer than it may, is no comparison.
"""

from __future__ import annotations

import logging
import re
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib import resources
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel

from chunking import estimate_tokens
from inference.fence import fenced
from inference.language_model import LanguageModel, Reply, read_prompt
from inference.language_model import ModelQuestion as ModelQuestion
from retrieval.deep.expansion import Neighbour
from schemas.errors import MnemicError

MOST_TOKENS = 8192
"""Of prompt, question, notes and answer together."""

ROOMS = (1.0, 0.9, 0.8, 0.6, 0.4)
"""Shares of MOST_TOKENS, tried in turn until the model has room: one with a context of 8,192 tokens has less
for the notes, since its own form and template count too."""

TIMEOUT = 10.0
"""Seconds that a comparison may take."""

TEXT_CHARACTERS = 600
"""Of a note."""

ANSWER_TOKENS = 16
"""Of a line: number, score and reason."""

PROMPT = read_prompt(resources.files("retrieval") / "prompts", "deep", 1)

_LINE = re.compile(
    r"^\s{0,8}(\d{1,4})\s{0,4}[:.)]\s{0,4}(\d{1,3})\b(?:\s{0,4}[-–—:]\s{0,4}([^\n]{1,120}))?", re.MULTILINE
)
_CONTRADICT = re.compile(r"^\s{0,8}CONTRADICT\s{1,4}(\d{1,4})\s{1,4}(\d{1,4})\b", re.MULTILINE)

OFFLINE, UNNAMED = "offline", "a language model"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison said; notes by the ids of their points."""

    scores: Mapping[str, float]
    """0-1, of each note that was read."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    contradictions: tuple[tuple[str, str], ...] = ()
    by: str = OFFLINE
    tokens: int = 0
    """Estimated, of what was sent and may come back."""
    timed_out: bool = False
    """It took too long, or failed: there are no scores."""
    questions: int = 1
    """That were asked in the same call; its tokens are those of all."""

    @property
    def judged(self) -> bool:
        """Whether somebody read the notes: else the order is the pool's own."""
        return self.by != OFFLINE and not self.timed_out


Opened: TypeAlias = Callable[[], AbstractContextManager[LanguageModel]]
"""Opens the model in the thread that asks it: its store of answers is of one thread."""

Comparer: TypeAlias = Callable[[str, Sequence[Neighbour]], Compared]
"""(query, pool) to what it is worth."""

JointComparer: TypeAlias = Callable[[Sequence[tuple[str, Sequence[Neighbour]]]], list[Compared]]
"""The same of several, in their order (`retrieval.deep.joint_comparison`)."""


class ComparisonLines(BaseModel):
    """The form of a model's answer."""

    lines: list[str]


def by_relevance(_: str, pool: Sequence[Neighbour]) -> Compared:
    """The order that the pool has: nothing is asked of anybody."""
    return Compared({one.candidate.id: min(one.candidate.relevance, 1.0) for one in pool})


class ShownPool(NamedTuple):
    """A question to a model, with the notes that it holds."""

    question: ModelQuestion[ComparisonLines]
    read: int
    """Notes of the pool, from its beginning."""
    tokens: int
    """Estimated, with the answer."""


def asked_of_model(query: str, pool: Sequence[Neighbour], most: int = MOST_TOKENS) -> ShownPool:
    """What is asked; notes are taken in order for as long as `most` tokens are not passed."""
    parts = [fenced("question", query[: 4 * TEXT_CHARACTERS])]
    tokens = estimate_tokens(PROMPT.text) + estimate_tokens(parts[0])
    for number, one in enumerate(pool, 1):
        text = " ".join(one.candidate.payload.text.split())[:TEXT_CHARACTERS]
        part = f"{number}:\n{fenced('note', text)}"
        taken = estimate_tokens(part) + 2 * ANSWER_TOKENS
        if tokens + taken > most:
            break
        tokens += taken
        parts.append(part)
    read = len(parts) - 1
    asked = ModelQuestion(
        PROMPT,
        "\n\n".join(parts),
        ComparisonLines,
        expected_tokens=ANSWER_TOKENS * read,
        most_tokens=2 * ANSWER_TOKENS * max(read, 1),
    )
    return ShownPool(asked, read, tokens)


def read_answer(text: str, pool: Sequence[Neighbour]) -> Compared | None:
    """What an answer says of the notes of a pool; None where no line has a score."""
    ids = [one.candidate.id for one in pool]
    scores, reasons = dict[str, float](), dict[str, str]()
    for line in _LINE.finditer(text):
        place = int(line[1]) - 1
        if 0 <= place < len(ids) and ids[place] not in scores:
            scores[ids[place]] = min(int(line[2]), 10) / 10
            if line[3]:
                reasons[ids[place]] = line[3].strip()
    pairs = (sorted((int(one[1]) - 1, int(one[2]) - 1)) for one in _CONTRADICT.finditer(text))
    contradictions = dict.fromkeys(
        (ids[first], ids[second]) for first, second in pairs if 0 <= first < second < len(ids)
    )
    return Compared(scores, reasons, tuple(contradictions)) if scores else None


def compare_with(opened: Opened, timeout: float = TIMEOUT) -> Comparer:
    """A comparison by a language model, in one call that may take `timeout` seconds."""

    def compare(query: str, pool: Sequence[Neighbour]) -> Compared:
        answer = within(timeout, opened, lambda most: asked_of_model(query, pool, most))
        name, shown, reply = answer or (UNNAMED, asked_of_model(query, pool), None)
        said = (
            read_answer("\n".join(reply.value.lines), pool[: shown.read]) if reply and reply.value else None
        )
        if said is None:
            problem = (reply.problem or "no line with a score") if reply else "no answer in time"
            log.warning("no comparison, the first result stays: %s", problem)
            return Compared({}, by=name, tokens=shown.tokens, timed_out=True)
        return Compared(said.scores, said.reasons, said.contradictions, name, shown.tokens)

    return compare


class _Asked(Protocol):
    @property
    def question(self) -> ModelQuestion[ComparisonLines]: ...


S = TypeVar("S", bound=_Asked)


def within(
    timeout: float, opened: Opened, shown: Callable[[int], S]
) -> tuple[str, S, Reply[ComparisonLines]] | None:
    """Name of the model, what it was asked and its reply, if that comes in time. `shown` makes a question of
    so many tokens: the longest of ROOMS that the model takes is asked. A call that does not come in time is
    left to end by itself: its answer is stored, as all are that were paid for."""
    answers = list[tuple[str, S, Reply[ComparisonLines]]]()

    def ask() -> None:
        try:
            with opened() as model:
                for room in ROOMS:
                    asked = shown(int(MOST_TOKENS * room))
                    (reply,) = model.complete([asked.question])
                    if not reply.unfit:
                        break
                answers.append((model.name, asked, reply))
        except (MnemicError, OSError, sqlite3.Error) as error:  # a store that cannot be read or written too
            log.warning("the comparison failed: %s", str(error).splitlines()[0])

    asking = threading.Thread(target=ask, daemon=True, name="deep-search")
    asking.start()
    asking.join(timeout)
    return answers[0] if answers else None
