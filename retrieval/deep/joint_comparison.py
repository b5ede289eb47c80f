"""Several questions with their pools read in one call: no more tokens and no more time than one takes.

A note is told by its question's number and its own, 2.1 being the first of the second question. What an
answer says of one question is read as if that had been asked alone; a question of which it says nothing that
can be read has no comparison, and the others have theirs.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from typing import NamedTuple, TypeAlias

from chunking import estimate_tokens
from inference.fence import fenced
from inference.language_model import read_prompt
from retrieval.deep.comparison import (
    ANSWER_TOKENS,
    MOST_TOKENS,
    TEXT_CHARACTERS,
    TIMEOUT,
    UNNAMED,
    Compared,
    ComparisonLines,
    JointComparer,
    ModelQuestion,
    Opened,
    read_answer,
    within,
)
from retrieval.deep.expansion import Neighbour
from retrieval.deep.offline_judge import compared_offline

MOST_QUESTIONS = 8
"""Of a call: each has 17 notes of one sentence then, or five of TEXT_CHARACTERS."""

PROMPT = read_prompt(resources.files("retrieval") / "prompts", "deep-several", 1)

Asked: TypeAlias = tuple[str, Sequence[Neighbour]]
"""A query and its pool."""

_LINE = re.compile(r"\s{0,8}(\d{1,2})\.(\d{1,4}\s{0,4}[:.)].{0,200})")
_CONTRADICT = re.compile(r"\s{0,8}CONTRADICT\s{1,4}(\d{1,2})\.(\d{1,4})\s{1,4}(\d{1,2})\.(\d{1,4})\b")

log = logging.getLogger(__name__)


def each_offline(asked: Sequence[Asked]) -> list[Compared]:
    """Each pool by itself, offline."""
    return [replace(compared_offline(*one), questions=len(asked)) for one in asked]


class ShownTogether(NamedTuple):
    """A question on several pools, with the notes of each that it holds."""

    question: ModelQuestion[ComparisonLines]
    read: list[int]
    """Notes of each pool, from its beginning."""
    tokens: int
    """Estimated, with the answer."""


def asked_together(asked: Sequence[Asked], most: int = MOST_TOKENS) -> ShownTogether:
    """What is asked. The first note of every pool comes before the second of any, for as long as `most`
    tokens are not passed; so pools are cut to lengths that lie at most one apart.
    """
    characters = max(4 * TEXT_CHARACTERS // max(len(asked), 1), TEXT_CHARACTERS // 2)
    parts = [
        [f"Question {number}:\n{fenced('question', query[:characters])}"]
        for number, (query, _) in enumerate(asked, 1)
    ]
    tokens = estimate_tokens(PROMPT.text) + sum(estimate_tokens(f"\n\n{one[0]}") for one in parts)
    for number, place in _in_turn(asked):
        text = " ".join(asked[place][1][number - 1].candidate.payload.text.split())[:TEXT_CHARACTERS]
        part = f"\n\n{place + 1}.{number}:\n{fenced('note', text)}"
        taken = estimate_tokens(part) + 2 * ANSWER_TOKENS
        if tokens + taken > most:
            break
        tokens += taken
        parts[place].append(part)
    read = [len(one) - 1 for one in parts]
    question = ModelQuestion(
        PROMPT,
        "\n\n".join("".join(one) for one in parts),
        ComparisonLines,
        expected_tokens=ANSWER_TOKENS * sum(read),
        most_tokens=2 * ANSWER_TOKENS * max(sum(read), 1),
    )
    return ShownTogether(question, read, tokens)


def _in_turn(asked: Sequence[Asked]) -> list[tuple[int, int]]:
    """(number of a note, place of its question), in the order in which notes are taken."""
    return sorted(
        (number, place) for place, (_, pool) in enumerate(asked) for number in range(1, len(pool) + 1)
    )


def read_together(text: str, pools: Sequence[Sequence[Neighbour]]) -> list[Compared | None]:
    """What an answer says of the notes of each pool; None where no line has a score of one of its notes."""
    told: list[list[str]] = [[] for _ in pools]
    for line in text.splitlines():
        if found := _LINE.match(line):
            question, said = int(found[1]), found[2]
        elif (found := _CONTRADICT.match(line)) and found[1] == found[3]:
            question, said = int(found[1]), f"CONTRADICT {found[2]} {found[4]}"
        else:
            continue
        if 0 < question <= len(pools):
            told[question - 1].append(said)
    return [read_answer("\n".join(lines), pool) for lines, pool in zip(told, pools, strict=True)]


def compare_together_with(opened: Opened, timeout: float = TIMEOUT) -> JointComparer:
    """A comparison of several by a language model, in one call that may take `timeout` seconds."""

    def compare(asked: Sequence[Asked]) -> list[Compared]:
        answer = within(timeout, opened, lambda most: asked_together(asked, most))
        name, shown, reply = answer or (UNNAMED, asked_together(asked), None)
        pools = [pool[:count] for (_, pool), count in zip(asked, shown.read, strict=True)]
        lines = "\n".join(reply.value.lines) if reply and reply.value else ""
        problem = (reply.problem or "no line with a score") if reply else "no answer in time"
        none = Compared({}, by=name, tokens=shown.tokens, timed_out=True, questions=len(asked))
        told = []
        for number, said in enumerate(read_together(lines, pools), 1):
            if said is None:
                log.warning("no comparison of question %d, its first result stays: %s", number, problem)
                told.append(none)
            else:
                told.append(replace(said, by=name, tokens=shown.tokens, questions=len(asked)))
        return told

    return compare
