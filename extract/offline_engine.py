"""The engine `offline`: a conversation to units, read by a small model and worded by their own words.

segments    whose words a run of a message is                       (segments.refine_segments)
readings    the spans that say one thing each, and what they are    (reader.small_reader)
wording     the span or its sentence, in the third person           (reader.note_wording)
units       evidence, context, id                                   (_Home)
repeats     one unit, many pieces of evidence                       (repeats.collapse)
grounding   what is not in the text does not exist                  (grounding.grounded)
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from chunking.language import ENGLISH, language_of
from extract.grounding import Ground, grounded
from extract.reader.antecedents import TakenUp
from extract.reader.calibration import estimate, features
from extract.reader.note_wording import behind, cleaned, fits, leans, shortened, without, worded
from extract.reader.sentence_places import Sentences
from extract.reader.small_reader import STANDS_ALONE, SmallReader, SpanReading, load_reader
from extract.reader.talk_windows import CONTEXT_CHARACTERS
from extract.repeats import collapse
from extract.segments import SPEAKERS, refine_segments
from schemas.conversation import Conversation, Message, Origin, Segment
from schemas.fallback import Fallback
from schemas.ids import unit_id
from schemas.relation import Link
from schemas.semantic_path import NamedPaths
from schemas.unit import Category, Evidence, Speaker, Unit

ENGINE_VERSION = "offline/18"
"""Engine and version, as a unit's `extractor` names it where the reader that is shipped read."""

_ROLES = {
    Speaker.OWNER: "user",
    Speaker.ASSISTANT: "assistant",
    Speaker.OTHER: "other",
    Speaker.SOURCE: "source",
}
"""Speakers as the reader was taught them."""

DECIDES = 0.5
"""The chance of being a decision, among the categories, below which a span is its second likeliest one:
of such decisions on talk held out one in three is right, and what is told as decided is taken for binding."""

_AROUND = 600
"""Characters of a sentence on each side of a span that are its context. A longer sentence is a list or a
paste, and each of its notes would hold all of it again."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one conversation yields."""

    units: tuple[Unit, ...]
    segments: Mapping[str, tuple[Segment, ...]]
    """Refined segments by message id."""
    topics: tuple[str, ...]
    dropped: Mapping[str, int]
    """Runs that became no unit, by reason."""
    links: tuple[Link, ...] = ()
    """What units of the conversation are to one another, such as a reversal to what it takes back."""
    fallbacks: tuple[Fallback, ...] = ()
    """Where this engine spoke in place of one with a language model."""
    paths: tuple[NamedPaths, ...] = ()
    """Where units belong, as a language model said beside them."""


def version_with(reader: SmallReader) -> str:
    """Engine and version with this reader: one that a vault taught is named behind a `+`."""
    _, taught, name = reader.version.partition("+")
    return f"{ENGINE_VERSION}{taught}{name}"


def extract_units(conversation: Conversation, reader: SmallReader | None = None) -> Extraction:
    """Every unit of the conversation, off-branch messages included, in the order of its messages."""
    home = _Home(conversation, reader or load_reader())
    # the encoder leaves the interpreter free: messages are read side by side, the longest first, so that
    # none is left to one core at the end
    longest = sorted(conversation.messages, key=lambda one: -len(one.text))
    with ThreadPoolExecutor(_cores()) as pool:
        read = {one.id: pool.submit(home.read, one) for one in longest}
        found = [read[one.id].result() for one in conversation.messages]
    dropped: Counter[str] = Counter()
    for one in found:
        dropped += one.dropped
    kept: dict[str, Unit] = {}
    ground = Ground(conversation.messages)
    for unit in collapse([unit for one in found for unit in one.units]):
        reason = grounded(unit, ground) or ("said already" if unit.id in kept else "")
        if reason:
            dropped[reason] += 1
        else:
            kept[unit.id] = unit
    return Extraction(
        units=tuple(kept.values()),
        segments={
            message.id: one.segments for message, one in zip(conversation.messages, found, strict=True)
        },
        topics=(conversation.title.strip(),) if conversation.title and conversation.title.strip() else (),
        dropped=dict(sorted(dropped.items())),
    )


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(slots=True)
class _Read:
    """What was read in one message."""

    segments: tuple[Segment, ...]
    units: list[Unit] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Run:
    """A run of talk as the reader is given it."""

    segment: Segment
    text: str
    speaker: Speaker
    before: str
    """The end of what was said right before."""

    @property
    def role(self) -> str:
        """The speaker as the reader was taught it."""
        return _ROLES[self.speaker]


