"""What another lane hands to the funnel: candidates from outside the index, and an account of how they came.

`web` has the lanes: pages that the owner saved, and the live web where that is turned on. The funnel knows
neither; it takes what is found as further candidates, judged by their own lane's filter and weighed by their
provenance, and everything after that is one path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from inference.embedder import Embedder
from retrieval.assembly import DroppedCandidate
from retrieval.package import WebReport
from retrieval.search.hybrid import Candidate

if TYPE_CHECKING:
    from retrieval.question import Question


@dataclass(frozen=True, slots=True)
class WebFound:
    """What a lane found, and what it dropped, by which of its steps and why."""

    candidates: Sequence[Candidate] = ()
    dropped: Sequence[DroppedCandidate] = ()
    report: WebReport | None = None
    """None where no lane was asked: there are no saved pages, and the live web is off."""


WebLane: TypeAlias = "Callable[[Question, Sequence[Candidate], Embedder | None], WebFound]"
"""(question, candidates of the memory, embedder) to what stands beside them."""
