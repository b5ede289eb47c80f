"""The session summary of the offline engine: a conversation retold in 200-400 words.

    opening     when, what about, how long, and the words it began with
    narrative   exchange by exchange: what was asked and said, what was answered and proposed
    concluded   the decisions, each by who made it, and how it ended
    left open   questions without an answer, what is undecided, what is to be done

Every sentence is a unit's, or a verbatim quote; only the words that say whose they are belong to the writer.
What the owner took back is neither told nor quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from extract.prose import (
    asks_for_feedback,
    first_sentences,
    frequencies,
    listed,
    name_of,
    reads_well,
    salience,
    says_again,
)
from schemas.conversation import Conversation, Message, Origin
from schemas.ids import summary_id
from schemas.thread import NOTHING_SAID, SUMMARY_WORDS, SessionSummary
from schemas.unit import Category, Speaker, Unit
from schemas.words import count_words

SUMMARY_VERSION = "offline/4"
"""Engine and version, as a summary's `writer` names it."""

_LEAST, _MOST = SUMMARY_WORDS
_NARRATIVE = 270
"""Words for the exchanges; opening, conclusion and what is open share the rest."""
_QUOTED = 45
"""Words quoted of the first message, and half as many of the last."""
_TITLE = 20
_TELLING = 4
"""Words that a quote has at least."""
_FRAME = 4
"""Words that say whose a unit is."""
_CONCLUDED, _OPEN = 6, 4
"""Decisions, and open matters of each kind, that are told at most."""
_EXCHANGES = 9
"""Exchanges told at most: more, and each would get a single sentence."""
_SPOKEN = (Origin.TYPED, Origin.ASSISTANT, Origin.OTHER)
_SENTENCE_ENDS = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_ANSWERS = ("answered", "explained", "added", "went on")


SHORT_SUMMARY = "This is a short summary: the conversation holds little more than this."


@dataclass(slots=True)
class _Telling:
    """The text so far, and the units it rests on."""

    paragraphs: list[str] = field(default_factory=list)
    used: dict[str, None] = field(default_factory=dict)
    words: int = 0

    def add(self, sentences: Sequence[str], units: Iterable[Unit] = ()) -> None:
        if sentences:
            self.paragraphs.append(" ".join(sentences))
            self.words += count_words(self.paragraphs[-1])
            self.used.update(dict.fromkeys(unit.id for unit in units))


def summarise(
    conversation: Conversation, units: Sequence[Unit], taken_back: Iterable[Unit] = ()
) -> SessionSummary:
    """The summary of a conversation from its messages and its units, in the order in which they were said.

    No sentence is quoted in which something stands that was `taken_back`.
    """
    own = [unit for unit in units if unit.active_branch]
    silent = _Silence(taken_back)
    ending, ended = _ending(conversation, own, silent)
    room = _MOST - count_words(" ".join(ending))
    telling = _Telling()
    telling.add(_opening(conversation, silent))
    told = {unit.id for unit in ended}
    rest = [unit for unit in own if unit.id not in told and reads_well(unit)]
    narrative, used = _narrative(conversation, rest, min(_NARRATIVE, room - telling.words - 12))
    telling.add(narrative, used)
    missing = _LEAST - telling.words - count_words(" ".join(ending))
    telling.add(_along_the_way(conversation, missing, silent))
    telling.add(ending, ended)
    short = telling.words < _LEAST
    if short:
        telling.paragraphs.insert(0, SHORT_SUMMARY)
    return SessionSummary(
        id=summary_id(conversation.id),
        account=conversation.account,
        conversation_id=conversation.id,
        text="\n\n".join(telling.paragraphs),
        short=short,
        unit_ids=tuple(telling.used),
        writer=SUMMARY_VERSION,
    )


class _Silence:
    """What must not be quoted: the spans of what was taken back, by message."""

    def __init__(self, taken_back: Iterable[Unit]) -> None:
        self._spans: dict[str, list[tuple[int, int]]] = {}
        for unit in taken_back:
            for one in (*unit.evidence, *unit.context):
                self._spans.setdefault(one.message_id, []).append((one.start, one.end))

    def quotable(self, message: Message) -> str:
        """What was spoken in a message; where some of it was taken back, the first sentences that stand
        together without it."""
        gone = self._spans.get(message.id)
        if not gone:
            return _spoken(message)
        kept: list[str] = []
        for segment in message.segments:
            if segment.origin not in _SPOKEN:
                continue
            for start, end in _sentences(message.text, segment.start, segment.end):
                if not any(one < end and start < other for one, other in gone):
                    kept.append(message.text[start:end])
                elif kept:
                    return " ".join(kept)
        return " ".join(kept)


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for found in _SENTENCE_ENDS.finditer(text, start, end):
        yield start, found.start()
        start = found.end()
    if start < end:
        yield start, end


