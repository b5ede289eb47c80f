"""What the gate makes of archives, by criterion: `python -m benchmarks.quality.gate_outcomes ARCHIVE...`.

Duplicates are not asked for: they need a vault (`mnemic gate` counts them there). `--sample N` prints N notes
of each outcome, drawn with a fixed seed, for reading.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter, defaultdict
from pathlib import Path

from archives import open_archive
from curation.gate import gate_state, judge
from curation.gate_input import SourceContext
from extract.offline_engine import extract_units
from schemas.unit import Outcome, Unit

SEED = 21


def main() -> None:
    """Judge every unit of the archives and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archives", nargs="+", type=Path)
    parser.add_argument("--sample", type=int, default=0)
    given = parser.parse_args()
    states: dict[str, list[tuple[Unit, str]]] = defaultdict(list)
    criteria: Counter[tuple[str, str]] = Counter()
    seconds = 0.0
    for path in given.archives:
        with open_archive(path) as archive:
            for conversation in archive.conversations():
                units = extract_units(conversation).units
                began = time.process_time()
                heard = SourceContext(
                    {one.id: one.text for one in conversation.messages}, conversation.title or ""
                )
                for unit in units:
                    verdicts = judge(unit, heard, older=lambda _: None)
                    said = [one for one in verdicts if one.outcome is not Outcome.PASS]
                    criteria.update((one.outcome.value, one.criterion) for one in said)
                    why = "; ".join(f"{one.criterion}: {one.reason}" for one in said)
                    states[gate_state(verdicts).value].append((unit, why))
                seconds += time.process_time() - began
    total = sum(map(len, states.values()))
    print(f"{total:,} units, {1000 * seconds / max(total, 1):.2f} ms of processor each")
    for state, found in sorted(states.items()):
        print(f"{state}: {len(found):,} ({len(found) / total:.1%})")
    for (outcome, criterion), count in criteria.most_common():
        print(f"  {outcome} {criterion}: {count:,}")
    for state, found in sorted(states.items()):
        for unit, why in random.Random(SEED).sample(found, min(given.sample, len(found))):
            print(f"[{state}] {unit.speaker.value} {unit.category.value}: {unit.text} -- {why}")


if __name__ == "__main__":
    main()
