"""Pages that the browser spells, writes or ends in its own way, in one browser."""

from __future__ import annotations

import os
import signal
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("trafilatura", reason="no mnemic[web]: no page was fetched")
pytest.importorskip("playwright", reason="no playwright: no page was rendered")
from tests.web.local_pages import LONG, WRITES
from tests.web.local_web import HOSTS, Answer, LocalWeb, html, local_web, shell
from web.fetch import browser
from web.fetch.browser import chromium, opened_browser
from web.fetch.fetcher import Fetcher
from web.fetch.outcome import Bounds, PageOutcome
from web.pages.reading import PageReader

needs_chromium = pytest.mark.skipif(chromium() is None, reason="no Chromium on this machine")
WRITTEN = html(shell(f"<script>{WRITES}</script>"))
LIES = "Object.defineProperty(Element.prototype, 'outerHTML', {get: () => 'short'});"


@pytest.fixture(scope="module")
def web() -> Iterator[LocalWeb]:
    with local_web() as served:
        served.answers["alpha.test/robots.txt"] = Answer(b"", 404)
        yield served


@pytest.fixture(scope="module")
def reader(web: LocalWeb) -> Iterator[PageReader]:
    bounds = Bounds(parse_seconds=20.0, browser_seconds=8.0, bytes=1_000_000)
    fetcher = Fetcher(bounds, resolve=web.resolve, local_hosts=HOSTS)
    with PageReader(fetcher, lambda: opened_browser(sandbox=False)) as opened:
        yield opened


@needs_chromium
@pytest.mark.parametrize("path", ["", "/q?x='1'", "/a|b^c\\d"])
def test_a_page_is_rendered_however_it_is_spelt(web: LocalWeb, reader: PageReader, path: str) -> None:
    web.answers |= {f"alpha.test{one}": WRITTEN for one in ("/", "/q?", path)}
    assert LONG in reader.read(web.url("alpha.test", path)).text


@needs_chromium
def test_what_a_script_writes_without_end_is_not_taken(web: LocalWeb, reader: PageReader) -> None:
    grown = "document.body.append(document.createComment('x'.repeat(2e7)))"
    web.answers["alpha.test/long"] = html(shell(f"<script>{LIES}{grown}</script>"))
    tracemalloc.start()
    page = reader.read(web.url("alpha.test", "/long"))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "more than 1000000 characters" in page.reason
    assert most < 10_000_000


@needs_chromium
def test_a_browser_that_ends_between_pages_is_opened_anew(web: LocalWeb, reader: PageReader) -> None:
    web.answers["alpha.test/"] = WRITTEN
    url = web.url("alpha.test", "/")
    assert reader.read(url).outcome is PageOutcome.KEPT
    assert reader._browser is not None
    os.kill(browser.process_of(reader._browser), signal.SIGKILL)
    assert reader.read(url).outcome is PageOutcome.KEPT


def test_chrome_of_a_mac_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def which(name: str) -> str | None:  # stands in for a Mac, whose PATH has no browser
        return name if name.startswith("/Applications/") else None

    monkeypatch.setattr("shutil.which", which)
    assert chromium() == "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
