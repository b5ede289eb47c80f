"""Every page of a local web ends in its bucket; nothing is opened to anywhere else."""

from __future__ import annotations

import socket
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator

import httpcore
import httpx
import pytest

pytest.importorskip("trafilatura", reason="no mnemic[web]: no page was fetched")
from tests.web.local_pages import planted
from tests.web.local_web import HOSTS, INJECTION, LocalWeb, WebPage, local_web
from web.fetch.addresses import Deadline, PublicBackend, is_public
from web.fetch.browser import chromium, opened_browser
from web.fetch.fetcher import Fetcher, _charset
from web.fetch.outcome import Bounds, FetchRefusal, PageOutcome
from web.pages.extraction import PageText
from web.pages.reading import PageReader

BOUNDS = Bounds(seconds=2.0, bytes=1_000_000, redirects=5, browser_seconds=5.0)
"""Seconds that the slow pages cost and that a busy machine needs for the others: at .6 four were too slow."""

WATCHED: list[tuple[str, object]] = []
"""What was asked of sockets while WATCHING: the event, and the address or name."""
WATCHING = [False]


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if WATCHING[0] and event in {"socket.connect", "socket.sendto", "socket.getaddrinfo"}:
        WATCHED.append((event, arguments[0] if event == "socket.getaddrinfo" else arguments[1]))


sys.addaudithook(_hook)


@pytest.fixture(scope="module")
def web() -> Iterator[LocalWeb]:
    with local_web() as served:
        yield served


@pytest.fixture(scope="module")
def pages(web: LocalWeb) -> list[WebPage]:
    return planted(web)


@pytest.fixture(scope="module")
def fetcher(web: LocalWeb) -> Fetcher:
    return Fetcher(BOUNDS, ["spam.test"], resolve=web.resolve, local_hosts=HOSTS)


@pytest.fixture(scope="module")
def read(pages: list[WebPage], fetcher: Fetcher) -> dict[str, PageText]:
    WATCHING[0] = True
    reader = PageReader(fetcher)
    found = {page.name: reader.read(page.url) for page in pages}
    WATCHING[0] = False
    return found


def test_every_page_ends_in_its_bucket(pages: list[WebPage], read: dict[str, PageText]) -> None:
    assert len(pages) >= 60
    assert {page.name: read[page.name].outcome for page in pages} == {
        page.name: page.bucket for page in pages
    }
    assert all(told.reason for told in read.values() if told.outcome is not PageOutcome.KEPT)
    assert {told.outcome for told in read.values()} == set(PageOutcome)


def test_no_request_goes_anywhere_else(web: LocalWeb, read: dict[str, PageText]) -> None:
    ports = set(web.ports.values())
    connected = {address for event, address in WATCHED if event == "socket.connect"}
    assert connected == {("127.0.0.1", port) for port in ports}
    # a socket to an address of numbers asks nobody
    assert {address for event, address in WATCHED if event != "socket.connect"} <= {"127.0.0.1"}


def test_text_is_kept_and_what_stands_around_it_is_not(read: dict[str, PageText]) -> None:
    kept = {name: told for name, told in read.items() if told.outcome is PageOutcome.KEPT}
    assert "## The water level by month" in kept["plain"].text
    assert kept["plain"].title == "Thurso"
    assert "Århus" in kept["latin by header"].text
    assert "Ålesund" in kept["latin by meta"].text
    assert "11 metres" in kept["table"].text
    assert not any("about us" in told.text for told in kept.values())


def test_what_no_reader_sees_is_not_taken(read: dict[str, PageText]) -> None:
    assert INJECTION in read["injection shown"].text
    hidden = [told for name, told in read.items() if name.startswith("injection ") and "shown" not in name]
    assert len(hidden) == 5
    assert not any("previous instructions" in told.text for told in hidden)
    said = read["controls"]
    assert {unicodedata.category(one) for one in said.text + said.title} & {"Cc", "Cf", "Cs", "Co"} <= {"Cc"}
    assert "\x1b" not in said.text
    assert "as it was" in said.text


