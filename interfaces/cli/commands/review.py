"""`mnemic review`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interfaces.cli.lookup import account_of, opened
from interfaces.cli.options import account_option, json_option, vault_folder, vault_option
from interfaces.cli.terminal import print_json, say
from interfaces.loopback_sockets import listening
from schemas.deferred import deferred

if TYPE_CHECKING:
    from interfaces.web import app, browser_launch, guard
    from interfaces.web import desk as web_desk
else:
    app = deferred("interfaces.web.app")
    browser_launch = deferred("interfaces.web.browser_launch")
    web_desk = deferred("interfaces.web.desk")
    guard = deferred("interfaces.web.guard")


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
    with opened(vault) as reader:
        whose = account_of(reader, account)
    keys = guard.new_keys()
    listener = listening(app.LOOPBACK, port)
    desk = web_desk.Desk(vault_folder(vault), whose)
    with listener as socket, ExitStack() as at_the_end:
        at_the_end.callback(desk.close)
        number = int(socket.getsockname()[1])
        address = f"http://{app.LOOPBACK}:{number}/{keys.address}/"

        def ready() -> None:
            if as_json:
                print_json({"address": address, "account": whose})
            else:
                say(f"{address}\nCtrl-C ends it")
            if open_it:
                browser_launch.open_in_browser(at_the_end.enter_context(browser_launch.leading_to(address)))

        app.serve(app.review_app(desk, keys, number), socket, ready)
    return 0
