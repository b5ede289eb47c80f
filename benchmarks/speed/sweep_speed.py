"""How long near-duplicates take to find among many notes, and how much memory, beside a peer.

    python benchmarks/speed/sweep_speed.py 100000
    python benchmarks/speed/sweep_speed.py 1000000
    pip install -r benchmarks/sweeps_requirements.txt
    # and datasketch: MinHash LSH, 4-grams, threshold 0.8
    python benchmarks/speed/sweep_speed.py 100000 --peer

Notes are made from a fixed seed: subjects, verbs, objects, numbers and dates, one in ten of them another
wording of an earlier one. The limits are 10 s and 500 MB for 100,000 notes, and 150 s for 1,000,000.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from curation.pairs.near_duplicates import duplicate_groups
from curation.swept_note import SweptNote
from schemas.unit import Category, Speaker, State

SUBJECTS = (
    "the landlord|our team|my sister|the clinic|the choir|Priya|the vendor|the server|my dentist|the school"
)
VERBS = "moved|approved|paid|cancelled|bought|repaired|wrote|sold|checked|rented"
THINGS = (
    "invoice|garden shed|budget|parser|old piano|contract|kitchen|report|greenhouse|ticket|roof|lease|bike"
)
PLACES = "in Oslo|in the hall|at work|in the north wing|for the office|near the station|for the trip|in Graz"
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def made_notes(count: int) -> Iterator[SweptNote]:
    """Notes of one account, the same for the same count."""
    chance = random.Random(count)
    subjects, verbs, things, places = (one.split("|") for one in (SUBJECTS, VERBS, THINGS, PLACES))
    said: list[str] = []
    for number in range(count):
        if said and chance.random() < 0.1:
            text = (
                chance.choice(said).replace("the ", "The ").replace("bought", "purchased").rstrip(".") + "!"
            )
        else:
            subject, verb, thing = chance.choice(subjects), chance.choice(verbs), chance.choice(things)
            day, euros = chance.randint(1, 28), chance.randint(2, 90_000)
            tail = f"{chance.choice(places)} on {day} March for {euros} euros"
            text = f"{subject} {verb} the {thing} {tail}."
            text = text[0].upper() + text[1:]
            if len(said) < 50_000:
                said.append(text)
        yield SweptNote(
            id=f"{number:032x}", account="bench", conversation_id=str(number // 40), text=text,
            category=Category.FACT, speaker=Speaker.OWNER, speaker_name=None,
            said_at=BEGAN + timedelta(minutes=number), state=State.PASSED, event=number,
        )  # fmt: skip


def ours(notes: list[SweptNote]) -> int:
    """Groups of duplicates by normal form."""
    return len(duplicate_groups(notes))


def peer(notes: list[SweptNote]) -> int:
    """Pairs that datasketch proposes; it has no guard, so it proposes changed numbers too."""
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=0.8, num_perm=128)
    found = 0
    for note in notes:
        sketch = MinHash(num_perm=128)
        text = note.text.casefold()
        sketch.update_batch([text[at : at + 4].encode() for at in range(max(1, len(text) - 3))])
        found += len(index.query(sketch))
        index.insert(note.id, sketch)
    return found


@dataclass(frozen=True, slots=True)
class SweepTimes:
    """What one of the two took."""

    found: int
    wall: float
    processor: float


def timed(name: str, work: Callable[[list[SweptNote]], int], notes: list[SweptNote]) -> SweepTimes:
    """Do it once, and print one line."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    began, cpu = time.perf_counter(), time.process_time()
    found = work(notes)
    taken = SweepTimes(found, time.perf_counter() - began, time.process_time() - cpu)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name}: {len(notes):,} notes, {taken.found:,} found, {taken.wall:.1f} s wall, "
        f"{taken.processor:.1f} s processor, {after:.0f} MB at most ({before:.0f} MB before)",
        flush=True,
    )
    return taken


def main() -> None:
    """Print a line for each, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--peer", action="store_true")
    chosen = parser.parse_args()
    notes = list(made_notes(chosen.count))
    mine = timed("mnemic", ours, notes)
    if chosen.peer:
        theirs = timed("datasketch", peer, notes)
        print(f"datasketch / mnemic: {theirs.processor / mine.processor:.2f} in processor time")


if __name__ == "__main__":
    main()
