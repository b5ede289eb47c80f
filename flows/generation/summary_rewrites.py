"""Summaries after the owner took something back: written anew by rule from what stands.

The summary as it was written stays on record, a model's too; while notes that it may tell are discarded or
corrected, another one stands in its place. Where nothing is taken back any more, the first one stands again.
Thread maps need nothing of the kind: a thread that the run touched is mapped anew
(`flows.generation.thread_linking`).
"""

from __future__ import annotations

from collections.abc import Sequence

from chunking.language import content_stems
from extract.engine import by_rules
from extract.retell.session_summary import SUMMARY_VERSION, summarise
from flows.batches.batch_stages import embed_points, masked_summary, windows_for
from flows.batches.search_points import card_of, summary_point
from flows.generation.loading import apply_changes, point_changes
from inference.embedder import Embedder
from inference.secret_cover import concealed, quoted_from
from schemas.thread import SessionSummary
from schemas.unit import Unit
from vault.generations import Building
from vault.ledger import Ledger
from vault.points import DraftPoint
from vault.retellings import (
    RESTATED_BY,
    conversations_taken_back_from,
    restated,
    units_of_summary,
    write_restated,
    written_summary,
)
from vault.threads import conversations_touched, summary_of

_TOLD_SHARE = 0.7
"""Of a note's words of content; a text of somebody else's that has so many may tell it, cited or not."""


def restate_summaries(building: Building, embedder: Embedder, run: str) -> None:
    """Write the summaries anew that may tell what was taken back, and their points: of the conversations that
    the run read or folded an act for."""
    ledger = building.ledger
    doubtful = conversations_taken_back_from(ledger) | restated(ledger)
    if ledger.setting(RESTATED_BY) == SUMMARY_VERSION:
        doubtful &= conversations_touched(ledger, run) | conversations_taken_back_from(ledger, run)
    homes = sorted(doubtful)
    made = [one for home in homes if (one := _standing_in(ledger, home)) is not None]
    write_restated(ledger, made, homes, run)
    ledger.settle(RESTATED_BY, SUMMARY_VERSION)
    _point(building, embedder, homes, run)


def _standing_in(ledger: Ledger, home: str) -> SessionSummary | None:
    """What stands in for a conversation's summary; None where that tells nothing that was taken back."""
    written, conversation = written_summary(ledger, home), ledger.conversation(home)
    if written is None or conversation is None:
        return None
    told, taken_back = units_of_summary(ledger, home)
    if not taken_back or (not by_rules(written.writer) and not _may_tell(written, taken_back)):
        return None
    hidden = concealed(conversation)
    made = masked_summary(
        summarise(
            hidden,
            [quoted_from(unit, hidden) for unit in told],
            [quoted_from(unit, hidden) for unit in taken_back],
        )
    )
    return None if made.text == written.text else made


def _may_tell(written: SessionSummary, taken_back: Sequence[Unit]) -> bool:
    """Whether a summary in a model's own words rests on one of the units, or has most of its words."""
    rests_on, words = set(written.unit_ids), content_stems(written.text)
    for unit in taken_back:
        own = content_stems(unit.text) | content_stems(unit.evidence[0].quote)
        if unit.id in rests_on or len(own & words) >= _TOLD_SHARE * len(own):
            return True
    return False


def _point(building: Building, embedder: Embedder, homes: Sequence[str], run: str) -> None:
    """Bring the summaries' points up to date."""
    windows = windows_for(embedder)
    drafts: list[DraftPoint] = []
    for home in homes:
        summary, conversation = summary_of(building.ledger, home), building.ledger.conversation(home)
        if summary is not None and conversation is not None:
            drafts.append(summary_point(summary, card_of(conversation), windows))
    existing = building.ledger.points_of(homes)
    new = [one for one in drafts if existing.get(one.id, ("", ""))[0] != one.payload.content_hash]
    vectors = embed_points(new, embedder) if new else {}
    apply_changes(building, point_changes(drafts, existing, vectors, replaces=False), run)
