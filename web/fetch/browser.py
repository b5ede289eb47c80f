"""A page in a real, headless Chromium, for text that scripts write.

The browser never reaches the network itself: every request is answered by this process through
`Fetcher.load`, with its checks of addresses and its bounds; what goes round that (web sockets, WebRTC, DNS)
ends at a proxy that is not there. Pictures, films and fonts are not loaded, nothing is downloaded, no
permission is given, and the profile is gone afterwards. Only the document that the scripts left is read, as
any other page.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING

from schemas.deferred import deferred
from schemas.errors import MachineError
from web.fetch.fetcher import Fetcher
from web.fetch.outcome import Bounds, Fetched, FetchRefusal, PageOutcome
from web.fetch.transport import HEADERS
from web.standing.domains import web_extra_missing

if TYPE_CHECKING:
    from playwright import sync_api as playwright
    from playwright.sync_api import Browser, Page, Route
else:
    playwright = deferred("playwright.sync_api")

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ON_A_MAC = tuple(f"/Applications/{name}.app/Contents/MacOS/{name}" for name in ("Google Chrome", "Chromium"))
"""Where browsers lie on macOS, which puts no application on the PATH."""
NOWHERE = "http://127.0.0.1:1"
"""A proxy that is not there."""
ARGUMENTS = (
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",  # what newer builds read in its place
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
)
LOADED = frozenset({"document", "script", "stylesheet", "xhr", "fetch"})
"""Kinds of requests that are answered; the others say nothing in words."""
SETTLED_SECONDS = 0.25
"""Without a request for so long, with text there, a page is taken for written."""
STEP_MILLISECONDS = 100
CLOSING_SECONDS = 2.0
"""Beyond `Bounds.browser_seconds`, for the document to be taken and the tab to be closed."""
MARKUP = """most => {
    const text = document.documentElement ? document.documentElement.outerHTML : ''
    return text.length > most ? null : text
}"""
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""Windows ends a process with SIGTERM as other systems do with SIGKILL."""


def chromium() -> str | None:
    """The system's Chromium; None where there is none."""
    return next((path for name in (*NAMES, *ON_A_MAC) if (path := shutil.which(name))), None)


@contextmanager
def opened_browser(*, sandbox: bool = True) -> Iterator[Browser]:
    """A browser for several pages. Raises MachineError where it is not installed, or does not start.

    Without `sandbox` it runs where the kernel lets no user make one, such as in a container of tests.
    """
    try:
        started = playwright.sync_playwright()
    except ImportError as error:
        raise web_extra_missing("playwright") from error
    path = chromium()
    if path is None:
        raise MachineError("there is no Chromium for pages that need a browser", remedy="Install Chromium")
    with started as running:
        arguments = [*ARGUMENTS, *(() if sandbox else ("--no-sandbox",))]
        try:
            browser = running.chromium.launch(executable_path=path, args=arguments, proxy={"server": NOWHERE})
        except playwright.Error as error:
            why = str(error).strip().splitlines()[0]
            raise MachineError("the browser does not start", where=path, why=why) from error
        try:
            yield browser
        finally:
            with suppress(playwright.Error):  # it may have been ended with a page
                browser.close()


def rendered(browser: Browser, fetcher: Fetcher, page: Fetched) -> Fetched | None:
    """The page after its scripts ran; an outcome and a reason where that fails. None where the browser had
    ended before it was given the page.

    A page that neither ends nor yields (a script without end, dialogs without end) is TOO_SLOW, and the
    browser was ended with it.
    """
    seconds = fetcher.bounds.browser_seconds + CLOSING_SECONDS
    try:
        own = process_of(browser)
    except playwright.Error:
        return None
    with _ended_after(seconds, own) as ended:
        try:
            return _in_tab(browser, fetcher, page)
        except (playwright.Error, FetchRefusal) as error:
            outcome, why = _refused(error)
            if ended:
                outcome, why = PageOutcome.TOO_SLOW, f"it does not end by itself in {seconds:g} seconds"
            return Fetched(page.url, outcome, f"in the browser: {why}"[:200])