def _spoken(message: Message) -> str:
    return " ".join(
        message.text[one.start : one.end] for one in message.segments if one.origin in _SPOKEN
    ).strip()


def heading_of(conversation: Conversation) -> str:
    """A sentence that says when the conversation was, what it is called and how long it is."""
    said = [one for one in conversation.active_messages() if not one.hidden and _spoken(one)]
    if not said:
        return NOTHING_SAID
    began = conversation.created_at or next((one.created_at for one in said if one.created_at), None)
    title = first_sentences(conversation.title or "", _TITLE)
    parts = [
        f"The conversation “{title}”" if title else "The untitled conversation",
        f"of {began.day} {began:%B %Y}" if began else "of an unknown date",
        f"has {len(said)} {'message' if len(said) == 1 else 'messages'}.",
    ]
    return " ".join(parts)


def _opening(conversation: Conversation, silent: _Silence) -> list[str]:
    heading = heading_of(conversation)
    said = [one for one in conversation.active_messages() if not one.hidden and _spoken(one)]
    if not said:
        return [heading]
    opening = first_sentences(silent.quotable(said[0]), _QUOTED)
    return [heading, f"{_subject(said[0], conversation)} began: “{opening}”"] if opening else [heading]


def _subject(message: Message, conversation: Conversation) -> str:
    origins = {segment.origin for segment in message.segments}
    if Origin.TYPED in origins:
        return conversation.owner or "The user"
    return "The assistant" if Origin.ASSISTANT in origins else message.author or "Somebody else"


def _narrative(conversation: Conversation, units: Sequence[Unit], room: int) -> tuple[list[str], list[Unit]]:
    """The exchanges in order; each gets an equal share of the room, and the next what it leaves."""
    by_exchange = _exchanges(conversation, units)
    counts = frequencies(units)
    chosen = _spread(by_exchange, counts)
    sentences: list[str] = []
    used: list[Unit] = []
    for number, exchange in enumerate(chosen):
        share = room // (len(chosen) - number)
        picked = _picked(exchange, counts, share)
        told = list(_told(picked, conversation.owner, number))
        room -= count_words(" ".join(told))
        sentences += told
        used += picked
    return sentences, used


def _exchanges(conversation: Conversation, units: Sequence[Unit]) -> list[list[Unit]]:
    """The units by exchange: what the owner said, and what came back before the owner spoke again."""
    number, where = -1, dict[str, int]()
    answered = True
    for message in conversation.active_messages():
        asks = _subject(message, conversation) != "The assistant"
        if asks and answered:
            number += 1
        answered = not asks
        where[message.id] = max(number, 0)
    grouped: dict[int, list[Unit]] = {}
    for unit in units:
        place = where.get(unit.evidence[0].message_id)
        if place is not None:
            grouped.setdefault(place, []).append(unit)
    return [grouped[place] for place in sorted(grouped)]


def _spread(exchanges: Sequence[list[Unit]], counts: Mapping[str, int]) -> list[list[Unit]]:
    """The first and the last exchange, and of the others those that say most."""
    if len(exchanges) <= _EXCHANGES:
        return list(exchanges)
    inner = range(1, len(exchanges) - 1)
    weight = {place: max(salience(unit, counts) for unit in exchanges[place]) for place in inner}
    best = sorted(inner, key=lambda place: (-weight[place], place))[: _EXCHANGES - 2]
    return [exchanges[place] for place in sorted({0, len(exchanges) - 1, *best})]


def _picked(exchange: Sequence[Unit], counts: Mapping[str, int], room: int) -> list[Unit]:
    """What of an exchange fits into so many words: both sides in turn, the most telling first."""
    order = {unit.id: place for place, unit in enumerate(exchange)}
    ranked = sorted(exchange, key=lambda unit: (-salience(unit, counts), order[unit.id]))
    sides = [
        [unit for unit in ranked if (unit.speaker is Speaker.ASSISTANT) is assistant]
        for assistant in (False, True)
    ]
    turns = [unit for pair in _alternating(*sides) for unit in pair]
    picked: list[Unit] = []
    for unit in turns:
        size = count_words(unit.text) + _FRAME
        if size <= room and not says_again(unit, picked):
            picked.append(unit)
            room -= size
    return sorted(picked, key=lambda unit: order[unit.id])


def _alternating(first: Sequence[Unit], second: Sequence[Unit]) -> Iterator[tuple[Unit, ...]]:
    for place in range(max(len(first), len(second))):
        yield (*first[place : place + 1], *second[place : place + 1])