def test_the_address_that_was_checked_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is public when it is asked first and private after: DNS rebinding."""
    answers = iter([["93.184.215.14"], ["127.0.0.1"]])
    opened: list[str] = []

    def connect(self: object, host: str, *_: object, **__: object) -> None:
        opened.append(host)  # stands in for the socket: no test may reach a public address
        raise httpcore.ConnectError("not in a test")

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect)
    backend = PublicBackend(Deadline(1.0), lambda host, port: next(answers))
    with pytest.raises(httpcore.ConnectError):
        backend.connect_tcp("changing.test", 80)
    with pytest.raises(FetchRefusal, match="127"):
        backend.connect_tcp("changing.test", 80)
    assert opened == ["93.184.215.14"]


@pytest.mark.parametrize(
    "address",
    ["fec0::1", "3fff::1", "192.88.99.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "fe80::1%eth0", "100.64.0.1"],
)
def test_an_address_that_not_everybody_reaches_is_not_public(address: str) -> None:
    assert not is_public(address)
    assert is_public("93.184.215.14")


@pytest.mark.parametrize("said", ["punycode", "idna", "utf-7", "unicode_escape", "raw_unicode_escape", "hex"])
def test_a_charset_that_no_page_has_is_guessed(said: str) -> None:
    assert _charset(httpx.Headers({"content-type": f"text/html; charset={said}"})) is None
    assert _charset(httpx.Headers({"content-type": "text/html; charset=Shift_JIS"})) == "shift_jis"


def test_a_page_in_the_browser_sends_no_datagram() -> None:
    pytest.importorskip("playwright", reason="no playwright: no page was rendered")
    if chromium() is None:
        pytest.skip("no Chromium on this machine")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as heard, opened_browser(sandbox=False) as browser:
        heard.bind(("127.0.0.1", 0))
        heard.settimeout(1.5)
        page = browser.new_page()
        page.set_content(
            "<script>const c = new RTCPeerConnection({iceServers:"
            f"[{{urls: 'stun:127.0.0.1:{heard.getsockname()[1]}'}}]}}); c.createDataChannel('x');"
            "c.createOffer().then(o => c.setLocalDescription(o)).then(() => document.title='asked')</script>"
        )
        page.wait_for_function("document.title === 'asked'")
        with pytest.raises(TimeoutError):
            heard.recvfrom(100)


def test_without_the_parameter_a_test_host_is_private(web: LocalWeb, pages: list[WebPage]) -> None:
    told = Fetcher(BOUNDS, resolve=web.resolve).fetch("http://alpha.test/plain")
    assert (told.outcome, told.reason) == (PageOutcome.PRIVATE, "alpha.test is at 127.0.0.1")


def test_robots_is_read_once_a_site(web: LocalWeb, pages: list[WebPage], read: dict[str, PageText]) -> None:
    asked = Counter(web.asked)
    assert [asked[f"{host}/robots.txt"] for host in HOSTS] == [1, 1, 1, 1]
    assert not any(path.startswith("beta.test/private") for path in asked)


@pytest.mark.skipif(chromium() is None, reason="no Chromium on this machine: no page was rendered")
def test_the_browser_reads_what_scripts_write(pages: list[WebPage], fetcher: Fetcher) -> None:
    pytest.importorskip("playwright", reason="no playwright: no page was rendered")
    asked = [page for page in pages if page.bucket is PageOutcome.BEHIND_INTERACTION]
    with PageReader(fetcher, lambda: opened_browser(sandbox=False)) as reader:
        found = {page.name: reader.read(page.url) for page in asked}
    assert {page.name: found[page.name].outcome for page in asked} == {
        page.name: page.rendered or page.bucket for page in asked
    }
    assert all("tide table" in told.text for told in found.values() if told.outcome is PageOutcome.KEPT)
