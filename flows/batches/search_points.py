"""What search sees of a unit, a chunk and a conversation: what is shown, embedded, and matched by words.

Raise `POINTS_VERSION` when a text composed here changes: every conversation is then composed again, and
only points whose text really changed are embedded again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from chunking import contextual_header
from inference.secret_cover import concealed, uncovered
from inference.secrets import mask_secrets
from inference.sparse import spelled
from schemas.base import Instant, sha256_text
from schemas.chunk import Chunk
from schemas.conversation import Conversation, Message, Origin
from schemas.ids import point_id
from schemas.provenance import TIER_WEIGHTS, Tier, unit_tier, unit_weight
from schemas.resource import Resource
from schemas.thread import SessionSummary, Thread, ThreadMap
from schemas.unit import Speaker, State, Unit
from vault.options import provenance_modifiers
from vault.points import DraftPoint, Payload, PointKind, PointSpan, ThreadMember
from vault.remembered_talks import REMEMBERED
from vault.threads import Session

POINTS_VERSION = "6"

THREAD_POINTS_VERSION = "3"
"""Of what `thread_point` composes: it stands in no work key, since a thread is nobody's one conversation."""

AVERAGE_TERMS = {
    PointKind.UNIT: 12.0,
    PointKind.CHUNK: 120.0,
    PointKind.CONVERSATION: 600.0,
    PointKind.SUMMARY: 150.0,
    PointKind.THREAD: 250.0,
}
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
    title = mask_secrets(conversation.title) if conversation.title else conversation.title
    return Card(conversation.id, conversation.account, conversation.provider, title, began)


def unit_point(unit: Unit, state: State, card: Card) -> DraftPoint:
    """The point of a unit: its sentence is embedded, its sentence and first quote are matched by words. What
    the gate rejects is not embedded: two notes of three, which are looked for by their state alone. A note
    that was remembered is found by what it answers, too, where it is not understood without that.

    Hand it over `without_secrets`: what the index holds is shown, and pushed to a server.
    """
    tier = unit_tier(state)
    text = mask_secrets(unit.text)
    answers = mask_secrets(unit.answers) if card.provider == REMEMBERED else ""
    dense = (f"{answers} {text}" if answers else text,)
    lexical = "\n".join(part for part in (text, unit.evidence[0].quote, answers) if part)
    payload = Payload(
        kind=PointKind.UNIT,
        ref=unit.id,
        account=card.account,
        text=text,
        tier=tier,
        weight=unit_weight(state, unit.speaker, modified=provenance_modifiers()),
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
            PointSpan(message_id=one.message_id, start=one.start, end=one.end, quote=one.quote)
            for one in unit.evidence
        ),
        answers=answers,
        content_hash=_content_hash(dense, lexical),
    )
    return _draft(payload, () if state is State.REJECTED else dense, lexical)


@dataclass(frozen=True, slots=True)
class Turn:
    """A message with what each of its chunks needs of it and of the one it answers."""

    message: Message
    speaker: Speaker
    asked: str
    """The last words of the message that it answers; "" where there is none."""
    ends: Sequence[int]
    """Where its segments end."""


def turn_of(message: Message, previous: Message | None = None) -> Turn:
    """The turn of a message that answers `previous`."""
    asked = " ".join(uncovered(_spoken_text(previous)).split()[-PREVIOUS_WORDS:]) if previous else ""
    return Turn(message, _speaker(message), asked, [one.end for one in message.segments])


def chunk_point(chunk: Chunk, turn: Turn, active: bool, card: Card, windows: Windows) -> DraftPoint:
    """The point of a chunk: embedded under its title, heading path and speaker's name.

    By words it is found also by the end of the message that it answers: an answer seldom repeats the words
    of its question.
    """
    message = turn.message
    header = contextual_header(
        chunk, title=card.title, said_at=None, speaker=message.author, about=chunk.prefix
    )
    dense = tuple(windows(header, chunk.text))
    tier = _chunk_tier(chunk, turn)
    lexical = "\n".join(part for part in (header, turn.asked, chunk.text) if part)
    payload = Payload(
        kind=PointKind.CHUNK,
        ref=chunk.id,
        account=card.account,
        text=chunk.text,
        tier=tier,
        weight=TIER_WEIGHTS[tier],
        state=State.PASSED,
        speaker=Speaker.SOURCE if tier is Tier.RESOURCE else turn.speaker,
        speaker_name=message.author,
        conversation_id=card.conversation_id,
        conversation_title=card.title,
        provider=card.provider,
        message_id=message.id,
        said_at=message.created_at,
        conversation_at=card.began,
        heading_path=chunk.heading_path,
        active_branch=active,
        evidence=(PointSpan(message_id=message.id, start=chunk.start, end=chunk.end, quote=""),),
        content_hash=_content_hash(dense, lexical),
    )
    return _draft(payload, dense, lexical)


def resource_point(chunk: Chunk, resource: Resource, windows: Windows) -> DraftPoint:
    """The point of a resource's chunk: embedded under its document's title and its heading path."""
    title = mask_secrets(resource.title)
    header = contextual_header(chunk, title=title, said_at=None, speaker=None)
    dense = tuple(windows(header, chunk.text))
    lexical = "\n".join(part for part in (header, chunk.text) if part)
    payload = Payload(
        kind=PointKind.CHUNK,
        ref=chunk.id,
        account=resource.account,
        text=chunk.text,
        tier=Tier.RESOURCE,
        weight=TIER_WEIGHTS[Tier.RESOURCE],
        state=State.PASSED,
        speaker=Speaker.SOURCE,
        conversation_id=resource.id,
        conversation_title=title,
        provider=resource.provider,
        said_at=resource.created_at,
        conversation_at=resource.created_at,
        heading_path=chunk.heading_path,
        evidence=(PointSpan(message_id=resource.id, start=chunk.start, end=chunk.end, quote=""),),
        content_hash=_content_hash(dense, lexical),
    )
    return _draft(payload, dense, lexical)


