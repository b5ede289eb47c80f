"""The small reader taught by what a language model found in the same vault; nothing leaves the machine.

conversations  that a language model read whole                        (vault.stored)
lessons        their runs of talk with the model's spans               (lessons_of)
a tenth apart  what the shipped reader and the taught one make of it   (heads_taught.agreement)
the file       in the vault's folder, once the owner agrees            (layout.taught_reader)
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from extract.engine import by_rules
from extract.offline_engine import heard_of, runs_of
from extract.reader.heads_taught import HeadsAgreement, Lesson, agreement, examples, rewritten, taught
from extract.reader.small_reader import SmallReader, load_reader, shipped_weights
from extract.segments import refine_segments
from inference.finetuned import FineTuned
from schemas.base import Noun
from schemas.conversation import Conversation
from schemas.errors import UsageError
from schemas.fallback import PROOF_REASON
from schemas.unit import PROOFREAD
from vault.files import write_bytes_durably
from vault.generations import published_ledger
from vault.layout import VaultLayout
from vault.ledger import Ledger
from vault.lock import writer_lock
from vault.stored import Chosen, stored_work

LEAST = 20
"""Conversations that a language model must have read: of fewer, a tenth kept apart shows nothing."""
APART = 10
"""One conversation in so many is not learned from."""

_MODEL_SPANS = """
    SELECT e.message_id, e."start", e."end", category
    FROM (SELECT unnest(evidence) AS e, category FROM units
          WHERE conversation_id = ? AND starts_with(?, regexp_replace(extractor, ?, ''))
          AND gate_state <> 'rejected')
"""
_BESIDE = rf"(\+filing\S*)?({PROOFREAD})?$"
"""What an extractor says of a note beside engine, model and prompt: that the answer named paths too, and that
it was read a second time. A version says so in other words."""


class ReadersCompared(Noun):
    """How far a reader's findings are the language model's, on conversations kept apart. Shares, 0-1."""

    coverage: float
    """Of the model's spans, found."""
    precision: float
    """Of the reader's spans, the model's too."""
    category: float
    """Of the spans of both, of one category."""
    score: float
    """Of both in one number; a wrong category counts half."""


class Teaching(Noun):
    """What teaching came to."""

    learned: int
    """Conversations that were learned from."""
    apart: int
    """Conversations that were kept apart."""
    spans: int
    """The language model's spans in these."""
    before: ReadersCompared
    after: ReadersCompared
    version: str
    """The taught reader's."""
    taken: bool = False
    """Whether the vault's offline engine reads with it from now on."""


def teach_reader(vault: Path, agree: Callable[[Teaching], bool]) -> Teaching:
    """Teach the shipped reader, compare, and let the taught one take over where the owner agrees.

    Raises UsageError where too few conversations were read by a language model, VaultEmpty, VaultLocked,
    DiskFull.
    """
    layout = VaultLayout(vault)
    reader, lessons = load_reader(), list(conversation_lessons(layout))
    found = [lesson for _, one in lessons for lesson in one if lesson.spans]
    if len(lessons) < LEAST or not found:
        raise UsageError(
            "there is too little to learn from",
            where=str(vault),
            why=f"a language model read {len(lessons)} conversations whole and found something in "
            f"{len(found)} of their messages; {LEAST} conversations are the least",
            remedy="Ingest or reprocess more of it with --engine and a language model",
        )
    apart = [lesson for _, lesson in lessons[::APART]]
    given = [lesson for place, (_, lesson) in enumerate(lessons) if place % APART]
    heads = taught(reader.heads, examples(reader, _flat(given)))
    digest = hashlib.sha256(b"".join(heads[name].tobytes() for name in sorted(heads))).hexdigest()
    with shipped_weights() as weights:
        version = f"{reader.version}+{digest[:8]}"
        packed = rewritten(weights, heads, version)
    with TemporaryDirectory(prefix="mnemic-reader-") as folder:
        aside = Path(folder) / layout.taught_reader.name
        aside.write_bytes(packed)
        before, after = (
            agreement(one, list(_flat(apart))) for one in (reader, SmallReader(FineTuned(aside)))
        )
    done = Teaching(
        learned=len(given),
        apart=len(apart),
        spans=before.spans,
        before=_compared(before),
        after=_compared(after),
        version=version,
    )
    if not agree(done):
        return done
    with writer_lock(layout):
        write_bytes_durably(layout.taught_reader, packed)
    return done.model_copy(update={"taken": True})


def untaught(vault: Path) -> bool:
    """Let the shipped reader read again; whether a taught one had taken over. Raises VaultLocked."""
    layout = VaultLayout(vault)
    with writer_lock(layout):
        there = layout.taught_reader.exists()
        layout.taught_reader.unlink(missing_ok=True)
    return there


def lessons_of(conversation: Conversation, spans: Iterable[tuple[str, int, int, str]]) -> Iterator[Lesson]:
    """The runs of a conversation with what was found in them: (message, start, end, category)."""
    by_message: dict[str, set[tuple[int, int, str]]] = {}
    for message, start, end, category in spans:
        by_message.setdefault(message, set()).add((start, end, category))
    heard = heard_of(conversation.messages)
    for one in conversation.messages:
        if one.hidden:
            continue
        for run in runs_of(one, refine_segments(one, conversation), heard.get(one.parent or "", "")):
            offset, last = run.segment.start, run.segment.end
            held = sorted(
                (start - offset, end - offset, category)
                for start, end, category in by_message.get(one.id, ())
                if offset <= start and end <= last
            )
            yield Lesson(run.text, run.role, run.before, tuple(held))


def conversation_lessons(layout: VaultLayout) -> Iterator[tuple[str, list[Lesson]]]:
    """Of each conversation that a language model read whole, its id and lessons; in the ids' order, which
    says nothing of the talk."""
    with published_ledger(layout) as ledger:
        if ledger is None:
            return
        found = ledger.query(
            "SELECT DISTINCT conversation_id FROM fallbacks WHERE NOT contains(reason, ?)", [PROOF_REASON]
        )
        in_part = {str(one) for (one,) in found}
        for stored in sorted(stored_work(ledger, Chosen()), key=lambda one: one.id):
            if not by_rules(stored.extractor) and stored.id not in in_part:
                conversation = ledger.conversation(stored.id)
                if conversation is not None:
                    spans = _spans(ledger, stored.id, stored.extractor)
                    yield stored.id, list(lessons_of(conversation, spans))


def _spans(ledger: Ledger, conversation: str, extractor: str) -> list[tuple[str, int, int, str]]:
    found = ledger.query(_MODEL_SPANS, [conversation, extractor, _BESIDE])
    return [(str(a), int(str(b)), int(str(c)), str(d)) for a, b, c, d in found]


def _flat(lessons: Sequence[Sequence[Lesson]]) -> Iterator[Lesson]:
    return (lesson for one in lessons for lesson in one)


def _compared(one: HeadsAgreement) -> ReadersCompared:
    shares = {name: round(getattr(one, name), 4) for name in ReadersCompared.model_fields}
    return ReadersCompared(**shares)
