"""What recorded answers would have cost, one by one and several in a request, beside what a plan says before.

    python benchmarks/quality/recorded_cost.py RECORDINGS SET...

Each SET holds conversations: an extraction set (`.jsonl`), or an archive. Those of their questions that are
recorded are put into requests as a run puts them, and booked with the tokens of the recorded answers; tokens
are estimated, since no service counted them. The answer to a request with several questions is written out,
cut and held against its questions as a run does it: what is not trusted is booked again, alone.

Printed for each set and prompt: requests; dollars by batch for the fixed prompts (and what these come to
where all are written to the service's cache for an hour, or all are read from it), for the texts and for the
answers; what was booked and what was forecast.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from archives import open_archive
from evals.conversations import as_conversation
from evals.extraction import read_rows
from extract.model.conversation_questions import proof_questions, questions_of
from inference.forecast import Forecast, forecast
from inference.language_model import REACH, ModelQuestion, Reply, Usage
from inference.packing import cut, drawn_marks, grams, grouped, is_foreign, packed_question, told
from inference.prices import cost, estimate_tokens
from inference.provider import Provider
from inference.provider_choice import Asked, provider_of
from inference.recordings import Recorded, read_recordings
from inference.secret_cover import concealed
from schemas.conversation import Conversation, Origin

PROOFREAD = replace(REACH, proofread=True)
Pair = tuple[ModelQuestion[Any], str]
"""A question with its recorded answer."""
COLUMNS = (
    *("set", "prompt", "questions", "in a request", "requests", "asked again"),
    *(
        "prompts (all written, all read)",
        "texts",
        "answers",
        "booked",
        "forecast",
        "of it",
        "for 1,000 pairs",
    ),
)


@dataclass(slots=True)
class Booked:
    """Dollars by batch."""

    requests: int = 0
    again: int = 0
    """Questions that were asked alone after it."""
    prompts: float = 0.0
    written: float = 0.0
    """The prompts, where the service writes each to its cache."""
    read: float = 0.0
    """The prompts, where the service finds each in its cache."""
    texts: float = 0.0
    answers: float = 0.0

    @property
    def usd(self) -> float:
        """Nothing is taken to be written to the cache or read from it, as in a plan."""
        return self.prompts + self.texts + self.answers

    def add(self, asked: ModelQuestion[Any], answer: str, provider: Provider) -> None:
        """Book a request."""

        def usd(**tokens: int) -> float:
            return cost(provider.price, Usage(**tokens), batch=True, hour_cache=True)

        prompt = estimate_tokens(asked.prompt.text) + provider.form_tokens(asked.form)
        self.requests += 1
        self.prompts += usd(input_tokens=prompt)
        self.written += usd(cache_write_tokens=prompt)
        self.read += usd(cache_read_tokens=prompt)
        self.texts += usd(input_tokens=estimate_tokens(asked.text))
        self.answers += usd(output_tokens=estimate_tokens(answer))


def main() -> None:
    """See the module."""
    recordings, *sets = map(Path, sys.argv[1:])
    provider, recorded = provider_of(Asked("anthropic")), read_recordings(recordings)
    print(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
    for path in sets:
        conversations = list(read_conversations(path))
        by_prompt, pairs = recorded_pairs(conversations, recorded, provider)
        for prompt, own in sorted(by_prompt.items()):
            for way, one in (("one each", alone(own)), ("several", own)):
                booked = booked_for(one, provider)
                ahead = forecast([question for question, _ in one], provider, None)
                print(f"| {path.name} | {prompt} | {len(own)} | {way} | {_row(booked, ahead, pairs)} |")


def read_conversations(path: Path) -> Iterator[Conversation]:
    """The conversations of a set or an archive."""
    if path.suffix == ".jsonl":
        yield from (as_conversation(row.conversation) for row in read_rows(path))
        return
    with ExitStack() as stack:
        yield from map(concealed, stack.enter_context(open_archive(path)).conversations())


def recorded_pairs(
    conversations: Sequence[Conversation], recorded: Mapping[str, Recorded], provider: Provider
) -> tuple[dict[str, list[Pair]], int]:
    """The recorded questions with their answers by prompt, and the turn pairs of their conversations."""
    found: dict[str, list[Pair]] = {}
    turns = 0
    for one in conversations:
        asked = [each for tier in questions_of(one, (), summary=True).values() for each in tier]
        asked += proof_questions(one, partial(replies, recorded, provider), PROOFREAD, summary=True)
        answers = [(each, recorded.get(provider.call(each).asked)) for each in asked]
        turns += _turns(one) if any(answer for _, answer in answers) else 0
        for question, answer in answers:
            if answer is not None:
                found.setdefault(question.prompt.name, []).append((question, answer.answer.text))
    return found, turns


def replies(
    recorded: Mapping[str, Recorded], provider: Provider, questions: Sequence[ModelQuestion[Any]]
) -> list[Reply[Any]]:
    """The recorded answers; what a second reading is asked follows from them."""
    found = [recorded.get(provider.call(one).asked) for one in questions]
    return [
        Reply(question.form.model_validate_json(one.answer.text) if one else None)
        for question, one in zip(questions, found, strict=True)
    ]


def alone(pairs: Sequence[Pair]) -> list[Pair]:
    """The same, each in a request of its own."""
    return [(replace(question, packed_with=""), answer) for question, answer in pairs]


def booked_for(pairs: Sequence[Pair], provider: Provider) -> Booked:
    """What the pairs come to in the requests that a run makes of them."""
    booked = Booked()
    for group in grouped([(question, (question, answer)) for question, answer in pairs], provider.reach):
        if len(group) == 1:
            booked.add(*group[0], provider)
            continue
        questions = [question for question, _ in group]
        marks = drawn_marks(len(group), [one.text for one in questions])
        asked = packed_question(questions, [one.text for one in questions], marks)
        parts = [{"part": mark, **json.loads(answer)} for mark, (_, answer) in zip(marks, group, strict=True)]
        answer = json.dumps({"answers": parts}, ensure_ascii=False)
        booked.add(asked, answer, provider)
        for question, own in untrusted(group, cut(answer, marks), marks):
            booked.again += 1
            booked.add(question, own, provider)
    return booked


def untrusted(group: Sequence[Pair], said: Mapping[str, str], marks: Sequence[str]) -> Iterator[Pair]:
    """Pairs whose answer would be asked for again although it is right."""
    shown = [grams(question.text) for question, _ in group]
    lines = [told(said[mark]) if mark in said else [] for mark in marks]
    for place, pair in enumerate(group):
        others = [*shown[:place], *shown[place + 1 :]]
        rivals = [*lines[:place], *lines[place + 1 :]]
        if marks[place] not in said or is_foreign(lines[place], shown[place], others, rivals):
            yield pair


def _turns(conversation: Conversation) -> int:
    return sum(
        not message.hidden and any(segment.origin is Origin.TYPED for segment in message.segments)
        for message in conversation.messages
    )


def _row(booked: Booked, ahead: Forecast, turns: int) -> str:
    prompts = f"{booked.prompts:.4f} ({booked.written:.4f}, {booked.read:.4f})"
    told_of = f"{ahead.usd_batch:.4f} | {ahead.usd_batch / booked.usd:.3f}"
    each = 1000 * booked.usd / turns if turns else 0.0
    return (
        f"{booked.requests} | {booked.again} | {prompts} | {booked.texts:.4f} | {booked.answers:.4f} "
        f"| {booked.usd:.4f} | {told_of} | {each:.4f}"
    )


if __name__ == "__main__":
    main()
