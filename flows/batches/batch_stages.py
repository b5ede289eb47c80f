"""The two steps in the middle: a batch of conversations becomes notes, and the notes become vectors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from chunking import chunk_markdown, chunk_message, embedding_text, embedding_windows, link_turns
from curation.gate import GATE_VERSION, gate_state, gate_version, judge
from curation.gate_input import SourceContext
from curation.gate_settings import DEFAULT_SETTINGS, GateSettings
from curation.pairs.reversals import reversals
from extract.engine import Engine, OfflineEngine, Placement, Retelling
from extract.offline_engine import Extraction
from extract.reader.answered_words import citing_what_they_answer
from extract.reader.small_reader import load_reader
from extract.threads.word_profile import PROFILE_VERSION, profile_of
from flows.batches.isolation import each_alone
from flows.batches.search_points import (
    POINTS_VERSION,
    SPOKEN,
    Windows,
    points_of,
    resource_point,
)
from inference.embedder import Embedder
from inference.secret_cover import concealed, covered, marked, quoted_from, uncovered, without_secrets
from inference.secrets import SECRETS_VERSION
from schemas.base import sha256_text
from schemas.chunk import Chunk
from schemas.conversation import Conversation, Message, Segment
from schemas.fallback import Fallback
from schemas.relation import Link
from schemas.resource import Resource
from schemas.semantic_path import NamedPaths
from schemas.thread import Profile, SessionSummary
from schemas.unit import State, Unit
from vault.batch import Batch, GatedUnit
from vault.index import Vector
from vault.model_calls import stage_fallbacks
from vault.model_paths import stage_model_paths
from vault.points import DraftPoint
from vault.remembered_talks import REMEMBERED

READ, EXTRACT, SUMMARISE, EMBED = "read", "extract", "summarise", "embed"

FAILED = "failed"
"""What a stage's manifest has of the conversations on which it failed: reason by id."""

CHUNKER_VERSION = "2"

EMBED_AT_ONCE = 2048
"""Texts handed to the embedder together: enough to sort by length, few enough to show progress."""

GATE_ACTOR = f"gate:{GATE_VERSION}"
OFFLINE = OfflineEngine()


def stage_versions(
    embedder: Embedder, engine: Engine = OFFLINE, gate: GateSettings = DEFAULT_SETTINGS
) -> dict[str, str]:
    """What the work on a conversation depends on besides its content."""
    return {
        "extract": engine.version,
        "gate": gate_version(gate),
        "chunk": CHUNKER_VERSION,
        "place": engine.prefix_version,
        "summarise": engine.summary_version,
        "profile": PROFILE_VERSION,
        "secrets": SECRETS_VERSION,
        "points": POINTS_VERSION,
        "embed": embedder.binding.model_dump_json(),
    }


def extract_batch(
    batch: Batch,
    engine: Engine = OFFLINE,
    gate: GateSettings = DEFAULT_SETTINGS,
    prefixes: Mapping[str, str] | None = None,
) -> None:
    """Segments, units with the gate's verdicts, and chunks of every conversation of the batch.

    The gate's check for duplicates waits for the corpus: it is made when the batch is loaded. `prefixes` has
    the contextual prefixes on record by chunk id: they stay where the engine writes none.
    """
    if batch.manifest(EXTRACT) is not None:
        return
    segments: list[tuple[Conversation, Message, Sequence[Segment]]] = []
    units: list[GatedUnit] = []
    chunks: list[tuple[Conversation | Resource, Sequence[Chunk]]] = []
    links: list[tuple[Conversation, Sequence[Link]]] = []
    fallbacks: list[Fallback] = []
    named: list[NamedPaths] = []
    dropped: Counter[str] = Counter()
    work = partial(_extracted, engine=engine, gate=gate, prefixes=prefixes or {})
    done, failed = each_alone(batch.conversations(), work)
    for conversation, (extraction, gated, placement) in done:
        fallbacks.extend((*extraction.fallbacks, *placement.fallbacks))
        named.extend(without_secret_names(extraction.paths))
        dropped.update(extraction.dropped)
        links.append((conversation, extraction.links))
        segments.extend((conversation, one, extraction.segments[one.id]) for one in conversation.messages)
        units.extend(gated)
        chunks.append((conversation, placement.chunks))
    for one in batch.resources():
        cut = chunk_markdown(covered(one.text), one.id, covered(one.title))
        chunks.append((one, [without_covers(part) for part in cut]))
    counts = batch.write_extracted(segments, units, chunks, links)
    counts["fallbacks"] = stage_fallbacks(batch.folder, fallbacks, EXTRACT)
    stage_model_paths(batch.folder, named)
    told = {"counts": counts, "dropped": dropped, FAILED: failed}
    batch.finish(EXTRACT, {name: json.dumps(found) for name, found in told.items()})


