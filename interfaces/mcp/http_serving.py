"""The server over HTTP: on this machine alone, and to nobody without the token."""

from __future__ import annotations

import hmac
import socket
from contextlib import suppress

import uvicorn
from mcp.server import MCPServer
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send


def serve_http(server: MCPServer, host: str, listener: socket.socket, token: str) -> None:
    """Serve at the path `/mcp` of the listener, on `host`, until the process is told to stop."""
    app = BearerOnly(server.streamable_http_app(host=host), token)
    with suppress(KeyboardInterrupt):  # Ctrl-C is how it is told to stop
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


class BearerOnly:
    """An ASGI app behind a token: a request without `Authorization: Bearer TOKEN` gets 401."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI; the lifespan of the app passes, requests only with the token."""
        given = dict(scope.get("headers") or ()).get(b"authorization", b"")
        if scope["type"] == "lifespan" or hmac.compare_digest(given, self._expected):
            await self._app(scope, receive, send)
        else:
            refusal = PlainTextResponse("a token is needed", 401, {"WWW-Authenticate": "Bearer"})
            await refusal(scope, receive, send)
