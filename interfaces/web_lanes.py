"""The web beside a recall: saved pages always, the live web where the owner turned it on.

The libraries of the live web are imported only then.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from interfaces.settings.web_settings import WebSettings, web_settings
from schemas.deferred import deferred
from schemas.errors import UsageError
from vault.reader import VaultReader
from vault.web_pages import SavedPage, WebPages, pages_of

if TYPE_CHECKING:
    import inference
    from retrieval.web_lane import WebLane
    from web import live_lane, saved_lane
    from web.fetch import browser, fetcher
    from web.live_lane import LiveWeb
    from web.pages import reading
    from web.pages.reading import PageReader
    from web.routing import outgoing, people_named, router
    from web.search import provider_choice
    from web.standing import source_lists
else:
    inference = deferred("inference")
    live_lane = deferred("web.live_lane")
    saved_lane = deferred("web.saved_lane")
    browser = deferred("web.fetch.browser")
    fetcher = deferred("web.fetch.fetcher")
    reading = deferred("web.pages.reading")
    outgoing = deferred("web.routing.outgoing")
    people_named = deferred("web.routing.people_named")
    router = deferred("web.routing.router")
    provider_choice = deferred("web.search.provider_choice")
    source_lists = deferred("web.standing.source_lists")


def require_enabled(said: WebSettings) -> None:
    """Raises UsageError where the owner has not turned the live web on."""
    if not said.enabled:
        remedy = "MNEMIC_WEB_ENABLED=true turns it on; docs/web.md says what leaves the machine then"
        raise UsageError("the live web is off", remedy=remedy)


@dataclass(frozen=True, slots=True)
class WebLanes:
    """What stands beside the memory."""

    lane: WebLane | None
    """For `Question.web`; None where there are no saved pages and the live web is off."""
    pages: WebPages
    live: LiveWeb | None = None

    def save(self) -> list[SavedPage]:
        """Store the pages that were read."""
        if self.live is None or not self.live.kept:
            return []
        return saved_lane.save_pages(self.pages, self.live.kept, inference.load_embedder())


def web_lanes(reader: VaultReader, account: str, mode: str, *, past: bool = False) -> WebLanes:
    """The lanes for a recall of an account. `past`: an earlier state is asked, of which the live web knows
    nothing.

    Raises UsageError where the live web is asked for and off, or its provider is not set.
    """
    said, pages = web_settings(), pages_of(reader.layout, reader.ledger, account)
    if mode == "always":
        require_enabled(said)
    if mode == "always" and past:
        raise UsageError("the live web has no past", remedy="Leave out --as-of, or --web")
    live = live_web(reader, account, mode, said) if said.enabled and mode != "never" and not past else None
    if live is None and not pages.exists:
        return WebLanes(None, pages)
    return WebLanes(saved_lane.SavedWeb(pages, live), pages, live)


def live_web(reader: VaultReader, account: str, mode: str, said: WebSettings) -> LiveWeb:
    """The live web as it is set."""
    asked = provider_choice.ProviderSettings(said.searxng, said.brave_key, said.results)
    provider = provider_choice.chosen_provider(said.provider, asked)
    lists = source_lists.source_lists(said.sources)
    return live_lane.LiveWeb(
        provider,
        lambda: page_reader(said, lists.excluded),
        lists,
        pages_of(reader.layout, reader.ledger, account),
        people_of(reader, account),
        partial(spoken_of, reader, account),
        router.WebMode(mode),
    )


def page_reader(said: WebSettings, excluded: frozenset[str]) -> PageReader:
    """What reads pages of the public web, with a browser where that is wanted."""
    fetching = fetcher.Fetcher(excluded=excluded)
    return reading.PageReader(fetching, browser.opened_browser if said.browser else None)


def people_of(reader: VaultReader, account: str) -> tuple[str, ...]:
    """Names of whoever says something in the account's conversations, and the account's own. What a model or
    a tool said has its name for an author, which is nobody's."""
    found = reader.ledger.query(
        """SELECT DISTINCT author FROM messages
           WHERE account = ? AND author IS NOT NULL
             AND lower(role) NOT IN ('assistant', 'model', 'tool', 'system', 'developer', 'function')
             AND NOT list_has_any([one.origin FOR one IN segments], ['assistant', 'reasoning'])
           ORDER BY author""",
        [account],
    )
    # an account may be an e-mail: what stands before the @ is the person's
    return (*(str(name) for (name,) in found), account.partition("@")[0])


MOST_SENTENCES = 10_000
"""Texts that are looked at to find whether words of a query name people, for all of the words together."""


def spoken_of(reader: VaultReader, account: str, query: str) -> tuple[str, ...]:
    """Names in the query of people whom the account's conversations and documents talk about."""

    def texts_with(words: Collection[str]) -> dict[str, list[str]]:
        texts: dict[str, list[str]] = {word: [] for word in words}
        # of a long text what stands around the word's first place, and of each word its share
        found = reader.ledger.query(
            """SELECT word, said FROM (SELECT unnest($words) AS word) AS sought, LATERAL (
                   SELECT substr(text, greatest(1, instr(text, word) - 200), 2000) AS said FROM (
                       SELECT account, text FROM messages UNION ALL SELECT account, text FROM resources
                   ) AS texts WHERE account = $account AND contains(texts.text, sought.word) LIMIT $most
               )""",
            {"account": account, "words": list(words), "most": MOST_SENTENCES // max(len(words), 1)},
        )
        for word, said in found:
            texts[str(word)].append(str(said))
        return texts

    return people_named.people_named(outgoing.leaving(query), texts_with)
