"""The session summary by a model: lines that cite numbered sentences, held against them, told in paragraphs.

sheet -> windows -> questions -> replies -> lines that hold -> paragraphs -> summary

The model tells; what was decided, code sees to: a decision that no line tells is added from its note. Where
the model does not deliver, the offline summary stands in its place and says so.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from extract.engine import Retelling
from extract.model.cited_lines import BAD_SHARE, Cited, CitedLine, may_lift, read_line, untrue
from extract.model.notes.claims import joined
from extract.model.notes.note_windows import NoteWindow, cut_windows, shown
from extract.model.notes.numbering import Sentence, Sheet, numbered_sheet
from extract.model.proofreading import (
    Asked,
    proof_question,
    proposed_lines,
    second_readings,
)
from extract.model.replies import Replies
from extract.retell.session_summary import SHORT_SUMMARY, SUMMARY_VERSION, heading_of, summarise
from inference.language_model import REACH, ModelQuestion, Prompt, Reach, Reply, read_prompt
from schemas.conversation import Conversation
from schemas.fallback import PROOF_REASON, SUMMARY_REASON, Fallback
from schemas.ids import summary_id
from schemas.thread import SUMMARY_WORDS, SessionSummary
from schemas.unit import Category, Unit
from schemas.words import count_words

_FOLDER = resources.files("extract") / "prompts"
PROMPT = read_prompt(_FOLDER, "summaries", 2)
SMALL_PROMPT = read_prompt(_FOLDER, "summaries-small", 1)

WINDOW_SENTENCES = 1_500
MOST_WINDOWS = 8
"""Questions about one conversation: beyond, each would get fewer than forty words, and the offline engine
summarises."""
_LEAST, _MOST = SUMMARY_WORDS
_ASKED = (200, 320)
"""Words asked of the model; heading and decisions share the rest of the 400."""
_SHARE_OF_TEXT = 3
"""A conversation of fewer than so many times the words of a summary gets a shorter one."""
TOKENS_PER_WORD = 2.4
"""Of an answer, letters, numbers and JSON's quotes included: 2.3 to 2.5 of the answers of `data/recorded`,
which have as many words as are asked for at most."""
_LOST = "This is a short summary: not everything that was said could be told."
"""In place of `SHORT_SUMMARY` where lines did not hold: the conversation does hold more."""
_DECISIONS = 6
_LETTERS = "ATCDON"
_TOLD = "ATC"


class SummaryAnswer(BaseModel):
    """The form of an answer."""

    lines: Annotated[list[str], BeforeValidator(joined)]
    """`<letter>|<sentences>|<one or two sentences>`, in the order in which the conversation went."""


@dataclass(frozen=True, slots=True)
class SummaryWindow:
    """One question's part of a conversation."""

    window: NoteWindow
    words: tuple[int, int]
    """Least and most words that are asked for."""


@dataclass(slots=True)
class HeldLines:
    """The lines that hold, and why others do not."""

    lines: list[tuple[CitedLine, tuple[Sentence, ...]]] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


def prompt_for(reach: Reach) -> Prompt:
    """The prompt for summaries."""
    return SMALL_PROMPT if reach.brief else PROMPT


