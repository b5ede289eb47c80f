"""What search sees of a unit, a chunk and a conversation: what is shown, embedded, and matched by words.

Raise `POINTS_VERSION` when a text composed here changes: every conversation is then composed again, and
only points whose text really changed are embedded again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chunking import contextual_header
from schemas.base import Instant, sha256_text
from schemas.chunk import Chunk
from schemas.conversation import Conversation, Message, Origin
from schemas.ids import point_id
from schemas.provenance import TIER_WEIGHTS, Tier, unit_tier
from schemas.unit import Speaker, State, Unit
from vault.points import DraftPoint, Payload, PointKind, Source

POINTS_VERSION = "1"

AVERAGE_TERMS = {PointKind.UNIT: 12.0, PointKind.CHUNK: 120.0, PointKind.CONVERSATION: 600.0}
"""Terms in an average text of each kind, stop words left out."""

SPOKEN = frozenset({Origin.TYPED, Origin.ASSISTANT, Origin.OTHER, Origin.PASTED, Origin.ATTACHED})
"""Origins whose text says what a conversation is about."""

Windows = Callable[[str, str], Sequence[str]]
"""(header, body) to the texts to embed: the body, cut where its structure allows into pieces that fit the
embedder's window together with the header, which each of them repeats."""


@dataclass(frozen=True, slots=True)
class Card:
    """What a point says of the conversation that it comes from."""

    conversation_id: str
    account: str
    provider: str
    title: str | None
    began: Instant | None


def card_of(conversation: Conversation) -> Card:
    """The card of a conversation; without a date of its own it began with its first dated message."""
    dated = (message.created_at for message in conversation.messages if message.created_at)
    began = conversation.created_at or next(dated, None)
    return Card(conversation.id, conversation.account, conversation.provider, conversation.title, began)


def unit_point(unit: Unit, state: State, card: Card) -> DraftPoint:
    """The point of a unit: its sentence is embedded, its sentence and first quote are matched by words."""
    tier = unit_tier(state)
    dense = (unit.text,)
    lexical = f"{unit.text}\n{unit.evidence[0].quote}"
    payload = Payload(
        kind=PointKind.UNIT,
        ref=unit.id,
        account=card.account,
        text=unit.text,
        tier=tier,
        weight=TIER_WEIGHTS[tier],
        state=state,
        category=unit.category,
        speaker=unit.speaker,
        speaker_name=unit.speaker_name,
        conversation_id=card.conversation_id,
        conversation_title=card.title,
        provider=card.provider,
        message_id=unit.evidence[0].message_id,
        said_at=unit.said_at,
        conversation_at=card.began,
        active_branch=unit.active_branch,
        evidence=tuple(
            Source(message_id=one.message_id, start=one.start, end=one.end, quote=one.quote)
            for one in unit.evidence
        ),
        content_hash=_content_hash(dense, lexical),
    )
    return _draft(payload, dense, lexical)


def chunk_point(chunk: Chunk, message: Message, active: bool, card: Card, windows: Windows) -> DraftPoint:
    """The point of a chunk of a message, embedded under its title and heading path."""
    header = contextual_header(chunk, title=card.title, said_at=None, speaker=None)
    dense = tuple(windows(header, chunk.text))
    lexical = f"{header}\n{chunk.text}"
    payload = Payload(
        kind=PointKind.CHUNK,
        ref=chunk.id,
        account=card.account,
        text=chunk.text,
        tier=Tier.CHAT,
        weight=TIER_WEIGHTS[Tier.CHAT],
        state=State.PASSED,
        speaker=_speaker(message),
        speaker_name=message.author,
        conversation_id=card.conversation_id,
        conversation_title=card.title,
        provider=card.provider,
        message_id=message.id,
        said_at=message.created_at,
        conversation_at=card.began,
        heading_path=chunk.heading_path,
        active_branch=active,
        evidence=(Source(message_id=message.id, start=chunk.start, end=chunk.end, quote=""),),
        content_hash=_content_hash(dense, lexical),
    )
    return _draft(payload, dense, lexical)


def conversation_point(conversation: Conversation, card: Card) -> DraftPoint:
    """The point of a conversation: found by its title and opening words, and by any word said in it."""
    spoken = [_spoken_text(message) for message in conversation.active_messages()]
    words = [text for text in spoken if text.strip()]
    opening = words[0] if words else ""
    dense = (f"{card.title or ''}\n{opening[:OPENING_CHARACTERS]}",)
    lexical = "\n".join((card.title or "", *words))
    payload = Payload(
        kind=PointKind.CONVERSATION,
        ref=card.conversation_id,
        account=card.account,
        text=card.title or opening[:120],
        tier=Tier.CHAT,
        weight=TIER_WEIGHTS[Tier.CHAT],
        state=State.PASSED,
        conversation_id=card.conversation_id,
        conversation_title=card.title,
        provider=card.provider,
        said_at=card.began,
        conversation_at=card.began,
        content_hash=_content_hash(dense, lexical),
    )
    return _draft(payload, dense, lexical)


OPENING_CHARACTERS = 1000
"""About the embedder's window of 256 tokens, at four characters a token."""


def _spoken_text(message: Message) -> str:
    return "".join(message.text[one.start : one.end] for one in message.segments if one.origin in SPOKEN)


def _speaker(message: Message) -> Speaker:
    origins = {segment.origin for segment in message.segments}
    for origin, speaker in (
        (Origin.TYPED, Speaker.OWNER),
        (Origin.ASSISTANT, Speaker.ASSISTANT),
        (Origin.OTHER, Speaker.OTHER),
    ):
        if origin in origins:
            return speaker
    return Speaker.SOURCE


def _draft(payload: Payload, dense: tuple[str, ...], lexical: str) -> DraftPoint:
    identity = point_id(payload.kind, payload.ref)
    return DraftPoint(identity, payload, dense, lexical, AVERAGE_TERMS[payload.kind])


def _content_hash(dense: Sequence[str], lexical: str) -> str:
    """Tells whether a point must be embedded again."""
    return sha256_text("\x1e".join((*dense, lexical)))
