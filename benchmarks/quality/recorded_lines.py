"""How many lines of recorded summaries hold, and why the others do not.

    python benchmarks/quality/recorded_lines.py RECORDINGS SET.jsonl... [--show]

Each SET holds conversations as an extraction set does. Their notes and summaries are replayed; a careful
model wrote the lines, so nearly all of them are true, and a line that does not hold is a guard's mistake.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from evals.conversations import as_conversation
from evals.extraction import read_rows
from evals.models import opened
from extract.model.model_summaries import (
    HeldLines,
    SummaryAnswer,
    hold_lines,
    summary_question,
    summary_windows,
)
from extract.model.notes.numbering import numbered_sheet
from inference.provider_choice import Asked, provider_of
from inference.recordings import read_recordings


def main() -> None:
    """See the module."""
    recordings, *sets = [Path(one) for one in sys.argv[1:] if one != "--show"]
    recorded, provider = read_recordings(recordings), provider_of(Asked("anthropic"))
    reasons: Counter[str] = Counter()
    lines = 0
    with opened(Asked(replay=recordings)) as (_, engine):
        for row in (one for path in sets for one in read_rows(path)):
            conversation = as_conversation(row.conversation)
            sheet, units = numbered_sheet(conversation), engine.extract(conversation).units
            for part in summary_windows(sheet):
                found = recorded.get(provider.call(summary_question(part)).asked)
                for line in SummaryAnswer.model_validate_json(found.answer.text).lines if found else ():
                    told = HeldLines()
                    hold_lines(part, SummaryAnswer(lines=[line]), sheet, units, told)
                    lines += 1
                    reasons.update(told.dropped)
                    if told.dropped and "--show" in sys.argv:
                        print(f"{next(iter(told.dropped))}: {line}")
    print(f"{lines} lines, {lines - reasons.total()} kept ({1 - reasons.total() / max(lines, 1):.3f})")
    for reason, count in reasons.most_common():
        print(f"{count:6} {reason}")


if __name__ == "__main__":
    main()
