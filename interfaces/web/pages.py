"""The pages that show: the queue, a conversation, pairs of notes, the corpus."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from interfaces.web.desk import Desk
from interfaces.web.page_filter import STATES, filter_of, number_of, query, wanted
from interfaces.web.responses import Show
from interfaces.web.views.corpus_pictures import pictures
from interfaces.web.views.excerpt import settings_of, whole
from interfaces.web.views.related_pairs import pairs
from schemas.unit import MAX_WORDS, Category, Speaker
from vault.deck import TO_DECIDE, card, count, messages_of, page, tally, threads, where_said
from vault.source_pages import source_pages

COMING = 12
"""Notes listed below the one to decide."""
MESSAGES = 40
"""Messages of a conversation on one page."""
PAIRS = 20
"""Pairs on one page."""


class Pages:
    """Handlers of GET requests; each gives the whole page."""

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
            threads=threads(ledger, self._desk.account),
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

    async def conversation(self, request: Request) -> Response:
        """A conversation from one of its messages on, the words of a note marked in it."""
        ledger = self._desk.ledger()
        start = number_of(request.query_params.get("from", "")) or 0
        unit = request.query_params.get("note", "")
        conversation = request.path_params["conversation"]
        rows = messages_of(ledger, conversation, start, MESSAGES + 1)
        titles = ledger.query(
            "SELECT title FROM conversations WHERE conversation_id = ? AND account = ?",
            [conversation, self._desk.account],
        )
        if not (rows and titles):
            return self._show("missing.html", status=404)
        places = where_said(ledger, unit) if unit else []
        return self._show(
            "conversation.html",
            source=source_pages(ledger, [conversation]).get(conversation),
            conversation=conversation,
            title=titles[0][0],
            note=unit,
            messages=[whole(row, places) for row in rows[:MESSAGES]],
            next=rows[MESSAGES]["position"] if len(rows) > MESSAGES else None,
            previous=max(0, start - MESSAGES) if start else None,
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

    async def corpus(self, _: Request) -> Response:
        """The corpus in pictures."""
        return self._show("corpus.html", pictures=pictures(self._desk.ledger(), self._desk.account))
