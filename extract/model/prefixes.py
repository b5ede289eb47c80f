"""The contextual prefix: one or two sentences by a model that place a chunk in its conversation.

conversation + chunks -> numbered passages -> windows -> questions -> lines -> checks -> chunks with a prefix

A prefix is for search alone: it is embedded and matched by words together with its chunk, and never shown as
anything that was said. One that does not hold is left out, and the chunk has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import resources

from pydantic import BaseModel

from chunking.language import language_of
from extract.faithful.unsupported import META, settling, unknown_share
from extract.faithful.word_cues import ACTS, DECIDES
from inference.fence import fenced
from inference.language_model import REACH, ModelQuestion, Reach, read_prompt
from inference.prices import estimate_tokens
from schemas.chunk import Chunk
from schemas.conversation import Conversation, Message, Origin
from schemas.words import count_words

PROMPT = read_prompt(resources.files("extract") / "prompts", "prefixes", 1)

SHOWN_WORDS = 150
"""Of a passage: its beginning says what it is about; an answer of pages would cost as much again."""
OPENING_WORDS = 100
NEAR = 3
"""Passages before one that say what its `it` and `the second one` mean. A number from farther off is more
likely mixed up than meant."""
MOST_WORDS = 60
"""Half as many again as the prompt asks for: longer, a line no longer places its chunk but retells it."""
PREFIX_TOKENS = 40
"""Tokens of a line in an answer: some thirty words, the number and JSON's quotes. An estimate: no live answer
was measured."""
_ANSWER_ROOM = 200
_UNKNOWN_SHARE = 0.5
"""Content words that neither passages nor opening have: some are a paraphrase, most are an invention."""

_LINE = re.compile(r"\s{0,9}(?P<number>\d{1,6})\s{0,9}\|(?P<text>.+)", re.DOTALL)
_NUMBER = re.compile(r"\d+")
_MARKS = re.compile(r"[<>:]")
"""A name stands outside the fences: it has nothing that could open or close one."""


class PrefixAnswer(BaseModel):
    """The form of an answer."""

    prefixes: list[str]
    """One line a passage: `<number>|<one or two sentences>`."""


@dataclass(frozen=True, slots=True)
class PrefixPassage:
    """A chunk as a model is shown it."""

    number: int
    chunk: Chunk
    speaker: str

    @property
    def shown(self) -> str:
        """Its first words, lines kept."""
        return _head(self.chunk.text, SHOWN_WORDS)


@dataclass(frozen=True, slots=True)
class PrefixWindow:
    """The passages of one question, and how their conversation began."""

    opening: str
    passages: tuple[PrefixPassage, ...]

    def known(self, passage: PrefixPassage) -> str:
        """What a passage's prefix may take words from: the opening, a few passages before, and itself."""
        place = self.passages.index(passage)
        near = self.passages[max(0, place - NEAR) : place + 1]
        return "\n".join((self.opening, *(one.shown for one in near)))


def prefix_questions(
    conversation: Conversation, chunks: Iterable[Chunk], reach: Reach = REACH
) -> list[ModelQuestion[PrefixAnswer]]:
    """One question a window, in order; none for a conversation of a single passage, which stands alone."""
    return [prefix_question(window) for window in prefix_windows(conversation, chunks, reach)]


def prefix_windows(
    conversation: Conversation, chunks: Iterable[Chunk], reach: Reach = REACH
) -> list[PrefixWindow]:
    """The windows of a conversation. They depend on the conversation, its cut and the model's size alone."""
    passages = list(_passages(conversation, chunks))
    if len(passages) < 2:
        return []
    opening = "\n".join(
        part for part in (conversation.title or "", _head(passages[0].chunk.text, OPENING_WORDS)) if part
    )
    windows: list[PrefixWindow] = []
    held: list[PrefixPassage] = []
    size = 0
    for passage in passages:
        tokens = estimate_tokens(passage.shown) + 20
        if held and size + tokens > reach.detail:
            windows.append(PrefixWindow(opening, tuple(held)))
            held, size = [], 0
        held.append(passage)
        size += tokens
    windows.append(PrefixWindow(opening, tuple(held)))
    return windows


def _passages(conversation: Conversation, chunks: Iterable[Chunk]) -> Iterator[PrefixPassage]:
    """The chunks that become points of their own, numbered through the conversation."""
    messages = {message.id: message for message in conversation.messages}
    said = (one for one in chunks if "heading_only" not in one.flags and one.source_id in messages)
    for number, chunk in enumerate(said, start=1):
        yield PrefixPassage(number, chunk, _speaker(messages[chunk.source_id]))


def _speaker(message: Message) -> str:
    if message.author:
        return " ".join(_MARKS.sub(" ", message.author).split())[:60]
    assistant = any(segment.origin is Origin.ASSISTANT for segment in message.segments)
    return "assistant" if assistant else "user"


def prefix_question(window: PrefixWindow) -> ModelQuestion[PrefixAnswer]:
    """The question about a window."""
    parts = [fenced("opening", window.opening)]
    for passage in window.passages:
        parts.append(f"{passage.speaker}:\n{fenced(f'passage_{passage.number}', passage.shown)}")
    parts.append(f"Passages {window.passages[0].number} to {window.passages[-1].number}.")
    expected = PREFIX_TOKENS * len(window.passages) + 20
    return ModelQuestion(PROMPT, "\n".join(parts), PrefixAnswer, expected, 2 * expected + _ANSWER_ROOM)


def prefixes_that_hold(window: PrefixWindow, answer: PrefixAnswer) -> dict[str, str]:
    """Prefix by chunk id, of the lines that hold; where a passage has two lines, the first one's."""
    by_number = {passage.number: passage for passage in window.passages}
    found: dict[str, str] = {}
    for line in answer.prefixes:
        read = _LINE.fullmatch(line)
        passage = by_number.get(int(read["number"])) if read else None
        if read and passage:
            text = " ".join(read["text"].split())
            if _holds(text, window.known(passage)):
                found.setdefault(passage.chunk.id, text)
    return found


def _holds(text: str, known: str) -> bool:
    """Whether a prefix is short, talks of its subject and says nothing that its window lacks."""
    if not text or count_words(text) > MOST_WORDS or META.search(text):
        return False
    if set(_NUMBER.findall(text)) - set(_NUMBER.findall(known)):
        return False
    low, languages = known.lower(), (language_of(known),)
    if any(found not in low for found in settling(text, languages, DECIDES, ACTS)):
        return False
    return unknown_share(text, known, languages) <= _UNKNOWN_SHARE


def _head(text: str, words: int) -> str:
    """The first words of a text with the white space between them; a run without any is cut by length."""
    text = text.strip()[: 12 * words]
    found = [one.end() for one in re.finditer(r"\S+", text)]
    return text[: found[words - 1]] if len(found) > words else text
