"""Pairs of notes that sweeps, extraction or the gate related, with what that changed or would change."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.unit import RECALLED_STATES
from vault.deck import NOTES_NOW, Row
from vault.ledger import Ledger

KINDS = {"duplicate_of": "duplicates", "supersedes": "superseded", "contradicts": "contradictions"}

_PAIRS = """
    SELECT 'standing' AS effect, kind, unit_id, other_id, reason, actor, "at" FROM relations_current
    WHERE account = $account AND kind IN ('duplicate_of', 'supersedes', 'contradicts')
    UNION ALL BY NAME
    SELECT 'proposed' AS effect,
           CASE verdict WHEN 'duplicate' THEN 'duplicate_of' ELSE 'supersedes' END AS kind,
           CASE verdict WHEN 'duplicate' THEN other_id ELSE unit_id END AS unit_id,
           CASE verdict WHEN 'duplicate' THEN unit_id ELSE other_id END AS other_id,
           reason, 'sweep:' || sweep AS actor, "at"
    FROM judgements WHERE account = $account AND effect = 'proposed'
"""


def pairs(
    ledger: Ledger, account: str, kind: str, start: int, limit: int, parted: Sequence[tuple[str, str]] = ()
) -> list[Row]:
    """Related notes: proposals that wait for the owner first, then the newest; of one kind, if it is named.

    Each row has the note that stays in sight and the one that does not, in their present words and states.
    `parted` are (goes, stays) of those that the owner said are two. The deck of the account is laid out.
    """
    return ledger.rows(
        f"""
        WITH shown AS (
            SELECT * FROM (
                SELECT effect, kind, reason, actor, "at",
                       CASE kind WHEN 'duplicate_of' THEN other_id ELSE unit_id END AS stays,
                       CASE kind WHEN 'duplicate_of' THEN unit_id ELSE other_id END AS goes
                FROM ({_PAIRS}) WHERE $kind = '' OR kind = $kind
            )
            WHERE stays IN (SELECT id FROM deck) AND goes IN (SELECT id FROM deck)
              AND (effect <> 'proposed'
                   OR goes IN (SELECT id FROM {NOTES_NOW} WHERE state IN (SELECT unnest($recalled))))
              AND (goes, stays) NOT IN (SELECT (g, s) FROM (SELECT unnest($gone) g, unnest($kept) s))
            QUALIFY row_number() OVER (PARTITION BY kind, stays, goes ORDER BY effect, "at" DESC) = 1
            ORDER BY effect, "at" DESC, stays, goes LIMIT $limit OFFSET $start
        ), notes AS (
            FROM {NOTES_NOW} WHERE id IN (SELECT stays FROM shown UNION SELECT goes FROM shown)
        )
        SELECT p.effect, p.kind, p.reason, p.actor, p."at",
               stays.id AS stays_id, stays.text AS stays_text, stays.state AS stays_state,
               stays.said_at AS stays_at, stays.speaker AS stays_speaker, stays.conversation AS stays_in,
               goes.id AS goes_id, goes.text AS goes_text, goes.state AS goes_state,
               goes.said_at AS goes_at, goes.speaker AS goes_speaker, goes.conversation AS goes_in
        FROM shown p JOIN notes stays ON stays.id = p.stays JOIN notes goes ON goes.id = p.goes
        ORDER BY p.effect, p."at" DESC, stays.id, goes.id
        """,
        {"account": account, "kind": kind if kind in KINDS else "", "start": start, "limit": limit,
         "recalled": [state.value for state in RECALLED_STATES],
         "gone": [goes for goes, _ in parted], "kept": [stays for _, stays in parted]},
    )  # fmt: skip


def related(ledger: Ledger, account: str, stays: str, goes: str) -> bool:
    """Whether a sweep, extraction or the gate related the two so that one stays and the other goes."""
    found = ledger.query(
        f"""
        SELECT 1 FROM ({_PAIRS}) p
        WHERE CASE p.kind WHEN 'duplicate_of' THEN (p.other_id, p.unit_id) ELSE (p.unit_id, p.other_id) END
              = ($stays, $goes) LIMIT 1
        """,
        {"account": account, "stays": stays, "goes": goes},
    )
    return bool(found)
