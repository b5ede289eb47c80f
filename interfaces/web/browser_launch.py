"""The page's address on its way to the browser: in a private file, never in a program's arguments.

Whoever is on the machine may read the arguments of every process, and the address holds the token. So the
browser is given a file that its owner alone may read, and that leads on to the page.
"""

from __future__ import annotations

import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

_LEADS_ON = """<!doctype html>
<html><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>mnemic</title>
<meta http-equiv="refresh" content="0; url={address}"></head>
<body><a href="{address}">Open mnemic</a></body></html>
"""


@contextmanager
def leading_to(address: str) -> Iterator[Path]:
    """A file that leads a browser to the address; gone in the end. Nobody else may read it or its folder."""
    with TemporaryDirectory(prefix="mnemic-open-") as folder:  # of mode 0700
        path = Path(folder) / "open.html"
        path.touch(mode=0o600)
        path.write_text(_LEADS_ON.format(address=escape(address)), encoding="utf-8")
        yield path


def open_in_browser(path: Path) -> bool:
    """Open the file in the browser of whoever is logged in; whether one was started."""
    return webbrowser.open(path.as_uri())
