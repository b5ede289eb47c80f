"""The handlers of forms: each does one thing and sends the browser on to the page that shows it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from interfaces.web.desk import Desk, Done
from interfaces.web.guard import RunSecrets, read_form
from interfaces.web.page_filter import filter_of, number_of, query, wanted
from interfaces.web.pages.review_pages import ReviewPages
from schemas.errors import UsageError

SEE_OTHER = 303
_PLACE = re.compile(r"/[a-z]+(/[0-9A-Za-z-]+)?")
"""A page of the application."""
UNPROCESSABLE = 422


class Changes:
    """Handlers of POST requests."""

    def __init__(self, desk: Desk, pages: ReviewPages, keys: RunSecrets) -> None:
        self._desk, self._pages, self._keys = desk, pages, keys

    async def act(self, request: Request) -> Response:
        """Keep, discard or correct one note; the next one follows."""
        form = await read_form(request, self._keys)
        if form is None:
            return _refused()
        unit, kind = form.get("unit", ""), form.get("kind", "")
        try:
            done = self._desk.act(kind, unit, form.get("seen", ""), form.get("text", ""))
        except UsageError as error:
            fields = {**filter_of(form), "note": unit}
            typed = form.get("text", "")
            return self._pages.queue_page(fields, problem=str(error), typed=typed, status=UNPROCESSABLE)
        if "back" in form:
            return self._back(form, done)
        stays = done.said in ("elsewhere", "unknown", "correct")
        where = {"note": unit} if stays else {"after": unit}
        return self._to("/review", query(filter_of(form), said=done.said, **where))

    async def settle(self, request: Request) -> Response:
        """Agree to what is proposed for a pair, or say that the two are two."""
        form = await read_form(request, self._keys)
        if form is None:
            return _refused()
        done = self._desk.settle(
            form.get("kind", ""), form.get("stays", ""), form.get("goes", ""), form.get("seen", "")
        )
        return self._to("/pairs", query({}, kind=form.get("pairs", ""), said=done.said))

    async def bulk(self, request: Request) -> Response:
        """Keep or discard every note of a filter."""
        form = await read_form(request, self._keys)
        if form is None:
            return _refused()
        asked = filter_of(form)
        total = number_of(form.get("total", ""))
        done = self._desk.act_on_all(form.get("kind", ""), wanted(asked), -1 if total is None else total)
        if done.said == "changed":
            return self._to("/bulk", query(asked, kind=form.get("kind", "")))
        return self._to("/review", query(asked, said=done.said, notes=str(done.notes)))

    async def undo(self, request: Request) -> Response:
        """Take back what was done last."""
        form = await read_form(request, self._keys)
        if form is None:
            return _refused()
        done: Done = self._desk.undo(form.get("lot", ""))
        if "back" in form:
            return self._back(form, done)
        return self._to(
            "/review", query(filter_of(form), said=done.said, notes=str(done.notes), note=done.unit)
        )

    async def decide(self, request: Request) -> Response:
        """Decide every note of a page for which the form says something."""
        form = await read_form(request, self._keys)
        if form is None:
            return _refused()
        wanted_acts = {
            name.removeprefix("act-"): (kind, form.get("seen-" + name.removeprefix("act-"), ""))
            for name, kind in form.items()
            if name.startswith("act-") and kind
        }
        if not wanted_acts:
            return self._back(form, Done("unknown"))
        return self._back(form, self._desk.decide(wanted_acts))

    async def reopen(self, request: Request) -> Response:
        """Bring a closed question or action back."""
        form = await read_form(request, self._keys)
        if form is None:
            return _refused()
        return self._back(form, self._desk.reopen(form.get("unit", "")))

    def _back(self, form: Mapping[str, str], done: Done) -> Response:
        """To the page that the form names, an address inside the application, with what was done."""
        path, _, end = form.get("back", "").partition("?")
        fields = {name: value for name, value in parse_qsl(end) if name not in ("said", "notes")}
        if not _PLACE.fullmatch(path):
            path, fields = "/review", {}
        return self._to(path, query(fields, said=done.said, notes=str(done.notes) if done.notes else ""))

    def _to(self, path: str, end: str) -> Response:
        return RedirectResponse(f"/{self._keys.address}{path}{end}", SEE_OTHER)


def _refused() -> Response:
    return PlainTextResponse("The form is not this page's. Reload the page and try again.", 403)
