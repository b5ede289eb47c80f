"""What work on the vault's conversations and documents was done by, and which of them a condition means."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from schemas.resource import Resource
from vault.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Chosen:
    """Conversations and documents that meet every condition; None: any."""

    account: str | None = None
    archive: str | None = None
    """Name of the archive that brought their present form, or the beginning of its hash."""
    provider: str | None = None
    since: datetime | None = None
    """Began at or after; one without a time began at none."""
    before: datetime | None = None
    conversations: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A conversation or document and the work that made what the ledger has of it."""

    id: str
    content_hash: str
    work_key: str
    archive_hash: str
    versions: Mapping[str, str]
    """By stage, as the run noted them which made it."""

    @property
    def extractor(self) -> str:
        """Engine and version that extracted it; "" where the run is not on record."""
        return self.versions.get("extract", "")


_STORED = """
    SELECT o.id, o.content_hash, o.work_key, o.archive_hash,
           coalesce(r.versions, '{}') AS versions
    FROM (
        SELECT conversation_id AS id, account, provider, content_hash, work_key, archive_hash, run,
               coalesce(created_at, (SELECT min(m.created_at) FROM messages m
                                     WHERE m.conversation_id = c.conversation_id)) AS began
        FROM conversations c
        UNION ALL
        SELECT id, account, provider, content_hash, work_key, archive_hash, run, created_at FROM resources
    ) o LEFT JOIN runs r ON r.run = o.run
    WHERE ($account IS NULL OR o.account = $account)
      AND ($provider IS NULL OR o.provider = $provider)
      AND ($since IS NULL OR o.began >= $since)
      AND ($before IS NULL OR o.began < $before)
      AND ($ids IS NULL OR o.id IN (SELECT unnest($ids)))
      AND ($archive IS NULL OR starts_with(o.archive_hash, $archive) OR o.archive_hash IN
           (SELECT archive_hash FROM imports WHERE archive = $archive OR archive LIKE '%/' || $archive))
    ORDER BY o.archive_hash, o.id
"""


def stored_work(ledger: Ledger, wanted: Chosen) -> list[Stored]:
    """The conversations and documents that are meant, those of one archive together."""
    found = ledger.rows(
        _STORED,
        {
            "account": wanted.account,
            "archive": wanted.archive,
            "provider": wanted.provider,
            "since": wanted.since,
            "before": wanted.before,
            "ids": None if wanted.conversations is None else list(wanted.conversations),
        },
    )
    return [
        Stored(
            str(row["id"]),
            str(row["content_hash"]),
            str(row["work_key"]),
            str(row["archive_hash"]),
            _versions(row["versions"]),
        )
        for row in found
    ]


def _versions(stored: object) -> dict[str, str]:
    return {str(stage): str(version) for stage, version in json.loads(str(stored)).items()}


def versions_on_record(ledger: Ledger) -> list[dict[str, str]]:
    """Versions by stage of the runs that made what the ledger holds, each once."""
    found = ledger.query(
        """SELECT DISTINCT r.versions FROM runs r JOIN (
               SELECT run FROM conversations UNION SELECT run FROM resources) o ON o.run = r.run
           ORDER BY 1"""
    )
    return [_versions(versions) for (versions,) in found]


def read_by(ledger: Ledger) -> list[dict[str, object]]:
    """How many conversations which versions extracted, gave contextual prefixes and summarised."""
    return ledger.rows(
        """SELECT r.versions ->> 'extract' AS notes, coalesce(r.versions ->> 'place', '') AS prefixes,
                  r.versions ->> 'summarise' AS summaries, count(*) AS conversations
           FROM conversations c JOIN runs r ON r.run = c.run
           GROUP BY ALL ORDER BY conversations DESC, notes, prefixes, summaries"""
    )


def prefixes_of(ledger: Ledger, conversations: Sequence[str]) -> dict[str, str]:
    """The contextual prefixes of the conversations' chunks, by chunk id."""
    if "prefix" not in ledger.columns("chunks"):  # published before there were any
        return {}
    found = ledger.query(
        """SELECT id, prefix FROM chunks
           WHERE prefix IS NOT NULL AND conversation_id IN (SELECT unnest(?))""",
        [list(conversations)],
    )
    return {str(chunk): str(prefix) for chunk, prefix in found}


def resource_of(ledger: Ledger, resource: str) -> Resource | None:
    """The document as its reader handed it over."""
    columns = ", ".join(Resource.model_fields)
    found = ledger.rows(f"SELECT {columns} FROM resources WHERE id = ?", [resource])
    return Resource.model_validate(found[0]) if found else None
