"""The engine with a language model: units that a model wrote and code grounded.

Whatever the model does not deliver, or delivers wrongly, the offline engine does: a window whose answer is
refused, cut off or not in its form; a note that did not hold; a sentence passed over. What cannot be read is
asked once more, alone, before. Units of the offline engine say so in their `extractor`, and the places are
listed as fallbacks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from extract.engine import PROOFREAD_BY, Charted, Placement, Retelling, by_rules
from extract.model.conversation_questions import answered_windows, unread_windows
from extract.model.model_maps import PROMPT as MAP_PROMPT
from extract.model.model_maps import MapAnswer, charted, map_question
from extract.model.model_summaries import prompt_for as summary_prompt
from extract.model.model_summaries import retold
from extract.model.notes.claim_checks import JudgedWindow, Writer, judged, writer_for
from extract.model.notes.note_windows import is_read, prompt_for, prompt_identity, window_question
from extract.model.notes.numbering import Sentence, Sheet, numbered_sheet
from extract.model.notes.offline_gaps import Gaps, places_of
from extract.model.notes.worth import with_worth
from extract.model.prefixes import PROMPT as PREFIX_PROMPT
from extract.model.prefixes import prefix_question, prefix_windows, prefixes_that_hold
from extract.model.proofreading import PROMPT as PROOF_PROMPT
from extract.model.proofreading import UNREAD, Proof, asked_of_notes, second_readings
from extract.model.replies import Replies
from extract.offline_engine import ENGINE_VERSION as OFFLINE_VERSION
from extract.offline_engine import Extraction
from extract.reader.small_reader import load_reader
from extract.repeats import collapse
from extract.retell.session_summary import SUMMARY_VERSION, summarise
from extract.retell.thread_map import ThreadNotes, thread_map
from inference.language_model import REACH, ModelQuestion, Reach
from schemas.chunk import Chunk
from schemas.conversation import Conversation
from schemas.fallback import PROOF_REASON, Fallback
from schemas.semantic_path import NamedPaths
from schemas.unit import Unit

VERSION = 3
"""Raise it when the same answer can come to other units, lines or prefixes."""


@dataclass(slots=True)
class _Reading:
    """What came of one conversation so far."""

    sheet: Sheet
    engine: str
    units: list[Unit] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    fallbacks: list[Fallback] = field(default_factory=list)
    gaps: Gaps = field(default_factory=Gaps)
    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Where notes belong, by their id, as the model says."""

    def fall_back(self, sentences: Sequence[Sentence], reason: str, key: str, *, whole: bool) -> None:
        """Leave sentences to the offline engine, on record."""
        self.gaps.add(places_of(sentences))
        self.record(len(sentences), reason, key, whole=whole)

    def record(self, sentences: int, reason: str, key: str, *, whole: bool) -> None:
        home = self.sheet.conversation
        self.fallbacks.append(
            Fallback(
                account=home.account,
                conversation_id=home.id,
                engine=self.engine,
                key=key,
                reason=reason,
                sentences=sentences,
                whole=whole,
            )
        )

    def note_unread(self, proof: Proof) -> None:
        """Put on record that a second reading is missing."""
        if proof.problem:
            self.record(0, f"{PROOF_REASON}{proof.problem}", proof.key, whole=True)

    def take(self, first: JudgedWindow, again: Sequence[JudgedWindow]) -> None:
        """What holds of a window's answer, and of those to what was asked once more about it."""
        unread = first.unread
        for one in again:
            if not one.problem:
                self._keep(one)
                unread = tuple(sentence for sentence in unread if sentence not in one.window.own)
                unread += one.unread
            self.dropped.update(one.reasons)
        self.dropped.update(first.reasons)
        if first.problem:
            left = unread if first.unread else first.window.own
            if left:
                self.fall_back(left, first.problem, first.key, whole=left == first.window.own)
            return
        self._keep(first)
        if unread:
            whole = len(unread) == len(first.window.own)
            self.fall_back(unread, "lines that cannot be read", first.key, whole=whole)

    def _keep(self, found: JudgedWindow) -> None:
        """Units that hold, and the places of those that do not and of sentences passed over."""
        known = {(unit.evidence[0].message_id, unit.evidence[0].start, unit.text) for unit in self.units}
        self.units.extend(
            unit
            for unit in found.units
            if (unit.evidence[0].message_id, unit.evidence[0].start, unit.text) not in known
        )
        self.paths = {**found.paths, **self.paths}
        if found.refused:
            self.gaps.add(found.refused)
            self.record(len(set(found.refused)), "notes that do not hold", found.key, whole=False)
        if found.passed_over:
            self.fall_back(found.passed_over, "sentences passed over", found.key, whole=False)


