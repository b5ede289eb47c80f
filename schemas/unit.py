"""Unit, evidence, verdict, and the events that a unit's state is folded from."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from schemas.base import Instant, Noun
from schemas.estimate import Estimate

MAX_WORDS = 15
"""A unit is one sentence of at most this many words (whitespace-separated; for scripts without spaces,
see `extract`). Source: the operator's rule, design section 1."""


class Category(StrEnum):
    """What kind of meaning a unit carries."""

    DECISION = "decision"
    OPEN_QUESTION = "open_question"
    CONSTRAINT = "constraint"
    FACT = "fact"
    IDEA = "idea"
    ACTION_ITEM = "action_item"
    PROVISIONAL = "provisional"


class Speaker(StrEnum):
    """Whose claim a unit is."""

    OWNER = "owner"
    ASSISTANT = "assistant"
    OTHER = "other"
    """Another person in a chat between people."""
    SOURCE = "source"
    """The writer of pasted or attached text."""


class Evidence(Noun):
    """Where a unit was said: `message.text[start:end] == quote`, offsets in code points."""

    message_id: str
    start: int
    end: int
    quote: str
    text_hash: str
    """SHA-256 of the whole message text that the offsets count in."""


PROOFREAD = " proofread"
"""How the extractor's name of a note ends that was held against its conversation by a second reading."""


class Unit(Noun):
    """One discrete unit of meaning: one sentence of 15 words or fewer, with its evidence."""

    id: str
    account: str
    conversation_id: str
    category: Category
    text: str
    speaker: Speaker
    speaker_name: str | None = None
    evidence: tuple[Evidence, ...] = Field(min_length=1)
    """First occurrence first; a repetition adds evidence, not a unit."""
    context: tuple[Evidence, ...] = ()
    """What the unit needs to be understood, such as the proposal that a decision accepts."""
    said_at: Instant | None
    """Time of the first evidence's message."""
    active_branch: bool = True
    """False when every evidence lies on a branch the user left."""
    extractor: str
    """Engine and version, such as `offline/1`; at its end `PROOFREAD` where that holds."""
    estimate: Estimate | None = None
    """What the small reader makes of it, or of the words that a model's note stands on; None where no reader
    looked."""

    @property
    def by_model(self) -> bool:
        """Whether a language model wrote it."""
        return not self.extractor.startswith("offline/")

    @property
    def proofread(self) -> bool:
        """Whether a language model read it a second time, beside its conversation, and found it true."""
        return self.extractor.endswith(PROOFREAD)

    @property
    def answers(self) -> str:
        """What it answers, on one line: its context from other messages that its own text does not say; ""
        of a unit that is understood by itself."""
        own, text = {one.message_id for one in self.evidence}, self.text.casefold()
        quotes = (" ".join(one.quote.split()) for one in self.context if one.message_id not in own)
        return " ".join(one for one in quotes if one.casefold() not in text)


class Outcome(StrEnum):
    """What one criterion, or the gate as a whole, says of a unit."""

    PASS = "pass"
    REVIEW = "review"
    REJECT = "reject"
    MERGE = "merge"
    """An older unit says the same: it takes up this one's evidence."""
    SKIPPED = "skipped"
    """The check could not run: no verdict, and no pass."""


class Verdict(Noun):
    """One criterion's word on one unit."""

    criterion: str
    outcome: Outcome
    reason: str


class State(StrEnum):
    """Where a unit stands in its lifecycle (design, section 4)."""

    EXTRACTED = "extracted"
    PASSED = "passed"
    REVIEW = "review"
    REJECTED = "rejected"
    KEPT = "kept"
    DISCARDED = "discarded"
    ARCHIVED = "archived"


RECALLED_STATES = (State.PASSED, State.REVIEW, State.KEPT)
"""What recall sees unless it is asked for other states."""


class UnitEvent(Noun):
    """One step in a unit's life; the state is the last event's."""

    unit_id: str
    state: State
    actor: str
    """`user`, `policy:<name>`, `sweep:<name>` or `gate:<version>`."""
    reason: str
    at: Instant
    run: str
