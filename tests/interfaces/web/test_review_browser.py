from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from flows.sweeps.clean_superseded import clean_superseded
from flows.sweeps.sweep import SweepRequest
from interfaces.web.browser_launch import leading_to
from tests.conftest import chatgpt_conversation
from tests.interfaces.review_server import Served, served
from vault.journal import Journal
from vault.layout import VaultLayout

pytest.importorskip("playwright", reason="no playwright: the review page was not tried in a browser")
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.interfaces.page_checks import wrong_with

XSS = [
    "<script>alert(1)</script> is how the old boat page said hello.",
    "<img src=x onerror=alert(2)> was the picture of the boat.",
    "The boat's name is \"><svg onload=alert(3)> in the register.",
    "The register links to javascript:alert(4) for the boat.",
    "{{ 7 * 7 }} and {% raw %} are written on the boat's hull.",
    "The hull reads \u202egnihsif\u202c and '-alert(5)-' near the bow.",
    "</p></main></html><iframe srcdoc='<script>parent.alert(6)</script>'></iframe> ends the boat's page.",
]
TURNS = [
    ("user", "The garden is 40 square metres. The fence is 12 metres long. The shed is made of larch."),
    ("assistant", "Hornbeam grows 30 cm a year. A larch shed lasts 25 years."),
    ("user", "OK let's go with the hornbeam hedge. The hedge will be 9 metres long."),
]