def summary_windows(sheet: Sheet, reach: Reach = REACH) -> list[SummaryWindow]:
    """The parts of a conversation's active branch, in order; none where there is too much or nothing."""
    active = sheet.conversation.active_ids
    own = replace(sheet, sentences=tuple(one for one in sheet.sentences if one.message.id in active))
    windows = cut_windows(own, reach.gist, WINDOW_SENTENCES)
    if len(windows) > MOST_WINDOWS:
        return []
    words = _words(one for window in windows for one in window.own)
    most = min(_ASKED[1], max(30, words // 2 + 20))
    least = min(_ASKED[0], words // _SHARE_OF_TEXT)
    return [SummaryWindow(one, (least // len(windows), most // len(windows))) for one in windows]


def summary_questions(sheet: Sheet, reach: Reach = REACH) -> list[ModelQuestion[SummaryAnswer]]:
    """One question a part, in order."""
    return [summary_question(one, reach) for one in summary_windows(sheet, reach)]


def summary_question(part: SummaryWindow, reach: Reach = REACH) -> ModelQuestion[SummaryAnswer]:
    """The question about a part."""
    least, most = part.words
    text = f"{shown(part.window)} Between {least} and {most} words."
    expected = int(TOKENS_PER_WORD * most) + 20
    most, account = 3 * expected + 200, part.window.account
    return ModelQuestion(prompt_for(reach), text, SummaryAnswer, expected, most, account)


def retold(
    conversation: Conversation, units: Sequence[Unit], writer: str, ask: Replies, reach: Reach = REACH
) -> Retelling:
    """The summary that the replies come to, or the offline engine's with the reason."""
    sheet = numbered_sheet(conversation)
    parts = summary_windows(sheet, reach)
    if not parts:
        reason = "too long for a model" if any(one.fits for one in sheet.sentences) else ""
        return _offline(conversation, units, writer, reason, ())
    replies = ask([summary_question(one, reach) for one in parts])
    failed = [reply for reply in replies if reply.value is None]
    if failed:
        return _offline(conversation, units, writer, failed[0].problem, [one.key for one in failed])
    own = [unit for unit in units if unit.active_branch]
    told = HeldLines()
    asked = asked_of_lines(parts, replies) if reach.proofread else [((), None)] * len(parts)
    proofs = second_readings(asked, ask, lifts=not reach.brief)
    for part, reply, proof in zip(parts, replies, proofs, strict=True):
        if reply.value is not None:
            hold_lines(part, reply.value, sheet, own, told, proof.said)
    keys = [one.key for one in replies]
    if not told.lines or told.dropped.total() > BAD_SHARE * (told.dropped.total() + len(told.lines)):
        return _offline(conversation, units, writer, "most of its lines do not hold", keys)
    summary = _composed(conversation, own, told, writer)
    spoken = _words(one for part in parts for one in part.window.own)
    if count_words(summary.text) > _MOST or (summary.short and spoken >= _SHARE_OF_TEXT * _LEAST):
        return _offline(conversation, units, writer, "not of 200 to 400 words", keys)
    left_out = [(f"left out: {reason}", keys[0]) for reason, _ in told.dropped.most_common(1)]
    unread = [(f"{PROOF_REASON}{proof.problem}", proof.key) for proof in proofs if proof.problem]
    return Retelling(
        summary,
        [
            _fallback(conversation, writer, *one, whole=whole)
            for found, whole in ((left_out, False), (unread, True))
            for one in found
        ],
    )


def asked_of_lines(parts: Sequence[SummaryWindow], replies: Sequence[Reply[SummaryAnswer]]) -> list[Asked]:
    """What a second reading is asked about the lines of each answer."""
    return [
        (proposed, proof_question(part.window, proposed))
        for part, reply in zip(parts, replies, strict=True)
        for proposed in [proposed_lines([line_of(one) for one in reply.value.lines] if reply.value else [])]
    ]


def line_of(written: str) -> CitedLine | None:
    """A line of an answer, as far as it can be read."""
    return read_line(written, _LETTERS)


def _words(sentences: Iterable[Sentence]) -> int:
    return sum(count_words(one.quote) for one in sentences)


def hold_lines(
    part: SummaryWindow,
    answer: SummaryAnswer,
    sheet: Sheet,
    units: Sequence[Unit],
    told: HeldLines,
    proof: Mapping[int, str] | None = None,
) -> None:
    """Take the lines that hold. `proof` as `claim_checks.judged` has it."""
    conversation = sheet.conversation
    sentences = {one.number: one for one in (*part.window.along, *part.window.own)}
    decisions = units_by_sentence(sentences, [one for one in units if one.category is Category.DECISION])
    people = {one.author for one in conversation.messages if one.author}
    known = "\n".join(filter(None, (conversation.title, conversation.owner, *sorted(people))))
    for place, written in enumerate(answer.lines):
        line = line_of(written)
        if line is None:
            told.dropped["a line that is none"] += 1
            continue
        if any(number not in sentences for number in line.cited):
            told.dropped["a sentence that was not shown"] += 1
            continue
        cited = [_cited(sentences[number], decisions.get(number, ())) for number in line.cited]
        reason = untrue(line.text, cited, known, conversation.owner, settled=line.letter == "D")
        if reason and line.letter == "D":
            # what no decision was noted of may still be told as what came of it, if it says no more than that
            line = replace(line, letter="C")
            reason = untrue(line.text, cited, known, conversation.owner)
        read = (proof or {}).get(place)
        if read or (read == "" and line.letter != "D" and may_lift(reason, line.text)):
            reason = read
        if reason:
            told.dropped[reason] += 1
        else:
            told.lines.append((line, tuple(sentences[number] for number in line.cited)))


def _cited(sentence: Sentence, decisions: Sequence[Unit]) -> Cited:
    words = [sentence.quote, sentence.message.author or ""]
    for unit in decisions:
        words += [unit.text, *(item.quote for item in unit.context)]
    return Cited(sentence.speaker, sentence.quote, "\n".join(words), bool(decisions))


def units_by_sentence(sentences: Mapping[int, Sentence], units: Iterable[Unit]) -> dict[int, list[Unit]]:
    """The units by the number of the sentence that their first evidence begins in."""
    places: dict[str, list[Sentence]] = {}
    for one in sentences.values():
        places.setdefault(one.message.id, []).append(one)
    found: dict[int, list[Unit]] = {}
    for unit in units:
        evidence = unit.evidence[0]
        own = places.get(evidence.message_id, [])
        at = bisect_right(own, evidence.start, key=lambda one: one.start) - 1
        if at >= 0 and evidence.start < own[at].end:
            found.setdefault(own[at].number, []).append(unit)
    return found


def _composed(
    conversation: Conversation, units: Sequence[Unit], told: HeldLines, writer: str
) -> SessionSummary:
    """Heading, what went on, what was decided, what is open, what is next."""
    sentences = {one.number: one for _, cited in told.lines for one in cited}
    by_sentence = units_by_sentence(sentences, units)
    used = dict.fromkeys(unit.id for number in sorted(by_sentence) for unit in by_sentence[number])
    texts = {
        letter: [line.text for line, _ in told.lines if line.letter in letter] for letter in (_TOLD, *"DON")
    }
    settled = {
        unit.id
        for line, cited in told.lines
        if line.letter == "D"
        for one in cited
        for unit in by_sentence.get(one.number, ())
    }
    untold = [one for one in units if one.category is Category.DECISION and one.id not in settled]
    decided = texts["D"] + [one.text for one in untold[-_DECISIONS:]]
    paragraphs = [
        heading_of(conversation),
        " ".join(texts[_TOLD]),
        f"Decided: {' '.join(decided)}" if decided else "No decision was noted.",
        " ".join(
            f"{name} {' '.join(texts[letter])}"
            for letter, name in (("O", "Left open:"), ("N", "Still to do:"))
            if texts[letter]
        ),
    ]
    text = "\n\n".join(filter(None, paragraphs))
    short = count_words(text) < _LEAST
    return SessionSummary(
        id=summary_id(conversation.id),
        account=conversation.account,
        conversation_id=conversation.id,
        text=f"{_LOST if told.dropped else SHORT_SUMMARY}\n\n{text}" if short else text,
        short=short,
        unit_ids=tuple(dict.fromkeys((*used, *(one.id for one in untold[-_DECISIONS:])))),
        writer=writer,
    )


def _offline(
    conversation: Conversation, units: Sequence[Unit], writer: str, reason: str, keys: Sequence[str]
) -> Retelling:
    """The offline summary, marked; with keys, asking for them again may mend it."""
    summary = summarise(conversation, units)
    if not reason:
        return Retelling(summary)
    marked = summary.model_copy(update={"writer": f"{SUMMARY_VERSION} in place of {writer}"})
    return Retelling(
        marked, [_fallback(conversation, writer, reason, key, whole=bool(key)) for key in keys or ("",)]
    )


def _fallback(conversation: Conversation, writer: str, reason: str, key: str, *, whole: bool) -> Fallback:
    return Fallback(
        account=conversation.account,
        conversation_id=conversation.id,
        engine=writer,
        key=key,
        reason=f"{SUMMARY_REASON}{reason}",
        sentences=0,
        whole=whole,
    )
