"""Feed mutated fixtures to the readers, many and fast. Not part of the test suite; `make fuzz` runs it.

    python tests/archives/fuzz_archives.py --count 200000 --seed 1

Every input must end in conversations whose account adds up or in one of mnemic's own errors, within
SECONDS_EACH and without the process growing past MEMORY_MB. Prints the count, and each failure with the
seed that makes it again.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from archive_reading import FIXTURES, export_bytes, survives, zipped

SECONDS_EACH = 5.0
MEMORY_MB = 800
SEEDS = sorted(path for path in FIXTURES.rglob("*") if path.is_file())
TOKENS = [
    b"null", b"{}", b"[]", b'"', b"},{", b"[[[[", b"-1e999", b"\\ud800", b"9" * 5000, b"\x00", b"true,", b":",
    b"\xff\xfe", b"<div>", b"</div>", b"\r\n", b'{"id":', b"\xe2\x80\x8e", b"1e400",
]  # fmt: skip
ODD: list[Any] = [
    None, True, 0, -1, 1e308, 10**30, "", "x", "\ud800", "\x00", [], {}, [[]], [None], {"id": 1},
    {"text": []}, "2026-01-01T00:00:00Z", "99999-01-01", {"$date": {"$numberLong": "x"}}, "a" * 3000,
    [1, "a", {"type": []}],
]  # fmt: skip


def mutated_bytes(chance: random.Random) -> tuple[str, bytes]:
    """A fixture's bytes changed, taken out, doubled, cut, or crossed with another's."""
    seed = chance.choice(SEEDS)
    data = bytearray(seed.read_bytes())
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        at = chance.randrange(len(data) + 1)
        length = chance.choice((1, 2, 8, 40, 200))
        match chance.randrange(7):
            case 0:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[at : at + length]
            case 2:
                data[at:at] = data[at : at + length]
            case 3:
                del data[at:]
            case 4:
                data[at:at] = chance.randbytes(chance.randrange(20))
            case 5:
                data[at:at] = chance.choice(TOKENS)
            case 6:
                other = chance.choice(SEEDS).read_bytes()
                cut = chance.randrange(len(other) + 1)
                data[at : at + length] = other[cut : cut + length]
    return seed.suffix or ".json", bytes(data)


def mutated_values(chance: random.Random) -> tuple[str, bytes]:
    """A JSON fixture with values of other types in it, or keys taken out, or subtrees moved."""
    seed = chance.choice([path for path in SEEDS if path.suffix in (".json", ".jsonl", "")])
    lines = seed.read_text().splitlines() if seed.suffix == ".jsonl" else [seed.read_text()]
    values = []
    for line in lines:
        try:
            values.append(json.loads(line))
        except ValueError:
            values.append(line)
    places = list(_places(values))
    for _ in range(chance.choice((1, 1, 2, 4))):
        holder, key = chance.choice(places)
        try:
            match chance.randrange(4):
                case 0 | 1:
                    holder[key] = chance.choice(ODD)
                case 2:
                    del holder[key]
                case 3:
                    other, at = chance.choice(places)
                    holder[key] = json.loads(json.dumps(other[at]))
        except (KeyError, IndexError, ValueError, RecursionError):
            continue
    text = "\n".join(json.dumps(value) for value in values)
    return seed.suffix or ".json", text.encode(errors="surrogatepass")


def _places(value: Any) -> Any:
    """Every (holder, key) of a JSON value."""
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        for key in keys:
            yield holder, key
            if isinstance(holder[key], dict | list):
                waiting.append(holder[key])


def mutated_zip(chance: random.Random, folder: Path) -> tuple[str, bytes]:
    """A zip with a few of its bytes changed."""
    members = {"conversations.json": export_bytes(), "user.json": b'{"id": "user-1", "email": "a@b.org"}'}
    data = bytearray(zipped(folder / "seed.zip", members).read_bytes())
    for _ in range(chance.choice((1, 2, 5))):
        at = chance.randrange(len(data))
        data[at : at + chance.choice((0, 1, 4, 60))] = chance.randbytes(chance.choice((0, 1, 4, 60)))
    return ".zip", bytes(data)


def main() -> int:
    """Run; returns the number of failures, at most 20."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failures = 0
    slowest = 0.0
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(options.count):
            chance = random.Random(f"{options.seed} {number}")
            kind = chance.randrange(20)
            if kind == 0:
                suffix, data = mutated_zip(chance, folder)
            elif kind < 9:
                suffix, data = mutated_bytes(chance)
            else:
                suffix, data = mutated_values(chance)
            path = folder / f"input{suffix}"
            path.write_bytes(data)
            before = time.monotonic()
            try:
                survives(path)
            except Exception:  # noqa: BLE001 - whatever comes out here is a finding
                failures += 1
                kept = Path(tempfile.gettempdir()) / f"fuzz-{options.seed}-{number}{suffix}"
                kept.write_bytes(data)
                sys.stdout.write(f"--- input {number}, kept as {kept}\n{traceback.format_exc(limit=-4)}\n")
            took = time.monotonic() - before
            slowest = max(slowest, took)
            if took > SECONDS_EACH:
                failures += 1
                sys.stdout.write(f"--- input {number} took {took:.1f} s\n")
            path.unlink()
            if failures >= 20:
                break
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if peak > MEMORY_MB:
        failures += 1
        sys.stdout.write(f"--- the process grew to {peak:.0f} MB\n")
    sys.stdout.write(
        f"{number + 1:,} inputs in {time.monotonic() - started:.0f} s, {failures} failures, "
        f"slowest {slowest:.2f} s, peak {peak:.0f} MB\n"
    )
    return failures


if __name__ == "__main__":
    sys.exit(main())
