"""How many lines of recorded summaries and thread maps hold, and why the others do not.

    python benchmarks/quality/recorded_lines.py RECORDINGS SET.jsonl|VAULT... [--show]

Each SET holds conversations as an extraction set does: their notes and summaries are replayed. Each VAULT was
filled with the same recordings (`mnemic ingest --replay`): the lines of its maps are held against the
notes that it has. A careful model wrote the lines, so nearly all of them are true, and a line that does not
hold is mostly a guard's mistake. Lines that have a recorded second reading are counted with it too.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evals.conversations import as_conversation
from evals.extraction import read_rows
from evals.models import opened
from extract.model.model_maps import MapAnswer, hold_map_lines, map_question
from extract.model.model_summaries import (
    HeldLines,
    SummaryAnswer,
    SummaryWindow,
    asked_of_lines,
    hold_lines,
    summary_question,
    summary_windows,
)
from extract.model.notes.numbering import numbered_sheet
from extract.model.proofreading import ProofAnswer, verdicts
from flows.generation.thread_linking import notes_on
from inference.language_model import Reply
from inference.provider import Provider
from inference.provider_choice import Asked, provider_of
from inference.recordings import Recorded, read_recordings
from vault.reader import open_vault
from vault.threads import threads_of


@dataclass(slots=True)
class LineCounts:
    """Lines of one kind, and why some do not hold."""

    lines: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    show: bool = False

    def count(self, line: str, dropped: Counter[str]) -> None:
        """A line, with why it does not hold."""
        self.lines += 1
        self.reasons.update(dropped)
        if dropped and self.show:
            print(f"{next(iter(dropped))}: {line}")

    def told(self, kind: str) -> None:
        """Print the figures, if there was a line."""
        if self.lines:
            kept = self.lines - self.reasons.total()
            print(f"{kind}: {self.lines} lines, {kept} kept ({kept / self.lines:.3f})")
            for reason, count in self.reasons.most_common():
                print(f"{count:6} {reason}")


def main() -> None:
    """See the module."""
    recordings, *sources = [Path(one) for one in sys.argv[1:] if one != "--show"]
    recorded, provider = read_recordings(recordings), provider_of(Asked("anthropic"))
    show = "--show" in sys.argv
    summaries, maps = LineCounts(show=show), LineCounts(show=show)
    guarded, proofread = LineCounts(), LineCounts(show=show)
    with opened(Asked(replay=recordings)) as (_, engine):
        for row in (one for path in sources if path.is_file() for one in read_rows(path)):
            conversation = as_conversation(row.conversation)
            sheet, units = numbered_sheet(conversation), engine.extract(conversation).units
            for part in summary_windows(sheet):
                found = recorded.get(provider.call(summary_question(part)).asked)
                if found is None:
                    continue
                answer = SummaryAnswer.model_validate_json(found.answer.text)
                said = second_reading(part, answer, recorded, provider)
                for place, line in enumerate(answer.lines):
                    told, read = HeldLines(), HeldLines()
                    hold_lines(part, SummaryAnswer(lines=[line]), sheet, units, told)
                    summaries.count(line, told.dropped)
                    if said is not None:
                        proof = {0: said[place]} if place in said else None
                        hold_lines(part, SummaryAnswer(lines=[line]), sheet, units, read, proof)
                        guarded.count(line, told.dropped)
                        proofread.count(line, read.dropped)
    asked = found_maps = named = 0
    for path in (one for one in sources if one.is_dir()):
        of_vault = count_maps(path, recorded, provider, maps)
        asked, found_maps, named = asked + of_vault[0], found_maps + of_vault[1], named + of_vault[2]
    summaries.told("summaries")
    guarded.told("those with a second reading, by guards alone")
    proofread.told("those with a second reading, by it too")
    if asked:
        print(f"maps: {asked} asked for, {found_maps} recorded, {named} names accepted")
    maps.told("maps")


def second_reading(
    part: SummaryWindow, answer: SummaryAnswer, recorded: Mapping[str, Recorded], provider: Provider
) -> dict[int, str] | None:
    """What the recorded second reading of an answer says of its lines; None where there is none."""
    ((proposed, question),) = asked_of_lines([part], [Reply(answer)])
    found = recorded.get(provider.call(question).asked) if question else None
    return verdicts(proposed, Reply(ProofAnswer.model_validate_json(found.answer.text))) if found else None


def count_maps(
    vault: Path, recorded: Mapping[str, Recorded], provider: Provider, maps: LineCounts
) -> tuple[int, int, int]:
    """(maps that a run asks for, those that are recorded, names that are accepted) of a vault's threads."""
    asked = found_maps = named = 0
    with open_vault(vault) as reader:
        ledger = reader.ledger
        threads = [thread for account in ledger.accounts() for thread in threads_of(ledger, account)]
        for notes in notes_on(ledger, threads):
            question = map_question(notes)
            if question is None:
                continue
            asked += 1
            found = recorded.get(provider.call(question).asked)
            if found is None:
                continue
            found_maps += 1
            for line in MapAnswer.model_validate_json(found.answer.text).lines:
                told = hold_map_lines(notes, MapAnswer(lines=[line]))
                maps.count(line, told.dropped)
                named += any(one.letter == "L" for one, _ in told.lines)
    return asked, found_maps, named


if __name__ == "__main__":
    main()
