"""A second reading: the model says which of its notes, and of a summary's lines, the conversation does not
bear out.

answer -> what it proposes -> question -> reply -> verdicts, by place in the answer

Guards that compare words stop what says too much and refuse what is said in other words; whether one sentence
follows from others takes a reader. Who is asked for it has both the conversation and the notes before it, and
knows nothing of the guards. What may be lifted of what they say, code says (`may_lift`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from extract.model.cited_lines import CitedLine
from extract.model.notes.claims import VERBATIM, ModelClaim, joined, numbers_of, read_claim
from extract.model.notes.note_windows import NoteWindow, WindowAnswer, shown
from extract.model.notes.quotes import anchored_span
from extract.model.replies import Replies
from inference.fence import fenced
from inference.language_model import ModelQuestion, Reply, read_prompt
from schemas.unit import Category

PROMPT = read_prompt(resources.files("extract") / "prompts", "proofs", 1)

_NUMBERS = re.compile(r"[\W_]*\d[\W\d_]*$")
_NUMBER = re.compile(r"[\W_]{0,4}\d{1,7}\b")
"""What a line begins with: numbers before a bar, or one number."""
_LINE_KINDS = {"D": "decided", "O": "left open", "N": "still to do"}
_ANSWER_TOKENS, _TOKENS_EACH = 5, 0.2
"""Of an answer, and of it for each note: of 3,026 notes and lines 18 were called false, some thirty
tokens each (`data/recorded`)."""


FALSE = "a second reading called it false"


class ProofAnswer(BaseModel):
    """The form of an answer."""

    false: Annotated[list[str], BeforeValidator(joined)]
    """`<number>|<what is wrong>`, of every note that is false."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A note or a line as the model wrote it."""

    place: int
    """In the answer, from 0."""
    cited: tuple[int, ...]
    context: tuple[int, ...]
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What a second reading says of an answer."""

    said: Mapping[int, str] | None = None
    """By place in the answer why it is false, "" of what is true; None: the guards alone judge."""
    problem: str = ""
    """Why there is none, though it was asked for."""
    key: str = ""
    """The question's name in the store of answers."""


UNREAD = Proof()

Asked = tuple[Sequence[Proposed], ModelQuestion[ProofAnswer] | None]
"""What is proposed, and what is asked about it."""


def proposed_notes(window: NoteWindow, claims: Sequence[ModelClaim | None]) -> list[Proposed]:
    """The notes that are worth a second reading: all but those that are a whole sentence's own words and
    decide nothing."""
    return [
        Proposed(place, claim.cited, claim.context, claim.category.value.replace("_", " "), text)
        for place, claim in enumerate(claims)
        if claim and (claim.text != VERBATIM or claim.anchor or claim.category is Category.DECISION)
        if (text := _text_of(claim, window))
    ]


def proposed_lines(lines: Sequence[CitedLine | None]) -> list[Proposed]:
    """The lines of a summary."""
    return [
        Proposed(place, line.cited, (), _LINE_KINDS.get(line.letter, "told"), line.text)
        for place, line in enumerate(lines)
        if line
    ]


def asked_of_notes(pairs: Sequence[tuple[NoteWindow, Reply[WindowAnswer]]]) -> list[Asked]:
    """What is asked about the notes of each answer."""
    return [
        (proposed, proof_question(window, proposed))
        for window, reply in pairs
        for proposed in [
            proposed_notes(window, [read_claim(one) for one in reply.value.units] if reply.value else [])
        ]
    ]


def second_readings(asked: Sequence[Asked], ask: Replies, *, lifts: bool = True) -> list[Proof]:
    """What the second readings say, one for each; of what nothing is asked the guards alone judge.

    Unless it `lifts` what the guards say, a reading counts only where it calls something false: a small model
    is quick to find all of it true.
    """
    questions = [question for _, question in asked if question]
    replies = iter(ask(questions) if questions else ())
    found = []
    for proposed, question in asked:
        if question is None:
            found.append(UNREAD)
            continue
        reply = next(replies)
        said = verdicts(proposed, reply)
        problem = "" if said is not None else reply.problem or "an answer on other notes"
        if said is not None and not lifts:
            said = {place: reason for place, reason in said.items() if reason}
        found.append(Proof(said, problem, reply.key))
    return found


def proof_question(window: NoteWindow, proposed: Sequence[Proposed]) -> ModelQuestion[ProofAnswer] | None:
    """The question about them; None where there is nothing to ask. It travels alone."""
    if not proposed:
        return None
    text = f"{shown(window)}\n{fenced('notes', chr(10).join(_listed(proposed)))}"
    return ModelQuestion(PROMPT, text, ProofAnswer, answer_tokens(len(proposed)), 200 + 45 * len(proposed))


def answer_tokens(proposed: int, questions: int = 1) -> int:
    """Tokens that the answers on so many are likely to have."""
    return questions * _ANSWER_TOKENS + int(_TOKENS_EACH * proposed)


def verdicts(proposed: Sequence[Proposed], reply: Reply[ProofAnswer]) -> dict[int, str] | None:
    """By place, what is wrong with each, "" with a true one; None where nothing can be read of it.

    Where a line names no note that was shown, nobody knows which is meant: then what others call false is
    false, and nothing is called true.
    """
    if reply.value is None:
        return None
    shown = {one.place + 1: one.place for one in proposed}
    named = [[shown[number] for number in _numbers(line) if number in shown] for line in reply.value.false]
    false = dict.fromkeys((place for places in named for place in places), FALSE)
    if all(named):
        return {one.place: false.get(one.place, "") for one in proposed}
    return false or None


def _numbers(line: str) -> tuple[int, ...]:
    """The numbers of the notes that a line calls false."""
    head, bar, _ = line.partition("|")
    found = (_NUMBERS if bar else _NUMBER).match(head)
    return numbers_of(found[0]) if found else ()


def _listed(proposed: Sequence[Proposed]) -> Iterator[str]:
    for one in proposed:
        rests = ", ".join(map(str, one.cited))
        explains = f"<{', '.join(map(str, one.context))}" if one.context else ""
        yield f"{one.place + 1} [{rests}{explains}] {one.kind}: {one.text}"


def _text_of(claim: ModelClaim, window: NoteWindow) -> str:
    """A note's text; of one that is its sentence or a part of it these words, "" where they are not there."""
    if claim.text != VERBATIM:
        return claim.text
    first = next((one for one in window.own if one.number == claim.cited[0]), None)
    span = first and anchored_span(first.message.text, first.start, first.end, claim.anchor)
    return " ".join(first.message.text[slice(*span)].split()) if first and span else ""
