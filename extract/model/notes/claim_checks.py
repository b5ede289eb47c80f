"""A window's answer judged: the units that hold, and of what does not, why and where.

reply -> claims -> spans -> units, each held against its sentence (`faithful`) and its text (`grounding`)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from chunking.closed_classes import APPROXIMATES, hedges
from chunking.language import language_of
from extract.faithful.clauses import languages_of
from extract.faithful.exchanged_subjects import speech_around
from extract.faithful.unsupported import COMPARED, META, SourcePassage, taken_out, unfaithful
from extract.faithful.word_cues import DECIDES, cue
from extract.grounding import STRANGE_NAME, STRANGE_NUMBER, Ground, grounded
from extract.model.notes.claims import VERBATIM, ModelClaim, head_of, read_claim
from extract.model.notes.named_paths import paths_by_sentence
from extract.model.notes.note_windows import FiledAnswer, NoteWindow, WindowAnswer
from extract.model.notes.numbering import Sentence, Sheet
from extract.model.notes.quotes import anchored_span
from extract.reader.note_wording import worded
from inference.language_model import Reply
from schemas.ids import unit_id
from schemas.unit import PROOFREAD, Category, Evidence, Speaker, Unit

UNREADABLE = "a line that is no note"
LIFTED = COMPARED | {STRANGE_NUMBER, STRANGE_NAME}
"""Doubts of guards that compare words: a second reading may find that the same was said."""


_BAD_SHARE = 0.5
"""A window most of whose notes do not hold was not read: all of it falls back."""
_EMPTY_SHARE = 0.7
"""A window of some length most of which is called empty was not read either."""
_SOME_LENGTH = 6
_FORMLESS = ("cut off", "not the form asked for")
"""Problems of a reply that a shorter question may not have."""
_PEOPLE = (Speaker.OWNER, Speaker.OTHER)
_DOUBTABLE = (Category.FACT, Category.DECISION, Category.ACTION_ITEM, Category.CONSTRAINT)

_PERSONAL = {
    language: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for language, words in {
        "en": r"i|i['’]\w+|me|my|mine|myself|we|we['’]\w+|(?-i:us)|our|ours|ourselves|let['’]s"
        r"|you|you['’]\w+|your|yours|yourself"
        # a short text of another language can pass for English: of theirs, what no English word is
        r"|ich|mir|mich|mein|wir|uns|dich|nosotr\w+|nuestr\w+|j['’]\w+|moi|nous|notre|nos|vous|votre|vos|toi",
        "": r"ich|mir|mich|mein\w*|wir|uns|unser\w*|du|dir|dich|dein\w*|yo|me|te|mi|mis|conmigo|contigo"
        r"|nosotr\w+|nuestr\w+|tú|tu|tus|je|[jmt]['’]\w+|moi|mon|ma|mes|nous|notre|nos|vous|votre|vos|toi|ton"
        r"|ta|tes|io|noi|mio|mia|nostr\w+|eu|meu|minha|ik|mij|mijn|wij|ons|jag|mig|jeg|meg",
    }.items()
}
"""Words that mean somebody else once they stand in a note, in English and elsewhere; closed classes."""


@dataclass(frozen=True, slots=True)
class Place:
    """A run of a message's text, in code points."""

    message_id: str
    start: int
    end: int


@dataclass(slots=True)
class JudgedWindow:
    """What came of a window."""

    window: NoteWindow
    key: str
    """The question's name in the store of answers."""
    units: list[Unit] = field(default_factory=list)
    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Where units belong, by their id, as far as the answer says so."""
    refused: list[Place] = field(default_factory=list)
    """Where notes that do not hold stood."""
    reasons: Counter[str] = field(default_factory=Counter)
    passed_over: tuple[Sentence, ...] = ()
    unread: tuple[Sentence, ...] = ()
    """Sentences that the answer could not be read on."""
    problem: str = ""
    """Why nothing of the answer is taken."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Whose notes are judged, on which conversation."""

    sheet: Sheet
    extractor: str
    language: str
    """Of the conversation, ISO 639-1."""
    ground: Ground


def writer_for(sheet: Sheet, extractor: str) -> Writer:
    """The writer of a conversation's notes."""
    said = "\n".join(sentence.shown for sentence in sheet.sentences[:200] if sentence.fits)
    return Writer(sheet, extractor, language_of(said), Ground(sheet.conversation.messages))


def is_readable(reply: Reply[WindowAnswer]) -> bool:
    """Whether every line of an answer can be read, or asking for less would not help."""
    if reply.value is None:
        return reply.problem not in _FORMLESS
    return all(read_claim(line) for line in reply.value.units)


def judged(
    window: NoteWindow,
    reply: Reply[WindowAnswer],
    writer: Writer,
    proof: Mapping[int, str] | None = None,
) -> JudgedWindow:
    """Judge one window's answer and take what holds.

    `proof` says of lines, by their place, why they are false, "" of true ones: a second reading, which
    takes the place of guards that compare words, where it may (`may_lift`).
    """
    found = JudgedWindow(window, reply.key)
    if reply.value is None:
        found.problem = reply.problem
        found.unread = window.own if reply.problem in _FORMLESS else ()
        return found
    shown = {sentence.number: sentence for sentence in (*window.along, *window.own)}
    said: set[int] = set()
    places = paths_by_sentence(reply.value.paths) if isinstance(reply.value, FiledAnswer) else {}
    for place, line in enumerate(reply.value.units):
        claim = read_claim(line)
        if claim is None:
            found.reasons[UNREADABLE] += 1
        else:
            taken = len(found.units)
            said.update(_taken(claim, shown, found, writer, (proof or {}).get(place)))
            for unit in found.units[taken:]:
                if paths := places.get(claim.cited[0]):
                    found.paths.setdefault(unit.id, paths)
    bad = found.reasons.total() - found.reasons[UNREADABLE]
    duty = {sentence.number for sentence in window.own if not sentence.titled}
    empty = duty & set(reply.value.empty) - said
    if bad > _BAD_SHARE * (bad + len(found.units)):
        found.problem = "most of its notes do not hold"
    elif len(duty) >= _SOME_LENGTH and len(empty) > _EMPTY_SHARE * len(duty):
        found.problem = "most of it is called empty"
    else:
        left = duty - said - empty
        unread = _unread(reply.value.units, left, {sentence.number for sentence in window.own})
        found.unread = tuple(shown[number] for number in sorted(unread))
        found.passed_over = tuple(shown[number] for number in sorted(left - unread))
    return found


