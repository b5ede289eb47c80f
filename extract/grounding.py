"""The mechanical check that every unit of every engine passes, or does not exist."""

from __future__ import annotations

import re
from collections.abc import Mapping

from schemas.conversation import Message
from schemas.unit import MAX_WORDS, Unit
from schemas.words import count_words

_NUMBER = re.compile(r"\d+")
OWN_NAMES = frozenset({"Nutzer", "Nutzern", "Assistent", "Verfasser"})
"""Capitalised words by which the engines speak of the owner and the assistant."""
_NAME = re.compile(r"(?<=[^\W\d_] )[A-ZÀ-ÖØ-Þ][^\W\d_]+")


def grounded(unit: Unit, messages: Mapping[str, Message]) -> str:
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
        message = messages.get(item.message_id)
        if message is None:
            return "cites a message that is not there"
        if item.text_hash != message.text_hash:
            return "cites another text"
        if (
            not 0 <= item.start < item.end <= len(message.text)
            or message.text[item.start : item.end] != item.quote
        ):
            return "quote is not at its span"
    return _invented(unit, messages)


def numbers_beside(text: str, cited: str) -> set[str]:
    """The numbers of a text that what it cites does not hold."""
    return set(_NUMBER.findall(text)) - set(_NUMBER.findall(cited))


def names_beside(text: str, cited: str) -> list[str]:
    """The capitalised words of a text, after a sentence's first, that what it cites does not hold."""
    low = cited.lower()
    return [name for name in _NAME.findall(text) if name not in OWN_NAMES and name.lower() not in low]


def _invented(unit: Unit, messages: Mapping[str, Message]) -> str:
    """A number or name in the text that nothing cited holds."""
    cited = "\n".join(item.quote for item in unit.evidence + unit.context)
    if numbers_beside(unit.text, cited):
        return "a number that is not in its quote"
    missing = names_beside(unit.text, cited)
    if not missing:
        return ""
    # a speaker, or whom they speak to, may be named where the quote says "I" or "you"
    people = " ".join({message.author or "" for message in messages.values()})
    known = f"{messages[unit.evidence[0].message_id].text} {people}".lower()
    return "a name that is not in its message" if any(name.lower() not in known for name in missing) else ""
