"""The offline engine: a conversation to units, deterministic and without a model.

message -> segments     segments.refine_segments    whose words are they
        -> candidates   reader.Reader               blocks, sentences, clauses, what they show, what is noise
        -> answers      replies                     which proposal does a short reply take up
        -> categories   categories.categorise       one table of rules
        -> texts        fit.fit, render.render      fifteen words, in the third person
        -> units        _unit                       evidence, context, id
conversation            repeats.collapse            one unit, many pieces of evidence
                        grounding.grounded          what is not in the text does not exist
                        reversals.reversals         a later decision supersedes the one that it takes back
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from extract.candidates import SPEAKERS, Candidate, Proposal, Turn, content_stems
from extract.categories import categorise
from extract.drafts import asks_for_draft
from extract.fit import fit
from extract.grounding import grounded
from extract.jest import in_earnest
from extract.languages.lexicon import Language, Sign
from extract.languages.registry import DEFAULT
from extract.reader import Reader
from extract.repeats import collapse
from extract.replies import answered, names_proposal, split_answers
from extract.reversals import reversals
from extract.segments import refine_segments
from extract.tokens import tokenize
from extract.topics import phrases_of, topics, weight
from extract.wholes import lacking
from schemas.conversation import Conversation, Message, Origin, Segment
from schemas.fallback import Fallback
from schemas.ids import unit_id
from schemas.relation import Link
from schemas.unit import Category, Evidence, Speaker, Unit

ENGINE_VERSION = "offline/8"
"""Engine and version, as a unit's `extractor` names it."""

_TITLES = frozenset({"heading", "label", "row label"})
_ANCESTORS = 12
"""Messages looked back on for what a reply answers: an assistant's turn can be many records of an archive."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one conversation yields."""

    units: tuple[Unit, ...]
    segments: Mapping[str, tuple[Segment, ...]]
    """Refined segments by message id."""
    topics: tuple[str, ...]
    dropped: Mapping[str, int]
    """Clauses, titles and runs that became no unit, by reason."""
    links: tuple[Link, ...] = ()
    """What units of the conversation are to one another, such as a reversal to what it takes back."""
    fallbacks: tuple[Fallback, ...] = ()
    """Where this engine spoke in place of one with a language model."""


@dataclass(slots=True)
class _Thread:
    """What is known so far, in the order of the conversation's messages."""

    conversation: Conversation
    messages: dict[str, Message]
    segments: dict[str, tuple[Segment, ...]] = field(default_factory=dict)
    turns: dict[str, Turn] = field(default_factory=dict)
    """What each assistant message said, put forward and asked."""
    languages: dict[str, Language] = field(default_factory=dict)
    """What each message was written in: short answers are read in the language of what they answer."""
    dropped: Counter[str] = field(default_factory=Counter)
    phrases: Counter[str] = field(default_factory=Counter)

    def before(self, message: Message) -> Turn | None:
        """The assistant's turn that the message answers, with the words of the turns before; None if none."""
        turn: Turn | None = None
        earlier: set[str] = set()
        complete = False
        current = message.parent
        for _ in range(_ANCESTORS):
            parent = self.messages.get(current or "")
            if parent is None:
                break
            current = parent.parent
            said = self.turns.get(parent.id)
            if said is None:
                complete = complete or (turn is not None and self._typed(parent))
            elif complete:
                earlier |= said.stems
            else:
                turn = said + turn if turn else said
        return replace(turn, stems=turn.stems | earlier) if turn else None

    def listener(self, message: Message) -> str:
        """Who is spoken to in a chat between two people."""
        owner = self.conversation.owner
        if owner is None:
            return ""
        others = dict.fromkeys(m.author for m in self.conversation.messages if m.author and m.author != owner)
        if len(others) != 1:
            return ""
        return next(iter(others), "") or "" if message.author in (owner, None) else owner

    def _typed(self, message: Message) -> bool:
        return any(segment.origin is Origin.TYPED for segment in self.segments.get(message.id, ()))


