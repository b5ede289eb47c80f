"""Deciding what is kept: one note at a time, many at once, in bulk, and pairs of notes."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from interfaces.web.desk import Desk
from interfaces.web.page_filter import STATES, filter_of, number_of, query, wanted
from interfaces.web.responses import Show
from interfaces.web.views.excerpt import settings_of
from interfaces.web.views.related_pairs import pairs
from schemas.unit import MAX_WORDS, Category, Speaker
from vault.deck import TO_DECIDE, best, card, count, page, tally

COMING = 12
"""Notes listed below the one to decide."""
ON_A_TRAY = 20
"""Notes that are decided by one form: as many as are seen without losing one's place."""
PAIRS = 20
"""Pairs on one page."""


class ReviewPages:
    """Handlers of the review."""

    def __init__(self, desk: Desk, show: Show) -> None:
        self._desk, self._show = desk, show

    async def queue(self, request: Request) -> Response:
        """The next note to decide, with its evidence, and what comes after it."""
        return self.queue_page(request.query_params)

    def queue_page(
        self, fields: Mapping[str, str], *, problem: str = "", typed: str = "", status: int = 200
    ) -> Response:
        """The queue as these fields ask for it; a problem is told above the note."""
        ledger, asked = self._desk.ledger(), filter_of(fields)
        chosen = wanted(asked)
        named = card(ledger, fields["note"]) if fields.get("note") else None
        before = card(ledger, fields["after"]) if fields.get("after") else None
        place = int(str((named or before or {"place": 0})["place"]))
        found = page(ledger, chosen, place, COMING + 1)
        if named is None and not found and place:  # past the end: what was skipped comes round again
            found = page(ledger, chosen, 0, COMING + 1)
        current = named or (found[0] if found else None)
        coming = found[:COMING] if named else found[1:]
        settings, times = settings_of(ledger, str(current["id"])) if current else ([], 0)
        states = tally(ledger)
        to_decide = sum(states.get(one.value, 0) for one in TO_DECIDE)
        return self._show(
            "queue.html",
            status=status,
            asked=asked,
            note=current,
            coming=coming,
            settings=settings,
            times=times,
            left=count(ledger, chosen) if asked else to_decide,
            decided=states.get("kept", 0) + states.get("discarded", 0),
            to_decide=to_decide,
            states=states,
            last=self._desk.last(),
            said=fields.get("said", ""),
            notes=fields.get("notes", ""),
            problem=problem,
            typed=typed,
            choices={"state": list(STATES), "category": list(Category), "speaker": list(Speaker)},
            threads=self._desk.choices().threads,
            paths=self._desk.choices().paths,
            longest=MAX_WORDS,
            here=query(asked),
            skip=query(asked, after=str(current["id"])) if current else "",
        )

    async def bulk(self, request: Request) -> Response:
        """What a bulk act would touch, before it is done."""
        ledger, asked = self._desk.ledger(), filter_of(request.query_params)
        chosen = wanted(asked)
        return self._show(
            "bulk.html",
            asked=asked,
            kind="discard" if request.query_params.get("kind") == "discard" else "keep",
            total=count(ledger, chosen),
            examples=page(ledger, chosen, 0, COMING),
            here=query(asked),
        )

    async def sort(self, request: Request) -> Response:
        """Many notes on one page, those of which the reader is surest first, or in order; each is decided by
        one key, and all of them by one form, which leads to the notes after these: what was left stays
        behind. Taking it back leads to where they were (`was`)."""
        ledger, asked = self._desk.ledger(), filter_of(request.query_params)
        fields = request.query_params
        chosen, order, said = wanted(asked), fields.get("order", ""), fields.get("said", "")
        after = _after(fields.get("after", ""))
        start = fields["after"] if after else ""
        if order == "time":
            notes = page(ledger, chosen, after[1] if after else 0, ON_A_TRAY)
        else:
            notes = best(ledger, chosen, ON_A_TRAY, after)
        last_one = notes[-1] if len(notes) == ON_A_TRAY else None
        beyond = f"{last_one['good'] or 0:.17g}:{last_one['place']}" if last_one else ""
        return self._show(
            "sort.html",
            asked=asked,
            order=order,
            notes=notes,
            left=count(ledger, chosen),
            beyond=query(asked, order=order, after=beyond) if beyond else "",
            later=bool(start),
            first="/sort" + query(asked, order=order),
            onward="/sort" + query(asked, order=order, after=beyond or start, was=start),
            was="/sort" + query(asked, order=order, after=fields.get("was", "") if said else start),
            threads=self._desk.choices().threads,
            paths=self._desk.choices().paths,
            choices={"state": list(STATES), "category": list(Category), "speaker": list(Speaker)},
            last=self._desk.last(),
            said=said,
            many_done=fields.get("notes", ""),
        )

    async def pairs(self, request: Request) -> Response:
        """Notes that were merged, superseded or contradict one another, side by side."""
        kind = request.query_params.get("kind", "")
        start = number_of(request.query_params.get("from", "")) or 0
        parted = self._desk.parted()
        found = pairs(self._desk.ledger(), self._desk.account, kind, start, PAIRS + 1, parted)
        return self._show(
            "pairs.html",
            kind=kind,
            pairs=found[:PAIRS],
            last=self._desk.last(),
            said=request.query_params.get("said", ""),
            next=start + PAIRS if len(found) > PAIRS else None,
            previous=max(0, start - PAIRS) if start else None,
        )


def _after(text: str) -> tuple[float, int] | None:
    """The (good, place) of a note, as an address has it."""
    good, _, place = text.partition(":")
    try:
        return float(good), int(place)
    except ValueError:
        return None
