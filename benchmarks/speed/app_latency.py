"""How long the application's pages take.

    python -m benchmarks.speed.app_latency FOLDER [--notes 100000] [--requests 40]

Makes a vault of so many notes in the folder, or takes the one that is there: notes with random words and
vectors (`benchmarks.scale`), 10,000 of threads and names, maps, paths, runs and imports (`app_ledger`). Asks
over a real socket, one request after another as one reader would, each page at random places; the first
request of each is told apart. Prints the median and the 95th percentile in milliseconds; the bar is 150.
Beside the time that passed stands the processor's, of server and reader together: what would pass on a
machine with nothing else to do.
"""

from __future__ import annotations

import argparse
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from urllib.parse import quote

import uvicorn

from benchmarks.scale.generated_vault import ACCOUNT, questions
from benchmarks.scale.measured_stages import load_and_publish
from benchmarks.speed.app_ledger import made_up
from benchmarks.speed.review_latency import SEED, Reader, p95
from interfaces.long_lived import settled
from interfaces.loopback_sockets import listening
from interfaces.web.app import LOOPBACK, application
from interfaces.web.desk import Desk
from interfaces.web.guard import new_keys
from vault.ledger import Ledger

Draw = Callable[[], str]


def main() -> None:
    """Make, serve, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--notes", type=int, default=100_000)
    parser.add_argument("--requests", type=int, default=40)
    given = parser.parse_args()
    vault = given.folder / "vault"
    if not vault.exists():
        load_and_publish(vault, given.notes, None)
        made_up(vault)
    with listening(LOOPBACK, 0) as listener:
        desk, keys = Desk(vault, ACCOUNT), new_keys()
        port = int(listener.getsockname()[1])
        config = uvicorn.Config(application(desk, keys, port), log_level="error", lifespan="off")
        pages = dict(_pages(desk.ledger(), random.Random(SEED)))
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        reader = Reader(port, keys)
        with settled():
            for kind, draw in pages.items():
                for _ in range(given.requests + 1):
                    reader.get(kind, draw())
            server.should_exit = True
            thread.join()
        desk.close()
    for line in report(reader):
        print(line)


def _pages(ledger: Ledger, draw: random.Random) -> Iterator[tuple[str, Draw]]:
    """By kind of page, what makes an address of it at a random place."""

    def one_of(sql: str, address: str) -> Draw:
        values = [
            quote(str(value), safe="") for (value,) in ledger.query(f"{sql} USING SAMPLE 500 (reservoir, 7)")
        ]
        return lambda: address.format(draw.choice(values))

    def at(address: str, most: int) -> Draw:
        return lambda: address.format(draw.randrange(most))

    asked = [quote(one) for one in questions(None, 200)]
    yield "start", lambda: ""
    yield "search", lambda: f"?q={draw.choice(asked)}"
    yield "search, filtered", lambda: f"?q={draw.choice(asked)}&category=decision&since=2021-01-01"
    yield "note", one_of("SELECT id FROM deck", "note/{}")
    yield "conversation", one_of("SELECT conversation_id FROM conversations", "conversation/{}")
    yield "conversations", at("conversations?from={}", 4_000)
    yield "notes", at("notes?from={}", 90_000)
    yield "notes with words", one_of("SELECT split_part(text, ' ', 5) FROM deck", "notes?q={}")
    yield "threads", at("threads?from={}", 1_000)
    yield "thread", one_of("SELECT id FROM threads", "thread/{}")
    yield "decisions", at("decisions?from={}", 5_000)
    yield "decisions, over", at("decisions?show=over&from={}", 1_000)
    yield "questions", at("questions?from={}", 5_000)
    yield "actions", at("actions?from={}", 5_000)
    yield "names", at("names?from={}", 5_000)
    yield "name", one_of("SELECT name FROM named_things", "names?name={}")
    yield "paths", lambda: "paths"
    yield "path", one_of("SELECT DISTINCT path FROM deck_paths", "paths?path={}")
    yield "calendar", at("calendar?from={}", 2)
    yield "day", one_of("SELECT CAST(CAST(said_at AS DATE) AS VARCHAR) FROM deck", "day/{}")
    yield "corpus", lambda: "corpus"
    yield "graph", at("graph?from={}", 1_000)
    yield "graph, a thread", one_of("SELECT id FROM threads", "graph?thread={}")
    yield "graph, a name", one_of("SELECT name FROM named_things", "graph?name={}")
    yield "runs", at("runs?from={}", 400)
    yield "run", one_of("SELECT run FROM runs", "run/{}")
    yield "review", one_of("SELECT id FROM deck", "review?after={}")
    yield "many at once", lambda: f"sort?after={draw.random():.3f}:{draw.randrange(100_000)}"
    yield "pairs", at("pairs?from={}", 1_000)


def report(reader: Reader) -> Iterator[str]:
    """A row of a table for each kind of page."""
    yield "| page | n | processor, median | processor, p95 | clock, first | clock, median | clock, p95 |"
    yield "|---|---|---|---|---|---|---|"
    rest = {kind: took[1:] for kind, took in reader.took.items()}
    work = {kind: took[1:] for kind, took in reader.worked.items()}
    for kind, took in rest.items():
        yield (
            f"| {kind} | {len(took)} | {1000 * median(work[kind]):.0f} ms | {p95(work[kind]):.0f} ms "
            f"| {1000 * reader.took[kind][0]:.0f} ms | {1000 * median(took):.0f} ms | {p95(took):.0f} ms |"
        )
    everything = [one for took in rest.values() for one in took]
    worked = [one for took in work.values() for one in took]
    yield (
        f"| all | {len(everything)} | {1000 * median(worked):.0f} ms | {p95(worked):.0f} ms "
        f"| | {1000 * median(everything):.0f} ms | {p95(everything):.0f} ms |"
    )


if __name__ == "__main__":
    main()
