"""A five-minute video for a terminal: `python -m benchmarks.terminal_cast [--to docs/images/mnemic.cast]`.

Runs every command of `SCENES` for real, in a pseudo-terminal, on the sample archive in a temporary folder,
and writes what it printed, when, as asciicast v2 (https://docs.asciinema.org/manual/asciicast/v2/), which
`asciinema play` shows. Words are typed at the pace of a person, and each answer stands for as long as reading
it takes. Progress bars, which are drawn anew ten times a second, are left out.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).parents[1]
COLUMNS, ROWS = 100, 30
TYPED, READ_A_WORD, LONGEST_PAUSE = 0.035, 0.08, 9.0
"""Seconds a key, seconds a word of an answer, and the most that one answer stands."""
WAITED = 1.0
"""Seconds at most that pass between two things printed, however long the command worked."""
PROMPT = "\x1b[32m~ $\x1b[0m "

NOTE = "{note}"
"""Stands for the note that the first recall found."""
SCENES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("An export of two months with an assistant. What is in it?", ("mnemic inspect chatgpt-export.json",)),
    (
        "Read it: notes of fifteen words or fewer, each with its evidence. No key, no server.",
        ("mnemic ingest chatgpt-export.json",),
    ),
    (
        "Ask it. What comes back is quoted from the talk, never composed.",
        (
            'mnemic recall --limit 3 "What did I decide about epoxy on Teist?"',
            'mnemic recall --limit 2 "Which mornings can\'t I work, and why?"',
        ),
    ),
    ("A question that nothing answers gets nothing.", ('mnemic recall "What is my parrot called?"',)),
    ("Where does a note come from?", (f"mnemic get {NOTE}", f"mnemic blame {NOTE}")),
    (
        "All decisions, newest first; and where notes lie.",
        ("mnemic list --category decision --limit 6", "mnemic summarize --depth 1"),
    ),
    ("It is yours: keep, correct, discard, and take it back.", (f"mnemic discard {NOTE}", "mnemic undo")),
    ("Threads run through conversations.", ("mnemic threads",)),
    ("What a language model would cost, before it is asked.", ("mnemic plan chatgpt-export.json",)),
    (
        "Then: mnemic open for the browser, mnemic mcp for your assistant, mnemic serve for every night.",
        ("mnemic status",),
    ),
)
"""What is said, and the commands that show it."""


@dataclass
class Cast:
    """The recording: events of a terminal, each at a time of its own clock."""

    at: float = 0.0
    events: list[tuple[float, str, str]] = field(default_factory=list)

    def show(self, text: str, after: float = 0.0) -> None:
        """Print, so many seconds after what was printed last."""
        self.at += after
        self.events.append((round(self.at, 3), "o", text))

    def type(self, text: str) -> None:
        """Print letter by letter."""
        for letter in text:
            self.show(letter, TYPED)

    def write(self, path: Path) -> None:
        """The file: a header and a line an event."""
        header = {
            "version": 2,
            "width": COLUMNS,
            "height": ROWS,
            "title": "mnemic",
            "env": {"TERM": "xterm-256color"},
        }
        lines = [json.dumps(header), *(json.dumps(event, ensure_ascii=False) for event in self.events)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Run the scenes and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "images" / "mnemic.cast")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve()
        shutil.copy(ROOT / "data" / "sample" / "conversations.json", home / "chatgpt-export.json")
        recorded(home).write(given.to)


def recorded(home: Path) -> Cast:
    """Every scene in that folder, which stands as `~` in what is shown."""
    cast, note = Cast(), ""
    for said, commands in SCENES:
        cast.show(PROMPT)
        cast.type(f"\x1b[2m# {said}\x1b[0m")
        cast.show("\r\n", 1.2)
        for command in (one.replace(NOTE, note) for one in commands):
            cast.show(PROMPT)
            cast.type(command)
            cast.show("\r\n", 0.4)
            told = _run(command, home, cast)
            found = re.search(r"owner · [^\n]*?([0-9a-f]{8})\b", told)
            note = note or (found[1] if found else "")
            words = len(told.split())
            cast.show("", min(LONGEST_PAUSE, 1.0 + READ_A_WORD * words))
    return cast


def _run(command: str, home: Path, cast: Cast) -> str:
    """Run one command in a pseudo-terminal, record what it prints, and give it as a whole."""
    bin_folder = str(Path(sys.executable).parent)
    environment = {
        "HOME": str(home), "PATH": f"{bin_folder}:/usr/bin:/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8",
        "MNEMIC_VAULT": str(home / "vault"),
    }  # fmt: skip
    kept = {name: os.environ[name] for name in ("MNEMIC_CACHE", "PYTHONPATH") if name in os.environ}
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    done = subprocess.Popen(
        ["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL, cwd=home,
        env={**environment, **kept},
    )  # fmt: skip
    os.close(theirs)
    told, last = "", monotonic()
    while piece := _piece(ours):
        shown = piece.replace(str(home), "~")
        cast.show(shown, min(WAITED, monotonic() - last))
        told, last = told + shown, monotonic()
    os.close(ours)
    if done.wait():
        sys.exit(f"{command}: exit status {done.returncode}\n{told}")
    return told


def _piece(terminal: int) -> str:
    try:
        return os.read(terminal, 1 << 16).decode("utf-8", "replace")
    except OSError:  # how Linux tells that the other end is closed
        return ""


if __name__ == "__main__":
    main()
