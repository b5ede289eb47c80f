"""The mechanical check that every unit of every engine passes, or does not exist."""

from __future__ import annotations

from collections.abc import Mapping

from schemas.conversation import Message
from schemas.unit import Unit


def grounded(unit: Unit, messages: Mapping[str, Message]) -> str:
    """ "" if every quote of the unit stands verbatim where it says; else the reason why it does not."""
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
    return ""