def _taken(
    claim: ModelClaim,
    shown: Mapping[int, Sentence],
    found: JudgedWindow,
    writer: Writer,
    proof: str | None,
) -> set[int]:
    """The sentences that a claim speaks for. Its unit is noted, or why and where there is none."""
    own = {sentence.number for sentence in found.window.own}
    problem = _misplaced(claim, shown, own)
    unit = None
    if not problem:
        unit, problem = _unit(claim, shown, writer)
    if unit is not None and proof is not None and (proof or not problem or may_lift(problem, unit)):
        problem = proof
        unit = unit.model_copy(update={"extractor": f"{unit.extractor}{PROOFREAD}"})
    if unit is not None and not problem:
        found.units.append(unit)
        return {*claim.cited, *claim.context}
    found.reasons[problem] += 1
    failed = [shown[number] for number in claim.cited if number in own]
    for place, sentence in enumerate(failed):
        message = sentence.message
        anchor = claim.anchor if place == 0 and sentence.number == claim.cited[0] else ""
        span = anchored_span(message.text, sentence.start, sentence.end, anchor)
        found.refused.append(Place(message.id, *(span or (sentence.start, sentence.end))))
    return {sentence.number for sentence in failed}


def may_lift(doubt: str, unit: Unit) -> bool:
    """Whether a second reading may keep a note that guards doubted. None that decides something: what such a
    note says, the owner is held to, and a conversation can hold words that make a reader say yes."""
    decides = unit.category is Category.DECISION or cue(DECIDES, tuple(DECIDES)).search(unit.text)
    return doubt in LIFTED and not decides and not META.search(unit.text)


def _unread(lines: Iterable[str], left: set[int], own: set[int]) -> set[int]:
    """The sentences that unreadable lines were on: those they begin with, else all that are left."""
    unread: set[int] = set()
    for line in lines:
        if read_claim(line) is None:
            unread.update(own.intersection(head_of(line)) or left)
    return unread


def _unit(claim: ModelClaim, shown: Mapping[int, Sentence], writer: Writer) -> tuple[Unit | None, str]:
    """The unit of a claim, and why it may be false; no unit, and why, where it can be none."""
    first, conversation = shown[claim.cited[0]], writer.sheet.conversation
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
    languages = languages_of(first.quote, writer.language)
    said = claim.text
    if said == VERBATIM:
        said = worded(quote, first.speaker, claim.category, english=languages[0] == "en")
        if not said or _PERSONAL["en" if languages[0] == "en" else ""].search(said):
            return None, "words that only their speaker can say"
    doubted = _doubted(quote, said, binding=claim.category is Category.DECISION)
    category = _category(claim.category, first.speaker, doubted=doubted)
    text = _finished(said, category, unspaced=languages[0] in ("ja", "zh"))
    cited = [" ".join(item.quote.split()) for item in (*evidence, *context)]
    known = (first.message.author, conversation.owner, conversation.title)
    decides = category is Category.DECISION and first.speaker is Speaker.OWNER
    standing = SourcePassage(
        quote, first.quote, "\n".join((*cited, *filter(None, known))), decides=decides, languages=languages,
        speaker=first.speaker, speech=speech_around(first.message.text, first.start, first.end),
        heard="\n".join(sentence.quote for sentence in shown.values()),
    )  # fmt: skip
    doubt = unfaithful(text, standing, category)
    if claim.text == VERBATIM and span != (first.start, first.end):
        doubt = doubt or taken_out(text, first.quote, languages, category)
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
        extractor=writer.extractor,
    )
    # the title twice: what stands there is a name
    titles = (conversation.title or "",) * 2
    names = "\n".join((*titles, *(sentence.quote for sentence in shown.values())))
    reason = grounded(unit, writer.ground, names)
    stands = reason in ("", STRANGE_NUMBER, STRANGE_NAME)
    return (unit if stands else None), doubt or reason


def _misplaced(claim: ModelClaim, shown: Mapping[int, Sentence], own: set[int]) -> str:
    """Why a claim is not one on this window, or ""."""
    if any(number not in shown for number in (*claim.cited, *claim.context)):
        return "a sentence that was not shown"
    return "" if claim.cited[0] in own else "a sentence of another window"


def _doubted(quote: str, text: str, *, binding: bool) -> bool:
    """Whether the words of a note doubt. A rounded number may be told as such; it decides nothing, nor does a
    question."""
    if binding and quote.rstrip().endswith(("?", "？")):
        return True
    if binding or hedges(quote) or not hedges(quote, rounding=True):
        return hedges(quote, rounding=True)
    return not (APPROXIMATES.search(text) or hedges(text, rounding=True))


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
