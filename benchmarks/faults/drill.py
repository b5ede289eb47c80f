"""What the drills share: small archives, the command line as processes, and what must hold afterwards."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

from flows.upkeep.full_verification import verify
from interfaces.main import main
from schemas.unit import State
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
    "relations": "SELECT account, unit_id, kind, other_id FROM relations_current ORDER BY ALL",
}
"""What the work determines, whatever interrupted it: rows without run ids and clock columns."""

SWEPT = "swept"
"""What the names of the accounts begin with whose notes sweeps merge. The owner keeps none of them: what a
sweep makes of a note that was kept depends on which came first. Each pair has an account of its own, since
the threads that talks are linked to depend on their order."""


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
    return _write(folder / f"{name}.json", [_shed(first + number) for number in range(talks)])


def write_pair(folder: Path, number: int) -> Path:
    """An export of two talks: a note of the one says what one of the other says, in other words."""
    return _write(folder / f"pair-{number}.json", _pair(number))


def _write(path: Path, talks: list[dict[str, object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(talks), encoding="utf-8")
    return path


def _shed(number: int) -> dict[str, object]:
    turns = [
        ("user", f"Shed number {number} is {number + 4} metres long. I can only spend {number + 90} euros."),
        ("assistant", f"You could roof shed {number} with larch. Larch lasts {number + 20} years."),
        ("user", f"OK let's go with larch for shed {number}. I still have to ask for {number + 2} permits."),
    ]
    return _talk(f"shed-{number}", number, turns)


def _pair(number: int) -> list[dict[str, object]]:
    said = {
        "boat": f"Boat {number} cannot carry more than 4 people.",
        "again": f"The boat {number} can't carry more than 4 people.",
    }
    return [_talk(f"{name}-{number}", number, [("user", text)]) for name, text in said.items()]


def _talk(name: str, hour: int, turns: list[tuple[str, str]]) -> dict[str, object]:
    mapping: dict[str, object] = {}
    parent = None
    for place, (role, text) in enumerate(turns):
        node = f"{name}-{place}"
        following = [f"{name}-{place + 1}"] if place + 1 < len(turns) else []
        message = {
            "id": node,
            "author": {"role": role},
            "create_time": 1_767_225_600.0 + 3600 * hour + place,
            "content": {"content_type": "text", "parts": [text]},
        }
        mapping[node] = {"id": node, "parent": parent, "children": following, "message": message}
        parent = node
    return {
        "id": name,
        "conversation_id": name,
        "title": name.replace("-", " ").title(),
        "create_time": 1_767_225_600.0 + 3600 * hour,
        "update_time": 1_767_225_600.0 + 3600 * hour + 3,
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
    """Ids of notes that no sweep of the drills touches, in order."""
    with open_vault(vault) as reader:
        found = reader.ledger.query(
            "SELECT id FROM units WHERE NOT starts_with(account, ?) ORDER BY id LIMIT ?", [SWEPT, count]
        )
    return [str(unit) for (unit,) in found]


def kept_units(vault: Path) -> set[str]:
    """Units that the owner kept, folded or not."""
    with open_vault(vault) as reader:
        found = reader.ledger.query("SELECT unit_id, state FROM unit_states")
        states = {str(unit): State(str(state)) for unit, state in found} | reader.pending_states()
    return {unit for unit, state in states.items() if state is State.KEPT}
