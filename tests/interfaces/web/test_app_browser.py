"""The application in a real browser: keys, what a screen reader is told, contrast, and a phone's width.

axe-core is not installed and nothing is fetched, so the first of what it looks for is asserted here (see
`accessibility.js`): names of what can be pressed and typed into, one main heading, landmarks, headings in
order, tables with heads, no id twice, text that stands out from its ground; and a focus that can be seen and
goes through the page in its order.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interfaces.app_talks import ACCOUNT, vault_of_talks
from tests.interfaces.review_server import Served, served
from vault.journal import Journal
from vault.layout import VaultLayout

pytest.importorskip("playwright", reason="no playwright: the application was not tried in a browser")
from playwright.sync_api import Browser, Page, expect, sync_playwright

PAGES = (
    *("", "?q=paint+the+hull", "notes", "conversations", "threads", "decisions", "questions", "actions"),
    *("names", "names?name=Mara+Lindqvist", "paths", "calendar", "corpus", "graph", "runs", "review", "sort"),
    *("pairs", "help"),
)
UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
CHECKS = Path(__file__).with_name("accessibility.js").read_text(encoding="utf-8")


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


def test_every_page_is_named_contrasted_and_fits_a_phone(page: Page, app: Served) -> None:
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("dialog", lambda dialog: (heard.append(dialog.message), dialog.dismiss()))
    found: dict[str, list[str]] = {}
    for path in (*PAGES, *deeper(page, app)):
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(app.address + path)
        page.evaluate(UNFOLD)
        wrong = list(page.evaluate(f"{CHECKS}.named()"))
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            wrong += [f"{scheme}: {one}" for one in page.evaluate(f"{CHECKS}.contrasted()")]
        page.set_viewport_size({"width": 390, "height": 844})
        if page.evaluate("document.documentElement.scrollWidth") > 390:
            wrong.append("wider than a phone")
        if wrong:
            found[f"/{path}"] = wrong
    assert found == {}
    assert heard == []


def test_the_checks_find_what_is_wrong(page: Page) -> None:
    page.evaluate(
        """document.querySelector('main').insertAdjacentHTML('beforeend',
             '<button></button><p id="bad">grey on grey</p><h3 id="bad">too deep</h3>');
           document.getElementById('bad').className = 'h0 quiet';
           document.getElementById('bad').style.opacity = .5"""
    )
    named = " ".join(page.evaluate(f"{CHECKS}.named()"))
    assert "no name: <button>" in named
    assert "an id twice: bad" in named
    assert any("grey on grey" in one for one in page.evaluate(f"{CHECKS}.contrasted()"))


def deeper(page: Page, app: Served) -> list[str]:
    """A note, a conversation, a day, a run and a thread, as the lists lead to them."""
    made = []
    for path, kind in (
        ("notes", "note"),
        ("conversations", "conversation"),
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
