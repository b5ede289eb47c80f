"""How fast the offline engine is, and what became of every clause.

    python benchmarks/extraction_speed.py ../shared/evals/realmem/*.zip

Prints one JSON object: conversations, megabytes of message text (UTF-8), CPU seconds on one core, megabytes
a minute (the bar is 3), units by category, and what became no unit by reason. Reading is not timed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from archives import open_archive
from extract.offline import ENGINE_VERSION, extract_units


def main() -> None:
    """Extract every conversation of the archives, one after the other."""
    parser = argparse.ArgumentParser()
    parser.add_argument("archives", nargs="+", type=Path)
    count = size = 0
    seconds = 0.0
    units: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    for path in parser.parse_args().archives:
        with open_archive(path, account="benchmark") as archive:
            for conversation in archive.conversations():
                count += 1
                size += sum(len(message.text.encode()) for message in conversation.messages)
                began = time.process_time()
                extraction = extract_units(conversation)
                seconds += time.process_time() - began
                units.update(unit.category.value for unit in extraction.units)
                dropped.update(extraction.dropped)
    print(
        json.dumps(
            {
                "engine": ENGINE_VERSION,
                "conversations": count,
                "megabytes": round(size / 1e6, 2),
                "cpu_seconds": round(seconds, 1),
                "megabytes_a_minute": round(size / 1e6 / seconds * 60, 1) if seconds else 0.0,
                "units": sum(units.values()),
                "units_by_category": dict(units.most_common()),
                "no_units_by_reason": dict(dropped.most_common()),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
