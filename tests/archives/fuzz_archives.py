"""Feed mutated fixtures to the readers, many and fast. `make fuzz` runs it; the test suite runs a short form.

    python tests/archives/fuzz_archives.py --count 200000 --seed 1
    python tests/archives/fuzz_archives.py --count 5000 --format zed    # its fixtures and databases alone

Every input must end in conversations whose account adds up or in one of mnemic's own errors, within
SECONDS_EACH of processor time and without the process growing past MEMORY_MB. Inputs are files, folders, zips
and databases; one in ten is forced upon a reader that would not have claimed it. Prints the count, how often
each reader read one, and each failure with the seed that makes it again.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parents[1]))

from archive_databases import cursor_editor, cursor_store, opencode_database
from archive_reading import FIXTURES, export_bytes, survival_of, zipped
from newer_databases import goose_database, imessage_database, webui_database, zed_database

from archives.registry import FORMATS

SECONDS_EACH = 5.0
MEMORY_MB = 800
SEEDS = sorted(path for path in FIXTURES.rglob("*") if path.is_file())
FOLDERS = sorted(path for path in FIXTURES.glob("*/*") if path.is_dir())
DATABASES: dict[str, tuple[Callable[[Path], Path], ...]] = {
    "cursor": (cursor_editor, cursor_store),
    "opencode": (opencode_database,),
    "goose": (goose_database,),
    "imessage": (imessage_database,),
    "openwebui": (webui_database,),
    "zed": (zed_database,),
}
FORCED_SHARE = 0.1
KEPT_FAILURES = 20
TOKENS = [
    b"null", b"{}", b"[]", b'"', b"},{", b"[[[[", b"-1e999", b"\\ud800", b"9" * 5000, b"\x00", b"true,", b":",
    b"\xff\xfe", b"<div>", b"</div>", b"\r\n", b'{"id":', b"\xe2\x80\x8e", b"1e400",
]  # fmt: skip
ODD: list[Any] = [
    None, True, 0, -1, 1e308, 10**30, "", "x", "\ud800", "\x00", [], {}, [[]], [None], {"id": 1},
    {"text": []}, "2026-01-01T00:00:00Z", "99999-01-01", {"$date": {"$numberLong": "x"}}, "a" * 3000,
    [1, "a", {"type": []}],
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seeds:
    """What inputs are made of."""

    files: tuple[Path, ...] = tuple(SEEDS)
    folders: tuple[Path, ...] = tuple(FOLDERS)
    databases: tuple[Callable[[Path], Path], ...] = tuple(chain.from_iterable(DATABASES.values()))

    @property
    def of_values(self) -> list[Path]:
        """Files whose values can be changed."""
        return [path for path in self.files if path.suffix in (".json", ".jsonl", ".txt", "")]

    def only(self, format_id: str) -> Seeds:
        """Those of one format."""
        own = FIXTURES / format_id
        return Seeds(
            tuple(path for path in self.files if path.is_relative_to(own)),
            tuple(path for path in self.folders if path.is_relative_to(own)),
            DATABASES.get(format_id, ()),
        )


def changed(data: bytes, chance: random.Random) -> bytes:
    """Bytes changed, taken out, doubled, cut, or crossed with another fixture's."""
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        at = chance.randrange(len(made) + 1)
        length = chance.choice((1, 2, 8, 40, 200))
        match chance.randrange(7):
            case 0:
                made[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del made[at : at + length]
            case 2:
                made[at:at] = made[at : at + length]
            case 3:
                del made[at:]
            case 4:
                made[at:at] = chance.randbytes(chance.randrange(20))
            case 5:
                made[at:at] = chance.choice(TOKENS)
            case 6:
                other = chance.choice(SEEDS).read_bytes()
                cut = chance.randrange(len(other) + 1)
                made[at : at + length] = other[cut : cut + length]
    return bytes(made)


def mutated_file(chance: random.Random, folder: Path, seeds: Seeds) -> Path:
    """A fixture with changed bytes."""
    seed = chance.choice(seeds.files)
    path = folder / f"input{seed.suffix or '.json'}"
    path.write_bytes(changed(seed.read_bytes(), chance))
    return path


def mutated_folder(chance: random.Random, folder: Path, seeds: Seeds) -> Path:
    """A fixture of several files, one of them changed or taken away."""
    path = folder / "input"
    shutil.copytree(chance.choice(seeds.folders), path)
    chosen = chance.choice(sorted(inner for inner in path.rglob("*") if inner.is_file()))
    if chance.random() < 0.1:
        chosen.unlink()
    else:
        values = changed_values(chosen, chance) if chance.random() < 0.6 else None
        chosen.write_bytes(values if values is not None else changed(chosen.read_bytes(), chance))
    return path


@cache
def built(make: Callable[[Path], Path]) -> bytes:
    """A database's bytes; writing one waits for the disk."""
    with tempfile.TemporaryDirectory() as name:
        return make(Path(name) / "built.db").read_bytes()


def mutated_database(chance: random.Random, folder: Path, seeds: Seeds) -> Path:
    """A database with pages cut off, or a few of its bytes changed."""
    path = folder / "input.db"
    data = bytearray(built(chance.choice(seeds.databases)))
    for _ in range(chance.choice((1, 2, 5, 20))):
        at = chance.randrange(len(data))
        patch = chance.randbytes(chance.choice((1, 1, 4, 60)))
        data[at : at + len(patch)] = patch
    if chance.random() < 0.2:
        del data[chance.randrange(len(data)) :]
    path.write_bytes(data)
    return path


def mutated_values(chance: random.Random, folder: Path, seeds: Seeds) -> Path:
    """A JSON fixture whose values mean something else."""
    seed = chance.choice(seeds.of_values)
    path = folder / f"input{seed.suffix or '.json'}"
    path.write_bytes(changed_values(seed, chance) or b"")
    return path


def changed_values(seed: Path, chance: random.Random) -> bytes | None:
    """A JSON file with values of another type, keys taken out, or subtrees moved; None for other files."""
    text = seed.read_text(errors="replace")
    values: list[Any] = []
    for line in text.splitlines() if seed.suffix == ".jsonl" else [text]:
        try:
            values.append(json.loads(line))
        except ValueError:
            values.append(line)
    places = list(_places(values))
    if not places:
        return None
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
    return "\n".join(json.dumps(value) for value in values).encode(errors="surrogatepass")


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


def mutated_zip(chance: random.Random, folder: Path, _seeds: Seeds) -> Path:
    """A zip with a few of its bytes changed."""
    members = {"conversations.json": export_bytes(), "user.json": b'{"id": "user-1", "email": "a@b.org"}'}
    path = zipped(folder / "input.zip", members)
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 2, 5))):
        at = chance.randrange(len(data))
        data[at : at + chance.choice((0, 1, 4, 60))] = chance.randbytes(chance.choice((0, 1, 4, 60)))
    path.write_bytes(data)
    return path


