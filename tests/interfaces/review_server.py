"""The application over a vault, served by a real server on a thread of its own."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from interfaces.loopback_sockets import listening
from interfaces.web.app import application
from interfaces.web.desk import Desk
from interfaces.web.guard import RunSecrets, new_keys


class Served:
    """The page of one vault under an address."""

    def __init__(self, port: int, keys: RunSecrets) -> None:
        self.port, self.keys = port, keys
        self.origin = f"http://127.0.0.1:{port}"
        self.address = f"{self.origin}/{keys.address}/"
        self.review = f"{self.address}review"


@contextmanager
def served(vault: Path, account: str) -> Iterator[Served]:
    """The page, served in a thread until the block ends."""
    keys = new_keys()
    opened: list[Desk] = []
    with listening("127.0.0.1", 0) as listener:
        port = int(listener.getsockname()[1])
        ready = threading.Event()
        server = _server(vault, account, keys, port, opened, listener, ready)
        assert ready.wait(30)
        try:
            yield Served(port, keys)
        finally:
            server[0].should_exit = True
            server[1].join(30)
            opened[0].close()


def _server(
    vault: Path,
    account: str,
    keys: RunSecrets,
    port: int,
    opened: list[Desk],
    listener: socket.socket,
    ready: threading.Event,
) -> tuple[uvicorn.Server, threading.Thread]:
    desk = Desk(vault, account)
    opened.append(desk)
    config = uvicorn.Config(application(desk, keys, port), log_level="error", lifespan="off")
    server = uvicorn.Server(config)

    def run() -> None:
        ready.set()
        server.run(sockets=[listener])

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return server, thread
