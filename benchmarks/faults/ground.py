"""What the drills share: small archives, the command line as processes, and what must hold afterwards."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

from flows.verifying import verify
from interfaces.main import main
from vault.generations import published_number
from vault.integrity import differences
from vault.layout import VaultLayout
from vault.reader import open_vault

REPOSITORY = Path(__file__).resolve().parents[2]

COMPARED = {
    "conversations": "SELECT * EXCLUDE (run) FROM conversations ORDER BY ALL",
    "messages": "SELECT * EXCLUDE (run) FROM messages ORDER BY ALL",
    "segments": "SELECT * EXCLUDE (run) FROM segments ORDER BY ALL",
    "units": "SELECT * EXCLUDE (run) FROM units ORDER BY ALL",
    "chunks": "SELECT * EXCLUDE (run) FROM chunks ORDER BY ALL",
    "points": "SELECT * EXCLUDE (run) FROM points ORDER BY ALL",
    "states": "SELECT unit_id, state FROM unit_states ORDER BY ALL",
}
"""What the work determines, whatever interrupted it: rows without run ids and clock columns."""


@dataclass(slots=True)
class Drill:
    """What a drill came to."""

    name: str
    counts: dict[str, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def count(self, what: str) -> None:
        """One more of this."""
        self.counts[what] = self.counts.get(what, 0) + 1

    def expect(self, holds: bool, what: str) -> None:
        """Count a check, and keep its name where it fails."""
        self.count("checks")
        if not holds:
            self.failures.append(what)

    def expect_sound(self, vault: Path, when: str) -> None:
        """`vault verify --full` finds nothing; what it finds is kept."""
        _, found = verify(vault, full=True)
        self.expect(not found, f"verify --full {when}: {[f'{one.where}: {one.what}' for one in found[:3]]}")


def write_archive(folder: Path, talks: int, name: str = "ada", first: int = 0) -> Path:
    """An export in ChatGPT's layout, with a few notes in each talk; talks are numbered from `first`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps([_talk(first + number) for number in range(talks)]), encoding="utf-8")
    return path


def _talk(number: int) -> dict[str, object]:
    turns = [
        ("user", f"Shed number {number} is {number + 4} metres long. I can only spend {number + 90} euros."),
        ("assistant", f"You could roof shed {number} with larch. Larch lasts {number + 20} years."),
        ("user", f"OK let's go with larch for shed {number}. I still have to ask for {number + 2} permits."),
    ]
    mapping: dict[str, object] = {}
    parent = None
    for place, (role, text) in enumerate(turns):
        node = f"{number}-{place}"
        following = [f"{number}-{place + 1}"] if place + 1 < len(turns) else []
        message = {
            "id": node,
            "author": {"role": role},
            "create_time": 1_767_225_600.0 + 3600 * number + place,
            "content": {"content_type": "text", "parts": [text]},
        }
        mapping[node] = {"id": node, "parent": parent, "children": following, "message": message}
        parent = node
    return {
        "id": f"shed-{number}",
        "conversation_id": f"shed-{number}",
        "title": f"Shed {number}",
        "create_time": 1_767_225_600.0 + 3600 * number,
        "update_time": 1_767_225_600.0 + 3600 * number + 3,
        "mapping": mapping,
        "current_node": parent,
    }


def start(vault: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """`mnemic ARGUMENTS` on the vault, in a process of its own."""
    code = "from interfaces.main import run; run()"
    command = [sys.executable, "-c", code, *arguments, "--vault", str(vault)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    return subprocess.Popen(
        command, cwd=REPOSITORY, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def run(vault: Path, *arguments: str) -> tuple[int, str]:
    """(exit code, what it said on standard error) of a command that nobody disturbs, in this process."""
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        code = main([*arguments, "--vault", str(vault)])
    return code, said.getvalue()


def rows(vault: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row that the work determines, by table."""
    with open_vault(vault) as reader:
        return {name: reader.ledger.query(sql) for name, sql in COMPARED.items()}


def is_sound(vault: Path) -> bool:
    """The published generation opens, and its index agrees with its ledger; true where none is published."""
    layout = VaultLayout(vault)
    if not layout.generations.exists() or published_number(layout) is None:
        return True
    with open_vault(vault) as reader:
        return differences(reader.index, reader.ledger) == []


def some_units(vault: Path, count: int) -> list[str]:
    """Ids of notes, in order."""
    with open_vault(vault) as reader:
        found = reader.ledger.query("SELECT id FROM units ORDER BY id LIMIT ?", [count])
    return [str(unit) for (unit,) in found]


def kept_units(vault: Path) -> set[str]:
    """Units that the owner kept, folded or not."""
    with open_vault(vault) as reader:
        states = dict(reader.ledger.query("SELECT unit_id, state FROM unit_states"))
        states.update(reader.pending_states())
    return {str(unit) for unit, state in states.items() if state == "kept"}


def _copy_journal(source: Path, target: Path) -> None:
    """Give one vault the acts of another."""
    here, there = VaultLayout(source).journal, VaultLayout(target).journal
    with closing(sqlite3.connect(here)) as old, closing(sqlite3.connect(there)) as new:
        old.backup(new)


def converges(drill: Drill, calm: Path, stormy: Path, archive: Path) -> None:
    """After a storm, the same archive and the same acts come to the same rows."""
    drill.expect(run(stormy, "ingest", str(archive))[0] == 0, "the ingest after it all")
    if VaultLayout(stormy).journal.exists():
        _copy_journal(stormy, calm)
    drill.expect(run(calm, "ingest", str(archive))[0] == 0, "the undisturbed ingest")
    drill.expect_sound(stormy, "after it all")
    here, there = rows(calm), rows(stormy)
    for name in here:
        drill.expect(here[name] == there[name], f"equal {name}")
