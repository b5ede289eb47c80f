"""What is derived from a conversation is derived from a copy in which its secrets are covered.

    conversation -> concealed -> units, chunks, summary, profile, questions -> uncovered -> stored or sent

A secret is found by what stands around it, so it must be found in the whole message: a note, a line of a
summary or a window of a question may hold the value without the word that gave it away. A cover is a run of
one odd character as long as the secret, so that every offset stays; line ends in it stay too. What is
stored says `[masked: <form>]` in its place. The archive's own text, and quotes of it, are not touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from inference.secret_marks import FIRST_COVER, is_reference
from inference.secrets import FORMS, MASKED, Secret, find_secrets, mask_secrets
from schemas.conversation import Conversation, Message
from schemas.unit import Evidence, Unit

_COVERS = {form: chr(FIRST_COVER + number) for number, form in enumerate(FORMS)}
_COVER = re.compile(rf"(?P<one>[{''.join(_COVERS.values())}])(?:\s*(?P=one))*")
_LEAST_KNOWN = 6
"""Characters of a secret that is looked for wherever else it stands; a shorter one is anybody's word."""
_PART = re.compile(r"[^\s\"'`“”‘’«»,;:=()<>\[\]{}&|]+")
_RUN = re.compile(r"\S+")
_ID = re.compile(r"[0-9a-f-]{8,64}")
"""A hash or an id by itself is told as it is: without it nothing could be asked for again."""
WITHHELD = "[masked: secret]"
"""What stands for a whole quote."""
_ODD = re.compile(r"\d|[^\w./-]")
"""Without one of these a run is of words, and words are said for their own sake."""
_AROUND = "\"'`“”‘’«».,;:!?*_~()<>[]{}"


def concealed(conversation: Conversation) -> Conversation:
    """The conversation with its secrets covered, a value also where it is only repeated; the very same
    conversation where it has none. Offsets, ids and segments stay; hashes are those of the covered texts."""
    found = {message.id: _all_secrets(message.text) for message in conversation.messages}
    title = covered(conversation.title) if conversation.title else conversation.title
    if not any(found.values()):
        return (
            conversation if title == conversation.title else conversation.model_copy(update={"title": title})
        )
    known = dict(_values(conversation.messages, found))
    messages = tuple(
        message.model_copy(
            update={"text": _covered(message.text, [*found[message.id], *_repeated(message.text, known)])}
        )
        for message in conversation.messages
    )
    return conversation.model_copy(update={"title": title, "messages": messages})


def covered(text: str) -> str:
    """The text with its secrets covered, as long as it was."""
    return _covered(text, _all_secrets(text))


def uncovered(text: str) -> str:
    """The text with `[masked: <form>]` for every cover, and for every secret that is still in it."""
    return mask_secrets(_COVER.sub(lambda run: f"[masked: {FORMS[ord(run['one']) - FIRST_COVER]}]", text))


def form_in(text: str) -> str | None:
    """The form of the first secret in a text: one that stands there, is covered or is masked."""
    found = MASKED.search(uncovered(text))
    return found["form"] if found else None


def quoted_from(unit: Unit, conversation: Conversation) -> Unit:
    """The unit with its quotes as they stand in this copy of its conversation, and that text's hash. What is
    no quote of it, the owner's words in a corrected note, stays."""
    messages = {message.id: message for message in conversation.messages}
    return unit.model_copy(
        update={
            "evidence": tuple(_cited(one, messages) for one in unit.evidence),
            "context": tuple(_cited(one, messages) for one in unit.context),
        }
    )


def marked(unit: Unit) -> Unit:
    """The unit with its text uncovered. The text says that there is a secret also where only a quote has it:
    whoever has the note alone knows then that its quotes are not to be shown."""
    text = uncovered(unit.text)
    if form_in(text) is None:
        cited = (form_in(one.quote) for one in (*unit.evidence, *unit.context))
        if form := next((one for one in cited if one), None):
            text = f"{text} [masked: {form}]"
    return unit if text == unit.text else unit.model_copy(update={"text": text})


