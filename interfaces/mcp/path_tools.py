"""The tools by which an assistant goes through the paths of a memory, and asks what was and who did it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any

import anyio.from_thread
from mcp.server.mcpserver import Context
from pydantic import Field

from interfaces.history_answers import BLAMED
from interfaces.mcp.fitted_answers import fitted
from interfaces.mcp.open_memory import Memory, Tell
from interfaces.path_recall import PathQuestion
from interfaces.path_survey import SurveyKind
from retrieval.by_path.drill import DrillMode
from retrieval.question import BUDGET_TOKENS, LIMIT
from vault.index import Where
from vault.queries import Row

Query = Annotated[str, Field(min_length=1, description="The question, or the prompt that is to be answered.")]
Budget = Annotated[int, Field(ge=1, description="Tokens that the answer may take; never exceeded.")]
Limit = Annotated[int, Field(ge=1, le=200, description="At most so many notes.")]
PathMode = Annotated[DrillMode, Field(description="tiered: level by level. single: one pick over all paths.")]
Threshold = Annotated[float, Field(ge=-1, le=1, description="Least relevance (cosine) of a note.")]
Ids = Annotated[
    list[str],
    Field(min_length=1, max_length=50, description="Ids, whole or their first characters, or whole paths."),
]
Named = Annotated[str, Field(min_length=1, description="An id, or its first characters, or a whole path.")]
Entries = Annotated[int, Field(ge=1, le=200, description="At most so many entries.")]
Generation = Annotated[
    int | datetime | None,
    Field(description="A generation: its number, or a time at which it was the published one."),
]
Depth = Annotated[
    int | None, Field(ge=1, description="Count by the first so many names of a path; three are the most.")
]
Globs = Annotated[
    list[str] | None,
    Field(max_length=50, description="Only paths that one of these globs fits, such as `home.*`."),
]
Stream = Annotated[bool, Field(description="Also send each result as progress, as soon as it is found.")]


class PathTools:
    """What an assistant may ask by path and time; signatures and docstrings are what it reads of each."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def reading(self) -> tuple[Callable[..., str], ...]:
        """The tools; they change nothing."""
        return (self.recall_by_path, self.summarize, self.get, self.blame, self.diff)

    def recall_by_path(
        self,
        query: Query,
        mode: PathMode = DrillMode.TIERED,
        limit: Limit = LIMIT,
        threshold: Threshold = 0.0,
        as_of: Generation = None,
        budget: Budget = BUDGET_TOKENS,
    ) -> str:
        """Find notes by going through the paths of the taxonomy, where `recall` found too little on a subject
        as a whole. `metadata` says which paths were picked, and how long each step took."""
        question = PathQuestion(query, Where(self._memory.account), mode, limit, threshold, in_utc(as_of))
        return self._memory.by_path(question, budget)

    def summarize(
        self,
        ctx: Context[Any, Any],
        kind: SurveyKind = SurveyKind.ALL,
        depth: Depth = None,
        keys: Globs = None,
        as_of: Generation = None,
        stream: Stream = False,
        budget: Budget = BUDGET_TOKENS,
    ) -> str:
        """Say how many notes lie where: by path, by date (timeline) or of places. `get` then shows what is
        at a key. Survey with depth 1 first, then go down with a glob such as `home.*`; counts are exact."""
        tell = _progress(ctx, budget) if stream else None
        return self._memory.summarize(kind, depth, keys or (), budget, in_utc(as_of), tell)

    def get(
        self,
        ids: Ids,
        ctx: Context[Any, Any],
        as_of: Generation = None,
        stream: Stream = False,
        budget: Budget = BUDGET_TOKENS,
    ) -> str:
        """Show notes, passages, conversations and documents in full, or all the notes at a path that
        `summarize` told. What is missing has `found: false` and says why. With `as_of`, notes and paths as
        they were."""
        return self._memory.get(ids, budget, in_utc(as_of), _progress(ctx, budget) if stream else None)

    def blame(self, named: Named, limit: Entries = BLAMED, budget: Budget = BUDGET_TOKENS) -> str:
        """Say what happened to a note, or to the notes at a path, newest first: who, when, in which
        generation."""
        return self._memory.blame(named, limit, budget)

    def diff(
        self,
        before: Generation = None,
        after: Generation = None,
        stat: bool = False,
        budget: Budget = BUDGET_TOKENS,
    ) -> str:
        """Say which notes were added, removed or changed between two generations, each with its old and new
        words. Without `after` up to the published one, without `before` since the one before that."""
        return self._memory.diff(in_utc(before), in_utc(after), stat, budget)


def in_utc(said: int | datetime | None) -> int | datetime | None:
    """A time without a zone is UTC, as elsewhere."""
    if isinstance(said, datetime) and said.tzinfo is None:
        return said.replace(tzinfo=UTC)
    return said


def _progress(ctx: Context[Any, Any], budget: int) -> Tell:
    """Sends each result as a progress notification whose message is one line of JSON, of at most `budget`
    tokens. A client that did not ask for progress gets none."""
    count = 0

    def tell(one: Row) -> None:
        nonlocal count
        count += 1
        anyio.from_thread.run(ctx.report_progress, count, None, fitted(one, budget))

    return tell
