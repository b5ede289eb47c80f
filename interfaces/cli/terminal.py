"""The one way out to a terminal: lines, JSON, tables, questions, progress.

What is said may be an archive's text anywhere: in a note, a column's name, a title, an error that quotes it.
So everything goes through here, and no other module of the interfaces prints (a test looks).
"""

from __future__ import annotations

import json
import logging
import re
import shutil
import sys
import time
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from schemas.deferred import deferred

if TYPE_CHECKING:
    from rich import console, progress
    from rich import markdown as rich_markdown
    from rich import table as rich_table
    from rich import text as rich_text
    from rich.progress import TaskID
else:
    console = deferred("rich.console")
    rich_markdown = deferred("rich.markdown")
    rich_table = deferred("rich.table")
    rich_text = deferred("rich.text")
    progress = deferred("rich.progress")


T = TypeVar("T")

PLAIN_WIDTH = 120
"""Columns where nobody is watching: a log has no edge to fold at."""

DRIVING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of what is no picture: controls (C0 and C1, which begin escape sequences), formats
(which turn the direction of text around), halves of surrogate pairs, separators of lines and paragraphs."""
HARMLESS = frozenset("\n\t\u00ad\u200c\u200d")
"""Of them: line ends and tabs, and what hyphenates, parts and joins letters."""


_AUTOLINK = re.compile(r"<((?:https?|file)://[^<>\s]+)>")
"""A link that is its own text, which would be shown twice."""
_WITHIN = re.compile(r"(?<=\S)\n(?=\s*\S)")
"""The end of a line that another follows at once: to Markdown it is a blank."""


def say(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print text on standard output, or on standard error, as `visible` makes it."""
    click.echo(visible(str(text)), err=err, nl=nl)


def agreed(question: str) -> bool:
    """The answer to a question of yes or no. Raises click's Abort where nobody is there to answer."""
    return click.confirm(visible(question))


def prompted(question: str, *, default: str, kind: click.ParamType[T]) -> T:
    """The answer to a question, asked on standard error."""
    answer: T = click.prompt(visible(question), default=default, type=kind, err=True)
    return answer


def _console() -> console.Console:
    """Standard output; plain and of fixed width where it is not a terminal."""
    return (
        console.Console()
        if sys.stdout.isatty()
        else console.Console(width=PLAIN_WIDTH, no_color=True, highlight=False)
    )


def print_json(value: object) -> None:
    """One JSON value on standard output. It reads back as it was: what would drive a terminal is escaped."""
    click.echo(escaped(json.dumps(value, ensure_ascii=False, indent=2, default=str)))


def print_json_line(value: object) -> None:
    """The same as one line, for a stream of values."""
    click.echo(escaped(json.dumps(value, ensure_ascii=False, default=str)))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on standard output."""
    _console().print(table(title, columns, rows))


def print_markdown(text: str) -> None:
    """Markdown on standard output: laid out on a terminal, as it stands where a program reads it."""
    if not sys.stdout.isatty():
        say(text, nl=False)
        return
    broken = _WITHIN.sub("  \n", _AUTOLINK.sub(r"\1", visible(text)))  # a line of a note is one on the screen
    _console().print(rich_markdown.Markdown(broken, hyperlinks=False))


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> rich_table.Table:
    """A table; title, columns and cells may be archive text, so nothing in them is markup."""
    named = rich_text.Text(visible(title), style="table.title") if title else None
    made = rich_table.Table(title=named, title_justify="left", show_lines=False, show_header=any(columns))
    for column in columns:
        made.add_column(rich_text.Text(visible(column)), overflow="fold")
    for row in rows:
        made.add_row(*(rich_text.Text("" if cell is None else visible(str(cell))) for cell in row))
    return made


def print_left_out(title: str, rows: Sequence[tuple[object, ...]]) -> None:
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
    print_table(title, ("count", "what, why, and where first"), cells)


def visible(text: str) -> str:
    """Text with a mark in place of every character that would let an archive drive the terminal."""
    text = text.replace("\r\n", "\n")
    return text.translate(dict.fromkeys(_driving(text), "\N{SYMBOL FOR DELETE}"))


def escaped(text: str) -> str:
    """JSON with these characters as its escapes; the value is the same."""
    return text.translate({code: json.dumps(chr(code))[1:-1] for code in _driving(text)})


def _driving(text: str) -> list[int]:
    """The code points among the text's that would drive a terminal."""
    return [ord(one) for one in set(text) - HARMLESS if unicodedata.category(one) in DRIVING]


def pour(path: Path, *, as_json: bool) -> None:
    """Copy a file to standard output: its bytes, or what is visible of its text where that is a terminal."""
    if not sys.stdout.isatty():
        with path.open("rb") as source:
            shutil.copyfileobj(source, sys.stdout.buffer)
        return
    shown = escaped if as_json else visible
    with path.open(encoding="utf-8", errors="replace", newline="\n") as lines:
        for line in lines:
            click.echo(shown(line), nl=False)


class SaidWarnings(logging.Handler):
    """What libraries and flows log where nobody set logging up, which quotes names and answers."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print the record on standard error."""
        say(self.format(record), err=True)


class TerminalProgress:
    """Progress bars with rate and time left on a terminal; one line a finished stage elsewhere."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._bars = progress.Progress(
            progress.TextColumn("{task.description:<8}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[what]}"),
            progress.TextColumn("{task.fields[rate]}"),
            progress.TimeRemainingColumn(),
            console=console.Console(stderr=True),
        )
        self._task: TaskID | None = None
        self._stage, self._what, self._done, self._began = "", "", 0, 0.0

    def start(self, stage: str, total: int | None, what: str) -> None:
        """See `flows.reports.progress.Progress`."""
        self._stage, self._what, self._done, self._began = visible(stage), visible(what), 0, time.monotonic()
        if self._live:
            self._bars.start()
            self._task = self._bars.add_task(self._stage, total=total, what=self._what, rate="")

    def advance(self, count: int) -> None:
        """See `flows.reports.progress.Progress`."""
        self._done += count
        if self._live and self._task is not None:
            self._bars.update(self._task, advance=count, rate=f"{self._rate():,.0f}/s")

    def finish(self) -> None:
        """See `flows.reports.progress.Progress`."""
        if self._live:
            self._bars.stop()
        else:
            seconds = time.monotonic() - self._began
            say(f"{self._stage}: {self._done:,} {self._what} in {seconds:.1f} s", err=True)

    def _rate(self) -> float:
        return self._done / max(time.monotonic() - self._began, 1e-6)


def counted(counts: Mapping[str, object]) -> str:
    """`a 3, b 2` for a mapping of counts."""
    return ", ".join(f"{name} {count:,}" for name, count in counts.items() if count)