def without_secrets(unit: Unit) -> Unit:
    """The unit as it is told where its conversation is not at hand: masked, its quotes withheld where its
    text was masked."""
    withheld = form_in(unit.text) is not None
    return unit.model_copy(
        update={
            "text": uncovered(unit.text),
            "evidence": tuple(_masked(one, withheld) for one in unit.evidence),
            "context": tuple(_masked(one, withheld) for one in unit.context),
        }
    )


def shown_quote(quote: str, *, withheld: bool) -> str:
    """A quote as it is told. `withheld`: the note's own text was masked, so the quote holds a secret, and a
    quote alone need not show where."""
    return WITHHELD if withheld else uncovered(quote)


def masked_throughout(value: Any) -> Any:
    """A value as JSON has them, every string in it masked; what is no string stays.

    Of a row whose own text was masked the quote is withheld, as `without_secrets` does.
    """
    if isinstance(value, str):
        return value if _ID.fullmatch(value) else uncovered(value)
    if isinstance(value, Mapping):
        told = {key: masked_throughout(one) for key, one in value.items()}
        if isinstance(quote := value.get("quote"), str):
            told["quote"] = shown_quote(quote, withheld=form_in(str(value.get("text"))) is not None)
        return told
    if isinstance(value, list | tuple):
        return [masked_throughout(one) for one in value]
    return value


def _masked(cited: Evidence, withheld: bool) -> Evidence:
    return cited.model_copy(update={"quote": shown_quote(cited.quote, withheld=withheld)})


def _cited(cited: Evidence, messages: Mapping[str, Message]) -> Evidence:
    message = messages.get(cited.message_id)
    if message is None:
        return cited
    quote = message.text[cited.start : cited.end]
    if not _is_same(cited.quote, quote):
        return cited
    return cited.model_copy(update={"quote": quote, "text_hash": message.text_hash})


def _is_same(one: str, other: str) -> bool:
    """Whether two texts are one, save for what is covered in either."""
    return one == other or (
        len(one) == len(other)
        and all(
            mine == theirs or _COVER.match(mine) or _COVER.match(theirs)
            for mine, theirs in zip(one, other, strict=True)
        )
    )


def _all_secrets(text: str) -> list[Secret]:
    """The secrets of a text, those included that are seen only once others are covered."""
    lot: list[Secret] = []
    hidden = text
    while more := list(find_secrets(hidden)):
        lot += more
        if (again := _covered(text, lot)) == hidden:
            break
        hidden = again
    return lot


def _covered(text: str, secrets: Iterable[Secret]) -> str:
    pieces: list[str] = []
    done = 0
    for one in sorted(secrets, key=lambda one: (one.start, -one.end)):
        start = max(done, one.start)
        if start < one.end:
            cover = _COVERS[one.form]
            hidden = "".join("\n" if each == "\n" else cover for each in text[start : one.end])
            pieces += [text[done:start], hidden]
            done = one.end
    return "".join([*pieces, text[done:]])


def _values(messages: Sequence[Message], found: Mapping[str, Sequence[Secret]]) -> Iterator[tuple[str, str]]:
    """(value, form) of the secrets that are told from other words wherever they stand."""
    for message in messages:
        for one in found[message.id]:
            value = message.text[one.start : one.end]
            for part in (value, *_PART.findall(value)):
                bare = part.strip(_AROUND)
                if len(bare) >= _LEAST_KNOWN and _ODD.search(bare) and not is_reference(bare):
                    yield bare, one.form


def _repeated(text: str, known: Mapping[str, str]) -> Iterator[Secret]:
    """Where known values stand as words of their own."""
    for pattern in (_RUN, _PART):
        for found in pattern.finditer(text):
            bare = found[0].strip(_AROUND)
            if form := known.get(bare):
                start = found.start() + found[0].index(bare)
                yield Secret(start, start + len(bare), form)
