"""Every page of the application over one served vault, by the table of its addresses."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode

import pytest

from flows.ingest.steps import IngestRequest, ingest
from interfaces.web.app import forms_of, pages_of
from interfaces.web.desk import Desk
from interfaces.web.guard import HEADERS
from interfaces.web.responses import Show
from schemas.act import ActKind, Deed
from schemas.unit import RECALLED_STATES
from tests.interfaces.app_talks import ACCOUNT, vault_of_talks
from tests.interfaces.review_server import Served, served
from vault.deck import Wanted, count, newest
from vault.journal import Journal
from vault.layout import VaultLayout

FIXTURES = Path(__file__).parents[2] / "archives" / "fixtures"
GUESSES = {"unit": "x", "conversation": "x", "document": "x", "thread": "x", "run": "x", "day": "2026-01-01"}


class Found(HTMLParser):
    """The tags of a page that no archive may bring in, its links, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.forms: list[str] = []
        self.handlers: list[str] = []
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = self.inside or tag == "main"
        if self.inside:
            self.tags.append(tag)
        self.links += [value for name, value in attrs if name == "href" and value]
        self.forms += [value for name, value in attrs if name in ("action", "formaction") and value]
        self.handlers += [name for name, _ in attrs if name.startswith("on") or name in ("style", "srcdoc")]