def chromium() -> str:
    """The system's Chromium; skips, saying so, where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    pytest.skip("no Chromium on this machine: the review page was not tried in a browser")


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    path = chromium()
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield made
        made.close()


def complaints(page: Page) -> list[str]:
    """Collects what the page's console and dialogs say from now on."""
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("dialog", lambda dialog: (heard.append(f"dialog {dialog.message}"), dialog.dismiss()))
    return heard


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault of two conversations, one of them hostile in its title and words."""
    folder = tmp_path_factory.mktemp("review")
    bad = chatgpt_conversation("bad", [("user", " ".join(XSS))], began=1_700_000_000.0)
    bad["title"] = "<b onmouseover=alert(9)>Boat</b>"
    archive = folder / "ada.json"
    archive.write_text(json.dumps([bad, chatgpt_conversation("garden", TURNS)]), encoding="utf-8")
    vault = folder / "vault"
    ingested(IngestRequest(vault, (archive,)))
    return vault


@pytest.fixture
def review(told: Path) -> Iterator[Served]:
    """The page, with nothing decided yet."""
    for leftover in told.glob("journal.sqlite*"):
        leftover.unlink()
    with served(told, "ada") as page:
        yield page


@pytest.fixture
def page(chrome: Browser, review: Served) -> Iterator[Page]:
    context = chrome.new_context()
    made = context.new_page()
    made.goto(f"{review.review}?q=metres")
    yield made
    context.close()


def press(page: Page, key: str) -> None:
    """Press a key once the page listens to it."""
    page.wait_for_load_state()
    page.keyboard.press(key)


def acts(vault: Path) -> list[tuple[str, str]]:
    with Journal(VaultLayout(vault).journal) as journal:
        return [(act.kind.value, act.detail) for act in journal.after(0)]


def test_notes_are_decided_by_keyboard_alone(page: Page, told: Path) -> None:
    first = page.locator("h1").inner_text()
    expect(page.locator("h1")).to_be_focused()
    expect(page.locator("mark.said").first).to_be_visible()
    press(page, "k")
    expect(page.get_by_role("status")).to_have_text("Kept.")
    second = page.locator("h1").inner_text()
    assert second != first
    press(page, "s")
    expect(page.locator("h1")).not_to_have_text(second)
    third = page.locator("h1").inner_text()
    press(page, "d")
    expect(page.get_by_role("status")).to_have_text("Discarded.")
    # what was skipped comes round again
    expect(page.locator("h1")).to_have_text(second)
    press(page, "c")
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("The fence measures 12 metres, k and d.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Kept.")
    assert [kind for kind, _ in acts(told)] == ["keep", "discard", "correct", "keep"]
    assert third not in (first, second)


def test_the_file_for_the_browser_leads_to_the_page(page: Page, review: Served) -> None:
    with leading_to(review.review) as file:
        page.goto(file.as_uri())
        page.wait_for_url(review.review)
        expect(page.locator("h1")).to_be_focused()


def test_undo_takes_the_newest_act_back_and_shows_the_note(page: Page, told: Path) -> None:
    first = page.locator("h1").inner_text()
    press(page, "k")
    expect(page.locator("h1")).not_to_have_text(first)
    press(page, "u")
    expect(page.get_by_role("status")).to_have_text("Took it back.")
    expect(page.locator("h1")).to_have_text(first)
    assert [kind for kind, _ in acts(told)] == ["keep", "undo"]


def test_a_correction_that_is_no_note_is_told_and_kept_in_the_field(page: Page, told: Path) -> None:
    press(page, "c")
    page.locator("#text").fill("word " * 20)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("20 words")
    expect(page.locator("#text")).to_have_value("word " * 20)
    assert acts(told) == []


def test_a_second_tab_does_not_decide_again(page: Page, review: Served, told: Path) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    press(page, "k")
    expect(page.get_by_role("status")).to_have_text("Kept.")
    press(other, "d")
    expect(other.get_by_role("status")).to_contain_text("another window")
    assert [kind for kind, _ in acts(told)] == ["keep"]
    # both show the same undo: pressed in both, it takes one act back and not two
    press(page, "k")
    expect(page.get_by_text("takes back")).to_be_visible()
    other.goto(review.review)
    press(page, "u")
    expect(page.get_by_role("status")).to_have_text("Took it back.")
    press(other, "u")
    expect(other.get_by_role("status")).to_contain_text("another window")
    assert [kind for kind, _ in acts(told)] == ["keep", "keep", "undo"]


def test_a_filter_is_decided_as_a_whole_and_taken_back_as_a_whole(page: Page, told: Path) -> None:
    found = page.locator(".progress p").first.inner_text()
    page.get_by_text("Search and filter").click()
    page.get_by_role("button", name="Discard all…").click()
    page.get_by_role("button", name="Discard all").click()
    expect(page.get_by_role("status")).to_contain_text("Discarded")
    done = len(acts(told))
    assert done >= 3
    assert f"{done} match the filter" in found
    press(page, "u")
    expect(page.get_by_role("status")).to_have_text("Took it back.")
    assert len(acts(told)) == 2 * done


def test_hostile_text_is_shown_and_does_nothing(page: Page, review: Served) -> None:
    heard = complaints(page)
    page.goto(f"{review.review}?state=all")
    seen = 0
    while page.locator(".note").count() and seen < 40:
        seen += 1
        page.hover("article h2 a")
        assert page.locator("main script, main iframe, main img, main b, main svg").count() == 0
        if not page.locator(".coming li").count():
            break
        skipped = page.url
        press(page, "s")
        page.wait_for_function("old => location.href !== old", arg=skipped)
    assert seen >= 5
    page.goto(f"{review.review}?state=all&before=2024-01-01")
    page.locator("article h2 a").first.click()
    expect(page.locator("h1")).to_have_text("<b onmouseover=alert(9)>Boat</b>")
    expect(page.locator(".spoken .text").first).to_contain_text("<script>alert(1)</script>")
    page.goto(f"{review.address}corpus")
    page.goto(f"{review.review}?q=<script>alert(7)</script>&said=<b>&conversation='")
    page.goto(f"{review.address}pairs?kind='--")
    assert heard == []


def test_the_policy_keeps_out_what_is_not_the_pages_own(page: Page) -> None:
    heard = complaints(page)
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'alert(1)'}))")
    page.evaluate("document.body.append(Object.assign(new Image(), {src: 'https://example.org/x.png'}))")
    page.wait_for_timeout(200)
    assert len([one for one in heard if "Content Security Policy" in one]) == 2
    assert not any(one.startswith("dialog") for one in heard)


def test_hostile_and_long_words_fit_a_narrow_phone(chrome: Browser, review: Served) -> None:
    context = chrome.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    for path in ("review", "corpus", "pairs", "bulk?kind=keep"):
        page.goto(review.address + path)
        for folded in page.locator("summary").all():
            folded.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
    context.close()


def test_it_works_without_a_script(chrome: Browser, review: Served, told: Path) -> None:
    context = chrome.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(review.review)
    page.get_by_role("button", name="Keep", exact=False).first.click()
    expect(page.get_by_role("status")).to_have_text("Kept.")
    assert [kind for kind, _ in acts(told)] == ["keep"]
    context.close()


def test_pairs_are_agreed_to_parted_and_undone_by_keyboard(chrome: Browser, tmp_path: Path) -> None:
    began = 1_772_000_000.0
    talks = [
        chatgpt_conversation("home", [("user", "My wedding is on 3 May in the town hall of Leith.")], began),
        chatgpt_conversation(
            "move", [("user", "My wedding was moved to 17 May in the town hall of Leith.")], began + 86_400
        ),
    ]
    archive, vault = tmp_path / "ada.json", tmp_path / "vault"
    archive.write_text(json.dumps(talks), encoding="utf-8")
    ingested(IngestRequest(vault, (archive,)))
    clean_superseded(SweepRequest(vault, archive=False))
    with served(vault, "ada") as review:
        context = chrome.new_context()
        page = context.new_page()
        page.goto(f"{review.address}pairs")
        expect(page.get_by_role("article")).to_have_count(1)
        expect(page.get_by_role("article")).to_contain_text("the second leaves recall")
        assert wrong_with(page) == []
        press(page, "a")
        expect(page.get_by_role("status")).to_contain_text("has left recall")
        expect(page.get_by_role("article")).to_contain_text("archived")
        press(page, "u")
        expect(page.get_by_role("status")).to_have_text("Took it back.")
        expect(page.get_by_role("button", name="Agree")).to_be_visible()
        press(page, "p")
        expect(page.get_by_role("status")).to_contain_text("They stay two")
        expect(page.get_by_role("article")).to_have_count(0)
        context.close()
    assert [kind for kind, _ in acts(vault)] == ["accept", "undo", "apart"]
