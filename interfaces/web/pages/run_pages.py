"""What was done: runs and their effects, what came in by which archive, and what was left out and why."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response

from interfaces.web.desk import Desk
from interfaces.web.paging import PAGE, pager, start_of
from interfaces.web.responses import Show
from vault.deck import Row
from vault.ledger import Ledger

QUARANTINED = 50
"""Names of what was set aside that are shown."""
NEWEST_NOTES = 50


class RunPages:
    """Handlers of runs and imports."""

    def __init__(self, desk: Desk, show: Show) -> None:
        self._desk, self._show = desk, show

    async def runs(self, request: Request) -> Response:
        """The runs, newest first, and every archive that came in, with what was left out of it."""
        ledger, account = self._desk.ledger(), self._desk.account
        start = start_of(request.query_params)
        ((total,),) = ledger.query("SELECT count(*) FROM runs")
        runs = ledger.rows(
            """SELECT r.run, r.command, r.started_at, r.finished_at, g.number AS generation,
                      (SELECT count(*) FROM unit_events e WHERE e.run = r.run) AS events,
                      (SELECT coalesce(sum(c.usd), 0) FROM model_calls c WHERE c.run = r.run) AS usd
               FROM runs r LEFT JOIN generations g ON g.run = r.run
               ORDER BY r.started_at DESC LIMIT ? OFFSET ?""",
            [PAGE, start],
        )
        imports = ledger.rows(
            """SELECT * FROM imports WHERE account = ? ORDER BY imported_at DESC, archive LIMIT ?""",
            [account, PAGE],
        )
        quarantine = self._desk.reader.layout.quarantine
        return self._show(
            "runs.html",
            runs=runs,
            imports=imports,
            pager=pager("/runs", {}, start, int(str(total))),
            generation=self._desk.reader.generation,
            quarantine=sorted(one.name for one in quarantine.iterdir())[:QUARANTINED]
            if quarantine.exists()
            else [],
        )

    async def run(self, request: Request) -> Response:
        """One run: with which versions, what it read, and which states it gave to which notes."""
        ledger, run = self._desk.ledger(), request.path_params["run"]
        found = ledger.rows("SELECT * FROM runs WHERE run = ?", [run])
        if not found:
            return self._show("missing.html", status=404)
        return self._show(
            "run.html",
            run=found[0],
            versions=_versions(str(found[0]["versions"])),
            effects=_effects(ledger, self._desk.account, run),
            notes=_newest_events(ledger, run),
            imports=ledger.rows(
                "SELECT * FROM imports WHERE run = ? AND account = ? ORDER BY archive",
                [run, self._desk.account],
            ),
            calls=ledger.rows(
                """SELECT model, prompt, outcome, count(*) AS calls, sum(input_tokens) AS input_tokens,
                          sum(output_tokens) AS output_tokens, sum(usd) AS usd
                   FROM model_calls WHERE run = ? GROUP BY ALL ORDER BY usd DESC LIMIT 50""",
                [run],
            ),
        )


def _versions(text: str) -> dict[str, str]:
    read = json.loads(text)
    return {str(name): str(value) for name, value in read.items()} if isinstance(read, dict) else {}


def _effects(ledger: Ledger, account: str, run: str) -> list[Row]:
    return ledger.rows(
        """SELECT split_part(e.actor, ':', 1) AS actor, e.state, count(*) AS notes
           FROM unit_events e JOIN units u ON u.id = e.unit_id
           WHERE e.run = ? AND u.account = ? GROUP BY ALL ORDER BY notes DESC, e.state""",
        [run, account],
    )


def _newest_events(ledger: Ledger, run: str) -> list[Row]:
    """The last notes to which the run gave a state; what the gate rejected as no note is left out."""
    return ledger.rows(
        """SELECT d.id, d.text, e.state, e.actor, e.reason FROM unit_events e JOIN deck d ON d.id = e.unit_id
           WHERE e.run = ? AND e.state NOT IN ('rejected', 'extracted') ORDER BY e.event_no DESC LIMIT ?""",
        [run, NEWEST_NOTES],
    )
