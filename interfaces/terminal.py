"""What a person sees: tables, progress bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID
    from rich.table import Table

PLAIN_WIDTH = 120
"""Columns where nobody is watching: a log has no edge to fold at."""


def console() -> Console:
    """Standard output; plain and of fixed width where it is not a terminal."""
    from rich.console import Console  # takes a tenth of a second, which --json need not wait

    return Console() if sys.stdout.isatty() else Console(width=PLAIN_WIDTH, no_color=True, highlight=False)


def print_json(value: object) -> None:
    """One JSON value on standard output, archive text as it is."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A table; cells are archive text, so nothing in them is markup."""
    from rich.markup import escape  # see console
    from rich.table import Table

    made = Table(title=title, title_justify="left", show_lines=False, show_header=any(columns))
    for column in columns:
        made.add_column(column, overflow="fold")
    for row in rows:
        made.add_row(*(escape("" if cell is None else visible(str(cell))) for cell in row))
    return made


def left_out(title: str, rows: Sequence[tuple[object, ...]]) -> Table:
    """What is not of the corpus, from rows of (archive, kind, reason, count, first place, remedy or "")."""
    several = len({archive for archive, *_ in rows}) > 1
    cells = [
        (
            count,
            f"{kind}: {reason}\nfirst in {f'{archive}: ' if several else ''}{where}"
            + (f"\n{remedy}" if remedy else ""),
        )
        for archive, kind, reason, count, where, remedy in rows
    ]
    return table(title, ("count", "what, why, and where first"), cells)


def visible(text: str) -> str:
    """Text without the control characters that would let an archive drive the terminal."""
    return "".join(
        character if character.isprintable() or character == "\n" else "\N{SYMBOL FOR DELETE}"
        for character in text
    )


class TerminalProgress:
    """Progress bars with rate and time left on a terminal; one line a finished stage elsewhere."""

    def __init__(self) -> None:
        from rich.console import Console  # see console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._live = sys.stderr.isatty()
        self._bars = Progress(
            TextColumn("{task.description:<8}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[what]}"),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._task: TaskID | None = None
        self._stage, self._what, self._done, self._began = "", "", 0, 0.0

    def start(self, stage: str, total: int | None, what: str) -> None:
        """See `flows.progress.Progress`."""
        self._stage, self._what, self._done, self._began = stage, what, 0, time.monotonic()
        if self._live:
            self._bars.start()
            self._task = self._bars.add_task(stage, total=total, what=what, rate="")

    def advance(self, count: int) -> None:
        """See `flows.progress.Progress`."""
        self._done += count
        if self._live and self._task is not None:
            self._bars.update(self._task, advance=count, rate=f"{self._rate():,.0f}/s")

    def finish(self) -> None:
        """See `flows.progress.Progress`."""
        if self._live:
            self._bars.stop()
        else:
            seconds = time.monotonic() - self._began
            click.echo(f"{self._stage}: {self._done:,} {self._what} in {seconds:.1f} s", err=True)

    def _rate(self) -> float:
        return self._done / max(time.monotonic() - self._began, 1e-6)


def counted(counts: Mapping[str, object]) -> str:
    """`a 3, b 2` for a mapping of counts."""
    return ", ".join(f"{name} {count:,}" for name, count in counts.items() if count)