def _extracted(
    conversation: Conversation, engine: Engine, gate: GateSettings, prefixes: Mapping[str, str]
) -> tuple[Extraction, list[GatedUnit], Placement]:
    """What one conversation yields: its units with the gate's word on them, reversals, placed chunks."""
    hidden = concealed(conversation)
    found = engine.extract(hidden)
    units = [quoted_from(unit, hidden) for unit in found.units]
    if conversation.provider == REMEMBERED:
        units = citing_what_they_answer(hidden, units, load_reader())
    heard = SourceContext({message.id: message.text for message in hidden.messages}, hidden.title or "")
    gated = []
    for unit in units:
        verdicts = judge(unit, heard, settings=gate)
        gated.append(GatedUnit(quoted_from(marked(unit), conversation), gate_state(verdicts), verdicts))
    placement = engine.place(hidden, chunks_of(hidden))
    placed = _still_placed(placement.chunks, engine, prefixes)
    return (
        replace(found, links=(*found.links, *reversals(units))),
        gated,
        replace(placement, chunks=[without_covers(one) for one in placed]),
    )


def without_secret_names(named: Iterable[NamedPaths]) -> Iterator[NamedPaths]:
    """What a model named, less the paths in which a secret stands: a path is shown to whoever surveys."""
    for one in named:
        if paths := tuple(path for path in one.paths if uncovered(path) == path):
            yield one.model_copy(update={"paths": paths})


def failed_in(batch: Batch) -> dict[str, str]:
    """Why the work on conversations of the batch failed, by id; the rest of the batch is done."""
    found: dict[str, str] = {}
    for stage in (EXTRACT, SUMMARISE):
        found |= json.loads((batch.manifest(stage) or {}).get(FAILED, "{}"))
    return found


def _still_placed(chunks: Sequence[Chunk], engine: Engine, prefixes: Mapping[str, str]) -> Sequence[Chunk]:
    """The chunks with the prefixes that an earlier run paid for: a chunk that is the same has the same id."""
    if engine.prefix_version:
        return chunks
    return [
        one.model_copy(update={"prefix": prefixes[one.id]})
        if one.prefix is None and one.id in prefixes
        else one
        for one in chunks
    ]


def without_covers(chunk: Chunk) -> Chunk:
    """The chunk as it is stored: its secrets masked. Its id and place are those of the text as it was cut."""
    text, idea = uncovered(chunk.text), chunk.governing_idea
    return chunk.model_copy(
        update={
            "text": text,
            "content_hash": sha256_text(text),
            "heading_path": tuple(map(uncovered, chunk.heading_path)),
            "governing_idea": uncovered(idea) if idea else idea,
            "prefix": uncovered(chunk.prefix) if chunk.prefix else chunk.prefix,
        }
    )


def chunks_of(conversation: Conversation) -> list[Chunk]:
    """The chunks of what was said and shown in a conversation; those of one turn know each other."""
    cut = {one.id: chunk_message(one.text, one.id) for one in _chunked(conversation)}
    return link_turns(cut, {message.id: message.parent for message in conversation.messages})


def summarise_batch(batch: Batch, engine: Engine = OFFLINE) -> None:
    """The summary and the profile of every conversation of the batch, from its messages and good units."""
    if batch.manifest(SUMMARISE) is not None:
        return
    units = _by_conversation(batch.units(rejected=False))
    left_out = failed_in(batch)

    def told_of(conversation: Conversation) -> tuple[Retelling, Profile]:
        hidden = concealed(conversation)
        return retold(engine, hidden, units.get(conversation.id, ())), profile_of(hidden)

    done, failed = each_alone((one for one in batch.conversations() if one.id not in left_out), told_of)
    counts = batch.write_summaries(
        (told.summary for _, (told, _) in done), (profile for _, (_, profile) in done)
    )
    fallbacks = (found for _, (told, _) in done for found in told.fallbacks)
    counts["fallbacks"] = stage_fallbacks(batch.folder, fallbacks, SUMMARISE)
    batch.finish(SUMMARISE, {"counts": json.dumps(counts), FAILED: json.dumps(failed)})


def retold(engine: Engine, hidden: Conversation, units: Sequence[Unit]) -> Retelling:
    """The engine's summary of a conversation that was `concealed`."""
    told = engine.retell(hidden, [quoted_from(unit, hidden) for unit in units])
    return replace(told, summary=masked_summary(told.summary))


def masked_summary(summary: SessionSummary) -> SessionSummary:
    """The summary as it is stored."""
    return summary.model_copy(update={"text": uncovered(summary.text)})