def ask(
    app: Served, method: str, path: str, fields: dict[str, str] | None = None, **headers: str
) -> tuple[int, str, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", app.port)
    sent = {"Host": f"127.0.0.1:{app.port}", "Content-Type": "application/x-www-form-urlencoded"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, urlencode(fields or {}), sent)
    answer = connection.getresponse()
    told = {name.lower(): value for name, value in answer.getheaders()}
    return answer.status, answer.read().decode(), told


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault_of_talks(tmp_path_factory.mktemp("app"))


@pytest.fixture(scope="module")
def app(vault: Path) -> Iterator[Served]:
    with served(vault, ACCOUNT) as made:
        yield made


@pytest.fixture(scope="module")
def table(vault: Path, app: Served) -> Iterator[tuple[list[str], list[str]]]:
    """The addresses that answer GET and POST, as the application's own table names them."""
    desk = Desk(vault, ACCOUNT)
    show = Show(app.keys, ACCOUNT)
    yield list(pages_of(desk, show)), list(forms_of(desk, show, app.keys))
    desk.close()


def filled(path: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: GUESSES[found[1]], path)


def kind_of(app: Served, at: str) -> str:
    return at.removeprefix(f"/{app.keys.address}/").partition("?")[0].partition("/")[0]


def crawled(app: Served, each: int = 5) -> dict[str, str]:
    """Pages by their address, found by following links from the first page; so many of each kind."""
    root = f"/{app.keys.address}"
    waiting, seen = [f"{root}/", f"{root}/?q=paint+the+hull"], dict[str, str]()
    while waiting:
        at = waiting.pop(0)
        if at in seen or [kind_of(app, one) for one in seen].count(kind_of(app, at)) == each:
            continue
        status, page, _ = ask(app, "GET", at)
        assert status == 200, (at, page)
        seen[at] = page
        for link in Found(page).links:
            inside = link.partition("#")[0]
            if inside.startswith(f"{root}/") and "/static/" not in inside:
                waiting.append(inside)
    return seen


def test_every_route_refuses_a_wrong_token_and_host(app: Served, table: tuple[list[str], list[str]]) -> None:
    root = f"/{app.keys.address}"
    for method, paths in zip(("GET", "POST"), table, strict=True):
        for path in map(filled, paths):
            assert ask(app, method, f"/{'x' * 32}{path}")[0] == 404, path
            assert ask(app, method, path)[0] == 404, path
            assert ask(app, method, root + path, Host="evil.example")[0] == 421, path
            assert ask(app, method, root + path, Host=f"evil.example:{app.port}")[0] == 421, path


def test_every_answer_carries_the_guards_headers(app: Served, table: tuple[list[str], list[str]]) -> None:
    root = f"/{app.keys.address}"
    for path in map(filled, table[0]):
        status, page, headers = ask(app, "GET", root + path)
        assert status in (200, 404), path
        assert {name: headers[name] for name in HEADERS} == HEADERS, path
        assert "no-store" in headers["cache-control"]
        assert "<h1" in page, path


def test_every_form_refuses_what_is_not_its_own(
    app: Served, vault: Path, table: tuple[list[str], list[str]]
) -> None:
    root, form = f"/{app.keys.address}", {"csrf": app.keys.form}
    assert len(table[1]) >= 6
    for path in table[1]:
        assert ask(app, "GET", root + path)[0] == 405, path
        assert ask(app, "POST", root + path)[0] == 403, path
        assert ask(app, "POST", root + path, {"csrf": "guess"})[0] == 403, path
        assert ask(app, "POST", root + path, form, Origin="http://evil.example")[0] == 403, path
        assert ask(app, "POST", root + path, form, Origin="null")[0] == 403, path
        assert ask(app, "POST", root + path, form, Sec_Fetch_Site="cross-site")[0] == 403, path
        assert ask(app, "POST", root + path, form, Sec_Fetch_Site="same-site")[0] == 403, path
        assert ask(app, "POST", root + path, {**form, "q": "x" * 200_000})[0] == 403, path
        assert ask(app, "PUT", root + path, form)[0] == 405, path
    with Journal(VaultLayout(vault).journal) as journal:
        assert journal.after(0) == []


def test_pages_are_whole_and_escape_what_archives_say(app: Served) -> None:
    pages = crawled(app)
    kinds = {kind_of(app, at) for at in pages}
    assert {"", "note", "conversation", "names", "calendar", "day", "runs", "run", "graph", "sort"} <= kinds
    assert any("&lt;script&gt;alert(1)&lt;/script&gt;" in page for page in pages.values())
    assert any("{{ 7 * 7 }}" in page for page in pages.values())
    for at, page in pages.items():
        found = Found(page)
        assert not {"script", "img", "iframe", "b", "object", "embed", "base"} & set(found.tags), at
        assert found.handlers == [], at
        assert all(form.startswith(f"/{app.keys.address}/") for form in found.forms), at
        outside = [link for link in found.links if not link.startswith((f"/{app.keys.address}/", "#"))]
        assert all(link.startswith("https://chatgpt.com/c/") for link in outside), (at, outside)


ODD = (
    *("?from=9999999", "?from=-1", "?from=x", "?since=x&before=9999-99-99"),
    "?since=0001-01-01&before=9999-12-31",
    "?q=%3Cscript%3E&thread=%27%3B--&path=%2525&name=%00&category=x&state=x&show=x&order=x&after=nan:1",
)


@pytest.mark.parametrize("ending", ODD)
def test_no_page_breaks_over_an_odd_address(
    app: Served, table: tuple[list[str], list[str]], ending: str
) -> None:
    for path in map(filled, table[0]):
        status, page, _ = ask(app, "GET", f"/{app.keys.address}{path}{ending}")
        assert status in (200, 404), (path, status)
        assert "<script>alert" not in page


def form_of(page: str, action: str) -> dict[str, str]:
    """The hidden fields and first button of the first form that goes to this address."""
    (form,) = re.findall(rf'<form method="post" action="[^"]*{action}"[^>]*>(.*?)</form>', page, re.S)[:1]
    fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    return {name: unescape(value) for name, value in fields}


def test_a_question_is_closed_undone_and_brought_back(vault: Path) -> None:
    with served(vault, ACCOUNT) as app:
        root = f"/{app.keys.address}"
        page = ask(app, "GET", f"{root}/questions")[1]
        units = re.findall(r'name="act-([^"]+)" value="close"', page)
        assert units
        unit = units[0]
        form = form_of(page, "/decide")
        status, _, headers = ask(app, "POST", f"{root}/decide", {**form, f"act-{unit}": "close"})
        assert status == 303
        page = ask(app, "GET", headers["location"])[1]
        assert "Closed. It is on record, and out of recall." in page
        assert unit not in "".join(re.findall(r'name="act-([^"]+)"', page))
        assert unit in ask(app, "GET", f"{root}/questions?show=over")[1]
        # the same form again: it was decided since
        stale = ask(app, "POST", f"{root}/decide", {**form, f"act-{unit}": "close"})[2]["location"]
        assert "some-elsewhere" in stale
        headers = ask(app, "POST", f"{root}/undo", form_of(page, "/undo"))[2]
        assert f'name="act-{unit}"' in ask(app, "GET", headers["location"])[1]
        ask(app, "POST", f"{root}/decide", {**form, f"act-{unit}": "close"})
        again = {"csrf": app.keys.form, "back": "/questions?show=over", "unit": unit}
        headers = ask(app, "POST", f"{root}/reopen", again)[2]
        assert "said=reopen" in headers["location"]
        with Journal(VaultLayout(vault).journal) as journal:
            assert [act.kind.value for act in journal.after(0)] == ["close", "undo", "close", "keep"]
            lot = journal.last_in_brief(whose=None)
            assert lot is not None
    for leftover in vault.glob("journal.sqlite*"):
        leftover.unlink()


def decided(app: Served, page: str, kinds: str) -> str:
    """Send a page of many notes with `k`, `d` or `x` for each; returns the page that it leads to."""
    root = f"/{app.keys.address}"
    seen = re.findall(r'name="seen-([^"]+)" value="(\w+)"', page)
    acts = {"k": "keep", "d": "discard", "x": ""}
    fields = {f"act-{unit}": acts[kind] for (unit, _), kind in zip(seen, kinds, strict=True)}
    form = form_of(page, "/decide") | {f"seen-{unit}": state for unit, state in seen} | fields
    return ask(app, "GET", ask(app, "POST", f"{root}/decide", form)[2]["location"])[1]


@pytest.mark.parametrize("order", ["", "?order=time"])
def test_what_is_left_of_many_stays_behind(vault: Path, monkeypatch: pytest.MonkeyPatch, order: str) -> None:
    monkeypatch.setattr("interfaces.web.pages.review_pages.ON_A_TRAY", 2)
    with served(vault, ACCOUNT) as app:
        root = f"/{app.keys.address}"

        def shown(page: str) -> list[str]:
            return re.findall(r'name="seen-([^"]+)"', page)

        def undone(page: str) -> str:
            back = ask(app, "POST", f"{root}/undo", form_of(page, "/undo"))[2]["location"]
            return ask(app, "GET", back)[1]

        first = ask(app, "GET", f"{root}/sort{order}")[1]
        second = decided(app, first, "kx")
        third = decided(app, second, "xd")
        assert len({*shown(first), *shown(second), *shown(third)}) == 6
        assert "Decided" not in third
        assert "Discarded." in third
        assert shown(undone(third)) == shown(second)
        again = undone(second)
        assert shown(again) == shown(first)
        last = first
        while shown(last):
            last = decided(app, last, "k" * len(shown(last)))
        assert "Nothing more waits after these." in last
        assert "From the beginning" in last
    for leftover in vault.glob("journal.sqlite*"):
        leftover.unlink()


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "/..//evil", "/x/y/z", "javascript:alert(1)"]
)
def test_a_form_leads_back_into_the_application_alone(app: Served, back: str) -> None:
    fields = {"csrf": app.keys.form, "back": back, "unit": "none"}
    headers = ask(app, "POST", f"/{app.keys.address}/reopen", fields)[2]
    assert headers["location"].startswith(f"/{app.keys.address}/review?")


