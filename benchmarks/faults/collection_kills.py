"""Kill -9 at random points of `mnemic collect` over every assistant at once, while their sessions grow.

    python -m benchmarks.faults.collection_kills [--kills 60] [--seed 1] [--seconds 600] [--samples DIR]

A made-up home folder has sessions of every assistant that `collect` knows (`assistant_sessions.py`; --samples
lays a folder's real files beside them). Before each run some of them say one sentence more, each with a word
of its own, and in two of three runs they go on saying more while it reads. The run is killed after a random
share of the time that the last undisturbed one took; up to three are killed one after another. After each
undisturbed run every sentence said before it began must stand in exactly one message of the vault. At the end
nobody writes, the vault must be verified, and its rows must be those of a vault that read the final home at
once. A run after that must find nothing to read. Exit code 1 where anything was else.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from archives.places import TOOLS
from benchmarks.faults.assistant_sessions import WRITERS, laid_out
from benchmarks.faults.branch_kills import CHILDREN, run
from benchmarks.faults.drill import COMPARED, is_sound
from flows.ingest.collection import found_units, to_read
from flows.upkeep.full_verification import verify
from vault.layout import VaultLayout
from vault.reader import open_vault

COLLECT = ("collect", "--yes")
MOVED = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME")
"""Variables that would lead out of the made-up home folder."""
ALIKE = {
    **{name: COMPARED[name] for name in ("messages", "segments", "units", "states")},
    # of the archive's hash a copy of what changed has its own
    "conversations": "SELECT * EXCLUDE (run, archive_hash) FROM conversations ORDER BY ALL",
}
"""Tables whose rows must be those of a vault that read everything at once, each by its query."""
ENDED = (0, 3)
"""Exit codes of a run that ended well: the fixtures have lines that nobody can read."""
SECONDS_BETWEEN = 2.0
"""At most, between two sentences that are said while a run reads."""
PRELOADED = ["interfaces.main", "interfaces.cli.commands.collect", "flows.ingest.steps"]


@dataclass(slots=True)
class GrowingHome:
    """The home folder, and what was said in it."""

    root: Path
    chance: random.Random
    said: list[str] = field(default_factory=list)
    """The word of each sentence that was written in full, in order."""
    by_writer: Counter[str] = field(default_factory=Counter)

    def say(self, name: str) -> None:
        """One sentence more in a session of this assistant's."""
        number = self.by_writer[name]
        word = f"quell{len(self.said):05}"
        words = f"The {word} sail of the boat is {number + 3} metres long."
        WRITERS[name](self.root, number, words)
        self.by_writer[name] += 1
        self.said.append(word)


class WritersBeside:
    """Assistants that go on while the block runs."""

    def __init__(self, home: GrowingHome) -> None:
        self._home, self._done = home, Event()
        self._thread = Thread(target=self._write)

    def _write(self) -> None:
        while not self._done.wait(self._home.chance.random() * SECONDS_BETWEEN):
            self._home.say(self._home.chance.choice(list(WRITERS)))

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()


def found_words(vault: Path) -> Counter[str]:
    """How many messages of the vault each word stands in."""
    found = asked(
        vault,
        "SELECT regexp_extract(text, 'quell[0-9]{5}'), count(*) FROM messages"
        " WHERE contains(text, 'quell') GROUP BY 1",
    )
    return Counter({str(word): int(str(count)) for word, count in found})


def asked(vault: Path, query: str) -> list[tuple[object, ...]]:
    """What the vault's ledger answers."""
    with open_vault(vault) as reader:
        return reader.ledger.query(query)


def judged(vault: Path, said: Sequence[str], when: str) -> list[str]:
    """What is lost or doubled of what was said before a run that ended well."""
    found = found_words(vault)
    lost = [word for word in said if not found[word]]
    doubled = [word for word, count in found.items() if count > 1]
    told = [f"{when}: lost {lost[:5]}"] if lost else []
    return told + ([f"{when}: more than once {doubled[:5]}"] if doubled else [])


def strike(home: GrowingHome, vault: Path, count: int, until: float) -> tuple[Counter[str], list[str]]:
    """(counts, failures) of so many kills."""
    counts, failures, chance = Counter[str](), [], home.chance
    for name in WRITERS:
        home.say(name)
    code, takes = run(vault, COLLECT)
    failures += [] if code in ENDED else [f"the first run: exit code {code}"]
    failures += judged(vault, home.said, "the first run")
    while counts["kills"] < count and len(failures) < 5 and time.monotonic() < until:
        for _ in range(chance.choice((1, 1, 2, 3))):
            for name in chance.sample(list(WRITERS), chance.choice((1, 3, 6))):
                home.say(name)
            _kill(home, vault, chance.random() * takes, counts)
        if not is_sound(vault):
            failures.append("after a kill: the vault is not sound")
        before = list(home.said)
        code, takes = run(vault, COLLECT)
        counts["undisturbed runs"] += 1
        if code not in ENDED:
            failures.append(f"after {counts['kills']} kills: exit code {code}")
        failures += judged(vault, before, f"after {counts['kills']} kills")
    return counts, failures


def _kill(home: GrowingHome, vault: Path, point: float, counts: Counter[str]) -> None:
    if home.chance.random() < 2 / 3:
        counts["while sessions grew"] += 1
        with WritersBeside(home):
            code, _ = run(vault, COLLECT, point)
    else:
        code, _ = run(vault, COLLECT, point)
    counts["ended before the kill" if code is not None and code >= 0 else "kills"] += 1


def settled(home: GrowingHome, vault: Path, calm: Path) -> list[str]:
    """What is wrong once nobody writes any more: beside a vault that read the final home at once."""
    wrong = []
    code, _ = run(vault, COLLECT)
    if code not in ENDED:
        wrong.append(f"the last run: exit code {code}")
    wrong += judged(vault, home.said, "at the end")
    if left := to_read(VaultLayout(vault)):
        wrong.append(f"still to be read: {[unit.key for unit in left][:5]}")
    run(calm, COLLECT)
    for name, query in ALIKE.items():
        ours, theirs = (set(map(str, asked(one, query))) for one in (vault, calm))
        if ours != theirs:
            wrong.append(
                f"{name}: only here {sorted(ours - theirs)[:2]}, only there {sorted(theirs - ours)[:2]}"
            )
    return wrong + [str(fault) for fault in verify(vault, full=True)[1]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Strike and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--samples", type=Path, help="a folder of real files, a folder for each format")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        os.environ["HOME"] = str(Path(place) / "home")
        for variable in MOVED:
            os.environ.pop(variable, None)
        CHILDREN.set_forkserver_preload(PRELOADED)
        home = GrowingHome(laid_out(Path(place) / "home", options.samples), random.Random(options.seed))
        vault = Path(place) / "vault"
        counts, failures = strike(home, vault, options.kills, began + options.seconds)
        failures += settled(home, vault, Path(place) / "calm")
        missing = set(TOOLS) - {unit.tool for unit in found_units()}
        failures += [f"nothing of {sorted(missing)} was there"] if missing else []
        counts["sentences"], counts["sessions"] = len(home.said), len(found_units())
        counts["conversations"] = len(asked(vault, ALIKE["conversations"]))
    told = {"counts": counts, "failures": failures, "seconds": round(time.monotonic() - began)}
    print(json.dumps(told, indent=1))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
