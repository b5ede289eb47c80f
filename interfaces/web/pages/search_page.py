"""The first page: the search box, which is recall, and what the memory holds."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from interfaces.web.asking import FIELDS, Asking
from interfaces.web.desk import Desk
from interfaces.web.page_filter import filter_of
from interfaces.web.responses import Show
from schemas.unit import RECALLED_STATES, Category, State
from vault.browsing import WantedTalks, count_talks, count_threads, talks, thread_list
from vault.deck import TO_DECIDE, Wanted, count, newest, tally
from vault.named_things import count_names, names

SHORT = 6
"""Rows of each list of the first page."""
LEFT_OUT = 25
"""Candidates that a search left out, with why."""


class SearchPage:
    """Handlers of the search box."""

    def __init__(self, desk: Desk, show: Show, asking: Asking) -> None:
        self._desk, self._show, self._asking = desk, show, asking
        self._held: tuple[object, dict[str, object]] = None, {}
        """What the memory holds, by the reader's position when it was counted."""

    async def search(self, request: Request) -> Response:
        """What answers the question, with facets and reasons; without a question, what there is."""
        asked = filter_of(request.query_params, FIELDS)
        self._desk.ledger()
        offered = self._desk.choices()
        choices = {
            "category": [one.value for one in Category],
            "state": [one.value for one in State],
            "provider": offered.providers,
        }
        return self._show(
            "search.html",
            asked=asked,
            answer=self._asking.answer(asked) if asked.get("q", "").strip() else None,
            left_out=LEFT_OUT,
            choices=choices,
            threads=offered.threads,
            paths=offered.paths,
            there=self._there() if not asked.get("q", "").strip() else None,
        )

    def _there(self) -> dict[str, object]:
        """What the memory holds, and the newest of each kind; counted anew once anything was done."""
        if self._held[0] != self._desk.reader.position:
            self._held = self._desk.reader.position, self._counted()
        return self._held[1]

    def _counted(self) -> dict[str, object]:
        ledger, account = self._desk.ledger(), self._desk.account
        states = tally(ledger)
        open_ = Wanted(states=RECALLED_STATES, category=Category.OPEN_QUESTION)
        todo = Wanted(states=RECALLED_STATES, category=Category.ACTION_ITEM)
        decided = Wanted(states=RECALLED_STATES, category=Category.DECISION)
        decisions, how_many = newest(ledger, decided, SHORT)
        return {
            "notes": sum(states.get(one.value, 0) for one in RECALLED_STATES),
            "kept": states.get(State.KEPT.value, 0),
            "to_decide": sum(states.get(one.value, 0) for one in TO_DECIDE),
            "talks": count_talks(ledger, WantedTalks(account)),
            "threads": count_threads(ledger, account),
            "names": count_names(ledger, ""),
            "open": count(ledger, open_),
            "todo": count(ledger, todo),
            "decisions": how_many,
            "newest_decisions": decisions,
            "newest_threads": thread_list(ledger, account, "", SHORT),
            "newest_talks": talks(ledger, WantedTalks(account), SHORT),
            "most_named": names(ledger, "", 3 * SHORT),
        }
