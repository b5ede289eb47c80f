"""The application in a real browser: keys, what a screen reader is told, contrast, and a phone's width.

Every page is held to the rules of axe-core and to some more (`tests/interfaces/page_checks.py`), at 1280 and
390 pixels, light and dark; and to a focus that can be seen and goes through the page in its order.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from interfaces.web.app import pages_of
from interfaces.web.desk import Desk
from interfaces.web.responses import Show
from tests.interfaces.app_talks import ACCOUNT, vault_of_talks
from tests.interfaces.review_server import Served, served
from vault.journal import Journal
from vault.layout import VaultLayout

pytest.importorskip("playwright", reason="no playwright: the application was not tried in a browser")
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.interfaces.page_checks import wrong_with

PAGES = (
    *("", "?q=paint+the+hull", "notes", "conversations", "threads", "decisions", "questions", "actions"),
    *("names", "names?name=Mara+Lindqvist", "paths", "calendar", "corpus", "graph", "runs", "review", "sort"),
    *("pairs", "help"),
)
STATES = (
    *("?q=paint&dropped=yes", "?q=zzz+qqq&category=decision&since=2030-01-01", "notes?q=zzz", "note/none"),
    *("decisions?show=over", "review?q=zzz", "bulk?kind=discard", "nowhere", "?q=paint&path=%25&thread=none"),
)
"""Pages with something left out, with nothing found, and with something that is not there."""


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no Chromium on this machine: the application was not tried in a browser")
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault_of_talks(tmp_path_factory.mktemp("app"))


@pytest.fixture(scope="module")
def app(vault: Path) -> Iterator[Served]:
    with served(vault, ACCOUNT) as made:
        yield made


@pytest.fixture
def page(chrome: Browser, app: Served) -> Iterator[Page]:
    context = chrome.new_context(viewport={"width": 1280, "height": 900})
    made = context.new_page()
    made.goto(app.address)
    yield made
    context.close()


def press(page: Page, *keys: str) -> None:
    """Press keys once the page listens to them."""
    page.wait_for_load_state()
    for key in keys:
        page.keyboard.press(key)


def test_search_to_talk_and_back_by_keyboard_alone(page: Page) -> None:
    press(page, "/")
    expect(page.get_by_label("Search the memory")).to_be_focused()
    page.keyboard.type("paint the hull")
    press(page, "Enter")
    expect(page.locator("h1")).to_have_text("paint the hull")
    expect(page.locator(".why").first).to_contain_text("shares paint")
    press(page, "j")
    expect(page.locator(".hits > li a.said-note").first).to_be_focused()
    press(page, "j", "k", "Enter")
    expect(page.locator("h1")).not_to_have_text("paint the hull")
    page.go_back()
    page.locator(".hits a[href*='/note/']").first.press("Enter")
    page.wait_for_url("**/note/**")
    page.locator("section a[href*='/conversation/']").first.click()
    expect(page.locator("mark.here")).to_be_visible()
    number = page.locator("mark.here a").get_attribute("href")
    assert number is not None
    expect(page.locator(f"[id='{number.removeprefix('#')}']")).to_have_class(re.compile(r"\bhere\b"))
    page.locator("mark.here a").click()
    press(page, "g", "t")
    page.wait_for_url("**/threads")


def test_the_keys_are_told_and_lead_to_every_page(page: Page, app: Served) -> None:
    press(page, "?")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("undo what was done last")
    press(page, "Escape")
    expect(dialog).to_be_hidden()
    places = {
        str(one.get_attribute("data-go")): one.get_attribute("href")
        for one in page.locator(".places a").all()
    }
    assert len(places) == page.locator(".places a").count() >= 15
    for key, href in places.items():
        press(page, "g", key)
        page.wait_for_url(f"{app.origin}{href}")
        expect(page.locator(".places [aria-current=page]")).to_have_count(1)


def test_an_open_question_is_closed_and_undone_by_keyboard(page: Page, vault: Path) -> None:
    press(page, "g", "q")
    page.wait_for_url("**/questions")
    before = page.locator(".ledger > li").count()
    press(page, "j", "x")
    expect(page.locator("input:checked")).to_have_count(1)
    page.get_by_role("button", name="Close what is ticked").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Closed")
    expect(page.get_by_role("checkbox")).to_have_count(before - 1)
    press(page, "u")
    expect(page.get_by_role("status")).to_contain_text("Took it back")
    expect(page.get_by_role("checkbox")).to_have_count(before)
    with Journal(VaultLayout(vault).journal) as journal:
        assert [act.kind.value for act in journal.after(0)] == ["close", "undo"]


def test_twenty_notes_are_decided_as_one_act(page: Page, vault: Path, app: Served) -> None:
    page.goto(f"{app.address}sort")
    count = page.locator("[data-row]").count()
    assert count >= 3
    press(page, "k", "d", "x")
    press(page, "Enter")
    expect(page.get_by_role("status")).to_contain_text("Decided 2 notes.")
    expect(page.locator("[data-row]")).to_have_count(count - 2)
    press(page, "u")
    expect(page.locator("[data-row]")).to_have_count(count)


def test_no_page_breaks_a_rule_of_accessibility(page: Page, app: Served, vault: Path) -> None:
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("dialog", lambda dialog: (heard.append(dialog.message), dialog.dismiss()))
    paths = (*PAGES, *STATES, *deeper(page, app))
    with closing(Desk(vault, ACCOUNT)) as desk:
        pages = {part_of(route.removeprefix("/")) for route in pages_of(desk, Show(app.keys, ACCOUNT))}
    assert pages <= {part_of(path) for path in paths}
    found: dict[str, list[str]] = {}
    for path in paths:
        page.goto(app.address + path)
        if wrong := wrong_with(page):
            found[f"/{path}"] = wrong
    assert found == {}
    assert [one for one in heard if "404" not in one] == []


def part_of(path: str) -> str:
    return path.partition("?")[0].partition("/")[0]


def test_what_an_act_leaves_breaks_no_rule(page: Page, app: Served) -> None:
    found = {}
    page.goto(f"{app.address}help")
    press(page, "?")
    expect(page.get_by_role("dialog")).to_be_visible()
    found["keys"] = wrong_with(page)
    page.goto(f"{app.address}review")
    press(page, "c")
    page.locator("#text").fill("word " * 20)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("20 words")
    found["a correction that is none"] = wrong_with(page)
    page.goto(f"{app.address}sort")
    press(page, "k", "d")
    found["decided, not done"] = wrong_with(page)
    press(page, "Enter")
    expect(page.get_by_role("status")).to_contain_text("Decided 2 notes.")
    found["done"] = wrong_with(page)
    page.goto(f"{app.address}notes?state=discarded")
    found["discarded"] = wrong_with(page)
    page.goto(f"{app.address}sort")
    press(page, "u")
    expect(page.get_by_role("status")).to_contain_text("Took it back")
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


FAULTS = (
    ("<button></button>", "button-name"),
    ("<ul><p>no item</p></ul>", "list"),
    ("<h4>too deep</h4>", "heading-order"),
    ("<img src=''>", "image-alt"),
    ("<input type=text>", "label"),
    ("<p class=quiet id=faint>grey on grey</p>", "1280 dark: color-contrast"),
    ("<p class=quiet id=faint>grey on grey</p>", "390 light: color-contrast"),
    ("<div id=long>long</div>", "390 light: wider than the window"),
    ("<section>a part</section>", "no name: <section>"),
    ("<p id=main>twice</p>", "an id twice: main"),
    ("<table><tr><td>1</td></tr></table>", "a table without heads"),
)


def test_the_checks_find_what_is_wrong(page: Page) -> None:
    page.evaluate(
        """(faults) => { document.querySelector('main').insertAdjacentHTML('beforeend', faults);
             document.getElementById('faint').style.opacity = .5;
             document.getElementById('long').style.width = '600px'; }""",
        "".join(dict.fromkeys(fault for fault, _ in FAULTS)),
    )
    told = wrong_with(page)
    for fault, line in FAULTS:
        assert any(line in one for one in told), (fault, told)


def deeper(page: Page, app: Served) -> list[str]:
    """A note, a conversation, a document, a run, a thread and a day, as the lists lead to them."""
    made = []
    for path, kind in (
        ("notes", "note"),
        ("conversations", "conversation"),
        ("?q=kept+dry+in+the+shed", "document"),
        ("runs", "run"),
        ("threads", "thread"),
    ):
        page.goto(app.address + path)
        link = page.locator(f"main a[href*='/{kind}/']").first.get_attribute("href")
        assert link is not None
        made.append(link.partition(f"{app.keys.address}/")[2])
    return [*made, "day/2026-02-25"]


def test_the_page_that_is_shown_is_in_sight_on_a_phone(page: Page, app: Served) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for path in ("calendar", "sort"):
        page.goto(app.address + path)
        expect(page.locator(".places [aria-current=page]")).to_be_in_viewport()


def test_a_year_begins_at_its_last_talk_where_it_is_too_wide(page: Page, app: Served) -> None:
    page.set_viewport_size({"width": 180, "height": 844})  # a phone has room for February, when the talk was
    page.goto(f"{app.address}calendar")
    expect(page.locator(".heat a rect").last).to_be_in_viewport()
    assert page.locator(".year .scroll").evaluate("one => one.scrollLeft") > 0


def test_the_focus_goes_through_the_page_and_is_seen(page: Page, app: Served) -> None:
    page.goto(f"{app.address}questions")
    page.locator(".jump").focus()
    expect(page.get_by_role("link", name="Go to the content")).to_be_in_viewport()
    seen = []
    for _ in range(30):
        press(page, "Tab")
        place = page.evaluate(
            """() => { const one = document.activeElement, style = getComputedStyle(one);
                 return [one === document.body ? null : style.outlineStyle !== 'none',
                   [...document.querySelectorAll('*')].indexOf(one)]; }"""
        )
        if place[0] is None:
            break
        seen.append(place)
    assert len(seen) >= 25
    assert all(outlined for outlined, _ in seen)
    assert [at for _, at in seen] == sorted(at for _, at in seen)
