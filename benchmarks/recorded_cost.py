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
from pathlib import Path

from evals.conversations import as_conversation
from evals.extraction import read_rows
from extract.model.questions import questions_of
from inference.forecast import Forecast, forecast
from inference.language_model import Usage
from inference.opening import Asked, provider_of
from inference.prices import cost, estimate_tokens
from inference.recordings import read_recordings


def sums(recordings: Path, sets: Sequence[Path]) -> dict[str, tuple[Forecast, Forecast]]:
    """(what was forecast, what is booked) of the questions of each prompt."""
    provider, recorded = provider_of(Asked("anthropic")), read_recordings(recordings)
    found: dict[str, tuple[Forecast, Forecast]] = defaultdict(lambda: (Forecast(), Forecast()))
    for row in (one for path in sets for one in read_rows(path)):
        asked = questions_of(as_conversation(row.conversation), (), summary=True)
        for question in (one for tier in asked.values() for one in tier):
            if (answer := recorded.get(provider.call(question).asked)) is None:
                continue
            ahead = forecast([question], provider, None)
            written = estimate_tokens(answer.answer.text)
            usage = Usage(ahead.text_tokens + ahead.prompt_tokens, written)
            usd = cost(provider.price, usage, batch=True, hour_cache=True)
            booked = ahead.model_copy(update={"output_tokens": written, "usd_batch": usd})
            told, paid = found[question.prompt.name]
            found[question.prompt.name] = told + ahead, paid + booked
    return found


def main() -> None:
    """See the module."""
    recordings, *sets = map(Path, sys.argv[1:])
    for prompt, (told, paid) in sorted(sums(recordings, sets).items()):
        print(
            f"{prompt}: {told.questions} questions, {told.text_tokens:,} tokens of text, "
            f"{told.prompt_tokens:,} of prompts, {told.output_tokens:,} expected, "
            f"{paid.output_tokens:,} written; by batch ${told.usd_batch:.4f} forecast, "
            f"${paid.usd_batch:.4f} booked: {told.usd_batch / paid.usd_batch:.3f} of it"
        )


if __name__ == "__main__":
    main()
