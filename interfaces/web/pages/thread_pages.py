"""Threads: lines of thinking through several conversations, each with its map on a timeline."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from interfaces.web.desk import Desk
from interfaces.web.page_filter import filter_of
from interfaces.web.paging import PAGE, pager, start_of
from interfaces.web.responses import Show
from vault.browsing import count_threads, succession, thread_list, thread_named
from vault.deck import Row
from vault.ledger import Ledger
from vault.threads import thread_in_full

PARTS = (
    ("goal", "What it is for"),
    ("in_force", "Decisions in force"),
    ("open_questions", "Open questions"),
    ("next_steps", "Next steps"),
    ("superseded", "Decisions that were superseded"),
)
"""Parts of a map and their headings, in the order of the page; arc and turning points are the timeline."""


class ThreadPages:
    """Handlers of threads."""

    def __init__(self, desk: Desk, show: Show) -> None:
        self._desk, self._show = desk, show

    async def threads(self, request: Request) -> Response:
        """The threads, the one that was last added to first."""
        ledger, account = self._desk.ledger(), self._desk.account
        asked = filter_of(request.query_params, ("q",))
        start, total = start_of(request.query_params), count_threads(ledger, account, asked.get("q", ""))
        return self._show(
            "threads.html",
            asked=asked,
            threads=thread_list(ledger, account, asked.get("q", ""), PAGE, start),
            pager=pager("/threads", asked, start, total),
        )

    async def thread(self, request: Request) -> Response:
        """One thread: its map, its decisions, its questions, and its conversations on a timeline."""
        ledger = self._desk.ledger()
        named = request.path_params["thread"]
        thread = thread_named(ledger, self._desk.account, named)
        if thread is None:
            return self._show("missing.html", status=404)
        if thread != named:
            return RedirectResponse(self._show.address(f"/thread/{thread}"), 303)
        record: dict[str, Any] = thread_in_full(ledger, thread)
        made = record["map"]
        lines = [(name, line) for name, _ in PARTS for line in made[name]]
        states = _states(ledger, (unit for _, line in lines for unit in line["unit_ids"]))
        told = _told(lines, states, succession(ledger, list(states)))
        return self._show(
            "thread.html",
            thread=record,
            parts=[(name, heading, told[name]) for name, heading in PARTS if told[name]],
            withheld=made["text"] if made["withheld"] else "",
            sessions=_timeline(record["conversations"], made["arc"], made["turning_points"]),
            names=ledger.rows(
                """SELECT name, notes FROM named_in_threads WHERE thread = ?
                   ORDER BY notes DESC, name LIMIT 24""",
                [thread],
            ),
            last=self._desk.last(),
            said=request.query_params.get("said", ""),
        )


def _states(ledger: Ledger, units: Iterable[str]) -> dict[str, str]:
    found = ledger.query(
        """SELECT d.id, coalesce(p.state, d.state) FROM deck d LEFT JOIN pending p ON p.unit_id = d.id
           WHERE d.id IN (SELECT unnest(?))""",
        [sorted(set(units))],
    )
    return {str(unit): str(state) for unit, state in found}


def _told(
    lines: list[tuple[str, dict[str, Any]]], states: Mapping[str, str], newer: Mapping[str, Row]
) -> defaultdict[str, list[Row]]:
    """The map's lines by part, each with its note as that is now: a decision that another note takes the
    place of stands with the superseded ones, whatever it was when the map was made."""
    told = defaultdict[str, list[Row]](list)
    for name, line in lines:
        unit = next((one for one in line["unit_ids"] if one in states), "")
        state = states.get(unit, "")
        successor = newer.get(unit)
        part = "superseded" if name == "in_force" and (successor or state == "archived") else name
        told[part].append({**line, "unit": unit, "state": state, "newer": successor})
    for part in ("in_force", "superseded"):  # what was decided last counts most
        told[part].sort(key=lambda line: str(line["said_at"] or ""), reverse=True)
    return told


def _timeline(talks: list[Row], arc: list[Row], turns: list[Row]) -> list[Row]:
    said, turned = defaultdict[object, list[Row]](list), defaultdict[object, list[Row]](list)
    for lines, kept in ((arc, said), (turns, turned)):
        for line in lines:
            kept[line["conversation_id"]].append(line)
    return [
        {**talk, "arc": said[talk["conversation_id"]], "turns": turned[talk["conversation_id"]]}
        for talk in talks
    ]
