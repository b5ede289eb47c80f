"""What the offline engine makes of whole sets: notes covered, units by category, and what is refused and why.

    python benchmarks/note_coverage.py ../shared/evals/realmem ../shared/evals/locomo

A gold note is covered when the content words of the units that cite its messages hold at least 60% of the
note's. The ceiling is the same figure for the messages' whole text.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

from archives import open_archive
from curation.gate import gate_state, judge
from curation.ungated import Heard
from evals.extraction import content_words
from extract.offline import extract_units
from schemas.unit import Outcome, State

COVERED = 0.6
Words = dict[str, set[str]]


def main() -> None:
    """Print one JSON object a set."""
    for folder in map(Path, sys.argv[1:]):
        print(json.dumps({"set": folder.name, **measure(folder)}, indent=1))


def measure(folder: Path) -> dict[str, object]:
    """The figures of every archive in the folder."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    said, raw = Words(), Words()
    notes: list[dict[str, object]] = []
    for path in sorted([*folder.glob("*.zip"), *folder.glob("*.transcript.jsonl")]):
        _extract(path, counts, said, raw)
        beside = path.with_name(path.name.removesuffix(".zip").removesuffix(".transcript.jsonl"))
        lines = beside.with_name(beside.name + ".notes.jsonl").read_text(encoding="utf-8").splitlines()
        notes += [json.loads(line) for line in lines if line.strip()]
    units, ceiling = (sum(_covers(note, words) for note in notes) for words in (said, raw))
    return {
        "notes": len(notes),
        "covered_by_units": round(units / len(notes), 4),
        "covered_by_raw_text": round(ceiling / len(notes), 4),
        **{name: dict(count.most_common()) for name, count in counts.items()},
    }


def _extract(path: Path, counts: dict[str, Counter[str]], said: Words, raw: Words) -> None:
    with open_archive(path) as archive:
        for conversation in archive.conversations():
            native = {message.id: message.native_id for message in conversation.messages}
            texts = {message.id: message.text for message in conversation.messages}
            for message, text in texts.items():
                raw.setdefault(native[message], set()).update(content_words(text))
            heard = Heard(texts, conversation.title or "")
            extraction = extract_units(conversation)
            counts["left_out"].update(extraction.dropped)
            for unit in extraction.units:
                verdicts = judge(unit, heard)
                state = gate_state(verdicts)
                counts["units_by_category"][unit.category.value] += 1
                counts["units_by_gate"][state.value] += 1
                if state is State.REJECTED:
                    failed = [one.criterion for one in verdicts if one.outcome is Outcome.REJECT]
                    counts["rejected_by_criterion"][failed[0]] += 1
                for evidence in unit.evidence:
                    said.setdefault(native[evidence.message_id], set()).update(content_words(unit.text))


def _covers(note: dict[str, object], words: Words) -> bool:
    wanted = set(content_words(str(note["text"])))
    cited = note.get("message_ids") or note.get("messages") or [note.get("message_id")]
    found = set().union(*(words.get(str(one), set()) for one in (cited if isinstance(cited, list) else [])))
    return bool(wanted) and len(wanted & found) >= COVERED * len(wanted)


if __name__ == "__main__":
    main()