KINDS: tuple[tuple[int, Callable[[random.Random, Path, Seeds], Path]], ...] = (
    (8, mutated_file),
    (8, mutated_values),
    (2, mutated_folder),
    (1, mutated_zip),
    (2, mutated_database),
)
"""Share of the inputs, and what makes them."""


def kinds_for(seeds: Seeds) -> tuple[tuple[int, Callable[[random.Random, Path, Seeds], Path]], ...]:
    """The kinds of input that there are seeds for."""
    needs = {mutated_file: seeds.files, mutated_values: seeds.of_values, mutated_folder: seeds.folders,
             mutated_database: seeds.databases, mutated_zip: seeds.files}  # fmt: skip
    return tuple((share, make) for share, make in KINDS if needs[make])


@dataclass(slots=True)
class Outcome:
    """What a run came to."""

    inputs: int = 0
    failures: int = 0
    slowest: float = 0.0
    read_by: Counter[str] = field(default_factory=Counter)
    """Inputs by the id of the reader that read them; `refused` where none did."""


def fuzz(
    count: int,
    seed: int,
    folder: Path,
    say: Callable[[str], object] = lambda _line: None,
    seeds: Seeds = Seeds(),
) -> Outcome:
    """Make and read `count` inputs; stops after KEPT_FAILURES failures, each of which is kept."""
    outcome, kinds = Outcome(), kinds_for(seeds)
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        make = chance.choices([make for _, make in kinds], [share for share, _ in kinds])[0]
        path = make(chance, folder, seeds)
        forced = chance.choice(FORMATS).id if chance.random() < FORCED_SHARE else None
        before = time.process_time()  # a busy machine is no reader's fault
        try:
            survival = survival_of(path, format_id=forced)
            assert survival.wrong == ()
            outcome.read_by[survival.reader or "refused"] += 1
        except Exception:  # noqa: BLE001 - whatever comes out here is a finding
            outcome.failures += 1
            kept = Path(tempfile.gettempdir()) / f"fuzz-{seed}-{number}-{path.name}"
            _copied(path, kept)
            say(f"--- input {number}, format {forced}, kept as {kept}\n{traceback.format_exc(limit=-4)}\n")
        took = time.process_time() - before
        outcome.slowest = max(outcome.slowest, took)
        if took > SECONDS_EACH:
            outcome.failures += 1
            say(f"--- input {number} took {took:.1f} s\n")
        outcome.inputs += 1
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        if outcome.failures >= KEPT_FAILURES:
            break
    return outcome


def _copied(path: Path, kept: Path) -> None:
    if path.is_dir():
        shutil.copytree(path, kept, dirs_exist_ok=True)
    else:
        shutil.copy(path, kept)


def main() -> int:
    """Run; returns 1 where anything failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", choices=[row.id for row in FORMATS], help="this format's seeds alone")
    options = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        seeds = Seeds().only(options.format) if options.format else Seeds()
        outcome = fuzz(options.count, options.seed, Path(name), sys.stdout.write, seeds)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if peak > MEMORY_MB:
        outcome.failures += 1
        sys.stdout.write(f"--- the process grew to {peak:.0f} MB\n")
    readers = ", ".join(f"{name} {count:,}" for name, count in outcome.read_by.most_common())
    sys.stdout.write(
        f"{readers}\n{outcome.inputs:,} inputs in {time.monotonic() - started:.0f} s, "
        f"{outcome.failures} failures, slowest {outcome.slowest:.2f} s, peak {peak:.0f} MB\n"
    )
    return int(outcome.failures > 0)


if __name__ == "__main__":
    sys.exit(main())
