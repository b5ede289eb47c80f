"""The application: its table of addresses, and the server that runs it on loopback."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from interfaces.web.asking import Asking
from interfaces.web.desk import Desk
from interfaces.web.form_handlers import Changes
from interfaces.web.guard import RequestGuard, RunSecrets
from interfaces.web.pages.graph_page import GraphPage
from interfaces.web.pages.list_pages import LEDGERS, ListPages
from interfaces.web.pages.name_pages import NamePages
from interfaces.web.pages.reader_pages import ReaderPages
from interfaces.web.pages.review_pages import ReviewPages
from interfaces.web.pages.run_pages import RunPages
from interfaces.web.pages.search_page import SearchPage
from interfaces.web.pages.thread_pages import ThreadPages
from interfaces.web.pages.time_pages import TimePages
from interfaces.web.responses import Show
from schemas.errors import MnemicError

STATIC = Path(__file__).with_name("static")
LOOPBACK = "127.0.0.1"
REVIEW = "review"
"""Where the review lies under the application's address."""
Handler = Callable[[Request], Awaitable[Response]]


def pages_of(desk: Desk, show: Show) -> dict[str, Handler]:
    """What answers a GET, by address."""
    lists, names, times = ListPages(desk, show), NamePages(desk, show), TimePages(desk, show)
    reader, threads, runs = ReaderPages(desk, show), ThreadPages(desk, show), RunPages(desk, show)
    review = ReviewPages(desk, show)

    async def help_page(_: Request) -> Response:
        return show("help.html")

    return {
        "/": SearchPage(desk, show, Asking(desk)).search,
        "/note/{unit}": reader.note,
        "/conversation/{conversation}": reader.conversation,
        "/document/{document}": reader.document,
        "/notes": lists.notes,
        "/conversations": lists.conversations,
        **dict.fromkeys(LEDGERS, lists.ledger),
        "/threads": threads.threads,
        "/thread/{thread}": threads.thread,
        "/names": names.names,
        "/paths": names.paths,
        "/calendar": times.calendar,
        "/day/{day}": times.day,
        "/corpus": times.corpus,
        "/graph": GraphPage(desk, show).graph,
        "/runs": runs.runs,
        "/run/{run}": runs.run,
        f"/{REVIEW}": review.queue,
        "/sort": review.sort,
        "/bulk": review.bulk,
        "/pairs": review.pairs,
        "/help": help_page,
    }


def forms_of(desk: Desk, show: Show, keys: RunSecrets) -> dict[str, Handler]:
    """What answers a POST, by address; each reads the form's token before anything else."""
    changes = Changes(desk, ReviewPages(desk, show), keys)
    return {
        "/act": changes.act,
        "/decide": changes.decide,
        "/reopen": changes.reopen,
        "/settle": changes.settle,
        "/act-on-all": changes.bulk,
        "/undo": changes.undo,
    }


def application(desk: Desk, keys: RunSecrets, port: int) -> ASGIApp:
    """The application; it answers only under the keys' address on this port of loopback."""
    show = Show(keys, desk.account)

    async def told(_: Request, error: Exception) -> Response:
        return show("problem.html", problem=str(error), status=422)

    async def missing(_: Request, __: Exception) -> Response:
        return show("missing.html", status=404)

    routes = [
        *(Route(path, handler) for path, handler in pages_of(desk, show).items()),
        *(Route(path, handler, methods=["POST"]) for path, handler in forms_of(desk, show, keys).items()),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    mounted = [Mount(f"/{keys.address}", routes=routes)]
    app = Starlette(routes=mounted, exception_handlers={MnemicError: told, 404: missing})
    return RequestGuard(app, keys, (f"{LOOPBACK}:{port}", f"localhost:{port}"))


def serve(app: ASGIApp, listener: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Answer requests until the process is told to stop. Nothing is logged: an address holds the token."""

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

    config = uvicorn.Config(app, access_log=False, log_level="warning", server_header=False, lifespan="off")
    Server(config).run(sockets=[listener])
