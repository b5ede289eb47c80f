"""What recorded answers would have cost, beside what `mnemic plan` says before.

    python benchmarks/recorded_cost.py RECORDINGS SET.jsonl...

Each SET holds conversations as an extraction set does. Those of their questions that are recorded are
forecast as a plan does it, and booked with the tokens of the recorded answer; tokens are estimated, since no
service counted them. Printed by prompt: questions, tokens, dollars by batch, and how near the forecast is.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.extraction import as_conversation, read_rows
from extract.model.questions import questions_of
from inference.language_model import Usage
from inference.opening import Asked, provider_of
from inference.prices import cost, estimate_tokens
from inference.recordings import read_recordings


@dataclass
class Sum:
    """Tokens and dollars of the questions of a prompt."""

    questions: int = 0
    text: int = 0
    prompt: int = 0
    expected: int = 0
    written: int = 0
    forecast: float = 0.0
    booked: float = 0.0


def sums(recordings: Path, sets: Sequence[Path]) -> dict[str, Sum]:
    """What was forecast and what is booked, by prompt."""
    provider, recorded = provider_of(Asked("anthropic")), read_recordings(recordings)
    found: dict[str, Sum] = defaultdict(Sum)
    for path in sets:
        for row in read_rows(path):
            asked = questions_of(as_conversation(row.conversation), (), summary=True)
            for question in (one for tier in asked.values() for one in tier):
                call = provider.call(question)
                if call.asked not in recorded:
                    continue
                own = found[question.prompt.name]
                text = estimate_tokens(call.shown)
                prompt = estimate_tokens(question.prompt.text) + provider.form_tokens(question.form)
                written = estimate_tokens(recorded[call.asked].answer.text)
                own.questions += 1
                own.text += text
                own.prompt += prompt
                own.expected += question.expected_tokens
                own.written += written
                own.forecast += _batch(text + prompt, question.expected_tokens)
                own.booked += _batch(text + prompt, written)
    return found


def _batch(read: int, written: int) -> float:
    return cost(provider_of(Asked("anthropic")).price, Usage(read, written), batch=True, hour_cache=True)


def main() -> None:
    """See the module."""
    recordings, *sets = map(Path, sys.argv[1:])
    for prompt, own in sorted(sums(recordings, sets).items()):
        print(
            f"{prompt}: {own.questions} questions, {own.text:,} tokens of text, {own.prompt:,} of prompts, "
            f"{own.expected:,} expected, {own.written:,} written ({own.written / max(own.text, 1):.2f} of "
            f"the text); by batch ${own.forecast:.4f} forecast, ${own.booked:.4f} booked: "
            f"{own.forecast / own.booked:.3f} of it"
        )


if __name__ == "__main__":
    main()
