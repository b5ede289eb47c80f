"""Pictures of the application.

    python -m benchmarks.app_screenshots                                         # the docs', into docs/images
    python -m benchmarks.app_screenshots --vault VAULT --account NAME --to FOLDER # every page in four forms

The first takes the sample archive in, in a temporary vault; the second photographs a vault that is there, at
1280 and 390 pixels, light and dark, each page as far down as two screens reach. Both serve it as `mnemic
open` does and use the system's Chromium through playwright (the group `dev`).
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import uvicorn
from playwright.sync_api import Browser, FloatRect, Page, sync_playwright

from flows.ingest.steps import IngestRequest, ingest
from interfaces.loopback_sockets import listening
from interfaces.web.app import LOOPBACK, application
from interfaces.web.desk import Desk
from interfaces.web.guard import new_keys
from vault.reader import open_vault

ROOT = Path(__file__).parents[1]
QUESTION = "What+did+I+decide+about+epoxy+on+Teist%3F"
WIDE, PHONE = (1000, 640), (390, 640)
PICTURES = (
    ("app-search", f"?q={QUESTION}", WIDE, "light"),
    ("app-talk", "<note>", WIDE, "light"),
    ("app-thread", "<thread>", WIDE, "dark"),
    ("app-graph", "graph", WIDE, "light"),
    ("app-calendar", "calendar", WIDE, "dark"),
    ("app-phone", "questions", PHONE, "light"),
    ("review-queue", "review?state=all&category=decision", WIDE, "light"),
)
"""(file, address, size, colours); what stands in brackets is looked up."""
PAGES = (
    *("", "?q=what+did+I+decide", "?q=what+did+I+decide&dropped=yes", "?q=qwrtz&category=idea", "notes"),
    *("conversations", "threads", "decisions", "decisions?show=over", "questions", "actions", "names"),
    *("paths", "calendar", "corpus", "graph", "runs", "review", "sort", "pairs", "bulk?kind=keep", "help"),
    "note/none",
)
LEADING = (
    *(("notes", "note/"), ("conversations", "conversation/"), ("threads", "thread/"), ("runs", "run/")),
    *(("names", "names?name"), ("paths", "paths?path"), ("graph", "graph?thread"), ("calendar", "day/")),
)
"""(page, what a link on it leads to): the first such link is a page to photograph."""
SIZES = ((1280, 900), (390, 844))
COLOURS: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def main() -> None:
    """Take in, serve, photograph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--vault", type=Path)
    parser.add_argument("--account")
    given = parser.parse_args()
    if given.vault is not None:
        with running(given.vault, given.account) as address:
            photograph_all(address, given.to)
        return
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "vault"
        ingest(IngestRequest(vault, (ROOT / "data" / "sample",)))
        with running(vault, None) as address:
            photograph(address, given.to)


@contextmanager
def running(vault: Path, account: str | None) -> Iterator[str]:
    """The address under which the vault is served until the block ends; by default of its only account."""
    if account is None:
        with open_vault(vault) as reader:
            (account,) = reader.generation.accounts
    with listening(LOOPBACK, 0) as listener:
        desk, keys = Desk(vault, account), new_keys()
        port = int(listener.getsockname()[1])
        config = uvicorn.Config(application(desk, keys, port), log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield f"http://{LOOPBACK}:{port}/{keys.address}/"
        server.should_exit = True
        thread.join()
        desk.close()


def photograph_all(address: str, folder: Path) -> None:
    """Every page of the application at this address, at both widths and in both colours."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        for number, place in enumerate([*PAGES, *_led_to(page, address)]):
            name = re.sub(r"[^a-z]+", "-", place.partition("=")[0].partition("/")[0]).strip("-") or "start"
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                page.goto(address + place)
                reach = min(int(page.evaluate("document.documentElement.scrollHeight")), 2 * height)
                clip: FloatRect = {"x": 0, "y": 0, "width": width, "height": reach}
                for colours in COLOURS:
                    page.emulate_media(color_scheme=colours)
                    file = folder / f"{number:02}-{name}-{width}-{colours}.png"
                    page.screenshot(path=file, full_page=True, clip=clip)
            print(f"{number:02} /{place}")
        browser.close()


def _led_to(page: Page, address: str) -> Iterator[str]:
    for place, kind in LEADING:
        page.goto(address + place)
        link = page.locator(f"main a[href*='/{kind}']")
        if link.count():
            yield _place(str(link.first.get_attribute("href")))


def _place(href: str) -> str:
    """An address of the application without its token."""
    return href.partition("/")[2].partition("/")[2]


def photograph(address: str, folder: Path) -> None:
    """Every picture of the application at this address."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, place, (width, height), colours in PICTURES:
            page = _page(browser, width, height, colours)
            page.goto(address + (_found(page, address, place) if place.startswith("<") else place))
            page.screenshot(path=folder / f"{name}.png")
            print(f"{name}.png: {(folder / f'{name}.png').stat().st_size:,} bytes")
            page.context.close()
        browser.close()


def _page(browser: Browser, width: int, height: int, colours: str) -> Page:
    dark = colours == "dark"
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
    )
    return context.new_page()


def _found(page: Page, address: str, place: str) -> str:
    """The largest thread; the talk of what the question finds first."""
    if place == "<thread>":
        page.goto(f"{address}graph")
        link = page.locator("details li a[href*='/thread/']").first
    else:
        page.goto(f"{address}?q={QUESTION}")
        link = page.locator(".hits a[href*='/conversation/'][href*='note=']").first
    return _place(str(link.get_attribute("href")))


if __name__ == "__main__":
    main()
