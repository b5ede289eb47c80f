"""My Activity pages of Google Takeout: an `outer-cell` a row, times in the account's language and zone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from html.parser import HTMLParser

from archives.contract import Part, Reading
from archives.instants import Moment
from archives.json_window import JsonWindow
from archives.tally import SAMPLE_CHARACTERS

_HEADER = re.compile(r'class="[^"]{0,80}header-cell[^"]{0,80}"[^>]{0,80}>\s*<p[^>]{0,120}>([^<]{0,120})<')
_CLOCK = re.compile(
    r"(\d{1,2}):(\d{2}):(\d{2})\s*([AaPp]\.?\s?[Mm]\.?)?\s*([^\d\s,:<>]{2,6}(?:[+-]\d{1,2}(?::\d{2})?)?)?"
)
_NUMBERS = re.compile(r"\d{1,4}")
_WORD = re.compile(r"[^\W\d_]{3,}")

ROW_CHARACTERS = 1 << 24
"""A row of the page that is longer is given up, and what comes after it: nothing tells where it ends."""

_ZONES = {
    "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "CET": 1, "MEZ": 1, "SEČ": 1, "CEST": 2, "MESZ": 2,
    "SELČ": 2, "EET": 2, "EEST": 3, "MSK": 3, "BST": 1, "WEST": 1, "IST": 5.5, "JST": 9, "KST": 9,
    "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5,
    "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "BRT": -3,
}  # fmt: skip
"""Hours east of Greenwich. CST and IST mean several zones: the American and the Indian one are taken."""

_MONTHS = (
    ("jan", "ene", "led", "sty", "янв", "oca", "tam", "ιαν"),
    ("feb", "fév", "fev", "úno", "lut", "фев", "şub", "hel", "φεβ"),
    ("mar", "mär", "maa", "bře", "мар", "μαρ"),
    ("apr", "avr", "abr", "dub", "kwi", "апр", "nis", "huh", "απρ"),
    ("may", "mai", "mag", "kvě", "maj", "мая", "май", "tou", "μαΐ"),
    ("jun", "juin", "giu", "čvn", "cze", "июн", "haz", "kes", "ιουν"),
    ("jul", "juil", "lug", "čvc", "lip", "июл", "tem", "hei", "ιουλ"),
    ("aug", "aoû", "ago", "srp", "sie", "авг", "ağu", "elo", "αυγ"),
    ("sep", "set", "zář", "wrz", "сен", "eyl", "syy", "σεπ"),
    ("oct", "okt", "ott", "out", "říj", "paź", "окт", "eki", "lok", "οκτ"),
    ("nov", "lis", "ноя", "kas", "νοε"),
    ("dec", "dez", "dic", "déc", "pro", "gru", "дек", "ara", "jou", "δεκ"),
)


@dataclass(slots=True)
class Cell:
    """One row of the page."""

    header: str = ""
    title: str = ""
    when: Moment = field(default_factory=Moment)
    answer: str = ""
    """HTML."""
    addresses: list[str] = field(default_factory=list)


def is_activity_page(head: str, products: frozenset[str]) -> bool:
    """Whether the page has activity cells whose header is exactly one of the products."""
    return "outer-cell" in head and any(found.strip() in products for found in _HEADER.findall(head))


class _Page(HTMLParser):
    """Collects the cells of a page that is fed piece by piece."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.done: list[Cell] = []
        self._cell: Cell | None = None
        self._depth = 0
        self._region = ""
        self._region_depth = 0
        self._prompt: list[str] = []
        self._answer: list[str] = []
        self._time = ""
        self.reading: Reading | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = (dict(attrs).get("class") or "").split()
        if tag == "div":
            self._depth += 1
            if "outer-cell" in names:
                self._cell, self._region = Cell(), ""
                self._depth, self._prompt, self._answer, self._time = 1, [], [], ""
            elif self._cell is not None and not self._region:
                self._region = self._region_of(names)
                self._region_depth = self._depth
                return
        if self._cell is None or not self._region:
            return
        href = dict(attrs).get("href")
        if tag == "a" and href:
            self._cell.addresses.append(href)
        if self._region == "content":
            if self._time:
                if self._answer or tag != "br":
                    self._answer.append(self.get_starttag_text() or "")
            elif tag in ("br", "p", "div"):
                self._prompt.append("\n")

    def _region_of(self, names: list[str]) -> str:
        if "header-cell" in names:
            return "header"
        if "content-cell" not in names or "mdl-typography--text-right" in names:
            return ""
        return "caption" if "mdl-typography--caption" in names else "content"

    def handle_endtag(self, tag: str) -> None:
        if self._cell is None:
            return
        if tag == "div":
            if self._region and self._depth == self._region_depth:
                if self._region == "content":
                    self._end_content(self._cell)
                self._region = ""
                self._depth -= 1
                return
            self._depth -= 1
            if self._depth == 0:
                self.done.append(self._cell)
                self._cell = None
                return
        if self._region == "content" and self._time:
            self._answer.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if self._cell is None:
            return
        if self._region == "header":
            self._cell.header += data.strip()
        elif self._region == "content":
            if self._time:
                self._answer.append(data.replace("&", "&amp;").replace("<", "&lt;"))
            else:
                self._prompt.append(data)
                if _CLOCK.search(data) and len(data) < 120 and self._prompt[:-1]:
                    self._time = " ".join(data.split())
                    self._prompt.pop()

    def _end_content(self, cell: Cell) -> None:
        cell.title = "\n".join(" ".join(line.split()) for line in "".join(self._prompt).split("\n")).strip()
        cell.answer = "".join(self._answer).strip()
        cell.when = local_moment(self._time, self.reading) if self._time else Moment()


