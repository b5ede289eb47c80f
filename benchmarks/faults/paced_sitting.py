"""A thousand notes decided in a real browser at a person's pace, while the server is killed.

    python -m benchmarks.faults.paced_sitting VAULT --account NAME [--notes 1000] [--talks 0] [--kills 4]
        [--minutes 5 --pace careful]

Works on a copy of the vault. A server in a process of its own (`mnemic open`) is opened in the system's
Chromium, and *Many at once* is gone through with its keys: k or d for a note, now and then x, Enter for what
was decided and the next twenty. `--talks` discards so many whole talks first, those with the most notes: a
press on *Decide its notes*, on the filter, on *Discard all…* and on its confirmation. In `--kills` of the
forms the server gets SIGKILL while they are under way, and is started again. At the end every form that was
answered must stand in the journal as it was pressed, and every other one whole or not at all.

How long a person takes is counted, and without `--minutes` not waited for: what is read and pressed is the
same at every pace. With `--minutes` the pace is kept by the clock for so long.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from playwright.sync_api import Error, Page, sync_playwright

from benchmarks.faults.review_sitting import SEED, Form, Served, Sitting, compared, copied
from vault.deck import Wanted, ids, lay_out
from vault.reader import open_vault

LEFT, DISCARDED = 0.05, 0.45
"""Shares of notes that are left and discarded; which, is drawn from the seed. The others are kept."""
LONGEST_KILL = 0.2
"""Seconds after the key within which the server is killed; a form takes about a tenth."""


@dataclass(frozen=True, slots=True)
class PersonsPace:
    """Seconds that a person takes. Keys, pointing and making up one's mind as in the keystroke-level model
    (Card, Moran and Newell 1983: K of an average typist who is no secretary, P and B, M); words a minute as
    in Carver (1990): reading 300, skimming 450."""

    words_a_minute: float
    decide: float
    """Making up one's mind on a note or a talk, beside reading it."""
    key: float = 0.28
    press: float = 1.3
    look: float = 1.35
    """Taking in a new page."""


PACES = {"careful": PersonsPace(300, 1.35), "reading": PersonsPace(300, 0), "skimming": PersonsPace(450, 0)}


@dataclass(slots=True)
class Work:
    """What a person did, counted."""

    judged: int = 0
    words: int = 0
    keys: int = 0
    presses: int = 0
    pages: int = 0

    def seconds(self, pace: PersonsPace) -> float:
        """How long it takes."""
        read = 60 * self.words / pace.words_a_minute + self.judged * pace.decide
        return read + self.keys * pace.key + self.presses * pace.press + self.pages * pace.look


TWENTY = Work(judged=20, words=230, keys=21, pages=1)
"""About what a page is."""


@dataclass(slots=True)
class Seat:
    """The person before the browser: what was done, what was waited for, and when the server dies."""

    page: Page
    start: Callable[[], Served]
    deadly: set[int]
    pace: PersonsPace | None
    """Kept by the clock; None: counted only."""
    served: Served
    draw: random.Random = field(default_factory=lambda: random.Random(SEED))
    work: Work = field(default_factory=Work)
    sitting: Sitting = field(default_factory=Sitting)
    waited: float = 0.0
    restarted: float = 0.0
    asked: int = 0
    known: set[str] = field(default_factory=set)
    """What was left before: read once, it gets its x at sight where a new server begins anew."""

    def does(self, **done: int) -> None:
        """Count what the person does, and take the time for it where the pace is kept."""
        step = Work(**done)
        for name, number in asdict(step).items():
            setattr(self.work, name, getattr(self.work, name) + number)
        if self.pace is not None:
            time.sleep(step.seconds(self.pace))

    def goes(self, way: Callable[[], object]) -> None:
        """Something that leads to another page, waited for."""
        began = time.perf_counter()
        try:
            with self.page.expect_navigation(wait_until="load"):
                way()
        finally:
            self.waited += time.perf_counter() - began
        self.does(pages=1)

    def opens(self, place: str) -> None:
        """A page by its address, as `mnemic open` or a link of every page leads to it."""
        self.goes(lambda: self.page.goto(f"http://{self.served.host}{self.served.root}/{place}"))

    def sends(self, form: Form, way: Callable[[], object]) -> None:
        """A form that decides; the server may be killed under it, and is then opened anew."""
        sent = len(self.sitting.answered) + len(self.sitting.unanswered)
        dies = sent in self.deadly
        killer = threading.Timer(self.draw.uniform(0, LONGEST_KILL), self.served.kill)
        if dies:
            killer.start()
        before = self.waited
        try:
            self.goes(way)
            told = self.page.get_by_role("status").inner_text()
            decided = told.startswith(("Kept", "Discarded", "Decided"))
        except Error:  # the connection was gone
            decided = False
        self.sitting.seconds.append(self.waited - before)
        (self.sitting.answered if decided else self.sitting.unanswered).append(form)
        if dies:
            killer.join()
            began = time.perf_counter()
            self.served = self.start()
            self.restarted += time.perf_counter() - began
        if dies or not decided:
            self.opens("sort")


