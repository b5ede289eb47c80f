"""The tools by which an assistant changes a memory: there only with `--allow-write`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from pydantic import Field

from interfaces.kept_talk import stays_on_record
from interfaces.mcp.memory_acts import LONGEST, MemoryActs, actor_of
from interfaces.mcp.open_memory import Memory
from schemas.act import ActKind
from vault.queries import Row

Ids = Annotated[
    list[str],
    Field(min_length=1, max_length=50, description="Ids of notes, whole or their first characters."),
]
NoteId = Annotated[str, Field(min_length=1, description="The id of a note, or its first characters.")]
Why = Annotated[str, Field(max_length=500, description="Why; for the owner's log.")]
Said = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST,
        description="The owner's own words, verbatim: they are quoted as theirs. A few sentences at most.",
    ),
]
Answering = Annotated[
    str,
    Field(
        max_length=LONGEST,
        description="What they answer, verbatim: the question, or your words, with every option offered."
        " Give it where they say `yes`, `the second`, `it` or `that`; it is shown with the note.",
    ),
]
Corrected = Annotated[
    str, Field(min_length=1, description="What should stand: one sentence of at most 15 words.")
]


class ActingTools:
    """What an assistant may do; signatures and docstrings are what it reads of each."""

    def __init__(self, memory: Memory) -> None:
        self._acts = MemoryActs(memory)

    def offered(self) -> tuple[Callable[..., str], ...]:
        """The tools that change something; each act is the owner's to take back."""
        return (self.remember, self.keep, self.correct, self.discard, self.close, self.undo)

    def remember(
        self, said: Said, ctx: Context[Any, Any], answering: Answering = "", reason: Why = ""
    ) -> str:
        """Remember what the owner just said, and keep it. Only when they ask to have it remembered, and only
        in their own words: a summary of yours would be put into their mouth. Words that nobody understands by
        themselves need `answering`."""
        notes = self._acts.remember(said, answering, _actor(ctx), reason)
        if not notes:
            return "remembered as a passage: no note was found in these words; a whole sentence makes one"
        return _told("remembered", notes)

    def keep(self, ids: Ids, ctx: Context[Any, Any], reason: Why = "") -> str:
        """Keep notes on the owner's behalf: they become engrams, which count most. Only when asked to."""
        return _told("kept", self._acts.act(ActKind.KEEP, ids, _actor(ctx), reason))

    def correct(self, id: NoteId, text: Corrected, ctx: Context[Any, Any], reason: Why = "") -> str:
        """Replace the words of a note that the owner calls wrong. What was said stays on record."""
        return _told("corrected", self._acts.correct(id, text, _actor(ctx), reason))

    def discard(self, ids: Ids, ctx: Context[Any, Any], reason: Why = "") -> str:
        """Hide notes that the owner does not want recalled. They stay on record. Only when asked to."""
        return _told("discarded", self._acts.act(ActKind.DISCARD, ids, _actor(ctx), reason))

    def close(self, ids: Ids, ctx: Context[Any, Any], reason: Why = "") -> str:
        """Close open questions that the owner calls answered, and action items that they call done."""
        return _told("closed", self._acts.act(ActKind.CLOSE, ids, _actor(ctx), reason))

    def undo(self, ctx: Context[Any, Any]) -> str:
        """Take back what you did last in this memory, all of it; called again, what was before that. What the
        owner did themselves stays."""
        acts, stays = self._acts.undo(_actor(ctx))
        if not acts:
            return "there is nothing of yours to take back"
        done = [f"- {one['act']} {one['id']} {one['text'] or ''}".rstrip() for one in acts]
        return "\n".join(["taken back:", *done, *map(stays_on_record, stays)])


def _actor(ctx: Context[Any, Any]) -> str:
    client = ctx.request_context.session.client_params
    return actor_of(client.client_info.name if client else "")


def _told(done: str, notes: list[Row]) -> str:
    lines = [f"{done}:"]
    for one in notes:
        lines.append(f"- {one['id']} ({one['category']}, {one['state']}) {one['text']}")
        if one["answers"]:
            lines.append(f"  in answer to: {one['answers']}")
    return "\n".join(lines)
