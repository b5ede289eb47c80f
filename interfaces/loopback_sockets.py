"""Sockets on this machine that are held before anybody is told their address."""

from __future__ import annotations

import socket
from contextlib import AbstractContextManager, closing

from schemas.errors import MachineError


def listening(host: str, port: int) -> AbstractContextManager[socket.socket]:
    """A socket that listens at a loopback address; port 0 takes a free one.

    Raises MachineError where the port is taken or not ours to take. Whoever announced an address before would
    hand the token to the one who holds the port.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns Nagle's waiting off where a socket names its protocol: 40 ms less for a page of two parts
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen()
    except OSError as error:
        made.close()
        raise MachineError(
            f"port {port} cannot be listened on",
            where=host,
            why=str(error),
            remedy="Name another with --port",
        ) from error
    return closing(made)
