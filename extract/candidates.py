"""What the extraction passes from step to step: clauses in their place, and the proposals that a reply
answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from extract.blocks import Block
from extract.clauses import Clause
from extract.languages.lexicon import Language, Tag
from extract.tokens import Kind, Token
from schemas.conversation import Message, Origin
from schemas.unit import Speaker

SPEAKERS = {
    Origin.TYPED: Speaker.OWNER,
    Origin.ASSISTANT: Speaker.ASSISTANT,
    Origin.OTHER: Speaker.OTHER,
    Origin.PASTED: Speaker.SOURCE,
    Origin.ATTACHED: Speaker.SOURCE,
    Origin.UNKNOWN: Speaker.SOURCE,
}
"""Origins that yield units, and whose words they are. The others yield none (design, section 1)."""

STEM = 5
"""Letters by which two words are held to be the same word when an answer echoes a proposal."""

EMPTY_TAGS = (
    Tag.DETERMINER
    | Tag.PREPOSITION
    | Tag.COORDINATOR
    | Tag.CONDITION
    | Tag.REASON
    | Tag.SUBJECT
    | Tag.INFINITIVE
    | Tag.RELATIVE
    | Tag.FINITE
    | Tag.FILLER
    | Tag.ADVERB
    | Tag.QUESTION
    | Tag.ASSENT
    | Tag.REFUSAL
)
"""Words with one of these tags carry no content of their own."""


@dataclass(frozen=True, slots=True)
class Lead:
    """What introduces a clause and is needed to understand it: a label, a list's lead-in, a row and its
    column."""

    text: str
    start: int
    end: int
    """Offsets in the message's text."""
    adjoins: bool = False
    """It stands right before what it labels: `Async: not needed`."""
    brief: bool = False
    """It is what a longer lead-in is about: a phrase takes it, a sentence needs it not."""
    outer: str = ""
    """What the label is a label of: the entry or heading that its list stands under."""
    others: tuple[tuple[int, int], ...] = ()
    """Spans of what else the label was put together from."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something the assistant put forward, as a later acceptance may name it."""

    marker: str
    """Its number or letter in a list, lower case; "" if it has none."""
    item: int
    """Where the list item that holds it starts, in the message: two lists may use the same number."""
    stems: frozenset[str]
    text: str
    message_id: str
    start: int
    end: int


@dataclass(slots=True)
class Turn:
    """What the assistant said before the owner answered."""

    proposals: list[Proposal] = field(default_factory=list)
    stems: set[str] = field(default_factory=set)
    """Of all its content words."""
    titles: set[str] = field(default_factory=set)
    """Of its headings and labels."""
    asked: bool = False
    """It ended in a question."""

    @property
    def proposed(self) -> frozenset[str]:
        """The stems of the content words of its proposals and of what they stand under."""
        return frozenset(self.titles).union(*(proposal.stems for proposal in self.proposals))

    def __add__(self, later: Turn) -> Turn:
        """Two messages of one turn."""
        return Turn(
            self.proposals + later.proposals,
            self.stems | later.stems,
            self.titles | later.titles,
            later.asked,
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A clause in its place. Offsets are code points of the message's text."""

    message: Message
    start: int
    end: int
    speaker: Speaker
    language: Language
    clause: Clause
    block: Block
    source: str
    """The text that the clause's tokens count in."""
    signs: int
    lead: Lead | None = None
    left: Candidate | None = None
    """The clause of the same sentence that it continues."""
    marker: str = ""
    """The number or letter of the list item or option that it opens."""
    answers: tuple[Proposal, ...] = ()
    """The proposals that it accepts or refuses, where that is certain."""
    refers: str = ""
    """How it names them: "A", "1, 2"; "" for by content."""
    listener: str = ""
    """The person spoken to in a chat between two people; "" where that is the assistant or not certain."""
    drafted: bool = False
    """The assistant wrote it for somebody else to say."""
    noise: str = ""
    """Why it is no unit; "" if it may be one."""

    @property
    def quote(self) -> str:
        """The words as they stand in the message."""
        return self.message.text[self.start : self.end]


def content_stems(tokens: Sequence[Token], tags: Sequence[int]) -> frozenset[str]:
    """The beginnings of the words that carry content."""
    return frozenset(
        token.low.strip("`*'\"")[:STEM]
        for token, tag in zip(tokens, tags, strict=True)
        if carries_content(token, tag)
    )


def carries_content(token: Token, tag: int) -> bool:
    """Whether a token is more than a function word."""
    return token.kind <= Kind.UNSPACED and (not tag & EMPTY_TAGS or bool(tag & Tag.LEXICAL))