def extract_units(conversation: Conversation) -> Extraction:
    """Every unit of the conversation, off-branch messages included, in the order of its messages."""
    thread = _Thread(conversation, {message.id: message for message in conversation.messages})
    units: list[Unit] = []
    for message in conversation.messages:
        thread.segments[message.id] = refine_segments(message, conversation)
        if message.hidden:
            thread.dropped["hidden message"] += 1
            continue
        units.extend(_units_of(message, thread))
    kept: dict[str, Unit] = {}
    for unit in collapse(units):
        reason = grounded(unit, thread.messages) or ("said already" if unit.id in kept else "")
        if reason:
            thread.dropped[reason] += 1
        else:
            kept[unit.id] = unit
    return Extraction(
        units=tuple(kept.values()),
        segments=thread.segments,
        topics=topics(conversation.title, thread.phrases),
        dropped=dict(sorted(thread.dropped.items())),
        links=reversals(tuple(kept.values()), thread.messages),
    )


def _units_of(message: Message, thread: _Thread) -> Iterator[Unit]:
    typed = any(segment.origin is Origin.TYPED for segment in thread.segments[message.id])
    turn = thread.before(message) if typed else None
    listener = thread.listener(message)
    asked = thread.messages.get(message.parent or "")
    ordered = not typed and asked is not None and asked.role == "user" and asks_for_draft(asked.text)
    for segment in thread.segments[message.id]:
        if segment.origin not in SPEAKERS:
            thread.dropped[segment.origin.value] += 1
            continue
        if segment.origin is Origin.ASSISTANT:
            thread.turns.setdefault(message.id, Turn())
        language = thread.languages.get(message.id) or thread.languages.get(message.parent or "") or DEFAULT
        reader = Reader(message, segment, turn, language, listener, ordered=ordered)
        for candidate in in_earnest(reader.candidates()):
            yield from _units_from(candidate, turn, thread)


def _units_from(candidate: Candidate, turn: Turn | None, thread: _Thread) -> Iterator[Unit]:
    message = candidate.message
    thread.languages[message.id] = candidate.language
    if candidate.noise in _TITLES and candidate.speaker is Speaker.ASSISTANT:
        thread.turns[message.id].titles |= _stems(candidate)
    if candidate.noise:
        thread.dropped[candidate.noise] += 1
        return
    for phrase in phrases_of(candidate):
        thread.phrases[phrase] += weight(candidate)
    for answer in _answers(candidate, turn):
        yield from _drafted(answer, thread)


def _answers(candidate: Candidate, turn: Turn | None) -> list[Candidate]:
    """The candidate, split where it answers several proposals, each with those it certainly answers."""
    if turn is None or not turn.proposals or candidate.speaker is not Speaker.OWNER:
        return [candidate]
    if names_proposal(candidate, turn.proposals):
        candidate = replace(candidate, signs=candidate.signs | Sign.NAMES)
    found = []
    for part in split_answers(candidate, turn.proposals):
        chosen, refers = answered(part, turn.proposals)
        found.append(replace(part, answers=chosen, refers=refers))
    return found


def _drafted(candidate: Candidate, thread: _Thread) -> Iterator[Unit]:
    category, _ = categorise(candidate.signs, candidate.speaker)
    if category is Category.DECISION and _is_sum(candidate):
        category = Category.FACT
    parts = list(fit(candidate, category))
    reasons = [lacking(part, category, text, part=whole is not None) for part, text, whole in parts]
    if candidate.speaker is Speaker.OWNER and len(parts) > 1 and all(reasons):
        reasons[0] = ""  # something is left of whatever the owner said
    if candidate.speaker is Speaker.ASSISTANT:
        _remember(candidate, category, parts[0][1], thread.turns[candidate.message.id])
    for number, (part, text, whole) in enumerate(parts):
        if reasons[number]:
            thread.dropped[reasons[number]] += 1
            continue
        if number == 0:
            part = _with_label(part, text)
        yield _unit(thread, _over_dropped(part, parts, reasons, number), category, text, whole)


_SUM = re.compile(
    r"[^\W\d][^\n\d?!]{0,40}?[\s:]*"
    r"(?:[£$€¥₦]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[£$€¥₦]|eur|usd|gbp|ngn))\W*",
    re.IGNORECASE,
)
_SETTLES = (
    Sign.ASSENTS | Sign.ACCEPT | Sign.TAKES_UP | Sign.COMMIT | Sign.REJECT | Sign.CONCLUDES | Sign.DIRECTIVE
)


