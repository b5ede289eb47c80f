"""What a draft of a message says, as one text: its pieces joined, with the segments that they become.

Nearly every conversation holds nothing but storable text. Whether it does is asked once of all its words
together, and only where it does not are its drafts mended word by word.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from archives.tally import Tally
from archives.wellformed import well_formed, well_formed_file
from schemas.base import unchecked
from schemas.conversation import Origin, Segment
from schemas.deferred import deferred

if TYPE_CHECKING:
    import orjson

    from archives.drafts import Head, MessageDraft, Piece
else:
    orjson = deferred("orjson")

_BETWEEN = "\n\n"
_MERGED = frozenset({Origin.TYPED, Origin.ASSISTANT, Origin.OTHER})
"""Neighbouring runs of these origins are one run: the service only split them around a picture."""
BENT = "characters that cannot be stored (lone surrogates, NUL), replaced by U+FFFD"
_NUL = b"\\u0000"

_segment = unchecked(Segment)


class Joined(NamedTuple):
    """A message's text and its segments."""

    text: str
    segments: tuple[Segment, ...]


NOTHING = Joined("", ())


def all_storable(drafts: Iterable[MessageDraft]) -> bool:
    """Whether no word of the drafts holds a NUL or a lone surrogate."""
    words: list[str | None] = []
    for draft in drafts:
        words += (draft.role, draft.author, draft.native_id, draft.when.given)
        for text, _, label in draft.pieces:
            words.append(text)
            if label:
                words.append(label)
        for file in draft.attachments:
            words += (file.name, file.media_type, file.native_id)
    try:
        # refuses lone surrogates, and leaves each text its UTF-8, which the hash of the conversation needs
        return _NUL not in orjson.dumps(words)
    except orjson.JSONEncodeError:
        return False


def mend(draft: MessageDraft, head: Head, tally: Tally) -> None:
    """Put U+FFFD for what cannot be stored in any word of the draft."""
    pieces: list[Piece] = []
    for piece in draft.pieces:
        text, bent = well_formed(piece.text)
        if bent:
            tally.unknown(BENT, f"{head.where}, message {draft.key}", count=bent)
        pieces.append(piece._replace(text=text, label=clean(piece.label)))
    draft.pieces = pieces
    draft.role, draft.author = clean(draft.role) or "", clean(draft.author)
    draft.native_id = clean(draft.native_id)
    draft.when = draft.when._replace(given=clean(draft.when.given))
    draft.attachments = list(map(well_formed_file, draft.attachments))


def clean(text: str | None) -> str | None:
    """The text in storable form; None where there is none."""
    if not text:
        return None
    return text if text.isascii() and "\x00" not in text else well_formed(text)[0]


def joined(pieces: list[Piece]) -> Joined:
    """Join storable pieces. The blank between two belongs to the first, so that the segments leave no gap."""
    if len(pieces) == 1:
        text, origin, label = pieces[0]
        if not text or text.isspace():
            return NOTHING
        whole = {"start": 0, "end": len(text), "origin": origin, "label": label or None}
        return Joined(text, (_segment(whole),))
    parts: list[str] = []
    spans: list[dict[str, Any]] = []
    length = 0
    for text, origin, label in pieces:
        if not text or text.isspace():
            continue
        start = length
        if spans:
            last = spans[-1]
            start = length = length + len(_BETWEEN)
            parts.append(_BETWEEN)
            last["end"] = length
            if origin in _MERGED and last["origin"] is origin and last["label"] == (label or None):
                parts.append(text)
                last["end"] = length = length + len(text)
                continue
        parts.append(text)
        length += len(text)
        spans.append({"start": start, "end": length, "origin": origin, "label": label or None})
    return Joined("".join(parts), tuple(map(_segment, spans)))
