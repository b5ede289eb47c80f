"""The session summary of the offline engine: a conversation in 200-400 words of its own.

    heading     when it was, what it is called, how long it is
    told        sentences of each side in order, those that a careful reader would keep first
    decided     the owner's decisions that stand
    left open   questions and doubts with which it ended
    to do       the owner's next steps

Every sentence is a quote with its speaker; what the owner took back is neither told nor quoted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence

from extract.retell.retelling import (
    Told,
    each_once,
    first_words,
    is_telling,
    name_of,
    quoted,
    said,
    says_again,
    told_of,
    worth,
)
from schemas.conversation import Conversation, Message, Origin
from schemas.ids import summary_id
from schemas.thread import NOTHING_SAID, SUMMARY_WORDS, SessionSummary
from schemas.unit import Category, Speaker, Unit
from schemas.words import amount, count_words

SUMMARY_VERSION = "offline/9"
"""Engine and version, as a summary's `writer` names it."""

SHORT_SUMMARY = "This is a short summary: little more than this was noted."

_LEAST, _MOST = SUMMARY_WORDS
_FRAME = 4
"""Words that a quote takes beside its own: who says it."""
_TITLE = 20
_DECIDED, _OPEN = 6, 4
"""Decisions, and open matters of each kind, that are told at most."""
_SPOKEN = (Origin.TYPED, Origin.ASSISTANT, Origin.OTHER)


def summarise(
    conversation: Conversation,
    units: Sequence[Unit],
    taken_back: Iterable[Unit] = (),
    superseded: Collection[str] = (),
) -> SessionSummary:
    """The summary of a conversation from its units, in the order in which they were said.

    `superseded` are ids of decisions that do not stand any more. No sentence is quoted in which something
    stands that was `taken_back`; a unit in both was corrected, and is told in the owner's words.
    """
    back = {unit.id: unit for unit in taken_back}
    gone = _spans(back.values())
    own = [unit for unit in units if unit.active_branch and (unit.id in back or not _touches(unit, gone))]
    ending, ended = _ending(conversation, own, superseded)
    heading = heading_of(conversation)
    framed = count_words(f"{heading} {' '.join(ending)}")
    told = _chosen(own, ended, _LEAST - framed, _MOST - framed - count_words(SHORT_SUMMARY))
    paragraphs = [heading, *_paragraphs(told, conversation), *ending]
    short = count_words(" ".join(paragraphs)) < _LEAST
    return SessionSummary(
        id=summary_id(conversation.id),
        account=conversation.account,
        conversation_id=conversation.id,
        text="\n\n".join([SHORT_SUMMARY, *paragraphs] if short else paragraphs),
        short=short,
        unit_ids=tuple(dict.fromkeys(unit.id for unit in (*told, *ended))),
        writer=SUMMARY_VERSION,
    )


def heading_of(conversation: Conversation) -> str:
    """A sentence that says when the conversation was, what it is called and how long it is."""
    spoken = _messages(conversation)
    if not spoken:
        return NOTHING_SAID
    began = conversation.created_at or next((one.created_at for one in spoken if one.created_at), None)
    title = first_words(conversation.title or "", _TITLE)
    parts = [
        f"The conversation “{title}”" if title else "The untitled conversation",
        f"of {began.day} {began:%B %Y}" if began else "of an unknown date",
        f"has {amount(len(spoken), 'message')}.",
    ]
    return " ".join(parts)


def _messages(conversation: Conversation) -> list[Message]:
    """Those in which somebody speaks, in order."""
    return [
        one
        for one in conversation.active_messages()
        if not one.hidden and any(segment.origin in _SPOKEN for segment in one.segments) and one.text.strip()
    ]


_Spans = dict[str, list[tuple[int, int]]]


def _spans(units: Iterable[Unit]) -> _Spans:
    """Where units stand, with what they need to be understood, by message: in order and apart."""
    found: _Spans = {}
    places = {
        (one.message_id, one.start, one.end) for unit in units for one in (*unit.evidence, *unit.context)
    }
    for message, start, end in sorted(places):
        spans = found.setdefault(message, [])
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return found


def _touches(unit: Unit, spans: _Spans) -> bool:
    for one in (*unit.evidence, *unit.context):
        own = spans.get(one.message_id, [])
        at = bisect_right(own, one.start, key=lambda span: span[1])
        if at < len(own) and own[at][0] < one.end:
            return True
    return False


