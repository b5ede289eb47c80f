"""The engines that ask a language model: units that it wrote and code grounded.

Whatever the model does not deliver, or delivers wrongly, the offline engine does: a window whose answer is
refused, cut off or not in its form; a sentence whose note did not hold; a sentence passed over. Such units
say so in their `extractor`, and the places are listed as fallbacks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from chunking.closed_classes import hedges
from chunking.language import language_of
from extract.engine import Charted, Placement, Retelling, by_rules
from extract.grounding import Ground, grounded
from extract.model.answers import VERBATIM, Claim, read_claim
from extract.model.asking import Replies
from extract.model.faithful import unfaithful
from extract.model.maps import PROMPT as MAP_PROMPT
from extract.model.maps import MapAnswer, charted, map_question
from extract.model.numbering import Sentence, Sheet, numbered_sheet
from extract.model.prefixes import PROMPT as PREFIX_PROMPT
from extract.model.prefixes import prefix_question, prefix_windows, prefixes_that_hold
from extract.model.questions import REACH
from extract.model.quotes import anchored_span
from extract.model.summaries import PROMPT as SUMMARY_PROMPT
from extract.model.summaries import retold
from extract.model.windows import PROMPT, Window, WindowAnswer, cut_windows, window_question
from extract.offline import ENGINE_VERSION as OFFLINE_VERSION
from extract.offline import Extraction, extract_units
from extract.repeats import collapse
from extract.summary import SUMMARY_VERSION, summarise
from extract.thread_map import ThreadNotes, thread_map
from inference.language_model import Question, Reach, Reply
from schemas.chunk import Chunk
from schemas.conversation import Conversation
from schemas.fallback import Fallback
from schemas.ids import unit_id
from schemas.unit import Category, Evidence, Speaker, Unit

VERSION = 1
"""Raise it when the same answer can come to other units."""

_BAD_SHARE = 0.5
"""A window most of whose notes do not hold was not read: all of it falls back."""
_EMPTY_SHARE = 0.7
"""A window of some length most of which is called empty was not read either."""
_SOME_LENGTH = 6
_PEOPLE = (Speaker.OWNER, Speaker.OTHER)
_DOUBTABLE = (Category.FACT, Category.DECISION, Category.ACTION_ITEM, Category.CONSTRAINT)

_MARKS = re.compile(r"\*\*|__|`|^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+|\|")
_PERSONAL = re.compile(
    r"\b(?:i|i['’]\w+|me|my|mine|myself|we|we['’]\w+|us|our|ours|you|you['’]\w+|your|yours"
    r"|ich|mir|mich|mein\w*|wir|uns|unser\w*|du|dir|dich|dein\w*|yo|mi|mis|nosotr\w+|nuestr\w+|tú|tu|tus"
    r"|je|j['’]\w+|moi|mon|ma|mes|nous|notre|nos|vous|votre|vos|toi|ton|ta|tes)\b",
    re.IGNORECASE,
)
"""Words that mean somebody else once they stand in a note."""


@dataclass(slots=True)
class _Reading:
    """What came of one conversation so far."""

    sheet: Sheet
    engine: str
    ground: Ground
    units: list[Unit] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    fallbacks: list[Fallback] = field(default_factory=list)
    offline: dict[int, Sentence] = field(default_factory=dict)
    """Sentences that the offline engine is to read."""

    def fall_back(self, sentences: Sequence[Sentence], reason: str, key: str, *, whole: bool) -> None:
        home = self.sheet.conversation
        self.offline.update((sentence.number, sentence) for sentence in sentences)
        self.fallbacks.append(
            Fallback(
                account=home.account,
                conversation_id=home.id,
                engine=self.engine,
                key=key,
                reason=reason,
                sentences=len(sentences),
                whole=whole,
            )
        )


class ModelEngine:
    """Extracts with a model. `replies` asks it, or gives what it said before."""

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
        self._reach = reach
        self.extractor = f"{engine}/{VERSION} {named} {PROMPT.name}"
        """As a unit's `extractor` names it."""
        # other windows can come to other units
        shown = "" if reach == REACH else f" in windows of {reach.detail} and {reach.gist} tokens"
        self._identity = f"{engine}/{VERSION} {named} {PROMPT.identity}{shown} beside {OFFLINE_VERSION}"
        placed = f"{engine}/{VERSION} {named} {PREFIX_PROMPT.identity}{shown}"
        self.prefix_version = placed if contextual_prefix else ""
        self._teller = f"{engine}/{VERSION} {named} {SUMMARY_PROMPT.name}"
        self._cartographer = f"{engine}/{VERSION} {named} {MAP_PROMPT.name}"
        told = f"{engine}/{VERSION} {named} {SUMMARY_PROMPT.identity}{shown} beside {SUMMARY_VERSION}"
        self.summary_version = told if summaries else SUMMARY_VERSION
        self._replies = replies

    @property
    def version(self) -> str:
        """Engine, model, prompt with its hash, and the offline engine that it falls back to."""
        return self._identity

    def extract(self, conversation: Conversation) -> Extraction:
        """See `Engine.extract`."""
        sheet = numbered_sheet(conversation)
        reading = _Reading(sheet, self.extractor, Ground(conversation.messages))
        long = [sentence for sentence in sheet.sentences if not sentence.fits]
        if long:
            reading.fall_back(long, "too long for a prompt", "", whole=False)
        windows = cut_windows(sheet, self._reach.detail)
        replies = self._replies([window_question(window) for window in windows])
        for window, reply in zip(windows, replies, strict=True):
            self._read(window, reply, reading)
        return _whole(reading)

    def place(self, conversation: Conversation, chunks: Sequence[Chunk]) -> Placement:
        """See `Engine.place`. A chunk whose prefix does not hold stays without."""
        if not self.prefix_version:
            return Placement(chunks)
        windows = prefix_windows(conversation, chunks, self._reach.detail)
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
        return retold(conversation, units, self._teller, self._replies, self._reach.gist)

    def map_questions(self, threads: Sequence[ThreadNotes]) -> list[Question[MapAnswer]]:
        """What `chart` has to know, of those threads that a model is asked about."""
        if by_rules(self.summary_version):
            return []
        return [question for notes in threads if (question := map_question(notes, self._reach.gist))]

    def chart(self, threads: Sequence[ThreadNotes]) -> list[Charted]:
        """See `Engine.chart`."""
        return [self._charted(notes) for notes in threads]

    def _charted(self, notes: ThreadNotes) -> Charted:
        questions = self.map_questions([notes])
        if not questions:
            return Charted(thread_map(notes))
        (reply,) = self._replies(questions)
        return charted(notes, reply, self._cartographer, self._reach.gist)

    def _read(self, window: Window, reply: Reply[WindowAnswer], reading: _Reading) -> None:
        """Judge one window's answer and take what holds."""
        if reply.value is None:
            reading.fall_back(window.own, reply.problem, reply.key, whole=True)
            return
        shown = {sentence.number: sentence for sentence in (*window.before, *window.own)}
        own = {sentence.number for sentence in window.own}
        units: list[Unit] = []
        reasons: Counter[str] = Counter()
        said, failed = set[int](), set[int]()
        for line in reply.value.units:
            claim = read_claim(line)
            problem = _misplaced(claim, shown, own)
            unit = None
            if claim is not None and not problem:
                unit, problem = self._unit(claim, shown, reading)
            if unit is not None and claim is not None:
                units.append(unit)
                said.update(claim.cited, claim.context)
                continue
            reasons[problem] += 1
            if claim is not None:
                failed.update(own & set(claim.cited))
        reading.dropped.update(reasons)
        bad = sum(reasons.values())
        duty = {sentence.number for sentence in window.own if not sentence.titled}
        empty = duty & set(reply.value.empty) - said
        if bad > _BAD_SHARE * (bad + len(units)):
            reading.fall_back(window.own, "most of its notes do not hold", reply.key, whole=True)
        elif len(duty) >= _SOME_LENGTH and len(empty) > _EMPTY_SHARE * len(duty):
            reading.fall_back(window.own, "most of it is called empty", reply.key, whole=True)
        else:
            reading.units.extend(units)
            failed -= said
            passed_over = duty - said - empty - failed
            if failed:
                held = [shown[number] for number in sorted(failed)]
                reading.fall_back(held, "notes that do not hold", reply.key, whole=False)
            if passed_over:
                held = [shown[number] for number in sorted(passed_over)]
                reading.fall_back(held, "sentences passed over", reply.key, whole=False)

    def _unit(
        self, claim: Claim, shown: Mapping[int, Sentence], reading: _Reading
    ) -> tuple[Unit | None, str]:
        """The unit of a claim, or why there is none."""
        conversation = reading.sheet.conversation
        first = shown[claim.cited[0]]
        span = anchored_span(first.message.text, first.start, first.end, claim.anchor)
        if span is None:
            return None, "an anchor that is not in its sentence"
        again = [shown[number] for number in claim.cited[1:]]
        same = [
            one for one in again if (one.speaker, one.message.author) == (first.speaker, first.message.author)
        ]
        others = [one for one in again if one not in same] + [shown[number] for number in claim.context]
        evidence = [_evidence(first, *span), *(_evidence(one, one.start, one.end) for one in same)]
        context = [_evidence(one, one.start, one.end) for one in others]
        if span != (first.start, first.end):
            context.append(_evidence(first, first.start, first.end))
        quote = evidence[0].quote
        language = language_of(first.quote)
        category = _category(claim.category, first.speaker, doubted=hedges(quote))
        said = claim.text
        if said == VERBATIM:
            said = _plain(quote)
            if _PERSONAL.search(said):
                return None, "words that only their speaker can say"
        text = _finished(said, category, unspaced=language in ("ja", "zh"))
        cited = "\n".join(item.quote for item in (*evidence, *context))
        known = f"{cited}\n{first.message.author or ''}\n{conversation.owner or ''}"
        reason = unfaithful(text, quote, known, category, language)
        if reason:
            return None, reason
        unit = Unit(
            id=unit_id(first.message.id, *span, text),
            account=conversation.account,
            conversation_id=conversation.id,
            category=category,
            text=text,
            speaker=first.speaker,
            speaker_name=first.message.author if first.speaker is Speaker.OTHER else None,
            evidence=tuple(evidence),
            context=tuple(context),
            said_at=first.message.created_at,
            active_branch=first.message.id in conversation.active_ids,
            extractor=self.extractor,
        )
        reason = grounded(unit, reading.ground)
        return (None, reason) if reason else (unit, "")


