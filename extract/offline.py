"""The offline engine: a conversation to units, deterministic and without a model."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from extract.candidates import SPEAKERS, Candidate, Proposal, content_stems
from extract.categories import categorise
from extract.fit import fit
from extract.grounding import grounded
from extract.languages.registry import DEFAULT
from extract.reader import Reader
from extract.segments import refine_segments
from extract.words import count_words
from schemas.conversation import Conversation, Message, Segment
from schemas.ids import unit_id
from schemas.unit import MAX_WORDS, Category, Evidence, Speaker, Unit

ENGINE_VERSION = "offline/1"


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one conversation yields."""

    units: tuple[Unit, ...]
    segments: dict[str, tuple[Segment, ...]]
    """Refined segments by message id."""
    topics: tuple[str, ...]
    dropped: dict[str, int]
    """Clauses that are no units, by reason."""


def extract_units(conversation: Conversation) -> Extraction:
    """Every unit of the conversation."""
    segments: dict[str, tuple[Segment, ...]] = {}
    dropped: Counter[str] = Counter()
    proposals: dict[str, list[Proposal]] = {}
    units: list[Unit] = []
    seen: set[str] = set()
    messages = {message.id: message for message in conversation.messages}
    for message in conversation.messages:
        segments[message.id] = refine_segments(message, conversation)
        if message.hidden:
            continue
        put: list[Proposal] = []
        proposals[message.id] = put
        for segment in segments[message.id]:
            if segment.origin not in SPEAKERS:
                continue
            reader = Reader(message, segment, proposals.get(message.parent or ""), DEFAULT)
            for candidate in reader.candidates():
                if candidate.noise:
                    dropped[candidate.noise] += 1
                    continue
                category, _ = categorise(candidate.signs, candidate.speaker)
                for part, text, context in fit(candidate, category):
                    if count_words(text) > MAX_WORDS:
                        dropped["long"] += 1
                        continue
                    unit = _unit(conversation, part, category, text, context)
                    if unit.id in seen:
                        continue
                    reason = grounded(unit, messages)
                    if reason:
                        dropped[reason] += 1
                        continue
                    seen.add(unit.id)
                    units.append(unit)
                if candidate.speaker is Speaker.ASSISTANT and category is Category.IDEA:
                    put.append(
                        Proposal(
                            candidate.marker,
                            content_stems(candidate.clause.tokens, candidate.clause.tags),
                            text,
                            message.id,
                            candidate.start,
                            candidate.end,
                        )
                    )
    return Extraction(
        tuple(units), segments, (conversation.title,) if conversation.title else (), dict(dropped)
    )


def _unit(conversation: Conversation, candidate: Candidate, category: Category, text: str, context: tuple[int, int] | None) -> Unit:
    message = candidate.message
    return Unit(
        id=unit_id(message.id, candidate.start, candidate.end, text),
        account=conversation.account,
        conversation_id=conversation.id,
        category=category,
        text=text,
        speaker=candidate.speaker,
        speaker_name=message.author if candidate.speaker is Speaker.OTHER else None,
        evidence=(_evidence(message, candidate.start, candidate.end),),
        context=() if context is None else (_evidence(message, *context),),
        said_at=message.created_at,
        active_branch=message.id in conversation.active_ids,
        extractor=ENGINE_VERSION,
    )


def _evidence(message: Message, start: int, end: int) -> Evidence:
    return Evidence(
        message_id=message.id, start=start, end=end, quote=message.text[start:end], text_hash=message.text_hash
    )
