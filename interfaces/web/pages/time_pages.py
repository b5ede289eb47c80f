"""When it was said and how much: the calendar, a day, the corpus in pictures, and what models cost."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from starlette.requests import Request
from starlette.responses import Response

from flows.engines.model_costs import costs
from interfaces.web.desk import Desk
from interfaces.web.paging import PAGE, pager, start_of
from interfaces.web.responses import Show
from interfaces.web.views.corpus_pictures import pictures
from interfaces.web.views.heat_map import heat_map
from interfaces.web.views.svg_plots import Picture
from schemas.unit import RECALLED_STATES
from vault.browsing import WantedTalks, days, talks, years
from vault.deck import Wanted, newest

YEARS = 3
"""Years on one page of the calendar."""


class TimePages:
    """Handlers of the calendar and the corpus."""

    def __init__(self, desk: Desk, show: Show) -> None:
        self._desk, self._show = desk, show
        self._made: tuple[object, list[Picture]] = None, []
        """The pictures of the corpus, by the reader's position when they were made."""

    async def calendar(self, request: Request) -> Response:
        """A heat map for each year in which something was said, the newest first."""
        ledger, start = self._desk.ledger(), start_of(request.query_params)
        known = [int(str(row["year"])) for row in years(ledger)]
        shown = known[start : start + YEARS]
        counts: dict[date, int] = {}
        if shown:
            found = days(ledger, date(min(shown), 1, 1), date(max(shown), 12, 31))
            counts = {day: int(str(row["notes"])) for row in found if isinstance(day := row["day"], date)}
        return self._show(
            "calendar.html",
            maps=[heat_map(year, {d: n for d, n in counts.items() if d.year == year}) for year in shown],
            pager=pager("/calendar", {}, start, len(known), YEARS),
        )

    async def day(self, request: Request) -> Response:
        """What was said on a day: conversations that began on it, and the notes."""
        ledger = self._desk.ledger()
        try:
            day = datetime.fromisoformat(f"{request.path_params['day'][:10]}T00:00:00+00:00")
            after = day + timedelta(days=1)
        except (ValueError, OverflowError):
            return self._show("missing.html", status=404)
        chosen = Wanted(states=RECALLED_STATES, since=day, before=after)
        start = start_of(request.query_params)
        notes, total = newest(ledger, chosen, PAGE, start)
        return self._show(
            "day.html",
            day=day,
            before=day - timedelta(days=1) if day.year > 1 else None,
            after=after,
            talks=talks(ledger, WantedTalks(self._desk.account, since=day, before=after), PAGE),
            notes=notes,
            pager=pager(f"/day/{day:%Y-%m-%d}", {}, start, total),
        )

    async def corpus(self, _: Request) -> Response:
        """The corpus in pictures; each leads to what it counts."""
        ledger = self._desk.ledger()
        spent = costs(self._desk.reader.layout, ledger)
        by_day = ledger.rows(
            """SELECT day, service, model, prompt, sum(calls) AS calls, sum(input_tokens) AS input_tokens,
                      sum(output_tokens) AS output_tokens, sum(usd) AS usd
               FROM costs GROUP BY ALL ORDER BY day DESC, usd DESC LIMIT 60"""
        )
        position = self._desk.reader.position
        if self._made[0] != position:
            self._made = position, pictures(ledger, self._desk.account)
        return self._show("corpus.html", pictures=self._made[1], spent=spent, by_day=by_day)
