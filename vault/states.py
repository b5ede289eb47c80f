"""The states of some units, asked so that the answer costs what they cost and not what the corpus does."""

from __future__ import annotations


def states_among(units: str) -> str:
    """A query for unit_id, state and actor of the units whose ids the query `units` gives.

    The view `unit_states` folds every event before anything is joined to it; here only theirs are folded.
    """
    return f"""
        SELECT unit_id, arg_max(state, event_no) AS state, arg_max(actor, event_no) AS actor
        FROM standing_events WHERE unit_id IN ({units}) GROUP BY unit_id
    """