def _misplaced(claim: Claim | None, shown: Mapping[int, Sentence], own: set[int]) -> str:
    """Why a claim is not one on this window, or ""."""
    if claim is None:
        return "a line that is no note"
    if any(number not in shown for number in (*claim.cited, *claim.context)):
        return "a sentence that was not shown"
    return "" if claim.cited[0] in own else "a sentence of another window"


def _category(claimed: Category, speaker: Speaker, *, doubted: bool) -> Category:
    """The category by the rules that hold whatever a model says.

    A decision is the owner's: from the assistant it is an idea, from others a statement. What a person doubts
    is provisional.
    """
    if claimed is Category.DECISION and speaker is not Speaker.OWNER:
        return Category.IDEA if speaker is Speaker.ASSISTANT else Category.FACT
    if claimed is Category.PROVISIONAL and speaker not in _PEOPLE:
        return Category.IDEA
    if doubted and claimed in _DOUBTABLE and speaker in _PEOPLE:
        return Category.PROVISIONAL
    return claimed


def _plain(quote: str) -> str:
    """The words of a quote without Markdown, as a note: on one line, its first letter large."""
    bare = " ".join(_MARKS.sub(" ", quote).split())
    return bare[:1].upper() + bare[1:]


def _finished(text: str, category: Category, *, unspaced: bool) -> str:
    """The text with the closing mark of its category, and no Markdown around it."""
    bare = text.strip().strip("*_`").rstrip()
    if category is Category.OPEN_QUESTION:
        bare = bare.rstrip(".。")
        return bare if bare.endswith(("?", "？")) else bare + ("？" if unspaced else "?")
    return bare if bare.endswith((".", "!", "?", "。", "！", "？")) else bare + ("。" if unspaced else ".")


