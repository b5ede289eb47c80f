"""What an owner's words answer, where they say nothing without it ("The second one.", "Yes, do that.").

The reader's chance of standing alone and the form of a leaning sentence say which words those are
(`unclear_in`). Their notes cite what they answer (`citing_what_they_answer`), to be shown with it. Nothing is
composed: both are told as they were said.
"""

from __future__ import annotations

from collections.abc import Iterable

from extract.reader.note_wording import cleaned, leans
from extract.reader.sentence_places import Sentences
from extract.reader.small_reader import SmallReader, SpanReading
from extract.reader.talk_windows import CONTEXT_CHARACTERS
from schemas.conversation import Conversation, Message
from schemas.ids import unit_id
from schemas.unit import Evidence, Speaker, Unit

UNCLEAR = 0.07
"""The chance of standing alone below which a leaning sentence is not understood by itself. Of the invented
sentences in `tests/extract/reader/test_answered_words.py` that people ask to have remembered one is taken for
a riddle, of those that answer something all but three are."""

UNREAD = 0.04
"""The same for words in which no note is found: other languages are among them, of which the reader is less
sure throughout; and what is missed there is no note."""

Span = tuple[int, int]


def unclear_in(said: str, reader: SmallReader) -> list[Span]:
    """The stretches of an owner's words that nobody understands who was not told what they answer."""
    found = list(reader.read(said, "user", ""))
    if not found:
        (whole,) = reader.assess(said, "user", "", [(0, len(said))])
        alone = 1.0 if whole is None else whole.chance("alone", "y")
        return [(0, len(said))] if alone < UNREAD and leans(said) else []
    return [
        (one.start, one.end) for one in found if _alone(one) < UNCLEAR and leans(said[one.start : one.end])
    ]


def _alone(reading: SpanReading) -> float:
    """How likely a span, or the best stretch around it, by which its note is told, stands alone."""
    return max(one.chance("alone", "y") for one in (reading, *reading.wider))


def citing_what_they_answer(
    conversation: Conversation, units: Iterable[Unit], reader: SmallReader
) -> list[Unit]:
    """The units of a conversation; the owner's that are unclear by themselves cite the message above."""
    messages = {message.id: message for message in conversation.messages}
    unclear: dict[str, list[Span]] = {}
    told = []
    for unit in units:
        said = unit.evidence[0]
        answered = messages.get(messages[said.message_id].parent or "")
        if unit.speaker is Speaker.OWNER and answered is not None and answered.text.strip():
            home = messages[said.message_id]
            if home.id not in unclear:
                unclear[home.id] = unclear_in(home.text, reader)
            if any(start < said.end and said.start < end for start, end in unclear[home.id]):
                unit = _citing(unit, answered)
        told.append(unit)
    return told


def _citing(unit: Unit, answered: Message) -> Unit:
    """The unit with what it answers as context. Of several sentences the pointer may have taken up another
    than is meant, an option that was not chosen: the note is told without it then."""
    named = [one for one in unit.context if one.message_id == answered.id]
    text = unit.text
    if named and len(Sentences(answered.text).starts) > 1:
        text = _without_name(text, named[0].quote)
    said = unit.evidence[0]
    own = (one for one in unit.context if one.message_id != answered.id)
    return unit.model_copy(
        update={
            "text": text,
            "id": unit_id(said.message_id, said.start, said.end, text),
            "context": (*own, _ending(answered)),
        }
    )


def _without_name(text: str, name: str) -> str:
    """A note that is told behind a name (`note_wording.behind`), as it was before."""
    before = f"{' '.join(cleaned(name).split())}: "
    rest = text[len(before) :]
    return rest[0].upper() + rest[1:] if rest and text.casefold().startswith(before.casefold()) else text


def _ending(message: Message) -> Evidence:
    """What a message says, or of a long one its last sentences: as much as the reader is shown."""
    text = message.text
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    if end - start > CONTEXT_CHARACTERS:
        last = end - CONTEXT_CHARACTERS
        blank = text.find(" ", last, end) + 1
        start = next((one for one in Sentences(text).starts if last <= one < end), blank or last)
    return Evidence(
        message_id=message.id, start=start, end=end, quote=text[start:end], text_hash=message.text_hash
    )