def process_of(browser: Browser) -> int:
    """The id of the browser's own process. Raises playwright's Error where it has ended."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return next(int(one["id"]) for one in processes if one["type"] == "browser")


def _refused(error: Exception) -> tuple[PageOutcome, str]:
    if isinstance(error, FetchRefusal):
        return error.outcome, error.reason
    late = isinstance(error, playwright.TimeoutError)
    return (PageOutcome.TOO_SLOW if late else PageOutcome.FAILED), str(error).splitlines()[0]


@contextmanager
def _ended_after(seconds: float, own: int) -> Iterator[list[int]]:
    """Kill the browser if the block takes longer; its process is then in the list that is given. Only that
    frees whoever waits for it: a page whose script runs answers nothing, not even a request to close it."""
    ended: list[int] = []

    def end() -> None:
        ended.append(own)
        with suppress(OSError):
            os.kill(own, KILL)

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield ended
    finally:
        timer.cancel()


def _in_tab(browser: Browser, fetcher: Fetcher, page: Fetched) -> Fetched:
    """The page as its scripts left it. Raises FetchRefusal, and playwright's errors."""
    context = browser.new_context(
        user_agent=HEADERS["User-Agent"], accept_downloads=False, service_workers="block", offline=False
    )
    try:
        tab = context.new_page()
        loads = _Loads(fetcher, fetcher.bounds, page)
        tab.route("**/*", loads.answer)
        tab.route_web_socket("**/*", lambda socket: socket.close())
        tab.on("dialog", lambda dialog: dialog.dismiss())
        tab.on("popup", lambda other: other.close())
        return _written(tab, page, loads)
    finally:
        context.close()


@dataclass
class _Loads:
    """What a page loads, answered within the bounds."""

    fetcher: Fetcher
    bounds: Bounds
    page: Fetched
    address: str = ""
    """Of the page, as the browser spells it."""
    requests: int = 0
    bytes: int = 0
    last: float = 0.0

    def __post_init__(self) -> None:
        self.until = monotonic() + self.bounds.browser_seconds

    def answer(self, route: Route) -> None:
        """Answer a request, or let it fail. The document itself is the one that was fetched."""
        request = route.request
        self.last = monotonic()
        if request.is_navigation_request():
            main = request.frame.parent_frame is None
            if main:  # the first of them is the page itself, as the browser spells its address
                self.address = self.address or request.url
            if not main or request.url != self.address:
                # a script that leads elsewhere, or a frame: another page, which nobody chose
                route.fulfill(status=204)  # the page stays where it is
                return
            kind = f"text/html; charset={self.page.charset}" if self.page.charset else "text/html"
            route.fulfill(status=200, body=self.page.body, headers={"content-type": kind})
            return
        left = self.until - monotonic()
        room = self.bounds.browser_bytes - self.bytes
        if request.resource_type not in LOADED or request.method != "GET" or left <= 0 or room <= 0:
            route.abort()
            return
        self.requests += 1
        if self.requests > self.bounds.browser_requests:
            route.abort()
            return
        try:
            status, kind, body = self.fetcher.load(request.url, left, min(room, self.bounds.bytes))
        except FetchRefusal:
            route.abort()
            return
        self.bytes += len(body)
        headers = {"content-type": kind or "application/octet-stream", "access-control-allow-origin": "*"}
        route.fulfill(status=status, body=body, headers=headers)
        self.last = monotonic()


def _written(tab: Page, page: Fetched, loads: _Loads) -> Fetched:
    """Wait until the scripts have written, or the time is up; then the document as it stands."""
    seconds = loads.bounds.browser_seconds
    tab.set_default_timeout(1000 * seconds)
    tab.goto(page.url, wait_until="domcontentloaded")
    while monotonic() < loads.until:
        tab.wait_for_timeout(STEP_MILLISECONDS)
        if monotonic() - loads.last > SETTLED_SECONDS:
            break
    markup = _markup(tab, loads.bounds.bytes)
    if markup is None:
        raise FetchRefusal(PageOutcome.TOO_LARGE, f"it has written more than {loads.bounds.bytes} characters")
    return Fetched(page.url, PageOutcome.KEPT, body=markup.encode("utf-8", "replace"), charset="utf-8")


def _markup(tab: Page, most: int) -> str | None:
    """The document as it stands; None where it has more characters, which then stay in the browser. It is
    asked in a world of its own, where no script of the page has changed what a document answers."""
    session = tab.context.new_cdp_session(tab)
    frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    world = session.send("Page.createIsolatedWorld", {"frameId": frame})["executionContextId"]
    told = session.send(
        "Runtime.evaluate",
        {"contextId": world, "expression": f"({MARKUP})({most})", "returnByValue": True},
    )
    value = told["result"].get("value")
    return None if value is None else str(value)
