"""What work on the vault's conversations and documents was done by, and which of them a condition means."""

from __future__ import annotations

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
    extractor: str
    """Engine and version that the run named which made it."""


_STORED = """
    SELECT o.id, o.content_hash, o.work_key, o.archive_hash,
           coalesce(r.versions ->> 'extract', '') AS extractor
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
    return [Stored(**{name: str(value) for name, value in row.items()}) for row in found]


def resource_of(ledger: Ledger, resource: str) -> Resource | None:
    """The document as its reader handed it over."""
    columns = ", ".join(Resource.model_fields)
    found = ledger.rows(f"SELECT {columns} FROM resources WHERE id = ?", [resource])
    return Resource.model_validate(found[0]) if found else None
