"""What a step of the funnel is: candidates in, those that stay and those that it drops out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from retrieval.assembly import DroppedCandidate
from retrieval.question import Question
from retrieval.search.hybrid import Candidate

Step: TypeAlias = Callable[[Question, Sequence[Candidate]], tuple[list[Candidate], list[DroppedCandidate]]]
"""(question, candidates) to (kept, dropped), in the order of the candidates."""
