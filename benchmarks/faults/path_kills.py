"""Kill -9 at random points of acts on paths, of the run that folds them, and of `mnemic vault prune`.

    python -m benchmarks.faults.path_kills [--kills 100] [--seed 1] [--seconds 600]

The vault that each kill begins with has a history: a run a generation, and between the runs a move, a
correction, a rename, a discard and an undo. While a generation is the published one, its notes, states, paths
and counts are read from its own tables and kept in a log aside. After each kill, notes and paths must be
what they were or what the command makes, and nothing between; the command run again must come to the latter
and verify; and every generation of the log, pruned or not, must be told by `--as-of` as the log has it. Exit
code 1 where anything was else. With --seconds no kill begins later.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.faults.branch_kills import CHILDREN, copied, run
from flows.upkeep.full_verification import verify
from schemas.act import ON_PATHS
from schemas.unit import RECALLED_STATES
from vault.history import generation_of
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.notes_then import NOTES_THEN
from vault.paths import PUBLISHED, PathTables
from vault.paths_now import path_tables, path_tables_then
from vault.reader import VaultReader, open_vault

TALKS = (
    "I decided to cut the hedge in May. My doctor prescribed a cream for my eczema.",
    "The boat lies in Kiel. I decided to paint the boat dark blue.",
    "I bake rye bread on Saturdays. My sister Ida lives in Bergen.",
    "I can only spend 400 euros on the bicycle. The bicycle shop opens at nine.",
    "I go to choir on Tuesdays. I started to learn Norwegian.",
)
KEPT_TO = 3
"""Generations that stay on the disk; those before are told from the ledger alone."""
PRELOADED = [
    "interfaces.main",
    "interfaces.cli.commands.path",
    "interfaces.cli.commands.vault",
    "interfaces.cli.commands.ingest",
    "flows.ingest.steps",
]
Told = dict[str, Any]


def _placed(reader: VaultReader, tables: PathTables, notes: str) -> Told:
    """Notes with text and state, where they lie, and the counts."""
    shown = ", ".join(f"'{state.value}'" for state in RECALLED_STATES)
    asked = {
        "notes": f"SELECT id, text, category, state FROM {notes} WHERE state IN ({shown}) ORDER BY ALL",
        "paths": f"SELECT tree, path, unit_id FROM {tables.notes} ORDER BY ALL",
        "counts": f"SELECT tree, depth, prefix, keys, notes, sample FROM {tables.counts} ORDER BY ALL",
    }
    return {name: [list(map(str, row)) for row in reader.ledger.query(sql)] for name, sql in asked.items()}


def _look(vault: Path, answer: Any) -> None:
    """Send what is told now, what was published, every generation as of then, the acts and the findings."""
    with open_vault(vault) as reader:
        now = _placed(reader, path_tables(reader), "units_current")
        published = _placed(reader, PUBLISHED, "units_current")
        numbers = [int(str(one)) for (one,) in reader.ledger.query("SELECT number FROM generations")]
        then = {}
        for number in numbers:
            tables = path_tables_then(reader, generation_of(reader.ledger, number))
            then[str(number)] = _placed(reader, tables, NOTES_THEN)
        number = reader.generation.number
    with Journal(VaultLayout(vault).journal) as journal:
        acts = [[act.kind.value, act.subject, act.detail] for act in journal.after(0) if act.kind in ON_PATHS]
    found = [str(one) for one in verify(vault, full=True)[1]]
    told = {"now": now, "published": published, "number": number, "acts": acts, "found": found, "then": then}
    told["on the disk"] = sorted(path.name for path in VaultLayout(vault).generations.iterdir())
    answer.send(json.dumps(told))


def look(vault: Path) -> Told:
    """What `_look` sends, from a process of its own."""
    here, there = CHILDREN.Pipe()
    child = CHILDREN.Process(target=_look, args=(vault, there))
    child.start()
    there.close()
    found: Told = json.loads(here.recv())
    child.join()
    return found


def brew(folder: Path) -> tuple[Path, Told]:
    """A vault with five generations, and the log of what each told while it was the published one."""
    vault, log = folder / "model", dict[str, Any]()
    vault.mkdir()
    # every note passes that form does not stop: notes in review have no paths
    bounds = {"passing": 0.0, "rejecting": 0.0, "own": 0.0}
    (vault / "gate.json").write_text(json.dumps(bounds), encoding="utf-8")

    def done(*arguments: str) -> None:
        code, _ = run(vault, [*arguments, "--account", "me"] if arguments[0] != "undo" else arguments)
        assert code == 0, arguments

    for number, words in enumerate(TALKS):
        done("ingest", str(_talk(folder, number, words)))
        seen = look(vault)
        assert not seen["found"], seen["found"]
        log[str(seen["number"])] = seen["published"]
        notes = [row[0] for row in seen["published"]["notes"]]
        key = next(path for tree, path, _ in seen["published"]["paths"] if tree == "paths")
        if number == 0:
            done("path", "move", notes[0], "home.garden.hedge")
        elif number == 1:
            done("correct", notes[1], "The boat lies in Flensburg.")
            done("path", "rename", "home.garden", "home.outside")
        elif number == 2:
            done("discard", notes[-1])
            done("path", "move", notes[1], key)
        elif number == 3:
            done("undo")
    return vault, log


def _talk(folder: Path, number: int, words: str) -> Path:
    at = f"2026-03-{number + 1:02}T10:00:00Z"
    message = {"uuid": f"m{number}", "sender": "human", "created_at": at, "text": words}
    talk = {"uuid": f"t{number}", "name": f"Talk {number}", "created_at": at, "updated_at": at,
            "chat_messages": [message]}  # fmt: skip
    path = folder / f"talk{number}" / "conversations.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps([talk]), encoding="utf-8")
    return path


def commands(model: Path) -> dict[str, tuple[str, ...]]:
    """The commands that are struck, by name; `fold` is a run with a new talk after a move that waits."""
    told = look(model)["now"]
    keys = sorted({path for tree, path, _ in told["paths"] if tree == "paths"})
    note = told["notes"][0][0]
    new = _talk(model.parent, len(TALKS), "I sold the canoe in June.")
    mine = ("--account", "me")
    return {
        "move": ("path", "move", note, keys[1], "places.north", *mine),
        "rename": ("path", "rename", keys[0], "plans.renamed", *mine),
        "merge": ("path", "merge", keys[0], keys[-1], *mine),
        "fold": ("ingest", str(new), *mine),
        "prune": ("vault", "prune", "--keep", "1"),
    }


def strike(
    model: Path, log: Told, vault: Path, count: int, seed: int, until: float
) -> tuple[Counter[str], list[str]]:
    """(counts, failures) of so many kills."""
    chance, counts, failures = random.Random(seed), Counter[str](), []
    struck, after, takes = commands(model), dict[str, Told](), dict[str, float]()
    before = look(model)
    for name, arguments in struck.items():
        copied(model, vault)
        code, takes[name] = run(vault, arguments)
        after[name] = look(vault)
        if code != 0 or after[name] == before:
            failures.append(f"{name}, undisturbed: exit code {code}")
        failures += [f"{name}, undisturbed: {one}" for one in _unlike(log, after[name])]
    while counts["kills"] < count and len(failures) < 5 and time.monotonic() < until:
        name = chance.choice(list(struck))
        copied(model, vault)
        # every other one late: an act is put on record, and a generation published, at the end
        share = chance.random()
        point = takes[name] * chance.choice((share, 1 - share / 5))
        code, _ = run(vault, struck[name], point)
        if code is not None and code >= 0:
            counts["ended before the kill"] += 1
            continue
        counts["kills"] += 1
        counts[f"kills in {name}"] += 1
        found, when = look(vault), f"{name}, killed after {point:.2f} s"
        as_before = _readable(found) == _readable(before)
        as_after = _readable(found) == _readable(after[name])
        counts["found as before" if as_before else "found done"] += as_before or as_after
        if not (as_before or as_after):
            failures.append(f"{when}: half done")
        failures += [f"{when}: {one}" for one in _unlike(log, found)]
        if not as_after or name == "prune":
            run(vault, struck[name])
        now = look(vault)
        if _whole(now) != _whole(after[name]):
            failures.append(f"{when}: run again, it is not what it should be")
        failures += [f"{when}, run again: {one}" for one in _unlike(log, now)]
        counts["generations compared with the log"] += 2 * len(log)
    return counts, failures


def _unlike(log: Told, seen: Told) -> list[str]:
    """Generations that are not told as the log has them, and what a verification found."""
    wrong = [
        f"generation {number} is not told as it was"
        for number in log
        if seen["then"].get(number) != log[number]
    ]
    return wrong + [f"verify: {one}" for one in seen["found"]]


def _readable(seen: Told) -> Told:
    """What readers are told."""
    return {name: seen[name] for name in ("now", "published", "number")}


def _whole(seen: Told) -> Told:
    return {name: seen[name] for name in ("now", "published", "acts", "number", "on the disk")}


def main(arguments: Sequence[str] | None = None) -> None:
    """Strike and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args(arguments)
    CHILDREN.set_forkserver_preload(PRELOADED)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        model, log = brew(Path(place))
        pruned = sorted(set(log) - set(look(model)["on the disk"]), key=int)
        counts, failures = strike(
            model, log, Path(place) / "vault", options.kills, options.seed, began + options.seconds
        )
    told = {"generations in the log": len(log), "of them pruned": len(pruned), "counts": counts}
    print(json.dumps({**told, "failures": failures, "seconds": round(time.monotonic() - began)}))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
