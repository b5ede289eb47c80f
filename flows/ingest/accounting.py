"""The account of a run: what came in, what was made, what was refused, and how long each stage took."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

from flows.batches.batch_stages import EXTRACT, SUMMARISE
from flows.intake.staging import ReadingPlan
from flows.reports.run_summary import RunSummary
from schemas.base import Instant
from schemas.generation import Generation
from vault.ledger import Ledger
from vault.sightings import gone_count


@dataclass(frozen=True, slots=True)
class Start:
    """A run's id and when it began."""

    run: str
    at: Instant


def extraction_counts(plan: ReadingPlan) -> tuple[Counter[str], Counter[str]]:
    """(rows made by table, candidates dropped by reason) over a plan's batches, before they are cleared."""
    made: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    for batch in plan.batches:
        record = batch.manifest(EXTRACT) or {}
        made.update(json.loads(record.get("counts", "{}")))
        made.update(json.loads((batch.manifest(SUMMARISE) or {}).get("counts", "{}")))
        dropped.update(json.loads(record.get("dropped", "{}")))
    return made, dropped


def summarise(
    vault: str,
    start: Start,
    plan: ReadingPlan,
    embedded: int,
    generation: Generation | None,
    published: bool,
    ledger: Ledger | None,
    seconds: dict[str, float],
) -> RunSummary:
    """Put a run's account together; `ledger` is the published one, as the run left it."""
    made, dropped = extraction_counts(plan)
    made["vectors"] = embedded
    categories, states = _tallies(ledger, start.run)
    return RunSummary(
        run=start.run,
        vault=vault,
        started_at=start.at,
        archives=tuple(plan.results),
        made=dict(made),
        units_by_category=categories,
        units_by_state=states,
        dropped=dict(dropped.most_common()),
        failed=dict(plan.failed),
        generation=generation.number if generation else None,
        published=published,
        rows=generation.rows if generation else {},
        gone=gone_count(ledger) if ledger else 0,
        accounts=generation.accounts if generation else (),
        seconds={stage: round(spent, 3) for stage, spent in seconds.items()},
    )


def _tallies(ledger: Ledger | None, run: str) -> tuple[dict[str, int], dict[str, int]]:
    """Units of the run by category and by state, the most first: of one statement, as the view costs 8 ms."""
    if ledger is None:
        return {}, {}
    found = ledger.query(
        """SELECT category, state, count(*) FROM units u JOIN unit_states s ON s.unit_id = u.id
           WHERE u.run = ? GROUP BY ALL""",
        [run],
    )
    categories, states = Counter[str](), Counter[str]()
    for category, state, count in found:
        categories[str(category)] += int(str(count))
        states[str(state)] += int(str(count))
    return _most_first(categories), _most_first(states)


def _most_first(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
