"""The mechanical check that every unit of every engine passes, or does not exist."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from schemas.conversation import Message
from schemas.unit import MAX_WORDS, Unit
from schemas.words import count_words

_NUMBER = re.compile(r"\d+")
OWN_NAMES = frozenset({"Nutzer", "Nutzern", "Assistent", "Verfasser"})
"""Capitalised words by which the engines speak of the owner and the assistant."""
_NAME = re.compile(r"(?<=[^\W\d_] )[A-ZÀ-ÖØ-Þ][^\W\d_]+")


class Ground:
    """The messages of one conversation: what many units ask of them is worked out once."""

    def __init__(self, messages: Iterable[Message]) -> None:
        self.messages = {message.id: message for message in messages}
        self._low: dict[str, str] = {}

    def low(self, message: str) -> str:
        """A message's text in small letters."""
        if message not in self._low:
            self._low[message] = self.messages[message].text.lower()
        return self._low[message]

    @cached_property
    def people(self) -> str:
        """The names of everybody who speaks, in small letters."""
        return " ".join(sorted({message.author or "" for message in self.messages.values()})).lower()


def grounded(unit: Unit, ground: Ground) -> str:
    """Why the unit may not exist, or "" if it may.

    Every quote stands verbatim at its span of the text whose hash it names; the text has words, at most
    fifteen; and its numbers, and its capitalised words after the first, stand in a quote or in the message
    of the first evidence.
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
    return _invented(unit, ground)


def numbers_beside(text: str, cited: str) -> set[str]:
    """The numbers of a text that what it cites does not hold."""
    return set(_NUMBER.findall(text)) - set(_NUMBER.findall(cited))


def names_beside(text: str, cited: str) -> list[str]:
    """The capitalised words of a text, after a sentence's first, that what it cites does not hold."""
    low = cited.lower()
    return [name for name in _NAME.findall(text) if name not in OWN_NAMES and name.lower() not in low]


def _invented(unit: Unit, ground: Ground) -> str:
    """A number or name in the text that nothing cited holds."""
    cited = "\n".join(item.quote for item in unit.evidence + unit.context)
    if numbers_beside(unit.text, cited):
        return "a number that is not in its quote"
    missing = names_beside(unit.text, cited)
    if not missing:
        return ""
    # a speaker, or whom they speak to, may be named where the quote says "I" or "you"
    said = ground.low(unit.evidence[0].message_id)
    unknown = [name for name in missing if name.lower() not in said and name.lower() not in ground.people]
    return "a name that is not in its message" if unknown else ""
