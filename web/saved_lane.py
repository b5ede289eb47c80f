"""Pages of the web that the owner saved, beside the memory: no socket is opened for them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from time import perf_counter

import numpy as np
import numpy.typing as npt

from inference.embedder import Embedder
from retrieval.package import WebReport
from retrieval.question import Question
from retrieval.search.hybrid import Candidate
from retrieval.web_lane import WebFound, WebLane
from schemas.base import sha256_text
from schemas.provenance import STANDING_WEIGHTS
from vault.web_pages import SavedPage, WebPages
from web.live_lane import ReadPage
from web.pages.passages import passages_of
from web.passage_candidates import WebPassage, embedded_text, folded, may_answer

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class SavedWeb:
    """The saved pages, and beside them the live web where it is on."""

    pages: WebPages
    live: WebLane | None = None

    def __call__(
        self, question: Question, memory: Sequence[Candidate], embedder: Embedder | None
    ) -> WebFound:
        """See `retrieval.web_lane.WebLane`."""
        began = perf_counter()
        outside = WebFound() if self.live is None else self.live(question, memory, embedder)
        if embedder is None or not self.pages.exists or not may_answer(question):
            return outside
        # what was fetched just now takes the place of what was saved of the page
        now = {one.payload.conversation_id for one in outside.candidates}
        saved = [one for one in self._passages(question, embedder) if one.url not in now]
        if not saved:
            return outside
        kept, drops = folded(question, saved, memory, embedder)
        report = outside.report or WebReport(live=False, reason="the live web is off")
        spent = round(1000 * (perf_counter() - began), 1)
        report = report.model_copy(update={"saved": len(kept), "milliseconds": spent})
        return WebFound((*outside.candidates, *kept), (*outside.dropped, *drops), report)

    def _passages(self, question: Question, embedder: Embedder) -> list[WebPassage]:
        """Every passage of a page that was fetched by the moment of the question."""
        known, stale = self.pages.passages(embedder.binding.weights_hash)
        found = [
            _passage(one.page, one.text, one.headings, one.vector)
            for one in known
            if one.page.fetched_at <= question.as_of
        ]
        for page in stale:  # saved under another embedder: its passages are embedded for this question
            log.info("a saved page was embedded by another model: `mnemic web refresh` embeds it anew")
            if page.fetched_at <= question.as_of:
                passages = passages_of(page.text, page.title)
                found += [_passage(page, one.text, one.heading_path) for one in passages]
        return found


def _passage(
    page: SavedPage, text: str, headings: tuple[str, ...], vector: npt.NDArray[np.float32] | None = None
) -> WebPassage:
    weight = STANDING_WEIGHTS[page.standing]
    return WebPassage(page.url, page.title, text, weight, headings, page.published, vector)


def save_pages(pages: WebPages, read: Sequence[ReadPage], embedder: Embedder) -> list[SavedPage]:
    """Store pages that were read, each with its passages and their vectors."""
    saved = []
    for one in read:
        url = one.page.url or one.result.url
        page = SavedPage(
            url=url,
            title=one.page.title or one.result.title,
            fetched_at=one.at.astimezone(UTC),
            published=one.page.published or one.result.published,
            sha256=sha256_text(one.page.text),
            standing=one.standing,
            text=one.page.text,
        )
        store_page(pages, page, embedder)
        saved.append(page)
    return saved


def store_page(pages: WebPages, page: SavedPage, embedder: Embedder) -> None:
    """Store one page, embedded by this embedder."""
    passages = passages_of(page.text, page.title)
    texts = [embedded_text(page.title, one.text) for one in passages]
    vectors = embedder.embed(texts)
    parts = [(one.text, one.heading_path) for one in passages]
    pages.save(page, parts, embedder.binding.weights_hash, vectors)
