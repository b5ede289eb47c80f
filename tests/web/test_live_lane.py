"""The lane from a prompt to the package, over a local web and a real, small memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("trafilatura", reason="no mnemic[web]: no page was fetched")
from inference import load_embedder
from inference.embedder import Embedder
from retrieval import Options, Package, Question, recall
from schemas.errors import EmbedderMissing
from schemas.provenance import Standing, Tier
from tests.retrieval.small_memory import ACCOUNT, make_index, note
from tests.web.local_web import HOSTS, INJECTION, Answer, LocalWeb, article, html, leading, local_web
from vault.edge import EdgeIndex
from vault.index import Where
from vault.layout import VaultLayout
from vault.points import PointKind
from vault.web_pages import WebPages
from web.fetch.fetcher import Fetcher
from web.fetch.outcome import Bounds, PageOutcome
from web.live_lane import LiveWeb
from web.pages.extraction import PageText
from web.pages.reading import PageReader
from web.refreshing import refresh
from web.routing.router import WebMode
from web.saved_lane import SavedWeb, save_pages
from web.search.fixed_results import FixedResults
from web.standing.source_lists import SourceLists

PROMPT = "How high is the water level at the harbour of Thurso by month, and who checks it?"
W = Standing.WHITELISTED


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    try:
        return load_embedder()
    except EmbedderMissing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def index(embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> EdgeIndex:
    notes = [
        note("harbour", "I moored the boat in the harbour of Thurso for the winter.", conversation="boat"),
        note("level", "I noted the water level at Thurso on the mast of the boat.", conversation="boat"),
        note("bread", "The sourdough needs eleven hours in the cold kitchen.", conversation="bread"),
    ]
    return make_index(tmp_path_factory.mktemp("index"), embedder, notes)


@pytest.fixture(scope="module")
def web() -> Iterator[LocalWeb]:
    with local_web() as served:
        for host in HOSTS:
            served.answers[f"{host}/robots.txt"] = Answer(b"", 404)
        served.answers["alpha.test/thurso"] = html(article("Thurso", "water level", f"<p>{INJECTION}</p>"))
        served.answers["beta.test/thurso"] = html("<html><body><p>Coming soon.</p></body></html>")
        served.answers["gamma.test/away"] = leading(served.url("beta.test", "/thurso"))
        yield served


Ask = Callable[..., Package]


@pytest.fixture
def ask(web: LocalWeb, index: EdgeIndex, embedder: Embedder, tmp_path: Path) -> Ask:
    """Asks with results from a file: a dictionary of lists by query, or one list for any."""

    def asked(
        results: object, prompt: str = PROMPT, keep: list[object] | None = None, **given: object
    ) -> Package:
        file = tmp_path / "results.json"
        by_query = results if isinstance(results, dict) else {"*": results}
        file.write_text(json.dumps({"results": by_query}), encoding="utf-8")
        if given.pop("broken", False):
            file.write_text("{", encoding="utf-8")
        fetcher = Fetcher(Bounds(seconds=2.0), resolve=web.resolve, local_hosts=HOSTS)
        layout = VaultLayout(tmp_path)
        pages = WebPages(layout, ACCOUNT)
        live = LiveWeb(
            FixedResults(file),
            lambda: PageReader(fetcher),
            SourceLists({"alpha.test": W, "beta.test": W, "spam.test": Standing.EXCLUDED}),
            pages,
            names=given.pop("names", ()),  # type: ignore[arg-type]
            mode=given.pop("mode", WebMode.ALWAYS),  # type: ignore[arg-type]
        )
        options = Options(budget=4000, explained=True)
        where = given.pop("where", Where(ACCOUNT))
        question = Question(prompt, where, web=SavedWeb(pages, live), options=options, **given)  # type: ignore[arg-type]
        package = recall(question, index, embedder)
        if keep is not None:
            keep += save_pages(pages, live.kept, embedder)
        return package

    return asked


def row(url: str, snippet: str = "The water level at Thurso …", title: str = "Thurso") -> dict[str, str]:
    return {"url": url, "title": title, "snippet": snippet}


def test_a_page_is_folded_beside_the_memory(ask: Ask, web: LocalWeb) -> None:
    package = ask([row(web.url("alpha.test", "/thurso"))])
    tiers = [hit.tier for hit in package.hits]
    assert Tier.WEB in tiers
    assert Tier.CHAT in tiers
    found = next(hit for hit in package.hits if hit.tier is Tier.WEB)
    assert (found.weight, found.provider) == (0.7, "web")
    assert found.conversation_id == web.url("alpha.test", "/thurso")
    assert found.score == pytest.approx(found.relevance * 0.7 * found.recency * found.novelty, abs=1e-3)
    assert package.web is not None
    assert [(one.outcome, one.standing) for one in package.web.pages] == [("kept", "whitelisted")]
    assert f"Live web (file) asked: {PROMPT}" in package.notices


def test_what_a_page_orders_stays_a_quotation(ask: Ask, web: LocalWeb) -> None:
    told = ask([row(web.url("alpha.test", "/thurso"))]).render()
    assert all(line.startswith(("- ", "  ", "_")) for line in told.splitlines())
    assert not any(path.startswith("inside") for path in web.asked)


def test_the_memory_is_the_same_beside_the_web(ask: Ask, web: LocalWeb) -> None:
    with_web = ask([row(web.url("alpha.test", "/thurso"))], limit=50)
    without = ask([], mode=WebMode.NEVER, limit=50)
    own = [hit.id for hit in with_web.hits if hit.tier is not Tier.WEB]
    assert own == [hit.id for hit in without.hits]
    assert with_web.confidence == without.confidence


def test_what_does_not_fit_is_dropped_with_a_reason(ask: Ask) -> None:
    package = ask(
        [row("https://a.example/", "Galaxies recede since the space between them expands. " * 8, "Hubble")]
    )
    assert not any(hit.tier is Tier.WEB for hit in package.hits)
    assert [one.stage for one in package.dropped if one.kind is PointKind.CHUNK] == ["web: fit-gate"]


def test_excluded_results_are_dropped_before_ranking(ask: Ask) -> None:
    package = ask([row("https://www.spam.test/", PROMPT)])
    assert package.web is not None
    assert package.web.standings == {"excluded": 1}
    assert not any(hit.tier is Tier.WEB for hit in package.hits)


def test_the_three_failures_are_counted_apart(ask: Ask, web: LocalWeb) -> None:
    web.answers["alpha.test/app"] = html("<html><body><script src=/a.js></script></body></html>")
    rows = [
        row(web.url("alpha.test", "/app")),
        row(web.url("beta.test", "/thurso")),
        row("https://nowhere.nist.gov/"),
    ]
    package = ask({PROMPT: rows, "*": []})
    assert package.web is not None
    assert package.web.failures == {"behind interaction": 1, "found but thin": 1, "not found": 1}


def test_what_is_absent_is_searched_in_other_words(ask: Ask, web: LocalWeb) -> None:
    rows = {
        PROMPT: [row(web.url("alpha.test", "/no-such-page"))],
        "*": [row(web.url("alpha.test", "/thurso"))],
    }
    package = ask(rows)
    assert package.web is not None
    assert [one.outcome for one in package.web.pages] == ["not found", "kept"]
    assert package.web.sent == (PROMPT, "high water level harbour thurso month checks")


def test_a_site_that_was_read_is_not_fetched_in_other_words(ask: Ask, web: LocalWeb) -> None:
    rows = {
        PROMPT: [row(web.url("beta.test", "/thurso")), row(web.url("alpha.test", "/no-such-page"))],
        "*": [row(web.url("beta.test", "/more")), row(web.url("alpha.test", "/thurso"))],
    }
    package = ask(rows)
    assert package.web is not None
    assert [one.outcome for one in package.web.pages] == ["found but thin", "not found", "kept"]
    assert package.web.skipped == {"its domain is fetched already": 1}
    assert "beta.test/more" not in web.asked


def test_a_redirect_lends_no_trust(ask: Ask, web: LocalWeb) -> None:
    """A page is trusted by the site that it was found on at last."""
    web.answers["alpha.test/away"] = leading(web.url("gamma.test", "/thurso"))
    web.answers["gamma.test/thurso"] = html(article("Thurso", "water level"))
    kept: list[object] = []
    package = ask([row(web.url("alpha.test", "/away"))], keep=kept)
    snippet = {0.7}
    assert {hit.weight for hit in package.hits if hit.tier is Tier.WEB} - snippet == {0.15}
    assert [one.standing for one in kept] == [Standing.SINGLE]  # type: ignore[attr-defined]


def test_names_and_secrets_do_not_leave_and_it_is_logged(ask: Ask, tmp_path: Path) -> None:
    prompt = "Does Mara Lindqvist's boat with password: hunter2xyz fit the harbour of Thurso, Mara?"
    package = ask([], prompt, names=["Mara Lindqvist"])
    log = WebPages(VaultLayout(tmp_path), ACCOUNT).log(10)
    sent = {one.what for one in log if one.kind == "search"}
    assert package.web is not None
    assert set(package.web.sent) == sent
    assert not any(word in said for said in sent for word in ("Mara", "Lindqvist", "hunter2xyz", "mara"))
    assert any("harbour of Thurso" in said for said in sent)


def test_a_provider_that_fails_leaves_the_memory(ask: Ask) -> None:
    package = ask({"results": 7, "*": []}, limit=50, broken=True)
    assert package.hits
    assert package.web is not None
    assert "no JSON" in package.web.problem


@pytest.mark.parametrize(
    "given", [{"mode": WebMode.NEVER}, {"where": Where(ACCOUNT, tiers=(Tier.CHAT,))}], ids=["never", "bounds"]
)
def test_never_and_bounds_ask_nothing(ask: Ask, web: LocalWeb, given: dict[str, object]) -> None:
    before = list(web.asked)
    package = ask([row(web.url("alpha.test", "/thurso"))], **given)
    assert package.web is not None
    assert (package.web.live, package.web.sent) == (False, ())
    assert web.asked == before


def test_a_saved_page_is_found_by_a_later_recall(
    ask: Ask, web: LocalWeb, index: EdgeIndex, embedder: Embedder, tmp_path: Path
) -> None:
    kept: list[object] = []
    ask([row(web.url("alpha.test", "/thurso"))], keep=kept)
    assert len(kept) == 1
    before = len(web.asked)
    pages = WebPages(VaultLayout(tmp_path), ACCOUNT)
    later = Question(PROMPT, Where(ACCOUNT), web=SavedWeb(pages))
    package = recall(later, index, embedder)
    found = [hit for hit in package.hits if hit.tier is Tier.WEB]
    assert found
    assert found[0].weight == 0.7
    assert len(web.asked) == before
    assert package.web is not None
    assert (package.web.live, package.web.saved) == (False, package.web.saved)
    other = recall(
        Question(PROMPT, Where("bob"), web=SavedWeb(WebPages(VaultLayout(tmp_path), "bob"))), index, embedder
    )
    assert not other.hits
    pages.drop([web.url("alpha.test", "/thurso")])
    assert not any(hit.tier is Tier.WEB for hit in recall(later, index, embedder).hits)


def test_a_refresh_renews_and_what_is_gone_stays(
    ask: Ask, web: LocalWeb, embedder: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = web.url("alpha.test", "/wick")
    web.answers["alpha.test/wick"] = html(article("Wick", "water level"))
    ask([row(url, title="Wick")], keep=[])
    pages = WebPages(VaultLayout(tmp_path), ACCOUNT)
    fetcher = Fetcher(Bounds(seconds=2.0), resolve=web.resolve, local_hosts=HOSTS)

    def again() -> list[str]:
        lists = SourceLists()
        return [one.outcome for one in refresh(pages, pages.pages(), PageReader(fetcher), lists, embedder)]

    (before,) = pages.pages()
    assert again() == ["same"]
    assert pages.pages()[0].fetched_at > before.fetched_at
    assert pages.pages()[0].standing is Standing.SINGLE  # its site is on no list any more
    web.answers["alpha.test/wick"] = html(article("Wick", "swell height"))
    assert again() == ["changed"]
    assert "swell height" in pages.pages()[0].text
    web.answers["alpha.test/wick"] = leading(web.url("gamma.test", "/wick"))
    web.answers["gamma.test/wick"] = html(article("Wick", "snow depth"))
    assert again() == ["elsewhere"]
    assert "swell height" in pages.pages()[0].text
    moved = PageText("Wick", "Snow lay deep. " * 40, None, PageOutcome.KEPT, url="http://b.alpha.test/wick")
    with monkeypatch.context() as another:  # the local web has no two hosts of one domain
        another.setattr(PageReader, "read", lambda reader, url: moved)
        assert again() == ["elsewhere"]
    del web.answers["alpha.test/wick"]
    assert again() == ["not found"]
    assert "swell height" in pages.pages()[0].text
    assert {one.kind for one in pages.log(20)} == {"search", "page"}
