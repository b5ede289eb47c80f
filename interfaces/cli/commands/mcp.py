"""`mnemic mcp`."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interfaces.cli.deep_options import mode_option, threshold_option
from interfaces.cli.options import account_option, json_option, vault_option
from interfaces.cli.terminal import print_json, say
from interfaces.loopback_sockets import listening
from retrieval.deep.escalation import DeepMode
from schemas.deferred import deferred
from schemas.errors import UsageError

if TYPE_CHECKING:
    from interfaces import long_lived
    from interfaces.cli import welcome
    from interfaces.mcp import further_look, http_serving, mcp_server, open_memory
else:
    long_lived = deferred("interfaces.long_lived")
    welcome = deferred("interfaces.cli.welcome")
    further_look = deferred("interfaces.mcp.further_look")
    http_serving = deferred("interfaces.mcp.http_serving")
    mcp_server = deferred("interfaces.mcp.mcp_server")
    open_memory = deferred("interfaces.mcp.open_memory")


LOOPBACK = ("127.0.0.1", "::1", "localhost")
TOKEN_VARIABLE = "MNEMIC_MCP_TOKEN"
PORT = 4377
TYPED = "An assistant starts this command and speaks to it; Ctrl-C ends it. Claude Code is given it by: "
"""What a person is told who starts it in a terminal."""


@click.command("mcp")
@click.option("--http", is_flag=True, help="Serve streamable HTTP on this machine, instead of stdio.")
@click.option("--host", default=LOOPBACK[0], show_default=True, help="With --http: a loopback address.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=PORT,
    show_default=True,
    help="With --http; 0 takes a free one.",
)
@click.option(
    "--token",
    envvar=TOKEN_VARIABLE,
    default=None,
    help=f"With --http: what a client must present. [default: ${TOKEN_VARIABLE}, else a new one]",
)
@click.option(
    "--allow-write",
    is_flag=True,
    help="Also offer `remember`, `keep`, `correct`, `discard`, `close`, `undo`; without it nothing changes.",
)
@click.option(
    "--also",
    multiple=True,
    metavar="ACCOUNT",
    help="An account that an assistant may ask besides: you say that all are yours.",
)
@click.option(
    "--deep/--no-deep",
    default=None,
    envvar="MNEMIC_DEEP_SEARCH_ENABLED",
    help="Look further, offline, wherever recall is unsure; or never. [default: where it is asked to]",
)
@mode_option
@threshold_option
@account_option
@vault_option
@json_option
def command(
    http: bool,
    host: str,
    port: int,
    token: str | None,
    allow_write: bool,
    vault: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Serve the memory to an assistant (Model Context Protocol): recall, get, decisions, questions, threads.

    Over stdio the client starts this command itself. With --http, `--json` prints address and token as JSON.

    \b
    Examples:
      claude mcp add mnemic -- "$(command -v mnemic)" mcp --vault ~/memory
      mnemic mcp --http --port 4377
    """
    if host not in LOOPBACK:
        raise UsageError(
            f"{host} is not an address of this machine alone",
            why="a memory is not served to a network",
            remedy="Use 127.0.0.1, and a tunnel where you need one",
        )

    deep = further_look.FurtherLook(given["deep"], DeepMode(given["deep_mode"]), given["deep_threshold"])
    memory = open_memory.Memory(vault, given["account"], also=given["also"], further=deep)
    try:
        server = mcp_server.make_server(memory, writable=allow_write)
        with long_lived.settled():
            if not http:
                if sys.stdin.isatty():
                    say(TYPED + welcome.assistant_line(memory.root), err=True)
                server.run(transport="stdio")
                return
            token = token or secrets.token_urlsafe(32)
            with listening(host, port) as listener:
                port = listener.getsockname()[1]
                _announce(f"http://{f'[{host}]' if ':' in host else host}:{port}/mcp", token, as_json=as_json)
                http_serving.serve_http(server, host, listener, token)
    finally:
        memory.close()


def _announce(url: str, token: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"url": url, "token": token, "pid": os.getpid()})
    else:
        say(f"{url}\nAuthorization: Bearer {token}", err=True)