def cells(part: Part, reading: Reading) -> Iterator[Cell]:
    """The rows of a page, in its order; the page is never in memory as a whole."""
    page = _Page()
    page.reading = reading
    with part.member.open() as stream:
        window, open_for = JsonWindow(stream), 0
        while window.fill():
            page.feed(window.text)
            open_for = 0 if page.done else open_for + len(window.text)
            window.at = len(window.text)
            yield from page.done
            page.done.clear()
            if open_for > ROW_CHARACTERS:
                reading.tally.lose(f"a row longer than {ROW_CHARACTERS:,} characters", part.name, cuts=True)
                return
        page.close()
        yield from page.done
        if window.failure is not None or page._cell is not None:
            why = window.failure.what if window.failure else "the page breaks off inside a row"
            reading.tally.lose(why, part.name, remedy=window.remedy)
        window.remark(reading.tally, part.name)


def local_moment(text: str, reading: Reading | None) -> Moment:
    """A time such as `Jul 20, 2026, 3:15:21 PM CEST` or `1. 1. 2026 10:00:00 SEČ`.

    Numbers are day, month, year unless a month is named or the first of them is the year.
    """
    given = text[:SAMPLE_CHARACTERS]
    clock = _CLOCK.search(text)
    if clock is None:
        return Moment(None, given)
    date = text[: clock.start()]
    numbers = [int(number) for number in _NUMBERS.findall(date)]
    month = next((m for word in _WORD.findall(date) if (m := _month(word))), None)
    day_month_year = _arranged(numbers, month)
    if day_month_year is None:
        return Moment(None, given)
    hour = int(clock[1]) % 12 + 12 * (clock[4][0] in "Pp") if clock[4] else int(clock[1])
    offset = _offset(clock[5])
    named_zone = reading.zone if reading is not None else None
    zone = timezone(timedelta(hours=offset)) if offset is not None else (named_zone or UTC)
    day, named, year = day_month_year
    try:
        local = datetime(year, named, day, hour, int(clock[2]), int(clock[3]), tzinfo=zone)
        when = Moment(local.astimezone(UTC), given, zone_assumed=offset is None)
        return reading.told(when) if reading is not None else when
    except (ValueError, OverflowError):
        return Moment(None, given)


def _offset(name: str | None) -> float | None:
    if not name:
        return None
    known = _ZONES.get(name.upper())
    if known is not None:
        return known
    shifted = re.fullmatch(r"(?:GMT|UTC)([+-])(\d{1,2})(?::(\d{2}))?", name)
    if shifted is None:
        return None
    hours = int(shifted[2]) + int(shifted[3] or 0) / 60
    return hours if shifted[1] == "+" and hours < 24 else (-hours if hours < 24 else None)


def _month(word: str) -> int | None:
    start = word.lower()
    return next(
        (number for number, names in enumerate(_MONTHS, 1) if any(start.startswith(name) for name in names)),
        None,
    )


def _arranged(numbers: list[int], month: int | None) -> tuple[int, int, int] | None:
    if month is not None and len(numbers) == 2:
        day, year = (numbers[1], numbers[0]) if numbers[0] > 31 else (numbers[0], numbers[1])
        return day, month, year
    if month is None and len(numbers) == 3:
        if numbers[0] > 31:
            return numbers[2], numbers[1], numbers[0]
        if numbers[1] > 12:
            return numbers[1], numbers[0], numbers[2]
        return numbers[0], numbers[1], numbers[2]
    return None
