"""What units are to one another, in the ledger. A relation is added or taken back, never erased.

One that the owner took back stays so: no sweep and no extraction adds it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from pydantic import TypeAdapter

from schemas.relation import Link, Relation, RelationKind
from schemas.unit import Evidence
from vault.batch import LINKS_FILE
from vault.ledger import Ledger, Stamp
from vault.states import states_among

_EVIDENCE = TypeAdapter(list[Evidence])
_FIELDS = ("account", "unit_id", "kind", "other_id", "reason", "actor", "at", "run")


def add_relations(ledger: Ledger, relations: Iterable[Relation]) -> None:
    """Record relations; one that stands already, or that the owner took back, is left as it is."""
    ledger.insert(
        """
        INSERT INTO relations
        SELECT (SELECT coalesce(max(relation_no), 0) FROM relations) + row_number() OVER (),
               n.account, n.unit_id, n.kind, n.other_id, n.reason, n.actor, n."at", n.run, NULL, NULL, NULL
        FROM (SELECT DISTINCT ON (account, unit_id, kind, other_id) * FROM new_rows) n
        WHERE NOT EXISTS (
            SELECT 1 FROM relations r
            WHERE (r.account, r.unit_id, r.kind, r.other_id) = (n.account, n.unit_id, n.kind, n.other_id)
              AND (r.withdrawn_at IS NULL OR r.withdrawn_by = 'user' OR r.withdrawn_by LIKE 'policy:%')
        )
        """,
        [one.model_dump() for one in relations],
    )


def withdraw_relations(
    ledger: Ledger, relations: Iterable[Relation], *, actor: str, reason: str, at: datetime
) -> None:
    """Take standing relations back; their rows stay."""
    rows = [{**one.model_dump(), "by": actor, "why": reason, "since": at} for one in relations]
    ledger.insert(
        """
        UPDATE relations r
        SET withdrawn_at = n.since, withdrawn_by = n."by", withdrawn_reason = n.why
        FROM new_rows n
        WHERE (r.account, r.unit_id, r.kind, r.other_id) = (n.account, n.unit_id, n.kind, n.other_id)
          AND r.withdrawn_at IS NULL
        """,
        rows,
    )


def relations_of(
    ledger: Ledger, units: Sequence[str], kinds: Sequence[RelationKind] = tuple(RelationKind)
) -> list[Relation]:
    """The standing relations of these kinds that any of the units has part in, on either side."""
    return _relations(
        ledger,
        "kind IN (SELECT unnest($kinds))"
        " AND (unit_id IN (SELECT unnest($units)) OR other_id IN (SELECT unnest($units)))",
        {"kinds": list(kinds), "units": list(units)},
    )


def standing_relations(
    ledger: Ledger, account: str, kinds: Sequence[RelationKind] = tuple(RelationKind)
) -> list[Relation]:
    """Every standing relation of these kinds in an account, in the order in which they were added."""
    return _relations(
        ledger,
        "account = $account AND kind IN (SELECT unnest($kinds))",
        {"account": account, "kinds": list(kinds)},
    )


def run_relations(ledger: Ledger, run: str, kinds: Sequence[RelationKind]) -> list[Relation]:
    """The standing relations of these kinds that a run added."""
    return _relations(
        ledger, "run = $run AND kind IN (SELECT unnest($kinds))", {"run": run, "kinds": list(kinds)}
    )


def _relations(ledger: Ledger, condition: str, values: dict[str, object]) -> list[Relation]:
    columns = ", ".join(f'"{name}"' for name in _FIELDS)
    found = ledger.rows(
        f"SELECT {columns} FROM relations_current WHERE {condition} ORDER BY relation_no", values
    )
    return [Relation.model_validate(row) for row in found]


def merged_evidence(ledger: Ledger, units: Sequence[str]) -> dict[str, list[Evidence]]:
    """The evidence of the archived duplicates that each of the units stands for, where it stands for any."""
    found = ledger.query(
        f"""
        WITH merged AS (
            SELECT unit_id, other_id FROM relations_current
            WHERE kind = 'duplicate_of' AND other_id IN (SELECT unnest(?))
        ), states AS ({states_among("SELECT unit_id FROM merged")})
        SELECT r.other_id, u.evidence FROM merged r
        JOIN states s ON s.unit_id = r.unit_id JOIN units u ON u.id = r.unit_id
        WHERE s.state = 'archived' ORDER BY u.said_at NULLS LAST, u.id
        """,
        [list(units)],
    )
    merged: dict[str, list[Evidence]] = {}
    for unit, evidence in found:
        merged.setdefault(str(unit), []).extend(_EVIDENCE.validate_python(evidence))
    return merged


def successors(ledger: Ledger, units: Sequence[str]) -> dict[str, str]:
    """The newest note that takes the place of each of the units, where one does."""
    found = ledger.query(
        """
        SELECT r.other_id, arg_max(r.unit_id, r.relation_no) FROM relations_current r
        JOIN units u ON u.id = r.unit_id
        WHERE r.kind = 'supersedes' AND r.other_id IN (SELECT unnest(?)) GROUP BY r.other_id
        """,
        [list(units)],
    )
    return {str(unit): str(newer) for unit, newer in found}


def parted_units(ledger: Ledger, account: str) -> set[str]:
    """Units that the owner took out of a merge."""
    found = ledger.query(
        """SELECT DISTINCT unit_id FROM relations
           WHERE account = ? AND kind = 'duplicate_of' AND withdrawn_by = 'user'""",
        [account],
    )
    return {str(unit) for (unit,) in found}


def merge_links(
    ledger: Ledger, folder: Path, wanted: Sequence[str], stamp: Stamp, more: Sequence[Link] = ()
) -> None:
    """Take in what extraction found between the units of the wanted conversations of a staged batch.

    `more` are links that the load itself found there. What an earlier extraction found there and this one
    does not is taken back.
    """
    path = folder / LINKS_FILE
    if not path.exists():  # staged before extraction gave links
        return
    staged = ledger.rows(
        "SELECT * EXCLUDE conversation_id FROM read_parquet(?) WHERE conversation_id IN (SELECT unnest(?))",
        [str(path), list(wanted)],
    )
    links = [*(Link.model_validate(row) for row in staged), *more]
    found = {(one.unit_id, one.kind, one.other_id) for one in links}
    earlier = _relations(
        ledger,
        """actor LIKE 'extract:%' AND unit_id IN
           (SELECT id FROM units WHERE conversation_id IN (SELECT unnest($wanted)))""",
        {"wanted": list(wanted)},
    )
    gone = [one for one in earlier if (one.unit_id, one.kind, one.other_id) not in found]
    withdraw_relations(ledger, gone, actor=stamp.extractor, reason="no longer found", at=stamp.at)
    add_relations(
        ledger,
        [Relation(**one.model_dump(), actor=stamp.extractor, at=stamp.at, run=stamp.run) for one in links],
    )
