"""Each stage beside its peer or its limit, in one run, as a Markdown table.

    make bench                                       # with the peers in an environment of their own
    python -m benchmarks.bench ARCHIVE [--only STAGE...] [--conversations N] [--queries N] [--write PAGE]

ARCHIVE is one person's export of the realmem suite with its queries beside it; its oldest N conversations are
taken, and the queries that these can answer. Each contender runs in a process and with a home folder of its
own; what it takes to get ready is not timed. Processor time is that of all threads: on a busy machine go by
it and by the ratios. A contender that cannot run here is a row that says why. With --write the table takes
the place of the one on the page, between its two marks, once every stage has run; not after --only.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.stages import Setting

STAGES = ("read", "chunk", "embed", "duplicates", "paths", "ingest", "recall")
BEGINS, ENDS = "<!-- table: make bench -->", "<!-- end of the table -->"
LONGEST = 900
"""Seconds that a contender may take."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What one contender took, and came to."""

    wall: float = 0.0
    processor: float = 0.0
    peak_mib: float = 0.0
    figures: dict[str, float] = field(default_factory=dict)
    why_not: str = ""


def cut(archive: Path, conversations: int, folder: Path) -> Path:
    """The oldest conversations of an archive, and the queries whose gold is among them."""
    queries = archive.with_name(f"{archive.stem}.queries.jsonl")
    with zipfile.ZipFile(archive) as whole:
        talks = sorted(json.loads(whole.read("conversations.json")), key=lambda one: one["create_time"])
    talks = talks[:conversations]
    held = {one.get("conversation_id") or one["id"] for one in talks}
    asked = [line for line in queries.read_text(encoding="utf-8").splitlines() if line.strip()]
    answered = [line for line in asked if held.issuperset(json.loads(line)["gold_conversations"])]
    made = folder / archive.name
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as part:
        part.writestr("conversations.json", json.dumps(talks))
    made.with_name(queries.name).write_text("\n".join(answered) + "\n", encoding="utf-8")
    return made


def run_here(stage: str, who: str, setting: Setting) -> Taken:
    """One contender, in this process."""
    work = importlib.import_module(f"benchmarks.stages.{stage}").CONTENDERS[who](setting)
    began, spent = time.perf_counter(), _processor()
    came_to = work()
    wall, processor = time.perf_counter() - began, _processor() - spent
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = came_to() if callable(came_to) else came_to
    return Taken(round(wall, 3), round(processor, 3), peak, dict(figures))


def _processor() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def run_apart(stage: str, who: str, setting: Setting, home: Path) -> Taken:
    """One contender in a process of its own; the last line that it prints is what it took."""
    told = [str(setting.folder), str(setting.archive), str(setting.queries)]
    # the embedder's derived graph stays where it is; everything else that a peer keeps goes to `home`
    cache = os.environ.get("MNEMIC_CACHE") or str(Path.home() / ".cache" / "mnemic")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.bench", "--run", stage, who, *told],
            env={**os.environ, "HOME": str(home), "MNEMIC_CACHE": cache, "ANONYMIZED_TELEMETRY": "False"},
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Taken(why_not=f"took more than {LONGEST} s")
    if done.returncode != 0:
        last = [line for line in done.stderr.splitlines() if line.strip()][-1:]
        return Taken(why_not=last[0][:120] if last else f"exit code {done.returncode}")
    return Taken(**json.loads(done.stdout.splitlines()[-1]))


def row(stage: str, who: str, taken: Taken, mine: Taken) -> str:
    """A line of the table; ratios are to mnemic's."""
    if taken.why_not:
        return f"| {stage} | {who} | did not run: {taken.why_not} | | | |"
    ratio = f"{taken.processor / mine.processor:.2f}" if mine.processor else ""
    figures = ", ".join(f"{name} {value:,g}" for name, value in taken.figures.items())
    took = f"{taken.processor:.1f} s | {ratio} | {taken.peak_mib:,.0f} MiB"
    return f"| {stage} | {who} | {took} | {figures} |"


def compare(stages: tuple[str, ...], whole: Path, conversations: int, queries: int) -> Iterator[str]:
    """Run every contender of every stage; the lines of the table as they come."""
    asked = f"`{whole.name}`, {conversations} conversations, at most {queries} queries"
    here = f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    yield f"`make bench` on {datetime.now(UTC):%Y-%m-%d}, {here}; {asked}:"
    yield ""
    yield "| stage | who | processor | × mnemic's | peak memory | came to |"
    yield "|---|---|---|---|---|---|"
    with tempfile.TemporaryDirectory(prefix="mnemic-bench-") as name:
        home = Path(name) / "home"
        home.mkdir()
        archive = cut(whole, conversations, home)
        for stage in stages:
            folder = Path(name) / ("asked" if stage in ("ingest", "recall") else stage)
            folder.mkdir(exist_ok=True)
            setting = Setting(folder, archive, queries)
            mine = Taken()
            for who in importlib.import_module(f"benchmarks.stages.{stage}").CONTENDERS:
                taken = run_apart(stage, who, setting, home)
                mine = taken if who == "mnemic" else mine
                yield row(stage, who, taken, mine)
    yield ""
    yield f"Load at the end {os.getloadavg()[0]:.1f}."


def written(page: str, table: str) -> str:
    """The page with this table between its marks. Raises ValueError where it has not both."""
    before, _, rest = page.partition(BEGINS)
    _, ends, after = rest.partition(ENDS)
    if not ends:
        raise ValueError(f"the page lacks {BEGINS} or {ENDS}")
    return f"{before}{BEGINS}\n\n{table}\n\n{ENDS}{after}"


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archive", type=Path, nargs="?")
    parser.add_argument("--only", choices=STAGES, nargs="+", default=STAGES)
    parser.add_argument("--conversations", type=int, default=20)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table onto this page")
    parser.add_argument("--run", nargs=5, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.run:
        stage, who, folder, archive, queries = told.run
        taken = run_here(stage, who, Setting(Path(folder), Path(archive), int(queries)))
        print(json.dumps(asdict(taken)))
        return
    if told.archive is None or not told.archive.is_file():
        parser.error("name a person's archive of the realmem suite")
    lines = []
    for line in compare(tuple(told.only), told.archive, told.conversations, told.queries):
        lines.append(line)
        print(line, flush=True)
    if told.write and tuple(told.only) == STAGES:
        page = written(told.write.read_text(encoding="utf-8"), "\n".join(lines))
        told.write.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
