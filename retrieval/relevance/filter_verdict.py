"""The fit-gate's word on each candidate: keep or drop, with a reason of a few words. Unsure keeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from retrieval.relevance.relevance_filter import Fit, FitWeights, PlacedNote, fits, learned


@dataclass(frozen=True, slots=True)
class FilterVerdict:
    """Whether a note stays, and why."""

    kept: bool
    reason: str
    judged: bool = True
    """Whether anything was judged: in doubt a note of the memory stays, and a page of the web does not."""


Judge: TypeAlias = Callable[[str, str | None, Sequence[PlacedNote]], list[FilterVerdict]]
"""(query, intent, notes) to a verdict for each note, in order."""


def by_rules(query: str, intent: str | None, notes: Sequence[PlacedNote]) -> list[FilterVerdict]:
    """A verdict for each note, in order, by `retrieval.relevance.relevance_filter`: no model is asked.

    What stands in a conversation that is near the question as a whole stays, whatever words it shares: two
    notes of it among the candidates are little company, and may be the answer. So do the newest sessions of
    that conversation's thread (`retrieval.search.hybrid.Home`).
    """
    if not notes:
        return []
    weights = learned()
    fit = iter(fits(query, intent, [one for one in notes if not one.at_home], among=notes))
    return [AT_HOME if note.at_home else _verdict(next(fit), weights) for note in notes]


AT_HOME = FilterVerdict(True, "its conversation as a whole is near, or one of its thread")


def _verdict(fit: Fit, weights: FitWeights) -> FilterVerdict:
    total = fit.total(weights)
    if total is None:
        return FilterVerdict(True, "cannot be judged", judged=False)
    if total >= weights.least:
        return FilterVerdict(True, f"fit {total:.2f}")
    return FilterVerdict(
        False, f"fit {total:.2f} is below {weights.least}: shares words, is about something else"
    )
