"""`mnemic review`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from interfaces.cli.lookup import account_of, opened
from interfaces.cli.options import account_option, json_option, vault_folder, vault_option
from interfaces.cli.terminal import print_json, say
from interfaces.loopback_sockets import listening


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
    """Decide in the browser what is kept: notes with their evidence, by keyboard; and see the corpus.

    The page is on this machine alone, and its address holds a new random token each time. Ctrl-C ends it.

    \b
    Examples:
      mnemic review
      mnemic review --no-open --port 8765
    """
    # the server takes a third of a second to import, and --help needs none of it
    from interfaces.web.app import LOOPBACK, review_app, serve
    from interfaces.web.browser_launch import leading_to, open_in_browser
    from interfaces.web.desk import Desk
    from interfaces.web.guard import new_keys

    with opened(vault) as reader:
        whose = account_of(reader, account)
    keys = new_keys()
    listener = listening(LOOPBACK, port)
    desk = Desk(vault_folder(vault), whose)
    with listener as socket, ExitStack() as at_the_end:
        at_the_end.callback(desk.close)
        number = int(socket.getsockname()[1])
        address = f"http://{LOOPBACK}:{number}/{keys.address}/"

        def ready() -> None:
            if as_json:
                print_json({"address": address, "account": whose})
            else:
                say(f"{address}\nCtrl-C ends it")
            if open_it:
                open_in_browser(at_the_end.enter_context(leading_to(address)))

        serve(review_app(desk, keys, number), socket, ready)
    return 0
