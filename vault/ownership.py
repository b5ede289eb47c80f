"""Whose each row of the ledger is: what an erasure removes, table by table.

Every table of the ledger stands here; a test fails for one that does not.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.report import PLAIN_UNKNOWN_TYPE, UNKNOWN_TYPE

OF_OWNER = "{column} IN (SELECT owner FROM erased)"
OF_UNIT = "{column} IN (SELECT id FROM erased_units)"


@dataclass(frozen=True, slots=True)
class Ownership:
    """Which rows of a table belong to an erased conversation or resource."""

    rows: str | None
    """Condition on a row; None where no row tells anything of a conversation."""
    scrub: str | None = None
    """Assignments that take the words out of rows that stay."""
    scrubbed: str = "false"
    """Condition on the rows to scrub."""


def _owned(column: str) -> Ownership:
    return Ownership(OF_OWNER.format(column=column))


def _of_unit(*columns: str) -> Ownership:
    return Ownership(" OR ".join(OF_UNIT.format(column=column) for column in columns))


OWNERSHIP: dict[str, Ownership] = {
    "account_origins": _owned("owner"),
    "conversations": _owned("conversation_id"),
    "messages": _owned("conversation_id"),
    "segments": _owned("conversation_id"),
    "chunks": _owned("conversation_id"),
    "resources": _owned("id"),
    "points": _owned("conversation_id"),
    "units": _owned("conversation_id"),
    "unit_events": _of_unit("unit_id"),
    "units_before": _of_unit("unit_id"),
    "acts": _of_unit("subject"),
    "filed_paths": _of_unit("unit_id"),
    "model_paths": _owned("conversation_id"),
    "note_paths": _of_unit("unit_id"),
    # a sample quotes a note: whoever erases counts anew, and so does every publication
    "path_counts": Ownership("true"),
    "note_names": _of_unit("unit_id"),
    # links and circles quote names: whoever erases settles them anew, and so does every publication
    "name_links": Ownership("true"),
    "name_groups": Ownership("true"),
    "pending": _of_unit("unit_id"),
    "session_summaries": _owned("conversation_id"),
    "restated_summaries": _owned("conversation_id"),
    "profiles": _owned("conversation_id"),
    # a thread that an erased conversation belongs to is erased as a whole: the next run finds it anew
    "threads": _owned("id"),
    "thread_maps": _owned("thread_id"),
    "relations": _of_unit("unit_id", "other_id"),
    "judgements": _of_unit("unit_id", "other_id"),
    # an import's notes quote records of the archive, and nothing says of which conversation
    "imports": Ownership(
        None,
        scrub=f"""notes = list_transform(notes, lambda n: struct_pack(kind := n.kind,
                  reason := CASE WHEN starts_with(n.reason, '{UNKNOWN_TYPE} ') THEN '{PLAIN_UNKNOWN_TYPE}'
                                 ELSE n.reason END,
                  "where" := '', count := n.count, remedy := n.remedy, sample := ''))""",
        scrubbed="account IN (SELECT account FROM erased)",
    ),
    "fallbacks": _owned("conversation_id"),
    "sightings": _owned("conversation_id"),
    # that an archive was a whole account's, and its span of time
    "whole_exports": Ownership(None),
    # what was paid, by the hash of the question: not a word of it
    "model_calls": Ownership(None),
    "settled": Ownership(None),
    "runs": Ownership(None),
    "generations": Ownership(None),
    "migrations": Ownership(None),
}
"""Table to whose its rows are. A chunk's, point's or unit's `conversation_id` may be a resource's id."""