def _chosen(units: Sequence[Unit], ended: Sequence[Unit], least: int, room: int) -> list[Unit]:
    """Units whose sentences fill the room, each sentence once, in the order in which they were said.

    Those that a careful reader would keep come first; where these do not make `_LEAST` words of sentences
    and `least` without the words that say who speaks, the others follow: a summary is not short where there
    is more to tell. What is told in the end (`ended`) is not told before.
    """
    order = {unit.id: place for place, unit in enumerate(units)}
    ranked = sorted(units, key=lambda unit: (not is_telling(unit), -worth(unit), order[unit.id]))
    parts = _parts(filter(is_telling, units))
    chosen: list[Unit] = []
    used = words = 0
    told = list(map(told_of, ended))
    for unit in ranked:
        line = told_of(unit)
        size = count_words(line.words)
        enough = used >= _LEAST and words >= least and not is_telling(unit)
        if enough or unit.id in parts or used + size + _FRAME > room:
            continue
        if any(line.words in other.words or line.shares(other) for other in told) or says_again(unit, chosen):
            continue
        told.append(line)
        chosen.append(unit)
        used += size + _FRAME
        words += size
    return sorted(chosen, key=lambda unit: order[unit.id])


def _parts(units: Iterable[Unit]) -> set[str]:
    """Ids of the units whose sentence is a part of another one's, by one pass over each message."""
    homes: dict[str, list[tuple[Told, str]]] = {}
    for unit in units:
        line = told_of(unit)
        homes.setdefault(line.place.message_id, []).append((line, unit.id))
    found: set[str] = set()
    for own in homes.values():
        own.sort(key=lambda one: (one[0].place.start, -one[0].place.end))
        furthest = own[0][0]
        for line, name in own[1:]:
            if furthest.holds(line) and not line.holds(furthest):
                found.add(name)
            elif line.place.end > furthest.place.end:
                furthest = line
    return found


def _paragraphs(units: Sequence[Unit], conversation: Conversation) -> Iterator[str]:
    """A paragraph for each run of one speaker's sentences."""
    run: list[Unit] = []
    for unit in [*units, None]:
        if run and (unit is None or name_of(unit, conversation.owner) != name_of(run[0], conversation.owner)):
            quotes = " ".join(f"“{said(one)}”" for one in run)
            yield f"{name_of(run[0], conversation.owner)}: {quotes}"
            run = []
        if unit is not None:
            run.append(unit)


def _ending(
    conversation: Conversation, units: Sequence[Unit], superseded: Collection[str]
) -> tuple[list[str], list[Unit]]:
    """What was concluded and what was left open, as paragraphs, with the units they rest on."""
    standing = [unit for unit in units if unit.category is Category.DECISION and unit.id not in superseded]
    decisions = each_once(filter(is_telling, standing))[-_DECIDED:]
    unsettled = each_once(left_open(conversation, units))[-_OPEN:]
    tasks = each_once(unit for unit in units if _is_task(unit))[-_OPEN:]
    parts = [
        f"{name}: {' '.join(quoted(unit, conversation.owner) for unit in found)}"
        for name, found in (("Decided", decisions), ("Left open", unsettled), ("Still to do", tasks))
        if found
    ]
    if not standing and _messages(conversation):
        parts.insert(0, "No decision was noted.")
    return parts, [*decisions, *unsettled, *tasks]


def _is_task(unit: Unit) -> bool:
    return unit.category is Category.ACTION_ITEM and unit.speaker is Speaker.OWNER and is_telling(unit)


def left_open(conversation: Conversation, units: Sequence[Unit]) -> list[Unit]:
    """Questions that nobody spoke after: those of the last turn; and what the owner weighed in the end."""
    messages = _messages(conversation)
    if not messages:
        return []
    final = messages[-1].id
    owners = [one.id for one in messages if any(part.origin is Origin.TYPED for part in one.segments)]
    weighed = owners[-1] if owners else ""
    return [
        unit
        for unit in units
        if is_telling(unit)
        and (
            (unit.category is Category.OPEN_QUESTION and unit.evidence[0].message_id == final)
            or (
                unit.category is Category.PROVISIONAL
                and unit.speaker is Speaker.OWNER
                and unit.evidence[0].message_id == weighed
            )
        )
    ]