def _evidence(sentence: Sentence, start: int, end: int) -> Evidence:
    message = sentence.message
    return Evidence(
        message_id=message.id,
        start=start,
        end=end,
        quote=message.text[start:end],
        text_hash=message.text_hash,
    )


def _whole(reading: _Reading) -> Extraction:
    """The windows' units and the offline engine's together, in the order of the messages."""
    conversation = reading.sheet.conversation
    if reading.offline:
        offline = extract_units(conversation)
        mark = f"{OFFLINE_VERSION} in place of {reading.engine}"
        spans = _Spans(reading.offline.values())
        reading.units.extend(
            unit.model_copy(update={"extractor": mark})
            for unit in offline.units
            if spans.hold(unit.evidence[0])
        )
    order = {message.id: place for place, message in enumerate(conversation.messages)}
    placed = sorted(
        reading.units, key=lambda unit: (order[unit.evidence[0].message_id], unit.evidence[0].start)
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
    )


class _Spans:
    """Places of sentences, to tell whether a quote begins in one of them."""

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        self._starts: dict[str, list[tuple[int, int]]] = {}
        for sentence in sentences:
            self._starts.setdefault(sentence.message.id, []).append((sentence.start, sentence.end))
        for places in self._starts.values():
            places.sort()

    def hold(self, evidence: Evidence) -> bool:
        places = self._starts.get(evidence.message_id, [])
        index = bisect_right(places, (evidence.start, 1 << 60)) - 1
        return index >= 0 and evidence.start < places[index][1]
