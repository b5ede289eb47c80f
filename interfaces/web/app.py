"""The review page as an application, and the server that runs it on loopback."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from interfaces.web.desk import Desk
from interfaces.web.form_handlers import Changes
from interfaces.web.guard import Keys, RequestGuard
from interfaces.web.pages import Pages
from interfaces.web.responses import Show

STATIC = Path(__file__).with_name("static")
LOOPBACK = "127.0.0.1"


def review_app(desk: Desk, keys: Keys, port: int) -> ASGIApp:
    """The application; it answers only under the keys' address on this port of loopback."""
    pages = Pages(desk, Show(keys, desk.account))
    changes = Changes(desk, pages, keys)
    routes = [
        Route("/", pages.queue),
        Route("/bulk", pages.bulk),
        Route("/conversation/{conversation}", pages.conversation),
        Route("/pairs", pages.pairs),
        Route("/corpus", pages.corpus),
        Route("/act", changes.act, methods=["POST"]),
        Route("/settle", changes.settle, methods=["POST"]),
        Route("/act-on-all", changes.bulk, methods=["POST"]),
        Route("/undo", changes.undo, methods=["POST"]),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    app = Starlette(routes=[Mount(f"/{keys.address}", routes=routes)])
    return RequestGuard(app, keys, (f"{LOOPBACK}:{port}", f"localhost:{port}"))


def serve(app: ASGIApp, listener: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Answer requests until the process is told to stop. Nothing is logged: an address holds the token."""

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

    config = uvicorn.Config(app, access_log=False, log_level="warning", server_header=False, lifespan="off")
    Server(config).run(sockets=[listener])
