"""A thousand notes decided in the application while its server is killed: is what was acknowledged there?

    python -m benchmarks.faults.review_sitting VAULT --account NAME [--notes 1000] [--kills 8] [--pace 0]

Works on a copy of the vault. A server in a process of its own (`mnemic open`) is asked for *Many at once*,
twenty notes a form, best first; every second note is kept, the others are discarded. At random moments, drawn
from a seed, the server is killed with SIGKILL while a form is under way, and started again. In the end every
form that was answered must stand in the journal whole, and every other one whole or not at all; no note may
be decided twice. `--pace` waits so many seconds between forms, as a person would.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from vault.files import copy_tree
from vault.generations import require_published
from vault.journal import Journal
from vault.layout import VaultLayout

SEED = 7
Form = frozenset[tuple[str, str]]
"""What one form decides: (note, `keep` or `discard`)."""
COMMAND = [sys.executable, "-c", "from interfaces.main import run; run()"]


@dataclass(slots=True)
class Sitting:
    """What was sent and what of it was answered, by form."""

    answered: list[Form] = field(default_factory=list)
    unanswered: list[Form] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


class Served:
    """The application of a vault in a process that can be killed."""

    def __init__(self, vault: Path, account: str) -> None:
        arguments = ["open", "--no-open", "--json", "--account", account, "--vault", str(vault)]
        self._process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        told = "".join(iter(self._process.stdout.readline, "}\n")) + "}"
        parts = urlsplit(json.loads(told)["address"])
        self.root, self.host = parts.path.rstrip("/"), parts.netloc

    def ask(self, method: str, path: str, body: str = "") -> tuple[int, str]:
        """(status, page); raises OSError or HTTPException where the server is gone."""
        connection = http.client.HTTPConnection(self.host, timeout=60)
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        connection.request(method, self.root + path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def kill(self) -> None:
        """SIGKILL, whatever it does."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


def main() -> None:
    """Copy, decide, kill, compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vault", type=Path)
    parser.add_argument("--account", required=True)
    parser.add_argument("--notes", type=int, default=1_000)
    parser.add_argument("--kills", type=int, default=8)
    parser.add_argument("--pace", type=float, default=0.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        vault = copied(given.vault, Path(folder) / "vault")
        sitting = sit(vault, given.account, given.notes, given.kills, given.pace)
        print(json.dumps(compared(vault, sitting), indent=1))


def copied(source: Path, target: Path) -> Path:
    """The published generation alone: nothing is decided in it that no generation holds."""
    from_, to = VaultLayout(source), VaultLayout(target)
    to.create()
    number = require_published(from_)
    copy_tree(from_.generation(number), to.generation(number))
    to.current.write_bytes(from_.current.read_bytes())
    return target


def sit(vault: Path, account: str, notes: int, kills: int, pace: float) -> Sitting:
    """Decide notes form by form; in `kills` of the forms the server dies while they are under way."""
    draw, sitting, served = random.Random(SEED), Sitting(), Served(vault, account)
    forms = -(-notes // 20)
    deadly = set(draw.sample(range(forms), min(kills, forms)))
    for number in range(forms + kills):  # what a kill was quicker than is shown again
        page = served.ask("GET", "/sort")[1]
        units = re.findall(r'name="seen-([^"]+)" value="(\w+)"', page)
        token = re.findall(r'name="csrf" value="([^"]+)"', page)
        if not units:
            break
        fields = {"csrf": token[0], "back": "/sort"}
        acts = {unit: "discard" if place % 2 else "keep" for place, (unit, _) in enumerate(units)}
        for unit, seen in units:
            fields |= {f"seen-{unit}": seen, f"act-{unit}": acts[unit]}
        if number in deadly:
            threading.Timer(draw.uniform(0, 0.5), served.kill).start()
        began, named = time.perf_counter(), frozenset(acts.items())
        try:
            status, _ = served.ask("POST", "/decide", urlencode(fields))
            (sitting.answered if status == 303 else sitting.unanswered).append(named)
        except (OSError, http.client.HTTPException):
            sitting.unanswered.append(named)
        sitting.seconds.append(time.perf_counter() - began)
        if number in deadly:
            time.sleep(0.6)  # past the timer: a form that was quicker than the kill is killed after it
            served = Served(vault, account)
        time.sleep(pace)
    served.kill()
    return sitting


def compared(vault: Path, sitting: Sitting) -> dict[str, object]:
    """The sitting beside the journal. Raises SystemExit where an answered form is missing, or in part."""
    with Journal(VaultLayout(vault).journal) as journal:
        acts = journal.after(0)
    lots: dict[str, set[tuple[str, str]]] = {}
    for act in acts:
        lots.setdefault(act.lot, set()).add((act.subject, act.kind.value))
    done = Counter(frozenset(decided) for decided in lots.values())
    times = Counter(act.subject for act in acts)
    lost = Counter(sitting.answered) - done
    torn = done.keys() - {*sitting.answered, *sitting.unanswered}
    twice = [unit for unit, count in times.items() if count > 1]
    if lost or torn or twice:
        raise SystemExit(
            f"lost {lost.total()} answered forms, {len(torn)} in part; twice decided {len(twice)}"
        )
    took = sorted(sitting.seconds)
    return {
        "forms answered": len(sitting.answered),
        "killed before the answer": len(sitting.unanswered),
        "of those in the journal": (done - Counter(sitting.answered)).total(),
        "notes decided, each once": len(times),
        "lost": 0,
        "in part": 0,
        "a form of twenty, seconds": {
            "median": round(took[len(took) // 2], 3),
            "slowest": round(took[-1], 3),
        },
    }


if __name__ == "__main__":
    main()