def _is_sum(candidate: Candidate) -> bool:
    """Whether a clause only says what something costs: `Insurance £418` in an account settles nothing."""
    if candidate.signs & _SETTLES or candidate.clause.finite:
        return False
    return _SUM.fullmatch(candidate.quote) is not None


def _over_dropped(
    part: Candidate,
    parts: Sequence[tuple[Candidate, str, tuple[int, int] | None]],
    reasons: Sequence[str],
    number: int,
) -> Candidate:
    """A part of a clause, its quote widened over the parts beside it that are no units: before it up to the
    start, and behind it up to the next unit. What holds a number of its own is left out."""
    first = last = number
    if not any(not reason for reason in reasons[:number]):
        while first and not _numbered(parts[first - 1][0]):
            first -= 1
    while last + 1 < len(parts) and reasons[last + 1] and not _numbered(parts[last + 1][0]):
        last += 1
    if first == last:
        return part
    return replace(part, start=min(part.start, parts[first][0].start), end=max(part.end, parts[last][0].end))


def _numbered(candidate: Candidate) -> bool:
    return any(character.isdigit() for character in candidate.quote)


def _stems(candidate: Candidate) -> frozenset[str]:
    text = candidate.quote
    tokens = tokenize(text)
    return content_stems(tokens, [candidate.language.tag(token.low) for token in tokens])


def _with_label(candidate: Candidate, text: str) -> Candidate:
    """The candidate's span opened to the label before it, if its text holds that label."""
    lead = candidate.lead
    if (
        lead is None
        or not lead.adjoins
        or lead.start > candidate.start
        or lead.text.lower() not in text.lower()
    ):
        return candidate
    return replace(candidate, start=lead.start)


def _remember(candidate: Candidate, category: Category, text: str, turn: Turn) -> None:
    stems = content_stems(candidate.clause.tokens, candidate.clause.tags)
    turn.stems |= stems
    turn.asked = category is Category.OPEN_QUESTION
    if category is Category.IDEA:
        turn.proposals.append(_proposal(candidate, stems, text))


def _proposal(candidate: Candidate, stems: frozenset[str], text: str) -> Proposal:
    """The proposal as an acceptance names it: without the label that it stands under."""
    flat = candidate.block.flat
    item = candidate.start - flat.source(candidate.clause.tokens[0].start) + flat.source(0)
    label = f"{candidate.lead.text}: " if candidate.lead else ""
    if label and text.lower().startswith(label.lower()):
        text = text[len(label) :]
    return Proposal(candidate.marker, item, stems, text, candidate.message.id, candidate.start, candidate.end)


def _unit(
    thread: _Thread, candidate: Candidate, category: Category, text: str, whole: tuple[int, int] | None
) -> Unit:
    message, conversation = candidate.message, thread.conversation
    evidence = _evidence(message, candidate.start, candidate.end)
    spans = [whole] if whole else []
    if candidate.lead is not None:
        spans += [(candidate.lead.start, candidate.lead.end), *candidate.lead.others]
    if candidate.left is not None:
        spans.append((candidate.left.start, candidate.left.end))
    own = (candidate.start, candidate.end)
    context = [_evidence(message, start, end) for start, end in dict.fromkeys(spans) if (start, end) != own]
    if category is Category.DECISION:
        context += [_evidence(thread.messages[p.message_id], p.start, p.end) for p in candidate.answers]
    return Unit(
        id=unit_id(message.id, candidate.start, candidate.end, text),
        account=conversation.account,
        conversation_id=conversation.id,
        category=category,
        text=text,
        speaker=candidate.speaker,
        speaker_name=message.author if candidate.speaker is Speaker.OTHER else None,
        evidence=(evidence,),
        context=tuple(context),
        said_at=message.created_at,
        active_branch=message.id in conversation.active_ids,
        extractor=ENGINE_VERSION,
    )


def _evidence(message: Message, start: int, end: int) -> Evidence:
    return Evidence(
        message_id=message.id,
        start=start,
        end=end,
        quote=message.text[start:end],
        text_hash=message.text_hash,
    )
