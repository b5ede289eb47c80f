"""A message's and a question's way through the code: every function of the project in the order in which it
is first called, and how often a call goes from one module to another.

    python -m benchmarks.call_trace > docs/architecture/call-trace.md

A message: the stages `extract`, `summarise` and `embed` of an ingest of one conversation with three messages,
into a vault that holds the sample archive; and of the first the engine alone, from segments to notes.
A question: one recall from that vault. Both are made once before with other words, so that nothing is counted
that a process does once (opening models, reading tables of words).

A hop is a call whose function stands in another module than the function that called it, with the libraries
between them left out. A generator counts when it is started, not at each value. Threads count as called by
what waits for them.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from inspect import CO_GENERATOR
from pathlib import Path
from types import CodeType, FrameType

from benchmarks.faults.drill import write_archive
from flows.batches.batch_stages import extract_batch, summarise_batch
from flows.engines.engine_choice import BY_RULES, opened_engine
from flows.ingest.steps import IngestRequest, embed, ingest, prepare, read
from flows.reports.progress import Silent
from inference import load_embedder
from inference.secret_cover import concealed
from retrieval import Package, Question, Where, recall
from vault.layout import VaultLayout
from vault.lock import writer_lock
from vault.reader import open_vault

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = frozenset(
    ("archives", "chunking", "curation", "extract", "flows", "inference", "retrieval", "schemas", "vault")
)
SAMPLE = ROOT / "data" / "sample" / "conversations.json"
PARTS = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<module>"))
"""Code that belongs to the function it stands in."""
WARM_QUESTION = "Which mornings can't I work, and why?"
QUESTION = "What did I decide about epoxy on Teist?"


@dataclass(slots=True)
class Trace:
    """What was called."""

    calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By (module, qualified name), in the order of the first calls."""
    hops: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By (module of the caller, module of what it called)."""
    _modules: dict[CodeType, str] = field(default_factory=dict)
    _begun: dict[int, FrameType] = field(default_factory=dict)
    """Generators that were started; held, so that no other frame gets the same id."""

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record what this thread and those that it starts call until the block ends."""
        home = threading.get_ident()

        def called(frame: FrameType, event: str, _: object) -> None:
            if event == "call":
                self._called(frame, home)

        threading.setprofile(called)
        sys.setprofile(called)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # as documented

    def _called(self, frame: FrameType, home: int) -> None:
        module = self.module_of(frame.f_code)
        if not module or frame.f_code.co_name in PARTS:
            return
        if frame.f_code.co_flags & CO_GENERATOR:
            if id(frame) in self._begun:
                return
            self._begun[id(frame)] = frame
        self.calls[module, frame.f_code.co_qualname] += 1
        caller = self._caller(frame.f_back)
        if caller is None and threading.get_ident() != home:
            caller = self._caller(sys._current_frames().get(home))
        if caller is not None and caller != module:
            self.hops[caller, module] += 1

    def _caller(self, frame: FrameType | None) -> str | None:
        while frame is not None:
            if module := self.module_of(frame.f_code):
                return module
            frame = frame.f_back
        return None

    def module_of(self, code: CodeType) -> str:
        """The file of the project that the code stands in, from the root; empty for a library's."""
        if (known := self._modules.get(code)) is None:
            path = Path(code.co_filename)
            inside = path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in FOLDERS
            known = self._modules[code] = path.relative_to(ROOT).as_posix() if inside else ""
        return known


def trace_message(folder: Path, vault: Path) -> tuple[dict[str, Trace], int]:
    """The way of a conversation of three messages, stage by stage, and how many notes it came to."""
    ingest(IngestRequest(vault, (write_archive(folder, 1, "warm", first=1),)))
    archive = write_archive(folder, 1, "told", first=7)
    layout = VaultLayout(vault)
    traces = {"engine": Trace(), "extract": Trace(), "summarise": Trace(), "embed": Trace()}
    with writer_lock(layout), opened_engine(BY_RULES, layout) as opened:
        prepare(layout)
        embedder = load_embedder()
        (batch,) = read(layout, IngestRequest(vault, (archive,)), embedder, opened, Silent()).batches
        hidden = [concealed(one) for one in batch.conversations()]
        with traces["engine"].recording():
            for one in hidden:
                opened.engine.extract(one)
        with traces["extract"].recording():
            extract_batch(batch)
        with traces["summarise"].recording():
            summarise_batch(batch)
        with traces["embed"].recording():
            embed(layout, batch, embedder)
        notes = sum(1 for _ in batch.units())
    return traces, notes


def trace_question(vault: Path) -> tuple[Trace, Package]:
    """The way of a question to the sample's vault, and what came of it."""
    trace, embedder = Trace(), load_embedder()
    with open_vault(vault) as reader:
        where = Where(reader.generation.accounts[0])
        recall(Question(WARM_QUESTION, where), reader.index, embedder)
        with trace.recording():
            package = recall(Question(QUESTION, where), reader.index, embedder)
    return trace, package


def page(message: tuple[dict[str, Trace], int], question: tuple[Trace, Package]) -> str:
    """Both ways as Markdown."""
    (told, notes), (asked, package) = message, question
    lines = [
        f"# A message's and a question's way\n\n{INTRODUCTION}\n",
        "| way | functions | modules | calls | hops between modules |",
        "|---|---|---|---|---|",
        f"| a conversation of three messages, to {notes} notes: the engine | {_counts(told['engine'])} |",
        f"| the same, with gate, chunks and what is stored: `extract` | {_counts(told['extract'])} |",
        f"| the same, its summary: `summarise` | {_counts(told['summarise'])} |",
        f"| the same, its vectors: `embed` | {_counts(told['embed'])} |",
        f"| a question, to a package of {len(package.hits)} notes and passages | {_counts(asked)} |",
        "",
    ]
    for stage in ("extract", "summarise", "embed"):
        lines += _way(f"A message's way: {stage}", told[stage])
    return "\n".join([*lines, *_way("A question's way", asked)])


INTRODUCTION = """Made by `python -m benchmarks.call_trace > docs/architecture/call-trace.md`, which says what
is counted. The functions stand in the order in which each is first called, under the file that holds them;
behind a name, how often it is called where that is more than once. A hop is a call into another module."""


def _counts(trace: Trace) -> str:
    modules = {module for module, _ in trace.calls}
    return f"{len(trace.calls)} | {len(modules)} | {trace.calls.total():,} | {trace.hops.total():,}"


def _way(title: str, trace: Trace) -> Iterator[str]:
    yield f"## {title}\n"
    last = ""
    for (module, name), count in trace.calls.items():
        if module != last:
            yield f"- `{module}`"
            last = module
        yield f"    - `{name.replace('<locals>.', '')}`" + (f" {count:,}" if count > 1 else "")
    yield "\nThe hops that are made most often:\n"
    yield "| from | to | times |"
    yield "|---|---|---|"
    for (caller, module), count in sorted(trace.hops.items(), key=lambda one: (-one[1], one[0]))[:15]:
        yield f"| `{caller}` | `{module}` | {count:,} |"
    yield ""


def main() -> None:
    """Trace both, on one core, so that messages are read one after another; print the page."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ingest(IngestRequest(folder / "vault", (SAMPLE,)))
        question = trace_question(folder / "vault")
        print(page(trace_message(folder, folder / "vault"), question), end="")


if __name__ == "__main__":
    main()
