"""Every page of a local web ends in its bucket; nothing is opened to anywhere else."""

from __future__ import annotations

import signal
import socket
import sys
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterator
from time import monotonic

import httpcore
import pytest

pytest.importorskip("trafilatura", reason="no mnemic[web]: no page was fetched")
from tests.web.local_pages import planted
from tests.web.local_web import HOSTS, INJECTION, LocalWeb, WebPage, html, local_web, shell
from web.fetch.addresses import Deadline, PublicBackend, is_public
from web.fetch.browser import chromium, opened_browser
from web.fetch.charsets import page_charset
from web.fetch.fetcher import Fetcher
from web.fetch.outcome import Bounds, Fetched, FetchRefusal, PageOutcome
from web.pages.extraction import PageText, extracted
from web.pages.reading import PageReader

BOUNDS = Bounds(seconds=2.0, bytes=1_000_000, redirects=5, parse_seconds=6.0, browser_seconds=5.0)
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
    with PageReader(fetcher) as reader:
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
    assert len(hidden) == 9
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
    [
        *("fec0::1", "3fff::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "fe80::1%eth0"),
        *("192.88.99.1", "100.64.0.1", "192.0.0.8", "168.63.129.16"),
    ],
)
def test_an_address_that_not_everybody_reaches_is_not_public(address: str) -> None:
    assert not is_public(address)
    assert is_public("93.184.215.14")


@pytest.mark.parametrize("said", ["punycode", "idna", "utf-7", "unicode_escape", "raw_unicode_escape", "hex"])
def test_a_charset_that_no_page_has_is_guessed(said: str) -> None:
    assert page_charset(said) is None
    assert page_charset("Shift_JIS") == "Shift_JIS"


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


ENDLESS = {
    "later": "setTimeout(() => { while (1); }, 50)",
    "dialogs": "setTimeout(() => { while (1) alert(1) }, 50)",
}


@pytest.mark.skipif(chromium() is None, reason="no Chromium on this machine: no page was rendered")
def test_a_script_without_end_costs_that_page_alone(web: LocalWeb, pages: list[WebPage]) -> None:
    pytest.importorskip("playwright", reason="no playwright: no page was rendered")
    fetcher = Fetcher(Bounds(browser_seconds=0.5), resolve=web.resolve, local_hosts=HOSTS)
    for name, script in ENDLESS.items():
        web.answers[f"alpha.test/{name}"] = html(shell(f"<script>{script}</script>"))
    with PageReader(fetcher, lambda: opened_browser(sandbox=False)) as reader:
        begun = monotonic()
        found = [reader.read(web.url("alpha.test", f"/{name}")) for name in ENDLESS]
        lasted = monotonic() - begun
        after = reader.read(next(page.url for page in pages if page.name == "script inline"))
    assert {told.outcome for told in found} == {PageOutcome.BEHIND_INTERACTION}
    assert all("in the browser: it does not end by itself" in told.reason for told in found)
    assert lasted < 60  # a bound that it ends at all: the browser alone would not
    assert after.outcome is PageOutcome.KEPT


def test_a_page_that_stalls_the_parser_costs_itself(web: LocalWeb, pages: list[WebPage]) -> None:
    """Two hundred thousand paragraphs of a letter: trafilatura takes most of a minute."""
    bounds = Bounds(parse_seconds=0.7)
    fetcher = Fetcher(bounds, resolve=web.resolve, local_hosts=HOSTS)
    web.answers["alpha.test/letters"] = html("<html><body>" + "<p>a</p>" * 200_000 + "</body></html>")
    with PageReader(fetcher) as reader:
        stalled = reader.read(web.url("alpha.test", "/letters"))
        after = reader.read(next(page.url for page in pages if page.name == "plain text"))
    assert (stalled.outcome, stalled.reason) == (
        PageOutcome.TOO_SLOW,
        "its text is not found in 0.7 seconds",
    )
    assert after.outcome is PageOutcome.KEPT


def test_a_parser_that_crashes_costs_that_page_alone(web: LocalWeb, pages: list[WebPage]) -> None:
    fetcher = Fetcher(BOUNDS, resolve=web.resolve, local_hosts=HOSTS)
    url = next(page.url for page in pages if page.name == "plain")
    with PageReader(fetcher) as reader:
        assert reader.read(url).outcome is PageOutcome.KEPT
        child = reader._parser._child
        assert child is not None
        child.send_signal(signal.SIGSTOP)  # it answers no more, and dies while it is waited for
        threading.Timer(0.2, child.kill).start()
        crashed = reader.read(url)
        after = reader.read(url)
    assert (crashed.outcome, crashed.reason) == (
        PageOutcome.FAILED,
        "the parser ended on it, with status -9",
    )
    assert after.outcome is PageOutcome.KEPT
    assert child.poll() is not None


def test_a_charset_is_guessed_by_a_page_s_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    trafilatura = pytest.importorskip("trafilatura")
    asked: list[int] = []
    guess = trafilatura.utils.detect_encoding
    monkeypatch.setattr(
        trafilatura.utils, "detect_encoding", lambda body: asked.append(len(body)) or guess(body)
    )
    text = "<html><body><p>" + "L'été, la marée est annoncée au port du nord. " * 4000
    found = extracted(Fetched("http://a.test/", PageOutcome.KEPT, body=text.encode("latin-1")))
    assert "L'été, la marée est annoncée" in found.text
    assert asked == [64_000]