def test_a_note_that_was_moved_is_listed_at_its_path(vault: Path) -> None:
    with served(vault, ACCOUNT) as app:
        root = f"/{app.keys.address}"
        (unit,) = re.findall(r'/note/([^"]+)"', ask(app, "GET", f"{root}/notes?q=sandpaper")[1])[:1]
        assert "<option>boat.stores</option>" not in ask(app, "GET", f"{root}/sort")[1]
        with Journal(VaultLayout(vault).journal) as journal:
            journal.record([Deed(ActKind.KEEP, unit), Deed(ActKind.PATH_MOVE, unit, "boat.stores")])
        for place in ("sort", "review", "?q=order+sandpaper"):
            assert "<option>boat.stores</option>" in ask(app, "GET", f"{root}/{place}")[1], place
        page = ask(app, "GET", f"{root}/paths?path=boat")[1]
        assert f"/note/{unit}" in page
        assert f"/note/{unit}" in ask(app, "GET", f"{root}/notes?path=boat.stores")[1]
        assert f"/note/{unit}" in ask(app, "GET", f"{root}/?q=order+sandpaper&path=boat.stores")[1]
        assert f"/note/{unit}" not in ask(app, "GET", f"{root}/notes?path=health")[1]
    for leftover in vault.glob("journal.sqlite*"):
        leftover.unlink()


def test_a_filter_offers_what_a_later_run_brought(tmp_path: Path) -> None:
    vault, later = vault_of_talks(tmp_path), FIXTURES / "claude_ai" / "account_export"
    with served(vault, ACCOUNT) as app:
        pages = [f"/{app.keys.address}/{one}" for one in ("conversations", "?q=epoxy")]
        for page in pages:
            assert '<option value="claude' not in ask(app, "GET", page)[1]
        ingest(IngestRequest(vault, (later,), account=ACCOUNT))
        for page in pages:
            assert '<option value="claude' in ask(app, "GET", page)[1]


def test_a_part_of_a_list_comes_with_the_whole_count(vault: Path) -> None:
    desk, wanted = Desk(vault, ACCOUNT), Wanted(states=RECALLED_STATES)
    notes, total = newest(desk.ledger(), wanted, 100)
    assert total == len(notes) == count(desk.ledger(), wanted) > 2
    assert newest(desk.ledger(), wanted, 2, 1) == (notes[1:3], total)
    assert newest(desk.ledger(), wanted, 2, total) == ([], total)
    assert newest(desk.ledger(), Wanted(states=RECALLED_STATES, words="nowhere"), 2) == ([], 0)
    desk.close()


def test_the_corpus_counts_anew_once_anything_was_done(vault: Path) -> None:
    def counted(app: Served) -> list[str]:
        return re.findall(r"<table.*?</table>", ask(app, "GET", f"/{app.keys.address}/corpus")[1], re.S)

    with served(vault, ACCOUNT) as app:
        before = counted(app)
        (unit,) = re.findall(r'/note/([^"]+)"', ask(app, "GET", f"/{app.keys.address}/notes")[1])[:1]
        assert before == counted(app)
        with Journal(VaultLayout(vault).journal) as journal:
            journal.record([Deed(ActKind.DISCARD, unit)])
        assert counted(app)[0] != before[0]
    for leftover in vault.glob("journal.sqlite*"):
        leftover.unlink()