class ModelEngine:
    """Extracts with a model. `replies` asks it, or gives what it said before; `reach` is how much text it
    is shown at once, and whether by short prompts."""

    def __init__(
        self,
        model: str,
        replies: Replies,
        *,
        contextual_prefix: bool = False,
        summaries: bool = True,
        reach: Reach = REACH,
    ) -> None:
        engine, _, named = model.partition(" ")
        prompt, telling = prompt_for(reach), summary_prompt(reach)
        self.extractor = f"{engine}/{VERSION} {named} {prompt.name}"
        """As a unit's `extractor` names it."""
        # other windows can come to other units
        usual = replace(reach, owner_only=False, filing="", proofread=False) == REACH
        shown = "" if usual else f" in windows of {reach.detail} and {reach.gist} tokens"
        whose = " of the owner's side" if reach.owner_only else ""
        checked = f"{PROOFREAD_BY}{PROOF_PROMPT.identity}" if reach.proofread else ""
        self._identity = (
            f"{engine}/{VERSION} {named} {prompt_identity(reach)}{whose}{shown}{checked}"
            f" beside {OFFLINE_VERSION}"
        )
        placed = f"{engine}/{VERSION} {named} {PREFIX_PROMPT.identity}{shown}"
        self.prefix_version = placed if contextual_prefix else ""
        self._teller = f"{engine}/{VERSION} {named} {telling.name}"
        self._cartographer = f"{engine}/{VERSION} {named} {MAP_PROMPT.name}"
        told = f"{engine}/{VERSION} {named} {telling.identity}{shown}{checked} beside {SUMMARY_VERSION}"
        self.summary_version = told if summaries else SUMMARY_VERSION
        self._replies = replies
        self._reach = reach

    @property
    def version(self) -> str:
        """Engine, model, prompt with its hash, and the offline engine that it falls back to."""
        return self._identity

    def extract(self, conversation: Conversation) -> Extraction:
        """See `Engine.extract`."""
        sheet = numbered_sheet(conversation)
        reading = _Reading(sheet, self.extractor)
        long = [sentence for sentence in sheet.sentences if not sentence.fits]
        if long:
            reading.fall_back(long, "too long for a prompt", "", whole=False)
        left = [one for one in sheet.sentences if one.fits and not is_read(one, self._reach)]
        reading.gaps.add(places_of(left))
        windows, proofs = self._judged(writer_for(sheet, self.extractor))
        for first, again in windows:
            reading.take(first, again)
        for proof in proofs:
            reading.note_unread(proof)
        return _whole(reading)

    def _judged(self, writer: Writer) -> tuple[list[tuple[JudgedWindow, list[JudgedWindow]]], list[Proof]]:
        """Every window's answer judged, with those to what was asked once more about it; and the second
        readings."""
        pairs = answered_windows(writer.sheet, self._replies, self._reach)
        count, lone = len(pairs), unread_windows(pairs, writer.sheet, self._reach)
        if lone:
            asked = [window_question(window, self._reach) for _, window in lone]
            pairs += zip([window for _, window in lone], self._replies(asked), strict=True)
        proofs = [UNREAD] * len(pairs)
        if self._reach.proofread:
            proofs = second_readings(asked_of_notes(pairs), self._replies, lifts=not self._reach.brief)
        found = [judged(*pair, writer, proof.said) for pair, proof in zip(pairs, proofs, strict=True)]
        again: dict[int, list[JudgedWindow]] = {}
        for (place, _), one in zip(lone, found[count:], strict=True):
            again.setdefault(place, []).append(one)
        return [(one, again.get(place, [])) for place, one in enumerate(found[:count])], proofs

    def place(self, conversation: Conversation, chunks: Sequence[Chunk]) -> Placement:
        """See `Engine.place`. A chunk whose prefix does not hold stays without."""
        if not self.prefix_version:
            return Placement(chunks)
        windows = prefix_windows(conversation, chunks, self._reach)
        replies = self._replies([prefix_question(window) for window in windows])
        found: dict[str, str] = {}
        fallbacks = []
        for window, reply in zip(windows, replies, strict=True):
            if reply.value is None:
                fallbacks.append(
                    Fallback(
                        account=conversation.account,
                        conversation_id=conversation.id,
                        engine=self.extractor,
                        key=reply.key,
                        reason=f"no contextual prefix: {reply.problem}",
                        sentences=0,
                        whole=True,
                    )
                )
            else:
                found |= prefixes_that_hold(window, reply.value)
        placed = [one.model_copy(update={"prefix": found.get(one.id)}) for one in chunks]
        return Placement(placed, fallbacks)

    def retell(self, conversation: Conversation, units: Sequence[Unit]) -> Retelling:
        """See `Engine.retell`."""
        if by_rules(self.summary_version):
            return Retelling(summarise(conversation, units))
        return retold(conversation, units, self._teller, self._replies, self._reach)

    def map_questions(self, threads: Sequence[ThreadNotes]) -> list[ModelQuestion[MapAnswer]]:
        """What `chart` has to know, of those threads that a model is asked about."""
        if by_rules(self.summary_version):
            return []
        return [question for notes in threads if (question := map_question(notes, self._reach))]

    def chart(self, threads: Sequence[ThreadNotes]) -> list[Charted]:
        """See `Engine.chart`."""
        return [self._charted(notes) for notes in threads]

    def _charted(self, notes: ThreadNotes) -> Charted:
        questions = self.map_questions([notes])
        if not questions:
            return Charted(thread_map(notes))
        (reply,) = self._replies(questions)
        return charted(notes, reply, self._cartographer, self._reach)


