"""The mechanical check that every unit of every engine passes, or does not exist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from chunking.language import language_of, shared
from chunking.stop_words import STOP_WORDS
from chunking.values import is_of_calendar, strange_value
from schemas.conversation import Message
from schemas.unit import MAX_WORDS, Unit
from schemas.words import count_words

STRANGE_NUMBER = "a number that is not in its quote"
STRANGE_NAME = "a name that is not in its message"

_WORD = re.compile(r"[^\W\d_]+")
_NUMBERED = re.compile(r"\b(?P<name>[^\W\d_]+)\s(?:no\.\s|#)?\d{1,3}\b(?![.,:]\d|\s?[%€$£])")
_NAME = re.compile(r"(?<=[^\W\d_] )[A-ZÀ-ÖØ-Þ][^\W\d_]+")


class Ground:
    """The messages of one conversation: what many units ask of them is worked out once."""

    def __init__(self, messages: Iterable[Message]) -> None:
        self.messages = {message.id: message for message in messages}
        self._low: dict[str, str] = {}
        self._languages: dict[str, str] = {}
        self._words: dict[str, frozenset[str]] = {}

    def low(self, message: str) -> str:
        """A message's text in small letters."""
        if message not in self._low:
            self._low[message] = self.messages[message].text.lower()
        return self._low[message]

    def language(self, message: str) -> str:
        """A message's language, ISO 639-1."""
        if message not in self._languages:
            self._languages[message] = language_of(self.messages[message].text)
        return self._languages[message]

    def words(self, message: str) -> frozenset[str]:
        """A message's words in small letters."""
        if message not in self._words:
            self._words[message] = frozenset(_WORD.findall(self.low(message)))
        return self._words[message]

    @cached_property
    def people(self) -> str:
        """The names of everybody who speaks, in small letters."""
        return " ".join(sorted({message.author or "" for message in self.messages.values()})).lower()


def grounded(unit: Unit, ground: Ground, shown: str = "") -> str:
    """Why the unit may not exist, or "" if it may.

    Every quote stands verbatim at its span of the text whose hash it names; the text has words, at most
    fifteen; its numbers, months and days stand in a quote; and its capitalised words after the first stand in
    a quote, in the message of the first evidence, or in what else was `shown` to who wrote it.
    """
    if not unit.text.strip():
        return "no text"
    if count_words(unit.text) > MAX_WORDS:
        return "over fifteen words"
    for item in unit.evidence + unit.context:
        message = ground.messages.get(item.message_id)
        if message is None:
            return "cites a message that is not there"
        if item.text_hash != message.text_hash:
            return "cites another text"
        if (
            not 0 <= item.start < item.end <= len(message.text)
            or message.text[item.start : item.end] != item.quote
        ):
            return "quote is not at its span"
    return _invented(unit, ground, shown)


def names_beside(text: str, cited: str, language: str) -> list[str]:
    """The capitalised words of a text, after a sentence's first, that what it cites does not hold.

    A month or a day of the week is no name: it is compared as a value (`chunking.values`). In German every
    noun has a capital, so that nothing can be told from it.
    """
    if language == "de":
        return []
    low = cited.lower()
    known = frozenset(_WORD.findall(low))
    return [name for name in _NAME.findall(text) if not is_of_calendar(name) and not _told(name, low, known)]


def _names_with_numbers(text: str, shown: str) -> Iterator[str]:
    """Of a text, what stands more than once, or in a title, among what was shown: `conveyor 6`. Such a number
    tells which thing is meant, and a note may put it where its quote says `it`."""
    low = " ".join(shown.lower().split())
    for found in _NUMBERED.finditer(text.lower()):
        one = " ".join(found[0].split())
        if found["name"] not in STOP_WORDS and len(re.findall(rf"\b{re.escape(one)}\b", low)) > 1:
            yield one


def _told(name: str, low: str, words: frozenset[str]) -> bool:
    """Whether a text of those words has a name, in whatever form."""
    return name.lower() in low or bool(shared(frozenset({name.lower()}), words))


def _invented(unit: Unit, ground: Ground, shown: str) -> str:
    """A number or name in the text that nothing cited holds."""
    cited = "\n".join(item.quote for item in unit.evidence + unit.context)
    if unit.text.rstrip(".") in cited:
        return ""  # word for word
    home = unit.evidence[0].message_id
    language = language_of(unit.evidence[0].quote, ground.language(home))
    named = " ".join(_names_with_numbers(unit.text, shown))
    if strange_value(unit.text, f"{cited}\n{named}", (language,), pieces=len(unit.evidence + unit.context)):
        return STRANGE_NUMBER
    missing = names_beside(unit.text, cited, language)
    if not missing:
        return ""
    # a speaker, or whom they speak to, may be named where the quote says "I" or "you"
    beside = set(names_beside(unit.text, f"{ground.people}\n{shown}", language))
    strange = [
        one for one in missing if one in beside and not _told(one, ground.low(home), ground.words(home))
    ]
    return STRANGE_NAME if strange else ""
