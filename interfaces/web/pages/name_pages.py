"""People and things that notes name, and the paths of the taxonomy at which they lie."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from interfaces.web.desk import Desk
from interfaces.web.page_filter import filter_of, query
from interfaces.web.paging import PAGE, pager, start_of
from interfaces.web.responses import Show
from interfaces.web.views.path_tree import tree_of
from schemas.unit import RECALLED_STATES
from vault.deck import Wanted, newest
from vault.name_graph import NameGraph
from vault.named_things import MOST_BESIDE, count_names, name_card, named_beside, names, threads_naming
from vault.path_queries import Survey, branches, notes_of

NAMES = 100
DEPTH = 3
"""Levels of a path, at most (`schemas.semantic_path`)."""


class NamePages:
    """Handlers of people, things and paths."""

    def __init__(self, desk: Desk, show: Show) -> None:
        self._desk, self._show = desk, show

    async def names(self, request: Request) -> Response:
        """Who and what is named, by how many notes; or the notes of one name."""
        if request.query_params.get("name"):
            return self._one_name(request)
        ledger, asked = self._desk.ledger(), filter_of(request.query_params, ("q",))
        words, start = asked.get("q", ""), start_of(request.query_params)
        return self._show(
            "names.html",
            asked=asked,
            names=names(ledger, words, NAMES, start),
            pager=pager("/names", asked, start, count_names(ledger, words), NAMES),
        )

    def _one_name(self, request: Request) -> Response:
        ledger, name = self._desk.ledger(), request.query_params["name"][:500]
        card = name_card(ledger, name)
        if card is None:
            return self._show("missing.html", status=404)
        chosen = Wanted(states=RECALLED_STATES, name=name)
        start = start_of(request.query_params)
        notes, total = newest(ledger, chosen, PAGE, start)
        return self._show(
            "name.html",
            card=card,
            notes=notes,
            beside=named_beside(ledger, name),
            circle=list(NameGraph(ledger).circle(self._desk.account, [name]))[:MOST_BESIDE],
            threads=threads_naming(ledger, name),
            pager=pager("/names", {"name": name}, start, total),
            graph=query({}, name=name),
        )

    async def paths(self, request: Request) -> Response:
        """The taxonomy as a tree with counts, and the notes at the branch that was chosen."""
        ledger, tables, account = self._desk.ledger(), self._desk.paths(), self._desk.account
        asked = filter_of(request.query_params, ("path",))
        at, start = asked.get("path", ""), start_of(request.query_params)
        found = [branches(ledger, tables, Survey(account), depth) for depth in range(1, DEPTH + 1)]
        chosen = Wanted(states=RECALLED_STATES, path=at)
        notes, total = newest(ledger, chosen, PAGE, start) if at else ([], 0)
        return self._show(
            "paths.html",
            asked=asked,
            tree=tree_of([one for level in found for one in level]),
            filed=notes_of(ledger, tables, account),
            notes=notes,
            pager=pager("/paths", asked, start, total),
        )
