"""Runs commands of mnemic in this one process, and writes down what Python's sockets are asked.

    python watched_commands.py ASKED COMMANDS

`COMMANDS` is a JSON list of lists of arguments. Each event that reaches beyond this process becomes a line of
the file `ASKED`, as it happens: a process that this one forks has the same hook. Exits with the number of
commands that failed.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

REACHING = frozenset(
    f"socket.{name}"
    for name in ("bind", "connect", "getaddrinfo", "gethostbyaddr", "gethostbyname", "sendmsg", "sendto")
)


def watch(asked: str) -> None:
    """From here on, what asks for an address goes into the file."""
    file = os.open(asked, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in REACHING:
            os.write(file, f"{event} {arguments[-1]!r}\n".encode())

    sys.addaudithook(hook)


if __name__ == "__main__":
    watch(sys.argv[1])
    from interfaces.main import main

    sys.exit(sum(main(command) != 0 for command in json.loads(sys.argv[2])))
