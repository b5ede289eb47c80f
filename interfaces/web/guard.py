"""Who may see the page, and what a browser may do with it.

The page listens on loopback; the first part of its path is a random token; a request must name the host that
the page listens on (so that no name on the web can be bound to it) and, if it changes anything, carry the
form's own token and come from the page itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from secrets import compare_digest, token_urlsafe
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_FORM = 100_000
"""Bytes of a form: a note, a filter, and room."""

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


@dataclass(frozen=True, slots=True)
class RunSecrets:
    """The secrets of one run of the page."""

    address: str
    """First part of every path."""
    form: str
    """Stands in every form."""


def new_keys() -> RunSecrets:
    """Keys that nobody can guess: 192 bits each."""
    return RunSecrets(token_urlsafe(24), token_urlsafe(24))


class RequestGuard:
    """Lets requests pass that name the right host and the right token, and adds the headers."""

    def __init__(self, app: ASGIApp, keys: RunSecrets, hosts: tuple[str, ...]) -> None:
        self._app, self._keys = app, keys
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    *((name.encode(), value.encode()) for name, value in HEADERS.items()),
                ]
            await send(message)

        refusal = self._refusal(Request(scope))
        await (refusal or self._app)(scope, receive, send_guarded)

    def _refusal(self, request: Request) -> PlainTextResponse | None:
        host = request.headers.get("host", "")
        if host not in self._hosts:
            return PlainTextResponse("This page is not on that host.", 421)
        first = request.url.path.removeprefix("/").partition("/")[0]
        if not compare_digest(first.encode(), self._keys.address.encode()):
            return PlainTextResponse("Open the address that mnemic printed.", 404)
        if request.method in ("GET", "HEAD"):
            return None
        origin = request.headers.get("origin")
        site = request.headers.get("sec-fetch-site", "same-origin")
        if (origin is not None and origin != f"http://{host}") or site not in ("same-origin", "none"):
            return PlainTextResponse("The form does not come from this page.", 403)
        return None


async def read_form(request: Request, keys: RunSecrets) -> dict[str, str] | None:
    """The fields of a form that carries the form token; None where it does not, or is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_FORM:
            return None
    fields = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    if not compare_digest(fields.get("csrf", "").encode(), keys.form.encode()):
        return None
    return fields