def _told(units: Sequence[Unit], owner: str | None, number: int) -> Iterator[str]:
    """Runs of one speaker and one kind as sentences that say whose they are."""
    runs: list[tuple[tuple[str, str], list[str]]] = []
    for unit in units:
        key = (name_of(unit, owner), _verb(unit, number))
        if runs and runs[-1][0] == key:
            runs[-1][1].append(unit.text)
        else:
            runs.append((key, [unit.text]))
    before = ""
    for (who, verb), texts in runs:
        subject = "It" if who == before == "The assistant" else who
        before = who
        if not verb:
            yield " ".join(texts)
        elif verb == "suggested":
            yield f"{subject} suggested: {listed(texts)}."
        else:
            yield f"{subject} {verb}: {' '.join(texts)}"


def _verb(unit: Unit, number: int) -> str:
    if unit.category is Category.OPEN_QUESTION:
        return "asked"
    if unit.speaker is Speaker.ASSISTANT:
        return "suggested" if unit.category is Category.IDEA else _ANSWERS[min(number, 3)]
    if unit.category is Category.PROVISIONAL:
        return "considered"
    if unit.speaker is Speaker.OWNER and unit.text.startswith(("The user", "I ")):
        return ""
    return "says" if unit.speaker is Speaker.SOURCE else "said"


def _along_the_way(conversation: Conversation, missing: int, silent: _Silence) -> list[str]:
    """Verbatim words of the messages in between, where the units do not fill a summary."""
    said = [one for one in conversation.active_messages() if not one.hidden and _spoken(one)][1:-1]
    sentences: list[str] = []
    for message in sorted(said, key=lambda one: _subject(one, conversation) == "The assistant"):
        if missing <= 0:
            break
        quote = first_sentences(silent.quotable(message), _QUOTED // 2)
        if count_words(quote) < _TELLING:
            continue  # such as the `1.` of a list
        sentences.append(f"{_subject(message, conversation)} also wrote: “{quote}”")
        missing -= count_words(sentences[-1])
    return sentences


def _ending(
    conversation: Conversation, units: Sequence[Unit], silent: _Silence
) -> tuple[list[str], list[Unit]]:
    """What was concluded and what was left open, as sentences, with the units they rest on."""
    decided = _each_once(one for one in units if one.category is Category.DECISION)
    # a decision that reads badly is still one: without a better one it is told, never said not to be there
    decisions = ([one for one in decided if reads_well(one)] or decided)[-_CONCLUDED:]
    open_units = left_open(conversation, units)[-_OPEN:]
    tasks = _each_once(unit for unit in units if _is_task(unit))[-_OPEN:]
    sentences = [f"Decided: {' '.join(unit.text for unit in decisions)}"] if decisions else []
    if not decisions:
        sentences.append("No decision was noted.")
    sentences += _last_words(conversation, silent)
    if open_units:
        sentences.append(f"Left open: {' '.join(unit.text for unit in open_units)}")
    if tasks:
        sentences.append(f"Still to do: {' '.join(unit.text for unit in tasks)}")
    if not open_units and not tasks:
        sentences.append("Nothing was noted as open.")
    return sentences, [*decisions, *open_units, *tasks]


def _each_once(units: Iterable[Unit]) -> list[Unit]:
    """The units without those that say an earlier one again."""
    kept: list[Unit] = []
    for unit in units:
        if not says_again(unit, kept):
            kept.append(unit)
    return kept


def _is_task(unit: Unit) -> bool:
    return unit.category is Category.ACTION_ITEM and unit.speaker is Speaker.OWNER and reads_well(unit)


def left_open(conversation: Conversation, units: Sequence[Unit]) -> list[Unit]:
    """Questions that nobody spoke after: those of the last turn; and what the owner weighed in the end."""
    messages = [one for one in conversation.active_messages() if not one.hidden and _spoken(one)]
    if not messages:
        return []
    last = messages[-1]
    final = {last.id}
    owners = [one for one in messages if _subject(one, conversation) != "The assistant"]
    weighed = {owners[-1].id} if owners else set()
    return [
        unit
        for unit in units
        if reads_well(unit)
        and not asks_for_feedback(unit)
        and (
            (unit.category is Category.OPEN_QUESTION and unit.evidence[0].message_id in final)
            or (
                unit.category is Category.PROVISIONAL
                and unit.speaker is Speaker.OWNER
                and unit.evidence[0].message_id in weighed
            )
        )
    ]


def _last_words(conversation: Conversation, silent: _Silence) -> list[str]:
    """How the owner's last message ends the matter, where it is not the first one too."""
    owners = [
        one
        for one in conversation.active_messages()
        if not one.hidden and _spoken(one) and _subject(one, conversation) != "The assistant"
    ]
    if len(owners) < 2:
        return []
    quote = first_sentences(silent.quotable(owners[-1]), _QUOTED // 2)
    if not quote:
        return []
    return [f"{_subject(owners[-1], conversation)} closed with: “{quote}”"]
