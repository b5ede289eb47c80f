"""Generated conversations of twenty notes each, and vectors for their points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from flows.batches.batch_stages import compose, windows_for
from inference.embedder import Embedder
from schemas import ids
from schemas.conversation import Conversation, Message, Origin, Segment
from schemas.unit import Category, Evidence, Speaker, State, Unit
from vault.batch import Batch, GatedUnit
from vault.index import Vector
from vault.points import PointKind
from vault.reader import open_vault

ACCOUNT, PROVIDER = "scale", "generated"
NOTES_A_TALK = 20
TALKS_A_BATCH = 50
VOCABULARY = 50_000
ZIPF = 1.3
"""Exponent of the words' frequencies; a power law as in any language."""
NOISE = 0.35
"""Length of what is added to a real vector when it comes again: its cosine to the first is about 0.94."""
FIRST_DAY = datetime(2020, 1, 1, tzinfo=UTC)
CATEGORIES = tuple(Category)


@dataclass(frozen=True, slots=True)
class Drawn:
    """What notes are drawn from: texts, and a vector for each; none of either where they are made up."""

    texts: Sequence[str]
    vectors: Sequence[Vector]


def drawn_from(vault: Path | None, most: int) -> Drawn | None:
    """Up to `most` notes of a real vault with their vectors, whoever's they are."""
    if vault is None:
        return None
    texts: list[str] = []
    vectors: list[Vector] = []
    with open_vault(vault) as reader:
        for point in reader.published_index.points():
            if point.payload.kind is PointKind.UNIT and point.vector is not None:
                texts.append(point.payload.text)
                vectors.append(point.vector)
            if len(texts) == most:
                break
    return Drawn(texts, vectors)


def _said(number: int, drawn: Drawn | None, chance: np.random.Generator) -> str:
    """The sentence of one note; none is like another, so that the gate merges none."""
    if drawn is None:
        words = np.minimum(chance.zipf(ZIPF, 8), VOCABULARY)
        return f"Note {number} says {' '.join(f'word{word}' for word in words)}."
    round_, place = divmod(number, len(drawn.texts))
    return drawn.texts[place] if round_ == 0 else f"{drawn.texts[place]} No. {number}."


def batch_of(folder: Path, first: int, talks: int, drawn: Drawn | None, embedder: Embedder) -> Batch:
    """Talks from `first` on, staged as the steps before the load would have staged them."""
    chance = np.random.default_rng(first)
    batch = Batch(folder)
    made = [_talk(number, drawn, chance) for number in range(first, first + talks)]
    conversations = [conversation for conversation, _ in made]
    batch.write_conversations(conversations, {one.id: one.content_hash for one in conversations}, "generated")
    gated = [GatedUnit(unit, State.PASSED, ()) for _, units in made for unit in units]
    segments = [(one, message, message.segments) for one in conversations for message in one.messages]
    batch.write_extracted(segments, gated, [])
    batch.write_summaries([], [])
    numbers = {
        unit.id: number * NOTES_A_TALK + place
        for number, (_, units) in enumerate(made, first)
        for place, unit in enumerate(units)
    }
    drafts = list(compose(batch, {}, windows_for(embedder)))
    vectors = {draft.id: _vector(numbers.get(draft.payload.ref), drawn, chance, embedder) for draft in drafts}
    batch.write_vectors(vectors, embedder.dimension)
    return batch


def _talk(number: int, drawn: Drawn | None, chance: np.random.Generator) -> tuple[Conversation, list[Unit]]:
    own = ids.conversation_id(ACCOUNT, PROVIDER, str(number))
    message = ids.message_id(own, "0")
    sentences = [_said(number * NOTES_A_TALK + place, drawn, chance) for place in range(NOTES_A_TALK)]
    text = "\n".join(sentences)
    at = FIRST_DAY + timedelta(hours=number)
    said = Message(
        id=message, native_id="0", parent=None, role="user", created_at=at, text=text,
        segments=(Segment(start=0, end=len(text), origin=Origin.TYPED),),
    )  # fmt: skip
    conversation = Conversation(
        id=own, account=ACCOUNT, provider=PROVIDER, native_id=str(number), title=f"Talk {number}",
        created_at=at, updated_at=at, messages=(said,), active_leaf=message, active_leaf_stated=True,
    )  # fmt: skip
    return conversation, list(_units(conversation, said, sentences))


def _units(conversation: Conversation, said: Message, sentences: Sequence[str]) -> Iterator[Unit]:
    start = 0
    for place, sentence in enumerate(sentences):
        end = start + len(sentence)
        evidence = Evidence(
            message_id=said.id, start=start, end=end, quote=sentence, text_hash=said.text_hash
        )
        yield Unit(
            id=ids.unit_id(said.id, start, end, sentence), account=ACCOUNT, conversation_id=conversation.id,
            category=CATEGORIES[place % len(CATEGORIES)], text=sentence, speaker=Speaker.OWNER,
            evidence=(evidence,), said_at=said.created_at, extractor="generated/1",
        )  # fmt: skip
        start = end + 1


def _vector(
    number: int | None, drawn: Drawn | None, chance: np.random.Generator, embedder: Embedder
) -> Vector:
    """A note's own real vector, a real one with noise where it comes again, or a random one; unit length."""
    if number is not None and drawn is not None:
        round_, place = divmod(number, len(drawn.texts))
        if round_ == 0:
            return drawn.vectors[place]
        added = _random(chance, embedder.dimension) * np.float32(NOISE)
        return _unit(drawn.vectors[place] + added)
    return _random(chance, embedder.dimension)


def _random(chance: np.random.Generator, dimension: int) -> Vector:
    return _unit(chance.standard_normal(dimension, dtype=np.float32))


def _unit(vector: Vector) -> Vector:
    made: Vector = (vector / np.linalg.norm(vector)).astype(np.float32)
    return made


def talks_for(notes: int) -> Iterator[tuple[int, int]]:
    """(first talk, talks) of each batch that `notes` notes come in."""
    whole = notes // NOTES_A_TALK
    return ((first, min(TALKS_A_BATCH, whole - first)) for first in range(0, whole, TALKS_A_BATCH))


def questions(drawn: Drawn | None, count: int) -> list[str]:
    """What to ask: words of notes that are there."""
    chance = np.random.default_rng(1)
    if drawn is None:
        return [" ".join(_said(int(chance.integers(1000)), None, chance).split()[3:7]) for _ in range(count)]
    chosen = chance.choice(len(drawn.texts), count, replace=False)
    return [f"What about {drawn.texts[place].rstrip('.?!')}?" for place in chosen]