def _by_conversation(units: Iterable[Unit]) -> dict[str, list[Unit]]:
    grouped: dict[str, list[Unit]] = {}
    for unit in units:
        grouped.setdefault(unit.conversation_id, []).append(unit)
    return grouped


def _chunked(conversation: Conversation) -> Iterator[Message]:
    """The messages that are cut into chunks: what was said and shown, not tools, reasoning or set-up."""
    for message in conversation.messages:
        spoken = any(segment.origin in SPOKEN for segment in message.segments)
        if spoken and not message.hidden and message.text.strip():
            yield message


def points_in(batch: Batch) -> int:
    """How many points the batch comes to: one a conversation, summary, unit and chunk."""
    made = json.loads((batch.manifest(EXTRACT) or {})["counts"])
    made |= json.loads((batch.manifest(SUMMARISE) or {})["counts"])
    return sum(int(made[table]) for table in ("profiles", "session_summaries", "units", "chunks"))


LONGEST_HEADER = 0.5
"""Share of the embedder's window that a header may take; a longer one (a title of a page) is left out."""


def windows_for(embedder: Embedder) -> Windows:
    """Cuts a text where its structure allows, so that every piece fits the embedder's window."""
    markers = embedder.count_tokens("")

    def words_only(text: str) -> int:
        return embedder.count_tokens(text) - markers

    def windows(header: str, body: str) -> Sequence[str]:
        room = embedder.max_tokens - markers
        taken = words_only(header)
        if taken > LONGEST_HEADER * room:
            header, taken = "", 0
        return [embedding_text(header, one.text) for one in embedding_windows(body, words_only, room - taken)]

    return windows


def compose(
    batch: Batch, states: Mapping[str, State], windows: Windows, corrected: Mapping[str, str] | None = None
) -> Iterator[DraftPoint]:
    """Every point of the batch's conversations.

    Units are in the states given (passed where none is), and have the texts that the owner corrected.
    """
    texts = corrected or {}
    units = _by_conversation(
        unit.model_copy(update={"text": texts[unit.id]}) if unit.id in texts else unit
        for unit in map(without_secrets, batch.units())
    )
    summaries = batch.summaries()
    chunks: dict[str, list[Chunk]] = {}
    for conversation_id, chunk in batch.chunks():
        chunks.setdefault(conversation_id, []).append(chunk)
    left_out = failed_in(batch)
    for conversation in batch.conversations():
        if conversation.id in left_out:
            continue
        own = ((unit, states.get(unit.id, State.PASSED)) for unit in units.get(conversation.id, ()))
        found = chunks.get(conversation.id, ())
        yield from points_of(conversation, own, found, windows, summaries.get(conversation.id))
    for resource in batch.resources():
        for chunk in chunks.get(resource.id, ()):
            if "heading_only" not in chunk.flags:
                yield resource_point(chunk, resource, windows)


def embed_batch(
    batch: Batch,
    embedder: Embedder,
    known: Mapping[str, str],
    advance: Callable[[int], None],
    corrected: Mapping[str, str] | None = None,
) -> int:
    """Embed the points whose text the published generation does not have; returns how many.

    `known` is the content hash by point id in the published ledger, `corrected` its corrections by unit id.
    """
    judged = {one.unit.id: one.state for one in batch.gated_units()}
    new = [
        draft
        for draft in compose(batch, judged, windows_for(embedder), corrected)
        if known.get(draft.id) != draft.payload.content_hash
    ]
    drafts = [draft for draft in new if draft.dense_texts]
    advance(len(new) - len(drafts))
    if batch.manifest(EMBED) is not None and batch.vectors().keys() >= {draft.id for draft in drafts}:
        advance(len(drafts))
        return 0
    vectors: dict[str, Vector] = {}
    for start in range(0, len(drafts), EMBED_AT_ONCE):
        part = drafts[start : start + EMBED_AT_ONCE]
        vectors.update(embed_points(part, embedder))
        advance(len(part))
    batch.write_vectors(vectors, embedder.dimension)
    batch.finish(EMBED, {"vectors": str(len(vectors))})
    return len(vectors)


def embed_points(drafts: Sequence[DraftPoint], embedder: Embedder) -> dict[str, Vector]:
    """Vector by point id: the mean over a point's windows, of unit length; none of a point without any.

    A conversation has its chunks' windows again; the embedder computes equal texts once.
    """
    matrix = embedder.embed([text for draft in drafts for text in draft.dense_texts])
    vectors: dict[str, Vector] = {}
    row = 0
    for draft in drafts:
        count = len(draft.dense_texts)
        if not count:
            continue
        mean = matrix[row : row + count].mean(axis=0) if count > 1 else matrix[row]
        vectors[draft.id] = (mean / np.linalg.norm(mean)).astype(np.float32)
        row += count
    return vectors
