"""The owner's acts in the ledger, and what those that are not folded yet make of its notes.

An act gives a unit an event with its own actor and time. Taking the act back adds nothing to the events: the
views leave out the events of undone acts, so the unit stands where it stood without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from schemas.act import GIVE_STATES, ON_PATHS, Act, ActKind
from schemas.unit import RECALLED_STATES, State, UnitEvent
from vault.journal import Journal, live
from vault.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Overlay:
    """What acts that no generation has folded yet make of units, by unit id."""

    states: dict[str, State] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def units(self) -> frozenset[str]:
        """The units that are not as the generation has them."""
        return frozenset(self.states) | frozenset(self.texts)

    @property
    def taken_back(self) -> frozenset[str]:
        """The units that the owner discarded, or gave other words. What was archived was said, and is told of
        its day (`vault.retellings`)."""
        told = (*RECALLED_STATES, State.ARCHIVED)
        gone = (unit for unit, state in self.states.items() if state not in told)
        return frozenset(self.texts).union(gone)


NOTHING = Overlay()


def record_acts(ledger: Ledger, acts: Sequence[Act], run: str) -> set[str]:
    """Add acts to the ledger, each once, and the events that keeps and discards give to their units.

    An act on a unit that is not there, as after a rollback, waits for it: it gets its event by the first call
    after the unit came back. Returns the units that got events.
    """
    ledger.insert(
        "INSERT INTO acts BY NAME SELECT * FROM new_rows WHERE id NOT IN (SELECT id FROM acts)",
        [{**act.model_dump(), "run": run} for act in acts],
    )
    due = _without_event(ledger)
    ledger.add_events(
        UnitEvent(
            unit_id=act.subject,
            state=state,
            actor=act.actor,
            reason=act.reason,
            at=act.at,
            run=run,
        )
        for act in due
        if (state := act.state) is not None
    )
    return {act.subject for act in due}


def _without_event(ledger: Ledger) -> list[Act]:
    """Acts that give a state to units that are there, and have given no event yet, oldest first."""
    found = ledger.rows(
        """
        SELECT a.* EXCLUDE (run) FROM acts a SEMI JOIN units u ON u.id = a.subject
        ANTI JOIN unit_events e ON e.unit_id = a.subject AND e.actor = a.actor AND e."at" = a."at"
        WHERE a.kind IN (SELECT unnest(?)) ORDER BY a.seq
        """,
        [[kind.value for kind in GIVE_STATES]],
    )
    return [Act.model_validate(row, strict=False) for row in found]


def known_units(ledger: Ledger, units: Iterable[str]) -> set[str]:
    """Those of the ids that are units of the ledger."""
    found = ledger.query("SELECT id FROM units WHERE id IN (SELECT unnest(?))", [list(units)])
    return {str(unit) for (unit,) in found}


def corrections(ledger: Ledger, units: Sequence[str]) -> dict[str, str]:
    """Corrected text by unit id, for those of the units that the owner corrected."""
    found = ledger.query(
        "SELECT unit_id, text FROM corrections WHERE unit_id IN (SELECT unnest(?))", [list(units)]
    )
    return {str(unit): str(text) for unit, text in found}


def overlay_of(journal: Journal, folded: int, ledger: Callable[[], Ledger]) -> Overlay:
    """What the acts after `folded` make of the units.

    `ledger` gives that of the generation that folded it; it is asked only where a folded act is undone.
    """
    pending = journal.after(folded)
    overlay = Overlay()
    targets = journal.named(act.detail for act in pending if act.kind is ActKind.UNDO)
    if undone := [act for act in targets if act.seq <= folded and act.kind not in ON_PATHS]:
        restored = _without(ledger(), undone)
        overlay.states.update(restored.states)
        overlay.texts.update(restored.texts)
    for act in live(pending):
        if act.state is not None:
            overlay.states[act.subject] = act.state
        elif act.kind is ActKind.CORRECT:
            overlay.texts[act.subject] = act.detail
    return overlay


def extended(overlay: Overlay, acts: Sequence[Act]) -> Overlay:
    """The overlay after further acts, none of which takes another back."""
    states = {act.subject: act.state for act in acts if act.state is not None}
    texts = {act.subject: act.detail for act in acts if act.kind is ActKind.CORRECT}
    return Overlay(overlay.states | states, overlay.texts | texts)


def lay_over(ledger: Ledger, overlay: Overlay, before: Overlay = NOTHING) -> None:
    """Show notes as the overlay makes them, on this connection alone, where `before` was laid over it."""
    if not before.units:
        ledger.query("CREATE OR REPLACE TEMP TABLE pending (unit_id VARCHAR, state VARCHAR, text VARCHAR)")
    changed = {unit for unit, _ in before.states.items() ^ overlay.states.items()}
    changed |= {unit for unit, _ in before.texts.items() ^ overlay.texts.items()}
    ledger.query("DELETE FROM temp.pending WHERE unit_id IN (SELECT unnest(?))", [sorted(changed)])
    ledger.insert(
        "INSERT INTO temp.pending SELECT unit_id, state, text FROM new_rows",
        [
            {"unit_id": unit, "state": overlay.states.get(unit), "text": overlay.texts.get(unit)}
            for unit in sorted(changed & overlay.units)
        ],
    )


def _without(ledger: Ledger, undone: Sequence[Act]) -> Overlay:
    """States and texts of the acts' units as they would be had these folded acts not been done."""
    values = {
        "ids": [act.id for act in undone],
        "units": [act.subject for act in undone],
        "actors": [act.actor for act in undone],
        "times": [act.at for act in undone],
    }
    states = ledger.query(
        """
        SELECT unit_id, arg_max(state, event_no) FROM standing_events
        WHERE unit_id IN (SELECT unnest($units)) AND (unit_id, actor, "at") NOT IN
              (SELECT (u, a, t) FROM (SELECT unnest($units) u, unnest($actors) a, unnest($times) t))
        GROUP BY unit_id
        """,
        {name: values[name] for name in ("units", "actors", "times")},
    )
    texts = ledger.query(
        """
        SELECT u.id, coalesce(arg_max(a.detail, a.seq), any_value(u.text)) FROM units u
        LEFT JOIN standing_acts a ON a.subject = u.id AND a.kind = 'correct'
                                 AND a.id NOT IN (SELECT unnest($ids))
        WHERE u.id IN (SELECT unnest($units)) GROUP BY u.id
        """,
        {name: values[name] for name in ("ids", "units")},
    )
    corrected = {act.subject for act in undone if act.kind is ActKind.CORRECT}
    return Overlay(
        {str(unit): State(str(state)) for unit, state in states},
        {str(unit): str(text) for unit, text in texts if unit in corrected},
    )
