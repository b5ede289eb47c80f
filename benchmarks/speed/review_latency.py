"""How long the review page takes: `python -m benchmarks.speed.review_latency VAULT [--requests N]`.

Works on a copy of the vault's published generation in a temporary folder, all of its accounts made into one,
so that the page has every note before it. Asks over a real socket, one request after another as one reader
would: the queue at random places, filters, searches, keeping, undoing, the pairs and the corpus page. Prints
the median and the 95th percentile of each, in milliseconds; the bar is 150. Beside the time that passed
stands the processor's, of server and reader together: what would pass on a machine with nothing else to do.
"""

from __future__ import annotations

import argparse
import http.client
import random
import re
import shutil
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import quote, urlencode

import uvicorn

from interfaces.long_lived import settled
from interfaces.loopback_sockets import listening
from interfaces.web.app import LOOPBACK, application
from interfaces.web.desk import Desk
from interfaces.web.guard import RunSecrets, new_keys
from vault.generations import read_manifest, require_published
from vault.layout import LEDGER_FILE, MANIFEST_FILE, VaultLayout
from vault.ledger import Ledger
from vault.sums import tree_sums

ACCOUNT = "everybody"
SEED = 7


def copied(source: Path, target: Path) -> int:
    """A copy of the published generation with one account; returns how many notes it has."""
    from_, to = VaultLayout(source), VaultLayout(target)
    number = require_published(from_)
    to.create()
    shutil.copytree(from_.generation(number), to.generation(number))
    shutil.copy(from_.current, to.current)
    with Ledger.open(to.generation(number) / LEDGER_FILE, read_only=False) as ledger:
        for table in (
            "units",
            "conversations",
            "messages",
            "relations",
            "judgements",
            "threads",
            "resources",
        ):
            ledger.query(f"UPDATE {table} SET account = ?", [ACCOUNT])
        ((notes,),) = ledger.query("SELECT count(*) FROM units")
        ledger.query("CHECKPOINT")
    folder = to.generation(number)
    changed = {"accounts": (ACCOUNT,), "files": tree_sums(folder)}
    manifest = read_manifest(folder).model_copy(update=changed).sealed()
    (folder / MANIFEST_FILE).write_text(manifest.model_dump_json(), encoding="utf-8")
    return int(str(notes))


class Reader:
    """One reader's connection, and what each kind of request took, in seconds."""

    def __init__(self, port: int, keys: RunSecrets) -> None:
        self._connection = http.client.HTTPConnection(LOOPBACK, port)
        self._keys = keys
        self.took: dict[str, list[float]] = defaultdict(list)
        self.worked: dict[str, list[float]] = defaultdict(list)

    def get(self, kind: str, path: str) -> str:
        """Ask for a page."""
        return self._ask(kind, "GET", path, "")

    def post(self, what: str, path: str, **fields: str) -> str:
        """Send a form and ask for the page that it leads to; both are one act to the owner."""
        return self._ask(what, "POST", path, urlencode({**fields, "csrf": self._keys.form}))

    def _ask(self, kind: str, method: str, path: str, body: str) -> str:
        began, worked = time.perf_counter(), time.process_time()
        path = f"/{self._keys.address}/{path}"
        while True:
            headers = {"Content-Type": "application/x-www-form-urlencoded"} if method == "POST" else {}
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
            page = answer.read().decode()
            if answer.status != 303:
                break
            method, path, body = "GET", answer.headers["location"], ""
        self.took[kind].append(time.perf_counter() - began)
        self.worked[kind].append(time.process_time() - worked)
        if answer.status != 200:
            raise SystemExit(f"{kind}: {path} answered {answer.status}")
        return page


def read(reader: Reader, units: list[str], requests: int) -> None:
    """The requests, mixed as a sitting would mix them."""
    draw = random.Random(SEED)
    page = reader.get("queue", "review")
    for turn in range(requests):
        page = reader.get("queue", f"review?after={draw.choice(units)}")
        found = re.search(r'name="unit" value="([^"]+)"><input type="hidden" name="seen" value="(\w+)"', page)
        if found:
            page = reader.post("keep", "act", kind="keep", unit=found[1], seen=found[2])
        if turn % 4 == 0:
            category = draw.choice(["fact", "decision", "constraint", "idea", "action_item"])
            speaker = draw.choice(["owner", "assistant"])
            reader.get("filter", f"review?category={category}&speaker={speaker}&since=2024-01-01")
            reader.get(
                "search",
                f"review?q={quote(draw.choice(['camping', 'budget week', 'thesis', 'rifugio', 'squat']))}",
            )
            lot = re.search(r'name="lot" value="([^"]+)"', page)
            if lot:
                reader.post("undo", "undo", lot=lot[1])
        if turn % 10 == 0:
            reader.get("pairs", "pairs")
            reader.get("corpus", "corpus")


def main() -> None:
    """Copy, serve, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--requests", type=int, default=100)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, listening(LOOPBACK, 0) as listener:
        notes = copied(given.vault, Path(folder) / "vault")
        desk, keys = Desk(Path(folder) / "vault", ACCOUNT), new_keys()
        units = [
            str(unit)
            for (unit,) in desk.ledger().query("SELECT id FROM deck USING SAMPLE 2000 (reservoir, 7)")
        ]
        port = int(listener.getsockname()[1])
        server = uvicorn.Server(
            uvicorn.Config(application(desk, keys, port), log_level="error", lifespan="off")
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        reader = Reader(port, keys)
        with settled():
            read(reader, units, given.requests)
            server.should_exit = True
            thread.join()
        desk.close()
    print(f"{notes:,} notes")
    everything = {"all": [one for took in reader.took.values() for one in took]}
    work = reader.worked | {"all": [one for took in reader.worked.values() for one in took]}
    for kind, took in (reader.took | everything).items():
        print(
            f"{kind:>7}: {len(took):4} requests, "
            f"median {1000 * median(took):.1f} ms, p95 {p95(took):.1f} ms; "
            f"of the processor median {1000 * median(work[kind]):.1f} ms, p95 {p95(work[kind]):.1f} ms"
        )


def p95(seconds: list[float]) -> float:
    """The 95th percentile, in milliseconds."""
    return 1000 * (quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0])


if __name__ == "__main__":
    main()
