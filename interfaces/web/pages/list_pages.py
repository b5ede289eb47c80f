"""Lists of notes and of conversations: decisions, open questions, action items, and what a filter names."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from interfaces.web.desk import Desk
from interfaces.web.page_filter import STATES, day_of, filter_of, wanted
from interfaces.web.paging import PAGE, pager, start_of
from interfaces.web.responses import Show
from schemas.unit import RECALLED_STATES, Category, Speaker, State
from vault.browsing import WantedTalks, count_talks, succession, talks
from vault.deck import Row, newest

CLOSED = (State.ARCHIVED, State.DISCARDED)
ALL_STANDING = (*RECALLED_STATES, *CLOSED)
TALK_FIELDS = ("q", "provider", "thread", "since", "before", "archive")
LEDGERS = {
    "/decisions": (Category.DECISION, "Decisions", "In force", "Superseded or closed"),
    "/questions": (Category.OPEN_QUESTION, "Open questions", "Open", "Closed"),
    "/actions": (Category.ACTION_ITEM, "Action items", "To do", "Done or dropped"),
}
"""By address: the category, what the page is called, and what its two sides are."""


class ListPages:
    """Handlers of lists."""

    def __init__(self, desk: Desk, show: Show) -> None:
        self._desk, self._show = desk, show

    async def ledger(self, request: Request) -> Response:
        """Decisions, open questions or action items, the newest first: what stands, or what is over."""
        path = "/" + request.url.path.rstrip("/").rpartition("/")[2]
        category, title, standing, over = LEDGERS[path]
        ledger = self._desk.ledger()
        asked = filter_of(request.query_params, ("q", "thread", "path", "name", "since", "before", "show"))
        closed = asked.get("show") == "over"
        chosen = replace(
            wanted(asked),
            category=category,
            states=ALL_STANDING if closed else RECALLED_STATES,
            over=closed if category is Category.DECISION else None,
        )
        if closed and category is not Category.DECISION:
            chosen = replace(chosen, states=CLOSED)
        start = start_of(request.query_params)
        notes, total = newest(ledger, chosen, PAGE, start)
        return self._show(
            "ledger.html",
            path=path,
            title=title,
            sides=((standing, ""), (over, "over")),
            asked=asked,
            notes=self._with_successors(notes),
            pager=pager(path, asked, start, total),
            threads=self._desk.choices().threads,
            last=self._desk.last(),
            said=request.query_params.get("said", ""),
            many_done=request.query_params.get("notes", ""),
        )

    async def notes(self, request: Request) -> Response:
        """Every note that a filter names, the newest first."""
        ledger = self._desk.ledger()
        asked = filter_of(request.query_params)
        chosen = wanted({"state": "recalled", **asked})
        start = start_of(request.query_params)
        notes, total = newest(ledger, chosen, PAGE, start)
        return self._show(
            "notes.html",
            asked=asked,
            notes=self._with_successors(notes),
            pager=pager("/notes", asked, start, total),
            choices={"state": list(STATES)[1:], "category": list(Category), "speaker": list(Speaker)},
            threads=self._desk.choices().threads,
        )

    async def conversations(self, request: Request) -> Response:
        """Conversations, the newest first."""
        ledger, account = self._desk.ledger(), self._desk.account
        asked = filter_of(request.query_params, TALK_FIELDS)
        chosen = WantedTalks(
            account,
            provider=asked.get("provider", ""),
            words=asked.get("q", ""),
            thread=asked.get("thread", ""),
            since=day_of(asked.get("since", "")),
            before=day_of(asked.get("before", "")),
            archive=asked.get("archive", ""),
        )
        start, total = start_of(request.query_params), count_talks(ledger, chosen)
        return self._show(
            "conversations.html",
            asked=asked,
            talks=talks(ledger, chosen, PAGE, start),
            pager=pager("/conversations", asked, start, total),
            providers=self._desk.choices().providers,
        )

    def _with_successors(self, notes: list[Row]) -> list[Row]:
        newer = succession(self._desk.ledger(), [str(note["id"]) for note in notes])
        return [{**note, "newer": newer.get(str(note["id"]))} for note in notes]
