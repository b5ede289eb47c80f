"""Threads and names as a graph: the largest of them, or what is around one of them."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from interfaces.web.desk import Desk
from interfaces.web.page_filter import filter_of
from interfaces.web.paging import pager, start_of
from interfaces.web.responses import Show
from interfaces.web.views.graph_drawing import Drawing, GraphLink, GraphNode, drawn
from vault.browsing import count_threads, thread_named
from vault.deck import Row
from vault.ledger import Ledger
from vault.named_things import count_names

THREADS = 14
"""Threads that are drawn at once: with the names in them some fifty circles, which can still be read."""
NAMES_EACH = 4
AROUND = 32
"""Neighbours of the one that was chosen."""


class GraphPage:
    """Handler of the graph."""

    def __init__(self, desk: Desk, show: Show) -> None:
        self._desk, self._show = desk, show
        self._made: dict[tuple[object, ...], Drawing] = {}

    async def graph(self, request: Request) -> Response:
        """Threads with the names that stand in them. Of ten thousand as many are drawn as can be read: the
        largest first, a page at a time; and around one of them, what it is linked to."""
        ledger, account = self._desk.ledger(), self._desk.account
        asked = filter_of(request.query_params, ("thread", "name"))
        if asked.get("thread"):
            named = thread_named(ledger, account, asked["thread"])
            asked = {"thread": named} if named else {}
        start = start_of(request.query_params)
        total = count_threads(ledger, account)
        key = (self._desk.reader.opening, tuple(asked.items()), start)
        if key not in self._made:
            if len(self._made) > 100:
                self._made.clear()
            self._made[key] = _drawing(ledger, account, asked, start)
        return self._show(
            "graph.html",
            asked=asked,
            drawing=self._made[key],
            threads=total,
            names=count_names(ledger, ""),
            pager=pager("/graph", {}, start, total, THREADS),
        )


def _drawing(ledger: Ledger, account: str, asked: Mapping[str, str], start: int) -> Drawing:
    if asked.get("name"):
        edges = _around(ledger, "name", asked["name"])
    elif asked.get("thread"):
        edges = _around(ledger, "thread", asked["thread"])
    else:
        edges = _largest(ledger, account, start)
    nodes: dict[str, GraphNode] = {}
    for row in edges:
        for kind, key, label in (
            ("thread", str(row["thread"]), str(row["label"])),
            ("name", str(row["name"]), str(row["name"])),
        ):
            known = nodes.get(f"{kind} {key}")
            size = int(str(row["notes"])) + (known.size if known else 0)
            nodes[f"{kind} {key}"] = GraphNode(kind, key, label, size, key in asked.values())
    links = [
        GraphLink(f"thread {row['thread']}", f"name {row['name']}", int(str(row["notes"]))) for row in edges
    ]
    return drawn(nodes, links)


def _largest(ledger: Ledger, account: str, start: int) -> list[Row]:
    return ledger.rows(
        """
        WITH shown AS (
            SELECT t.id, t.label FROM threads t WHERE t.account = $account AND len(t.conversation_ids) > 1
            ORDER BY len(t.conversation_ids) DESC, t.id LIMIT $threads OFFSET $start
        )
        SELECT s.id AS thread, s.label, n.name, n.notes
        FROM shown s JOIN named_in_threads n ON n.thread = s.id
        QUALIFY row_number() OVER (PARTITION BY s.id ORDER BY n.notes DESC, n.name) <= $each
        ORDER BY s.id, n.notes DESC, n.name
        """,
        {"account": account, "threads": THREADS, "start": start, "each": NAMES_EACH},
    )


def _around(ledger: Ledger, kind: str, key: str) -> list[Row]:
    """The neighbours of a thread or name with the most notes in common, and what else links those."""
    other = "thread" if kind == "name" else "name"
    return ledger.rows(
        f"""
        WITH near AS (
            SELECT {other} AS one FROM named_in_threads WHERE {kind} = $key
            ORDER BY notes DESC, one LIMIT $most
        ), further AS (
            SELECT n.* FROM named_in_threads n SEMI JOIN near ON n.{other} = near.one WHERE n.{kind} <> $key
            QUALIFY row_number() OVER (PARTITION BY n.{other} ORDER BY n.notes DESC, n.{kind}) <= 1
        )
        SELECT e.thread, t.label, e.name, e.notes FROM (
            SELECT * FROM named_in_threads n SEMI JOIN near ON n.{other} = near.one WHERE n.{kind} = $key
            UNION ALL FROM further
        ) e JOIN threads t ON t.id = e.thread ORDER BY e.thread, e.notes DESC, e.name
        """,
        {"key": key, "most": AROUND if kind == "thread" else AROUND // 2},
    )
