"""The engine that extracts nothing: units, segments and links as the ledger has them, to be judged again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from extract.engine import Charted, Placement, Retelling, by_rules
from extract.offline_engine import Extraction
from extract.retell.session_summary import SUMMARY_VERSION, summarise
from extract.retell.thread_map import ThreadNotes, thread_map
from schemas.chunk import Chunk
from schemas.conversation import Conversation, Segment
from schemas.fallback import Fallback
from schemas.relation import Link, RelationKind
from schemas.unit import Unit
from vault.ledger import Ledger
from vault.model_paths import model_paths_of
from vault.nouns_from_rows import unit_from_row
from vault.retellings import written_summary
from vault.stored import prefixes_of

_LINKED = tuple(kind.value for kind in RelationKind if kind is not RelationKind.OVERLAPS)
"""What extraction links; overlaps are found by the load."""


def recorded_versions(versions: Mapping[str, str]) -> dict[str, str]:
    """Of the versions that a run noted, those of what this engine keeps of it.

    Summaries by rules are not kept but written anew: they cost nothing, and follow the gate's new verdicts.
    """
    summaries = versions.get("summarise", "")
    return {
        "extract": versions.get("extract", ""),
        "place": versions.get("place", ""),
        "summarise": SUMMARY_VERSION if by_rules(summaries) else summaries,
    }


class RecordedEngine:
    """What the newest extraction of each conversation found. Its versions are those of who found it."""

    def __init__(self, ledger: Ledger, versions: Mapping[str, str]) -> None:
        self._ledger = ledger
        kept = recorded_versions(versions)
        self.version, self.prefix_version = kept["extract"], kept["place"]
        self.summary_version = kept["summarise"]

    def extract(self, conversation: Conversation) -> Extraction:
        """See `Engine.extract`. Units that an earlier extraction found and the newest did not stay out."""
        found = self._ledger.rows(
            """
            SELECT u.* FROM units u JOIN conversations c ON c.conversation_id = u.conversation_id
            LEFT JOIN messages m ON m.message_id = u.evidence[1].message_id
            WHERE c.conversation_id = ? AND u.run = c.run
            ORDER BY m.position, u.evidence[1]."start", u.evidence[1]."end", u.id
            """,
            [conversation.id],
        )
        return Extraction(
            units=tuple(unit_from_row(row) for row in found),
            segments=self._segments(conversation),
            topics=(),
            dropped=Counter(),
            links=self._links(conversation.id),
            fallbacks=self._fallbacks(conversation.id),
            paths=model_paths_of(self._ledger, conversation.id),
        )

    def _segments(self, conversation: Conversation) -> dict[str, tuple[Segment, ...]]:
        found: dict[str, list[Segment]] = {one.id: [] for one in conversation.messages}
        rows = self._ledger.rows(
            """SELECT message_id, "start", "end", origin, label FROM segments WHERE conversation_id = ?
               ORDER BY message_id, "start" """,
            [conversation.id],
        )
        for row in rows:
            found[str(row.pop("message_id"))].append(Segment.model_validate(row))
        return {message: tuple(segments) for message, segments in found.items()}

    def _links(self, conversation: str) -> tuple[Link, ...]:
        rows = self._ledger.rows(
            """
            SELECT r.account, r.unit_id, r.kind, r.other_id, r.reason FROM relations_current r
            JOIN units u ON u.id = r.unit_id JOIN conversations c ON c.conversation_id = u.conversation_id
            WHERE r.actor LIKE 'extract:%' AND r.kind IN (SELECT unnest(?)) AND c.conversation_id = ?
              AND u.run = c.run
            ORDER BY r.relation_no
            """,
            [list(_LINKED), conversation],
        )
        return tuple(Link.model_validate(row) for row in rows)

    def _fallbacks(self, conversation: str) -> tuple[Fallback, ...]:
        rows = self._ledger.rows(
            "SELECT * EXCLUDE (run) FROM fallbacks WHERE conversation_id = ? ORDER BY key", [conversation]
        )
        return tuple(Fallback.model_validate(row) for row in rows)

    def place(self, conversation: Conversation, chunks: Sequence[Chunk]) -> Placement:
        """The chunks with the prefixes on record, where the cut is still the same."""
        prefixes = prefixes_of(self._ledger, [conversation.id])
        return Placement([one.model_copy(update={"prefix": prefixes.get(one.id)}) for one in chunks])

    def retell(self, conversation: Conversation, units: Sequence[Unit]) -> Retelling:
        """The summary on record where a model wrote it, less the units that did not pass; else a new one."""
        found = written_summary(self._ledger, conversation.id)
        if found is None or by_rules(found.writer):
            return Retelling(summarise(conversation, units))
        good = {unit.id for unit in units}
        return Retelling(
            found.model_copy(update={"unit_ids": tuple(one for one in found.unit_ids if one in good)})
        )

    def chart(self, threads: Sequence[ThreadNotes]) -> list[Charted]:
        """The maps by rules: a thread that is written again has changed."""
        return [Charted(thread_map(notes)) for notes in threads]
