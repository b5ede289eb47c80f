"""Kill -9 at random points of `mnemic branch`, `mnemic merge` and `mnemic branch --delete`.

    python -m benchmarks.faults.branch_kills [--kills 100] [--seed 1] [--seconds 600]

Each kill begins with a copy of one vault that has a branch with a document and an act of its own, and strikes
after a random share of the time that the command takes undisturbed. What is there then must be what was there
before or what the command makes, and nothing between; the command run again must come to the latter, and
verify. Exit code 1 where anything was else. Children come from a fork server that has imported the program,
so that little time goes by before the command itself. With --seconds no kill begins later.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from flows.upkeep.full_verification import verify
from interfaces.main import main as mnemic
from schemas.act import ActKind
from vault.branches import branch_layout, branches
from vault.files import copy_file
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault

COMMANDS: dict[str, tuple[str, ...]] = {
    "branch": ("branch", "second"),
    "merge": ("merge", "trial"),
    "delete": ("branch", "--delete", "trial"),
}
BALCONY = "# Balcony\n\nI planted tomatoes on the balcony. I decided to cut the hedge in May.\n"
BOAT = "# Boat\n\nI decided to paint the boat dark blue. The boat lies in Kiel.\n"
PRELOADED = [
    "interfaces.main",
    "interfaces.cli.commands.merge",
    "interfaces.cli.commands.branch",
    "flows.ingest.merging",
]

CHILDREN = multiprocessing.get_context("forkserver")


def _run(arguments: Sequence[str]) -> None:

    sys.stdout = sys.stderr = Path("/dev/null").open("w")  # noqa: SIM115  # a child's, for its whole life
    raise SystemExit(mnemic(list(arguments)))


def _look(vault: Path, answer: Any) -> None:
    """Send what the main line and each branch hold, and what a verification finds."""

    layout = VaultLayout(vault)
    seen: dict[str, object] = {"branches": [one.name for one in branches(layout)]}
    for line in (layout, *(branch_layout(layout, one.name) for one in branches(layout))):
        name = line.root.name if line.is_branch else "main"
        with open_vault(line.root) as reader:
            rows = reader.ledger.query("SELECT id, state, text FROM units_current ORDER BY id")
            held = reader.ledger.query(
                "SELECT conversation_id FROM conversations UNION SELECT id FROM resources ORDER BY 1"
            )
        with Journal(line.journal) as journal:
            seen[f"acts of {name}"] = sorted(act.id for act in journal.after(0))
        seen[name] = [[list(map(str, row)) for row in rows], [str(one) for (one,) in held]]
        seen[f"found in {name}"] = [str(one) for one in verify(line.root, full=True)[1]]
    answer.send(json.dumps(seen, sort_keys=True))


def look(vault: Path) -> dict[str, Any]:
    """What `_look` sends, from a process of its own."""
    here, there = CHILDREN.Pipe()
    child = CHILDREN.Process(target=_look, args=(vault, there))
    child.start()
    there.close()
    found: dict[str, Any] = json.loads(here.recv())
    child.join()
    return found


def started(vault: Path, arguments: Sequence[str]) -> ForkServerProcess:
    """A command in a process of its own."""
    child = CHILDREN.Process(target=_run, args=([*arguments, "--vault", str(vault)],))
    child.start()
    return child


def run(vault: Path, arguments: Sequence[str], kill_after: float | None = None) -> tuple[int | None, float]:
    """(exit code, seconds) of a command; killed after so many seconds where it has not ended by then."""
    began = time.monotonic()
    child = started(vault, arguments)
    child.join(kill_after)
    if child.is_alive():
        child.kill()
        child.join()
    return child.exitcode, time.monotonic() - began


def _act(vault: Path, kind: ActKind, subject: str) -> None:

    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(kind, [subject])


def brew(folder: Path) -> Path:
    """A vault with a branch that has read a document and discarded a conversation's note."""
    vault = folder / "model"
    for name, text in (("balcony.md", BALCONY), ("boat.md", BOAT)):
        (folder / name).write_text(text, encoding="utf-8")
    chat = [{"uuid": "one", "name": "Garden", "created_at": "2026-03-01T10:00:00Z",
             "updated_at": "2026-03-01T10:05:00Z",
             "chat_messages": [{"uuid": "m", "sender": "human", "created_at": "2026-03-01T10:00:00Z", "text":
             "I decided to cut the hedge in May. My doctor prescribed a cream for my eczema."}]}]  # fmt: skip
    (folder / "conversations.json").write_text(json.dumps(chat), encoding="utf-8")
    archives = [str(folder / "conversations.json"), str(folder / "balcony.md")]
    assert run(vault, ["ingest", *archives, "--account", "me"])[0] == 0
    assert run(vault, ["branch", "trial"])[0] == 0
    assert run(vault, ["ingest", str(folder / "boat.md"), "--account", "me", "--branch", "trial"])[0] == 0
    notes = look(vault)["main"][0]
    _act(vault / "branches" / "trial", ActKind.DISCARD, notes[0][0])
    return vault


def copied(model: Path, vault: Path) -> None:
    """Put a copy of one vault in the place of another."""
    shutil.rmtree(vault, ignore_errors=True)
    shutil.copytree(model, vault, copy_function=lambda one, other: copy_file(Path(one), Path(other)))


def strike(model: Path, vault: Path, count: int, seed: int, until: float) -> tuple[Counter[str], list[str]]:
    """(counts, failures) of so many kills."""
    chance, counts, failures = random.Random(seed), Counter[str](), []
    before = look(model)
    after: dict[str, dict[str, Any]] = {}
    takes: dict[str, float] = {}
    for name, arguments in COMMANDS.items():
        copied(model, vault)
        code, takes[name] = run(vault, arguments)
        after[name] = look(vault)
        if code != 0 or after[name] == before:
            failures.append(f"{name}, undisturbed: exit code {code}")
    while counts["kills"] < count and len(failures) < 5 and time.monotonic() < until:
        name = chance.choice(list(COMMANDS))
        copied(model, vault)
        point = chance.random() * takes[name]
        code, _ = run(vault, COMMANDS[name], point)
        if code is not None and code >= 0:
            counts["ended before the kill"] += 1
            continue
        counts["kills"] += 1
        counts[f"kills in {name}"] += 1
        found = look(vault)
        whole = [_readable(found) == _readable(one) for one in (before, after[name])]
        counts["found as before" if whole[0] else "found done"] += any(whole)
        if not any(whole):
            failures.append(f"{name}, killed after {point:.2f} s: half done")
        if not whole[1] or name == "merge":
            run(vault, COMMANDS[name])
        if look(vault) != after[name]:
            failures.append(f"{name}, killed after {point:.2f} s: run again, it is not what it should be")
    return counts, failures


def _readable(seen: dict[str, Any]) -> dict[str, Any]:
    """What readers see: the journal gets a merge's acts after the generation that has them."""
    return {name: value for name, value in seen.items() if not name.startswith("acts of")}


def main() -> None:
    """Strike and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args()
    CHILDREN.set_forkserver_preload(PRELOADED)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        model = brew(Path(place))
        counts, failures = strike(
            model, Path(place) / "vault", options.kills, options.seed, began + options.seconds
        )
    print(json.dumps({"counts": counts, "failures": failures, "seconds": round(time.monotonic() - began)}))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