def _whole(reading: _Reading) -> Extraction:
    """The windows' units and the offline engine's together, in the order of the messages."""
    conversation = reading.sheet.conversation
    beside = reading.gaps.fill(conversation, reading.units, reading.engine)
    order = {message.id: place for place, message in enumerate(conversation.messages)}
    written = with_worth(reading.sheet, reading.units, load_reader())
    placed = sorted(
        [*written, *beside],
        key=lambda unit: (order[unit.evidence[0].message_id], unit.evidence[0].start),
    )
    kept: dict[str, Unit] = {}
    for unit in collapse(placed):
        if unit.id in kept:
            reading.dropped["said already"] += 1
        else:
            kept[unit.id] = unit
    return Extraction(
        units=tuple(kept.values()),
        segments=reading.sheet.segments,
        topics=(conversation.title.strip(),) if conversation.title and conversation.title.strip() else (),
        dropped=dict(sorted((Counter(reading.sheet.dropped) + reading.dropped).items())),
        fallbacks=tuple(reading.fallbacks),
        paths=tuple(
            NamedPaths(
                account=conversation.account,
                conversation_id=conversation.id,
                unit_id=unit,
                paths=paths,
                filer=reading.engine,
            )
            for unit, paths in reading.paths.items()
            if unit in kept
        ),
    )
