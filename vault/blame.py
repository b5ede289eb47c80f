"""What happened to a note, newest first: which run or whose act made it what it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from schemas.act import Act
from vault.ledger import Ledger
from vault.paths import FILED_BY


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened to a note."""

    unit: str
    at: datetime
    actor: str
    """`gate:<version>`, `user`, `assistant:<name>`, `policy:<name>`, `sweep:<name>`, `filing:<version>` or an
    extractor."""
    what: str
    """A state, a kind of act, `superseded by <id>` and the like, `rewritten`, or `filed at <paths>`."""
    reason: str
    run: str
    """The run that wrote it; empty for an act that no run has folded yet."""
    generation: int | None
    """The generation that this run published, where the ledger remembers it."""
    detail: str = ""
    """The text that was there before, or that the act gave."""


_HAPPENED = """
WITH named AS (SELECT unnest($units) AS id), undone AS (
    SELECT detail AS id FROM acts WHERE kind = 'undo'
), told AS (
    SELECT e.unit_id, e."at", e.actor, e.state AS what, e.reason, e.run, '' AS detail,
           e.event_no AS place
    FROM unit_events e SEMI JOIN named n ON n.id = e.unit_id
    WHERE NOT EXISTS (
        SELECT 1 FROM acts a WHERE a.subject = e.unit_id AND a.actor = e.actor AND a."at" = e."at")
    UNION ALL
    SELECT a.subject, a."at", a.actor, a.kind
           || CASE WHEN u.id IS NULL THEN '' ELSE ', undone later' END,
           a.reason, a.run, a.detail, a.seq
    FROM acts a SEMI JOIN named n ON n.id = a.subject LEFT JOIN undone u ON u.id = a.id
    WHERE a.kind <> 'undo'
    UNION ALL
    SELECT t.subject, a."at", a.actor, 'undo of ' || t.kind, a.reason, a.run, '', a.seq
    FROM acts a JOIN acts t ON t.id = a.detail SEMI JOIN named n ON n.id = t.subject
    WHERE a.kind = 'undo'
    UNION ALL
    SELECT r.unit_id, r."at", r.actor, replace(r.kind, '_', ' ') || ' ' || r.other_id, r.reason,
           r.run, '', r.relation_no
    FROM relations r SEMI JOIN named n ON n.id = r.unit_id
    UNION ALL
    SELECT r.other_id, r."at", r.actor,
           CASE r.kind WHEN 'supersedes' THEN 'superseded by '
           ELSE replace(r.kind, '_', ' ') || ' of ' END
           || r.unit_id, r.reason, r.run, '', r.relation_no
    FROM relations r SEMI JOIN named n ON n.id = r.other_id
    UNION ALL
    SELECT r.unit_id, r.withdrawn_at, r.withdrawn_by, 'no longer ' || replace(r.kind, '_', ' ') || ' '
           || r.other_id, coalesce(r.withdrawn_reason, ''), '', '', r.relation_no
    FROM relations r SEMI JOIN named n ON n.id = r.unit_id WHERE r.withdrawn_at IS NOT NULL
    UNION ALL
    SELECT b.unit_id, b.until, coalesce(u.extractor, ''), 'rewritten', '', b.run,
           b.record ->> 'text', 0
    FROM units_before b SEMI JOIN named n ON n.id = b.unit_id LEFT JOIN units u ON u.id = b.unit_id
    UNION ALL
    SELECT f.unit_id, any_value(coalesce(g.published_at, r.started_at)),
           CASE WHEN bool_or(f.likeness IS NULL) THEN any_value(m.filer) ELSE $filing END,
           'filed at ' || string_agg(f.path, ', ' ORDER BY f.likeness DESC, f.path), '', f.run, '', -1
    FROM filed_paths f SEMI JOIN named n ON n.id = f.unit_id JOIN runs r ON r.run = f.run
    LEFT JOIN (SELECT run, min(published_at) AS published_at FROM generations GROUP BY run) g
        ON g.run = f.run
    LEFT JOIN (SELECT unit_id, any_value(filer) AS filer FROM model_paths GROUP BY unit_id) m
        ON m.unit_id = f.unit_id
    WHERE $filed
    GROUP BY f.unit_id, f.run
)
SELECT t.unit_id, t."at", t.actor, t.what, t.reason, t.run, g.number, t.detail
FROM told t LEFT JOIN (
    SELECT run, min(number) AS number FROM generations GROUP BY run
) g ON g.run = t.run
ORDER BY t."at" DESC, t.place DESC, t.what LIMIT $limit
"""
"""Events, acts and undos, relations from either side, rows that runs replaced, and who filed the note where:
a likeness is the examples' word, and a model gives none."""


def blame(
    ledger: Ledger, units: Sequence[str], pending: Sequence[Act], limit: int, *, filed: bool = False
) -> list[Entry]:
    """The newest `limit` things that happened to the notes; `pending`: acts that are not folded yet.

    `filed`: with who filed them where. Of many notes, filed by one run, that would be all there is to see.
    """
    filing = f"filing:{(ledger.setting(FILED_BY) or '').partition('/')[0]}"
    found = ledger.query(_HAPPENED, {"units": list(units), "limit": limit, "filing": filing, "filed": filed})
    told = [
        Entry(
            str(unit), _moment(at), str(actor), str(what), str(reason), str(run), _number(number), str(detail)
        )
        for unit, at, actor, what, reason, run, number, detail in found
    ]
    waiting = [
        Entry(
            act.subject,
            act.at,
            act.actor,
            f"{act.kind.value}, not folded yet",
            act.reason,
            "",
            None,
            act.detail,
        )
        for act in pending
        if act.subject in set(units)
    ]
    return sorted(waiting + told, key=lambda one: one.at, reverse=True)[:limit]


def _moment(value: object) -> datetime:
    assert isinstance(value, datetime)
    return value


def _number(value: object) -> int | None:
    return None if value is None else int(str(value))
