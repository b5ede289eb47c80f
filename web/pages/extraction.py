"""The text of a page as Markdown, by trafilatura, and whether something stands before it."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from schemas.deferred import deferred
from web.fetch.charsets import decoded, page_charset
from web.fetch.outcome import Fetched, PageOutcome
from web.pages.hidden_text import drop_hidden
from web.plain_text import plain_line, without_controls
from web.search.provider import MOST_TITLE, moment_of
from web.standing.domains import web_extra_missing

if TYPE_CHECKING:
    import trafilatura
    from lxml.html import HtmlElement
else:
    trafilatura = deferred("trafilatura")

LEAST_TEXT = 350
"""Characters of a page's own text; less says no more than a snippet does (the design's predecessor: 350)."""

MOST_TEXT = 200_000
"""Characters that are kept of a page."""

CHARSET_BYTES = 4096
"""Of a page's beginning, in which its head may name a charset (browsers look through 1,024)."""
GUESSED_BYTES = 64_000
STRAY_BYTES = 4
"""Letters of UTF-8, at least, for each byte that is in none."""
_UTF8_LETTER = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_ASCII = bytes(range(128))
_SAYS_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageText:
    """What a page says."""

    title: str
    text: str
    """Markdown, without controls; empty unless `outcome` is KEPT."""
    published: datetime | None
    outcome: PageOutcome
    """Of a page that was fetched KEPT, THIN or BEHIND_INTERACTION."""
    reason: str = ""
    url: str = ""
    """Where it was found, after redirects."""
    scripted: bool = False
    """Whether scripts may write what is not there."""


def extracted(page: Fetched, *, rendered: bool = False) -> PageText:
    """The text of a page that was fetched; `rendered`: its scripts have run already. Needs `mnemic[web]`."""
    if not page.markup:
        text = without_controls(decoded(page.body, page.charset or "utf-8")).strip()[:MOST_TEXT]
        return _judged(PageText("", text, None, PageOutcome.KEPT, url=page.url), None)
    tree = _tree(page)
    if tree is None:
        return PageText("", "", None, PageOutcome.THIN, "there is no markup in it", page.url)
    gate, scripts = _gate(tree), 0 if rendered else _scripts(tree)
    drop_hidden(tree)
    title, text, published = _extracted(tree, page.url)
    if gate is None and scripts:
        gate = f"{scripts} scripts may write it"
    return _judged(PageText(title, text, published, PageOutcome.KEPT, "", page.url, scripts > 0), gate)


def _judged(page: PageText, gate: str | None) -> PageText:
    if len(page.text) >= LEAST_TEXT:
        return page
    short = f"{len(page.text)} characters of text"
    if gate:
        return replace(page, text="", outcome=PageOutcome.BEHIND_INTERACTION, reason=f"{short}, and {gate}")
    return replace(page, text="", outcome=PageOutcome.THIN, reason=short)


def require_parser() -> None:
    """Raises MachineError where the extra `web` is not installed."""
    if find_spec("trafilatura") is None:
        raise web_extra_missing("trafilatura")


def _tree(page: Fetched) -> HtmlElement | None:
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # what it cannot parse has an outcome
    body = decoded(page.body, page.charset or _charset(page.body))
    tree: HtmlElement | None = trafilatura.load_html(body, max_size=len(page.body) + 1)
    return tree


def _charset(body: bytes) -> str:
    """The charset of a page whose header has none: UTF-8 where it is that, what its head says, UTF-8 where it
    is nearly that, or a guess by its beginning (a guess by the whole of 2 MB takes twenty seconds)."""
    try:
        body.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        said = _SAYS_CHARSET.search(body[:CHARSET_BYTES])
    named = page_charset(said[1].decode("ascii")) if said else None
    # a page whose head could be read as ASCII is in no UTF-16
    if (named and named.lower().startswith("utf-16")) or (named is None and _nearly_utf8(body)):
        return "utf-8"
    guesses = () if named else trafilatura.utils.detect_encoding(body[:GUESSED_BYTES])
    return named or next(filter(None, map(page_charset, guesses)), "utf-8")


def _nearly_utf8(body: bytes) -> bool:
    """Whether few of the bytes that are no ASCII are in no letter of UTF-8."""
    others, letters = _UTF8_LETTER.subn(b"", body)
    return STRAY_BYTES * len(others.translate(None, _ASCII)) <= letters > 0


def _extracted(tree: HtmlElement, url: str) -> tuple[str, str, datetime | None]:
    known = trafilatura.extract_metadata(tree, default_url=url)
    text = trafilatura.extract(tree, url=url, output_format="markdown", include_comments=False) or ""
    return (
        plain_line((known.title or "")[: 4 * MOST_TITLE])[:MOST_TITLE],
        without_controls(text).strip()[:MOST_TEXT],
        moment_of(known.date),
    )


def _gate(tree: HtmlElement) -> str | None:
    """What stands before the text by the page's own word: schema.org's mark for what is paid for, or a form
    that asks for a password."""
    if any(_paid(one) for one in _structured(tree)):
        return "it says itself that it is not accessible for free"
    if tree.xpath("//input[translate(@type,'PASWORD','pasword')='password']"):
        return "it asks for a password"
    if tree.xpath("//dialog[@open] | //*[@role='dialog' and .//button]"):
        return "a dialog stands before it"
    return None


def _scripts(tree: HtmlElement) -> int:
    """How many scripts there are that could make text; data in script elements is none."""
    return len(tree.xpath("//script[not(@type) or contains(@type,'javascript') or @type='module']"))


def _structured(tree: HtmlElement) -> Iterator[Mapping[str, Any]]:
    for script in tree.xpath("//script[@type='application/ld+json']"):
        try:
            said = json.loads(script.text or "")
        except (ValueError, RecursionError):
            continue
        lot = said if isinstance(said, list) else [said]
        for one in lot:
            if isinstance(one, Mapping):
                yield one
                graph = one.get("@graph")
                graph = graph if isinstance(graph, list) else [graph]
                yield from (part for part in graph if isinstance(part, Mapping))


def _paid(said: Mapping[str, Any]) -> bool:
    return str(said.get("isAccessibleForFree", "")).lower() in {"false", "https://schema.org/false"}
