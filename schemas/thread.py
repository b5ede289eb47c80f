"""Session summary, thread and thread map: the tiers above the unit."""

from __future__ import annotations

from schemas.base import Instant, Noun

NOTHING_SAID = "Nothing was said in this conversation."
"""How the summary of an empty conversation begins: it answers nothing."""
SUMMARY_WORDS = (200, 400)
"""Least and most words of a summary. One that has fewer says that it is short."""


class SessionSummary(Noun):
    """200-400 words on one conversation (a short conversation gets fewer)."""

    id: str
    account: str
    conversation_id: str
    text: str
    short: bool = False
    """There was not enough to fill 200 words with; the text says so."""
    unit_ids: tuple[str, ...]
    """The units it was written from."""
    writer: str
    """Engine and version."""


class Profile(Noun):
    """What a conversation is about, as words: what threads are labelled by. The tuples run side by side."""

    conversation_id: str
    account: str
    terms: tuple[str, ...]
    """Normal forms (lower case, stemmed), those that count most first."""
    words: tuple[str, ...]
    """The form in which each term stands in the conversation most often; a name keeps its capital."""
    counts: tuple[int, ...]
    """Occurrences; those in the owner's words and in the title count more."""


class Thread(Noun):
    """Conversations that carry one line of thinking. Its id comes from its earliest conversation."""

    id: str
    account: str
    label: str
    """A noun phrase."""
    conversation_ids: tuple[str, ...]
    """In the order of time."""
    aliases: tuple[str, ...] = ()
    """Ids that threads of its conversations had before, which still name it."""


class MapLine(Noun):
    """One statement of a thread map, with the conversation and the units it rests on."""

    text: str
    conversation_id: str
    said_at: Instant | None
    unit_ids: tuple[str, ...] = ()


class ThreadMap(Noun):
    """The arc of a thread: goal, turning points, what is decided, what is open."""

    id: str
    thread_id: str
    account: str
    goal: tuple[MapLine, ...]
    """What the thread is for, in the owner's first words on it."""
    arc: tuple[MapLine, ...]
    """One line a session, in the order of time."""
    turning_points: tuple[MapLine, ...]
    in_force: tuple[MapLine, ...]
    """The owner's decisions that nothing later took back."""
    superseded: tuple[MapLine, ...]
    open_questions: tuple[MapLine, ...]
    next_steps: tuple[MapLine, ...]
    text: str
    """All of it as Markdown."""
    unit_ids: tuple[str, ...]
    """Every unit that a line rests on, each once."""
    written_for: Instant | None
    """Time of the newest message it took into account."""
    writer: str
