"""Draw random units of archives, for a person to judge.

    python benchmarks/draw_units.py ../shared/evals/realmem/*.zip --count 100 --seed 1

Prints for each unit its number, category, speaker, text and quote. The draw depends on the seed, the archives
and the engine's version alone. What cannot be read is named on standard error and left out.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from archives import open_archive
from extract.offline import ENGINE_VERSION, extract_units
from schemas.conversation import Conversation
from schemas.errors import InputError
from schemas.unit import Unit

UNITS_A_CONVERSATION = 2
"""Units drawn from one conversation at most, so that a hundred of them see many conversations."""


def conversations(paths: list[Path]) -> Iterator[Conversation]:
    """The conversations of every archive that a reader claims."""
    for path in paths:
        try:
            with open_archive(path, account="draw") as archive:
                yield from archive.conversations()
        except InputError as error:
            print(f"left out: {path.name}: {error.what[:60]}", file=sys.stderr)


def draw(paths: list[Path], count: int, seed: int) -> list[Unit]:
    """`count` units from conversations in random order."""
    chance = random.Random(seed)
    found = list(conversations(paths))
    chance.shuffle(found)
    drawn: list[Unit] = []
    for conversation in found:
        units = extract_units(conversation).units
        drawn += chance.sample(units, min(UNITS_A_CONVERSATION, len(units)))
        if len(drawn) >= count:
            break
    return drawn[:count]


def main() -> None:
    """Draw and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("archives", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"{ENGINE_VERSION}, seed {given.seed}")
    for number, unit in enumerate(draw(given.archives, given.count, given.seed), 1):
        quote = " ".join(unit.evidence[0].quote.split())
        print(f"{number:3} {unit.category} ({unit.speaker}) {unit.text}\n    < {quote}")


if __name__ == "__main__":
    main()
