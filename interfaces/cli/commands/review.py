"""`mnemic review`."""

from __future__ import annotations

from pathlib import Path

import click

from interfaces.cli.options import account_option, json_option, vault_option
from interfaces.cli.web_server import serve_application


@click.command("review")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=0,
    help="Port on loopback. [default: a free one]",
)
@click.option("--open/--no-open", "open_it", default=True, help="Open the page in the browser.")
@account_option
@vault_option
@json_option
def command(port: int, open_it: bool, account: str | None, vault: Path | None, as_json: bool) -> int:
    """Decide in the browser what is kept: notes with their evidence, by keyboard; a page of `mnemic open`.

    The page is on this machine alone, and its address holds a new random token each time. Ctrl-C ends it.

    \b
    Examples:
      mnemic review
      mnemic review --no-open --port 8765
    """
    serve_application(vault, account, port, place="review", open_it=open_it, as_json=as_json)
    return 0