def main() -> None:
    """Copy, decide, kill, compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vault", type=Path)
    parser.add_argument("--account", required=True)
    parser.add_argument("--notes", type=int, default=1_000)
    parser.add_argument("--talks", type=int, default=0)
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--pace", choices=list(PACES), default="careful")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        vault = copied(given.vault, Path(folder) / "vault")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        pace = PACES[given.pace] if given.minutes else None
        forms = given.talks + given.notes // 20
        if pace is not None:
            forms = min(forms, int(60 * given.minutes / TWENTY.seconds(pace)))
        deadly = set(random.Random(SEED).sample(range(forms), min(given.kills, forms)))
        seat = Seat(page, lambda: Served(vault, given.account), deadly, pace, Served(vault, given.account))
        page.on("request", lambda _: setattr(seat, "asked", seat.asked + 1))
        began = time.perf_counter()
        until = began + 60 * given.minutes if given.minutes else float("inf")
        talks = list(_talks(vault, given.account, given.talks))
        sit(seat, talks, given.notes, until)
        took = time.perf_counter() - began
        browser.close()
        seat.served.kill()
        found = compared(vault, seat.sitting)
        print(json.dumps(told(seat, took, int(str(found["notes decided, each once"]))) | found, indent=1))


def _talks(vault: Path, account: str, most: int) -> Iterator[tuple[str, Form]]:
    """The talks with the most notes that wait, and what discarding all of one decides."""
    with open_vault(vault) as reader:
        lay_out(reader.ledger, account)
        found = reader.ledger.query(
            """SELECT conversation_id FROM deck WHERE state IN ('review', 'passed')
               GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ?""",
            [most],
        )
        for (talk,) in found:
            notes = ids(reader.ledger, Wanted(conversation=str(talk)))
            yield str(talk), frozenset((note, "discard") for note in notes)


def sit(seat: Seat, talks: list[tuple[str, Form]], notes: int, until: float) -> None:
    """Decide talks as a whole, then notes by twenty, until there are so many or the time is over."""
    for talk, form in talks:
        if time.perf_counter() < until:
            whole_talk(seat, talk, form)
    seat.opens("sort")
    while sum(map(len, seat.sitting.answered)) < notes and time.perf_counter() < until:
        twenty(seat)


def whole_talk(seat: Seat, talk: str, form: Form) -> None:
    """Discard all of a talk: from its page to the filter, and past the notes that the confirmation shows."""
    page = seat.page
    seat.opens(f"conversation/{talk}")
    seat.does(words=len(page.locator("h1").inner_text().split()))
    seat.does(presses=1)
    seat.goes(page.get_by_role("link", name="Decide its notes").click)
    seat.does(presses=1)
    page.locator("details.filter summary").click()
    seat.does(presses=1)
    seat.goes(page.get_by_role("button", name="Discard all…").click)
    seat.does(judged=1, words=len(page.locator(".coming").inner_text().split()), presses=1)
    seat.sends(form, page.get_by_role("button", name="Discard all").click)


def twenty(seat: Seat) -> None:
    """One page of *Many at once*: each note read and decided by its key, then Enter."""
    page, form = seat.page, set[tuple[str, str]]()
    rows = page.locator("[data-row]").evaluate_all(
        "(rows) => rows.map((row) => [row.querySelector('[name^=seen-]').name.slice(5),"
        " row.querySelector('legend').textContent.trim()])"
    )
    for unit, text in rows:
        new = unit not in seat.known
        chance = seat.draw.random() if new else 0.0
        key = "x" if chance < LEFT else "d" if chance < LEFT + DISCARDED else "k"
        seat.does(judged=int(new), words=len(text.split()) if new else 0, keys=1)
        page.keyboard.press(key)
        if key == "x":
            seat.known.add(unit)
        else:
            form.add((unit, "keep" if key == "k" else "discard"))
    seat.does(keys=1)
    if form:
        seat.sends(frozenset(form), lambda: page.keyboard.press("Enter"))
    else:  # all of it was left before
        seat.goes(lambda: page.keyboard.press("Enter"))


def told(seat: Seat, took: float, decided: int) -> dict[str, object]:
    """What was done, what it took, and what a thousand notes would."""
    machine = seat.waited + seat.restarted
    minutes = {
        name: round((seat.work.seconds(pace) + machine) / 60 * 1000 / decided, 1)
        for name, pace in PACES.items()
    }
    by_clock = {"minutes": round(took / 60, 1), "a thousand notes": round(took / 60 * 1000 / decided, 1)}
    return {
        "what the person did": asdict(seat.work),
        "requests": seat.asked,
        "waited for pages, seconds": round(seat.waited, 1),
        "waited for new servers, seconds": round(seat.restarted, 1),
        "minutes for a thousand notes": minutes,
        **({} if seat.pace is None else {"by the clock": by_clock}),
    }


if __name__ == "__main__":
    main()