def runs_of(message: Message, segments: Iterable[Segment], heard: str) -> Iterator[Run]:
    """The runs of a message that are anybody's talk. `heard` stood before the message (`heard_of`)."""
    before = heard
    for segment in segments:
        speaker = SPEAKERS.get(segment.origin)
        if speaker is not None:
            text = message.text[segment.start : segment.end]
            yield Run(segment, text, speaker, before)
            before = f"{before}\n{text}"[-CONTEXT_CHARACTERS:]


class _Home:
    """The conversation whose messages are read, one independent of another."""

    def __init__(self, conversation: Conversation, reader: SmallReader) -> None:
        self.conversation, self.reader, self._version = conversation, reader, version_with(reader)
        self._heard = heard_of(conversation.messages)
        self._messages = {message.id: message for message in conversation.messages}
        spoken = "\n".join(message.text for message in conversation.messages if not message.hidden)
        self._language = language_of(spoken)

    def read(self, message: Message) -> _Read:
        found = _Read(refine_segments(message, self.conversation))
        if message.hidden:
            found.dropped["hidden message"] += 1
            return found
        found.dropped.update(one.origin.value for one in found.segments if one.origin not in SPEAKERS)
        for run in runs_of(message, found.segments, self._heard.get(message.parent or "", "")):
            for unit in self._units_of_run(message, run):
                if unit is None:
                    found.dropped["no words"] += 1
                else:
                    found.units.append(unit)
        return found

    def _units_of_run(self, message: Message, run: Run) -> Iterator[Unit | None]:
        """The units of one run of talk; None for a span without words."""
        text, speaker, segment = run.text, run.speaker, run.segment
        english = language_of(text, self._language) == ENGLISH
        found = list(self.reader.read(text, run.role, run.before))
        taken: set[tuple[int, int]] = set()
        for reading, home in zip(found, _homes(text, found), strict=True):
            if not cleaned(text[reading.start : reading.end]):
                yield None
                continue
            category = category_of(reading, speaker, segment.origin)
            wording = _Wording(text, speaker, category, english, reading.likeliest("actor") == "owner")
            told, taken_from, whole = wording.of(reading, taken)
            taken.add((taken_from.start, taken_from.end))
            told, named = self._named(message, run, told, taken_from, reading.taken_up)
            home = (min(home[0], taken_from.start), max(home[1], taken_from.end))
            unit = self._unit(message, segment.start, reading, home, category, told, speaker)
            seen = features(taken_from, reading, speaker, told, whole=whole, named=named is not None)
            found_good = estimate(self.reader.good, seen, reading, whole=whole)
            context = (*unit.context, named) if named else unit.context
            yield unit.model_copy(update={"estimate": found_good, "context": context})

    def _named(
        self, message: Message, run: Run, told: str, taken_from: SpanReading, taken_up: TakenUp | None
    ) -> tuple[str, Evidence | None]:
        """A note behind the words that it takes up, with where these were said; else the note as it is."""
        if taken_up is None or taken_up.chance < self.reader.named:
            return told, None
        quote = run.text[taken_from.start : taken_from.end]
        named = behind(taken_up.words, told, quote) if leans(quote) else ""
        place = self._place_of(taken_up, message, run.segment.start) if named else None
        return (named, place) if place else (told, None)

    def _place_of(self, taken_up: TakenUp, message: Message, offset: int) -> Evidence | None:
        """Where words that stand before a run of talk were said: in its message, or in the one it answers."""
        if taken_up.own:
            return _evidence(message, offset + taken_up.start, offset + taken_up.end)
        words = taken_up.words
        for home, end in ((message, offset), (self._answered(message), None)):
            start = home.text.rfind(words, 0, end) if home else -1
            if home and start >= 0:
                return _evidence(home, start, start + len(words))
        return None

    def _answered(self, message: Message) -> Message | None:
        """The nearest message above that says something."""
        above = self._messages.get(message.parent or "")
        while above and is_silent(above):
            above = self._messages.get(above.parent or "")
        return above

    def _unit(
        self,
        message: Message,
        offset: int,
        reading: SpanReading,
        home: tuple[int, int],
        category: Category,
        told: str,
        speaker: Speaker,
    ) -> Unit:
        start, end = offset + reading.start, offset + reading.end
        around = (offset + min(home[0], reading.start), offset + max(home[1], reading.end))
        return Unit(
            id=unit_id(message.id, start, end, told),
            account=self.conversation.account,
            conversation_id=self.conversation.id,
            category=category,
            text=told,
            speaker=speaker,
            speaker_name=message.author if speaker is Speaker.OTHER else None,
            evidence=(_evidence(message, start, end),),
            context=(_evidence(message, *around),) if around != (start, end) else (),
            said_at=message.created_at,
            active_branch=message.id in self.conversation.active_ids,
            extractor=self._version,
        )


