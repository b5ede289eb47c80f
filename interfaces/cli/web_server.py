"""Serving the application from the command line: for `mnemic open`, and for `mnemic review`, a page of it."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from interfaces.cli.lookup import account_of, opened
from interfaces.cli.options import vault_folder
from interfaces.cli.terminal import print_json, say
from interfaces.long_lived import settled
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


def serve_application(
    vault: Path | None, account: str | None, port: int, *, place: str, open_it: bool, as_json: bool
) -> None:
    """Serve the application until Ctrl-C, and lead the browser to the page at `place`."""
    with opened(vault) as reader:
        whose = account_of(reader, account)
    keys = guard.new_keys()
    listener = listening(app.LOOPBACK, port)
    desk = web_desk.Desk(vault_folder(vault), whose)
    with listener as socket, ExitStack() as at_the_end:
        at_the_end.callback(desk.close)
        number = int(socket.getsockname()[1])
        address = f"http://{app.LOOPBACK}:{number}/{keys.address}/{place}"

        def ready() -> None:
            if as_json:
                print_json({"address": address, "account": whose})
            else:
                say(f"{address if open_it else f'Open this in a browser: {address}'}\nCtrl-C ends it")
            sys.stdout.flush()  # a program that reads it through a pipe waits for it
            if open_it:
                way = at_the_end.enter_context(browser_launch.leading_to(address))
                if not browser_launch.open_in_browser(way):
                    say("No browser was opened: open the address above in one", err=True)

        with settled():
            app.serve(app.application(desk, keys, number), socket, ready)