PREVIOUS_WORDS = 60
"""Of the message before a chunk: its end, where a question is asked. A cap, so that a pasted page that came
before does not drown the answer's own words."""


def conversation_point(
    conversation: Conversation, card: Card, passages: Sequence[DraftPoint] = ()
) -> DraftPoint:
    """The point of a conversation: the mean of its passages' vectors, and every word said in it.

    It shows its title and opening words. `passages` are the points of its chunks.
    """
    said = [(message, uncovered(_spoken_text(message))) for message in conversation.active_messages()]
    words = [
        f"{message.author}: {text}" if message.author else text for message, text in said if text.strip()
    ]
    opening = " ".join(words[0].split()[:OPENING_WORDS]) if words else ""
    dense = tuple(text for passage in passages for text in passage.dense_texts)
    lexical = "\n".join((card.title or "", *words))
    payload = Payload(
        kind=PointKind.CONVERSATION,
        ref=card.conversation_id,
        account=card.account,
        text=": ".join(part for part in (card.title, opening) if part),
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
    return _draft(payload, dense or (payload.text,), lexical)


OPENING_WORDS = 30
"""Of a conversation's first message: enough to recognise it by."""


def summary_point(summary: SessionSummary, card: Card, windows: Windows) -> DraftPoint:
    """The point of a session summary: embedded and matched by words under its conversation's title."""
    dense = tuple(windows(card.title or "", summary.text))
    lexical = "\n".join(part for part in (card.title, summary.text) if part)
    payload = Payload(
        kind=PointKind.SUMMARY,
        ref=summary.id,
        account=card.account,
        text=summary.text,
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


def thread_point(
    thread: Thread, thread_map: ThreadMap, sessions: Mapping[str, Session], windows: Windows
) -> DraftPoint:
    """The point of a thread: its map, under its label. It stands for itself, not for one conversation.

    `sessions` are the account's, by the conversation's id.

    Its time is that of the newest message in it: a search bounded to what was known earlier must not see it.
    """
    dense = tuple(windows(thread.label, thread_map.text))
    members = [sessions[one] for one in thread.conversation_ids]
    payload = Payload(
        kind=PointKind.THREAD,
        ref=thread.id,
        account=thread.account,
        text=thread_map.text,
        tier=Tier.CHAT,
        weight=TIER_WEIGHTS[Tier.CHAT],
        state=State.PASSED,
        conversation_id=thread.id,
        conversation_title=thread.label,
        provider=min(one.provider for one in members),
        said_at=thread_map.written_for,
        conversation_at=thread_map.written_for,
        members=tuple(
            ThreadMember(conversation_id=one.conversation_id, began=one.began, provider=one.provider)
            for one in members
        ),
        content_hash=_content_hash(dense, thread_map.text),
    )
    return _draft(payload, dense, thread_map.text)


def points_of(
    conversation: Conversation,
    units: Iterable[tuple[Unit, State]],
    chunks: Iterable[Chunk],
    windows: Windows,
    summary: SessionSummary | None = None,
) -> Iterator[DraftPoint]:
    """Every point of a conversation: its own, its summary's, one a unit, one a chunk of its messages."""
    card, hidden = card_of(conversation), concealed(conversation)
    passages = chunk_points(hidden, chunks, card, windows)
    yield conversation_point(hidden, card, passages)
    if summary is not None:
        yield summary_point(summary, card, windows)
    for unit, state in units:
        yield unit_point(unit, state, card)
    yield from passages


def chunk_points(
    conversation: Conversation, chunks: Iterable[Chunk], card: Card, windows: Windows
) -> list[DraftPoint]:
    """The points of a conversation's chunks, in their order."""
    messages = {message.id: message for message in conversation.messages}
    passages = []
    turn: Turn | None = None
    for chunk in chunks:
        if "heading_only" in chunk.flags:
            continue  # its words are in the heading path of everything below it
        if turn is None or turn.message.id != chunk.source_id:
            message = messages[chunk.source_id]
            turn = turn_of(message, messages.get(message.parent) if message.parent else None)
        active = turn.message.id in conversation.active_ids
        passages.append(chunk_point(chunk, turn, active, card, windows))
    return passages


def _spoken_text(message: Message) -> str:
    return "".join(message.text[one.start : one.end] for one in message.segments if one.origin in SPOKEN)


def _chunk_tier(chunk: Chunk, turn: Turn) -> Tier:
    """A chunk of an attached document alone is source material; with a word of talk in it, it is talk."""
    segments, first = turn.message.segments, bisect_right(turn.ends, chunk.start)
    after = (segments[place] for place in range(first, len(segments)))
    held = {one.origin for one in takewhile(lambda one: one.start < chunk.end, after)}
    return Tier.RESOURCE if held == {Origin.ATTACHED} else Tier.CHAT


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
    """Tells whether a point must be embedded again; numbers as they are matched by words."""
    return sha256_text("\x1e".join((*dense, spelled(lexical))))