@dataclass(frozen=True, slots=True)
class _Wording:
    """How the spans of a run of talk are told."""

    text: str
    speaker: Speaker
    category: Category
    english: bool
    of_owner: bool

    def of(self, reading: SpanReading, taken: Set[tuple[int, int]]) -> tuple[str, SpanReading, bool]:
        """A note's words, the reading of what they were taken from, and whether nothing was cut off.

        A span that stands alone is told by itself, else by the shortest stretch around it that does, or by
        the one likeliest to, where that is a note's length and no other note's (`taken`). What is too long is
        told without what it can spare, else cut.
        """
        told = self._worded(self.text[reading.start : reading.end])
        if reading.chance("alone", "y") < STANDS_ALONE:
            best = reading
            for one in reading.wider:
                if (one.start, one.end) in taken or not fits(self._worded(self.text[one.start : one.end])):
                    continue
                if one.chance("alone", "y") > best.chance("alone", "y"):
                    best = one
                if best.chance("alone", "y") >= STANDS_ALONE:
                    break
            if best is not reading:
                return self._worded(self.text[best.start : best.end]), best, True
        if fits(told):
            return told, reading, True
        briefer = self._worded(without(self.text, reading.start, reading.end, reading.spare))
        return (briefer, reading, True) if fits(briefer) else (shortened(told), reading, False)

    def _worded(self, quote: str) -> str:
        return worded(quote, self.speaker, self.category, english=self.english, of_owner=self.of_owner)


def category_of(reading: SpanReading, speaker: Speaker, origin: Origin) -> Category:
    """The likeliest category that the speaker can have: only the owner's typed words decide, where the
    reader is sure enough of it (`DECIDES`)."""
    own = speaker is Speaker.OWNER and origin is Origin.TYPED
    own = own and reading.chance("category", Category.DECISION.value) >= DECIDES
    allowed = [one for one in Category if own or one is not Category.DECISION]
    return max(allowed, key=lambda one: reading.chance("category", one.value))


def heard_of(messages: Iterable[Message]) -> dict[str, str]:
    """The end of what one hears before answering a message, by its id: its own text, or, where it says
    nothing, that of the nearest message above that says something. Parents come before children."""
    heard: dict[str, str] = {}
    for message in messages:
        heard[message.id] = (
            heard.get(message.parent or "", "") if is_silent(message) else message.text[-CONTEXT_CHARACTERS:]
        )
    return heard


def is_silent(message: Message) -> bool:
    """Whether nobody hears the message."""
    return message.hidden or not message.text.strip()


def _homes(text: str, found: Sequence[SpanReading]) -> list[tuple[int, int]]:
    """The sentence in which each reading begins, up to the end of the one in which it ends; of long ones,
    what is near."""
    cut = Sentences(text) if found else None
    homes = []
    for reading in found:
        start, end = reading.start, reading.end
        held = cut.under(start, end) if cut else None
        if cut and held:
            start, end = cut.starts[held[0]], cut.ends[held[1]]
        homes.append((_near_start(text, start, reading.start), _near_end(text, reading.end, end)))
    return homes


def _near_start(text: str, first: int, start: int) -> int:
    """`first`, or a word's beginning nearer to `start`."""
    if start - first <= _AROUND:
        return first
    blank = text.find(" ", start - _AROUND, start)
    return blank + 1 if blank >= 0 else start - _AROUND


def _near_end(text: str, end: int, last: int) -> int:
    """`last`, or a word's end nearer to `end`."""
    if last - end <= _AROUND:
        return last
    blank = text.rfind(" ", end, end + _AROUND)
    return blank if blank >= 0 else end + _AROUND


def _evidence(message: Message, start: int, end: int) -> Evidence:
    return Evidence(
        message_id=message.id,
        start=start,
        end=end,
        quote=message.text[start:end],
        text_hash=message.text_hash,
    )
