"""Pictures of the application for the docs: `python -m benchmarks.app_screenshots [--to docs/images]`.

Takes the sample archive in, in a temporary vault, serves it as `mnemic open` does and photographs it with the
system's Chromium through playwright (the group `dev`).
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import threading
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

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


def main() -> None:
    """Take in, serve, photograph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "images")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, listening(LOOPBACK, 0) as listener:
        vault = Path(folder) / "vault"
        ingest(IngestRequest(vault, (ROOT / "data" / "sample",)))
        with open_vault(vault) as reader:
            (account,) = reader.generation.accounts
        desk, keys = Desk(vault, account), new_keys()
        port = int(listener.getsockname()[1])
        config = uvicorn.Config(application(desk, keys, port), log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        photograph(f"http://{LOOPBACK}:{port}/{keys.address}/", given.to)
        server.should_exit = True
        thread.join()
        desk.close()


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
    return str(link.get_attribute("href")).partition("/")[2].partition("/")[2]


if __name__ == "__main__":
    main()
