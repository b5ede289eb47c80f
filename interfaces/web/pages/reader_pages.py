"""What was said: a conversation with the notes at their words, one note with all that is known of it, and a
document."""

from __future__ import annotations

from collections import defaultdict

from starlette.requests import Request
from starlette.responses import Response

from interfaces.ways_back import ways_back
from interfaces.web.desk import Desk
from interfaces.web.page_filter import number_of
from interfaces.web.responses import Show
from interfaces.web.views.excerpt import settings_of, with_notes
from schemas.unit import MAX_WORDS
from vault.browsing import notes_at_words, related_notes, succession, talk_card, threads_of_talk
from vault.deck import Row, card, messages_of, verdicts_of, where_said
from vault.ledger import Ledger
from vault.named_things import names_in
from vault.path_queries import paths_of_notes

MESSAGES = 40
"""Messages of a conversation on one page."""
DOCUMENT = 20_000
"""Characters of a document on one page."""


class ReaderPages:
    """Handlers of the reader."""

    def __init__(self, desk: Desk, show: Show) -> None:
        self._desk, self._show = desk, show

    async def conversation(self, request: Request) -> Response:
        """A conversation from one of its messages on, its notes in the margin at their words."""
        ledger, account = self._desk.ledger(), self._desk.account
        conversation = request.path_params["conversation"]
        talk = talk_card(ledger, account, conversation)
        if talk is None:
            return self._show("missing.html", status=404)
        unit, message = request.query_params.get("note", ""), request.query_params.get("message", "")
        start = number_of(request.query_params.get("from", ""))
        if start is None:
            start = _page_of(ledger, conversation, unit, message)
        rows = messages_of(ledger, conversation, start, MESSAGES + 1)
        shown = rows[:MESSAGES]
        noted = defaultdict[str, list[Row]](list)
        for row in notes_at_words(ledger, conversation, [str(one["message_id"]) for one in shown]):
            noted[str(row["message_id"])].append(row)
        return self._show(
            "conversation.html",
            talk=talk,
            source=ways_back(ledger, [conversation]).get(conversation),
            threads=threads_of_talk(ledger, account, conversation),
            note=unit,
            needed=[one for one in where_said(ledger, unit) if one["needed"]] if unit else [],
            messages=[with_notes(row, noted[str(row["message_id"])]) for row in shown],
            next=rows[MESSAGES]["position"] if len(rows) > MESSAGES else None,
            previous=_page_before(ledger, conversation, start),
            last=self._desk.last(),
            said=request.query_params.get("said", ""),
        )

    async def note(self, request: Request) -> Response:
        """One note: its words where they were said, what the gate and the owner made of it, what it is to
        others."""
        ledger, unit = self._desk.ledger(), request.path_params["unit"]
        note = card(ledger, unit)
        if note is None:
            return self._show("missing.html", status=404)
        settings, times = settings_of(ledger, unit)
        home = str(note["conversation_id"])
        events = ledger.rows(
            'SELECT state, actor, reason, "at" FROM unit_events WHERE unit_id = ? ORDER BY event_no', [unit]
        )
        return self._show(
            "note.html",
            note=note,
            settings=settings,
            times=times,
            source=ways_back(ledger, [home]).get(home),
            threads=threads_of_talk(ledger, self._desk.account, home),
            verdicts=verdicts_of(ledger, unit),
            events=events,
            newer=succession(ledger, [unit]).get(unit),
            related=related_notes(ledger, unit),
            names=names_in(ledger, unit),
            paths=paths_of_notes(ledger, self._desk.paths(), self._desk.account, [unit]).get(unit, []),
            last=self._desk.last(),
            said=request.query_params.get("said", ""),
            longest=MAX_WORDS,
        )

    async def document(self, request: Request) -> Response:
        """A document, a part at a time."""
        found = self._desk.ledger().rows(
            """SELECT id, title, provider, project, created_at, text FROM resources
               WHERE id = ? AND account = ?""",
            [request.path_params["document"], self._desk.account],
        )
        if not found:
            return self._show("missing.html", status=404)
        start = number_of(request.query_params.get("from", "")) or 0
        text = str(found[0]["text"])
        return self._show(
            "document.html",
            document=found[0],
            text=text[start : start + DOCUMENT],
            next=start + DOCUMENT if len(text) > start + DOCUMENT else None,
            previous=max(0, start - DOCUMENT) if start else None,
        )


def _page_of(ledger: Ledger, conversation: str, unit: str, message: str) -> int:
    """The position to begin with so that the note's words, or the message, are on the page."""
    if unit and not message:
        message = next((str(one["message_id"]) for one in where_said(ledger, unit)), "")
    if not message:
        return 0
    found = ledger.query(
        "SELECT position FROM messages WHERE conversation_id = ? AND message_id = ?", [conversation, message]
    )
    return max(0, int(str(found[0][0])) - 2) if found else 0


def _page_before(ledger: Ledger, conversation: str, start: int) -> int | None:
    """The position at which the page before this one begins; None where this is the first."""
    found = ledger.query(
        """SELECT min(position) FROM (SELECT position FROM messages WHERE conversation_id = ? AND position < ?
           AND NOT hidden ORDER BY position DESC LIMIT ?)""",
        [conversation, start, MESSAGES],
    )
    return None if found[0][0] is None else int(str(found[0][0]))
