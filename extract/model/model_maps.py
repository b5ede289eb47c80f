"""The thread map by a model: lines that cite numbered notes, held against them, beside what the rules know.

notes of a thread -> sheet of sessions -> question -> lines that hold -> parts -> map

What the ledger knows is not the model's to change: a decision that a link says is superseded is never in
force, one that the model does not mention stays in force, and every session has its line in the arc.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources

from pydantic import BaseModel

from chunking.language import content_stems, language_of
from extract.engine import Charted
from extract.model.cited_lines import BAD_SHARE, Cited, CitedLine, read_line, untrue
from extract.retell.retelling import is_telling, worth
from extract.retell.thread_map import MAP_VERSION, Parts, SessionNotes, ThreadNotes, assembled, parts_of
from inference.fence import fenced
from inference.language_model import REACH, ModelQuestion, Reach, Reply, read_prompt
from inference.prices import estimate_tokens
from schemas.fallback import MAP_REASON, Fallback
from schemas.thread import MapLine
from schemas.unit import Category, Speaker, Unit
from schemas.words import count_words

PROMPT = read_prompt(resources.files("extract") / "prompts", "maps", 2)

SHEET_TOKENS = 12_000
"""Tokens of the notes of a thread that are shown; of more, those that tell most, each session its share."""
TOKENS_PER_SESSION, _TOKENS_BESIDE = 60, 300
"""Of an answer: a line for each session, and the other parts. An estimate: no live answer was measured."""
LABEL_WORDS = 6
"""Words of a thread's name, at most."""
_LETTERS = "LGATFSQN"
_PARTS = {"G": "goal", "T": "turning_points", "Q": "open_questions", "N": "next_steps"}
_FIRST = (Category.DECISION, Category.ACTION_ITEM, Category.CONSTRAINT, Category.OPEN_QUESTION)


class MapAnswer(BaseModel):
    """The form of an answer."""

    lines: list[str]
    """`<letter>|<notes>|<one or two sentences>`, in the order of the letters."""


@dataclass(frozen=True, slots=True)
class MapNote:
    """A unit as the model is shown it."""

    number: int
    unit: Unit
    session: SessionNotes


@dataclass(slots=True)
class HeldMapLines:
    """The lines that hold, and why others do not."""

    lines: list[tuple[CitedLine, list[MapNote]]] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


def map_question(notes: ThreadNotes, reach: Reach = REACH) -> ModelQuestion[MapAnswer] | None:
    """The question about a thread; None where there is but one conversation, or no note."""
    sheet = sheet_of(notes, reach)
    if len(notes.sessions) < 2 or not sheet:
        return None
    parts = []
    for number, session in enumerate(notes.sessions, start=1):
        own = [_told(one) for one in sheet if one.session is session]
        day = session.began.date().isoformat() if session.began else "undated"
        body = "\n".join((" ".join((session.title or "untitled").split())[:200], *own))
        parts.append(f"Session {number}, {day}:\n{fenced(f'session_{number}', body)}")
    expected = TOKENS_PER_SESSION * len(notes.sessions) + _TOKENS_BESIDE
    most, account = 2 * expected + 400, notes.thread.account
    return ModelQuestion(PROMPT, "\n".join(parts), MapAnswer, expected, most, account)


def _told(note: MapNote) -> str:
    who = {Speaker.OWNER: "user", Speaker.ASSISTANT: "assistant", Speaker.SOURCE: "pasted text"}
    said = who.get(note.unit.speaker) or " ".join((note.unit.speaker_name or "another person").split())[:60]
    return f"{note.number} {said}, {note.unit.category.value}: {' '.join(note.unit.text.split())}"


def sheet_of(notes: ThreadNotes, reach: Reach = REACH) -> list[MapNote]:
    """The notes that are shown, numbered in the order in which they were said.

    The owner's decisions, tasks, limits and questions first, then what tells most of the thread.
    """
    room = min(SHEET_TOKENS, reach.gist) // max(len(notes.sessions), 1)
    sheet: list[MapNote] = []
    for session in notes.sessions:
        gone = [unit for unit in notes.superseded.values() if unit.conversation_id == session.conversation_id]
        units = list(dict.fromkeys((*gone, *session.units)))
        ranked = sorted(units, key=lambda unit: (_rank(unit), -worth(unit)))
        shown: set[str] = set()
        left = room
        for unit in ranked:
            left -= estimate_tokens(unit.text) + 8
            if left < 0:
                break
            shown.add(unit.id)
        order = {unit.id: place for place, unit in enumerate(session.units)}
        for unit in sorted(units, key=lambda one: order.get(one.id, -1)):
            if unit.id in shown:
                sheet.append(MapNote(len(sheet) + 1, unit, session))
    return sheet


def _rank(unit: Unit) -> int:
    if unit.speaker is Speaker.OWNER and unit.category in _FIRST:
        return _FIRST.index(unit.category)
    own = len(_FIRST) if unit.speaker is Speaker.OWNER else len(_FIRST) + 1
    return own if is_telling(unit) else own + 2


def charted(notes: ThreadNotes, reply: Reply[MapAnswer], writer: str, reach: Reach = REACH) -> Charted:
    """The map that a reply comes to, or the offline engine's with the reason."""
    if reply.value is None:
        return _offline(notes, writer, reply.problem, reply.key)
    told = hold_map_lines(notes, reply.value, reach)
    held, dropped = told.lines, told.dropped
    if not held or dropped.total() > BAD_SHARE * (dropped.total() + len(held)):
        return _offline(notes, writer, "most of its lines do not hold", reply.key)
    label = next((line.text for line, _ in held if line.letter == "L"), "")
    made = assembled(named(notes, label), _parts(notes, held), writer)
    worst = [f"left out: {reason}" for reason, _ in dropped.most_common(1)]
    return Charted(made, [_fallback(notes, writer, one, reply.key, whole=False) for one in worst], label)


def hold_map_lines(notes: ThreadNotes, answer: MapAnswer, reach: Reach = REACH) -> HeldMapLines:
    """The lines of an answer that hold against the notes that they cite, in their order."""
    sheet = {one.number: one for one in sheet_of(notes, reach)}
    told = HeldMapLines()
    for written in answer.lines:
        line = read_line(written, _LETTERS)
        if line is None or any(number not in sheet for number in line.cited):
            told.dropped["a line that is none"] += 1
            continue
        cited = [sheet[number] for number in line.cited]
        reason = (
            _no_label(line.text, sheet.values(), notes)
            if line.letter == "L"
            else _misplaced(line.letter, cited, notes) or _untrue(line, cited, notes)
        )
        if reason:
            told.dropped[reason] += 1
        else:
            told.lines.append((line, cited))
    return told


def named(notes: ThreadNotes, label: str) -> ThreadNotes:
    """The notes of a thread of that name; "" leaves it its own."""
    return replace(notes, thread=notes.thread.model_copy(update={"label": label})) if label else notes


def _no_label(text: str, shown: Iterable[MapNote], notes: ThreadNotes) -> str:
    """Why a thread may not be called so, or ""."""
    if not 1 < count_words(text) <= LABEL_WORDS:
        return "a name too short or too long"
    said = "\n".join((*(one.unit.text for one in shown), *(one.title or "" for one in notes.sessions)))
    code = language_of(said)
    stems = content_stems(text, code)
    return "" if stems and stems <= content_stems(said, code) else "a name of words that nobody said"


def _untrue(line: CitedLine, cited: Sequence[MapNote], notes: ThreadNotes) -> str:
    known = "\n".join(one.title or "" for one in notes.sessions)
    return untrue(
        line.text,
        [Cited(one.unit.speaker, one.unit.text, _words(one.unit), _decides(one.unit)) for one in cited],
        known,
        None,
        settled=line.letter in "FS",
        undone=line.letter == "S",
    )


def _words(unit: Unit) -> str:
    quotes = [item.quote for item in (*unit.evidence, *unit.context)]
    return "\n".join((unit.text, unit.speaker_name or "", *quotes))


def _decides(unit: Unit) -> bool:
    return unit.category is Category.DECISION and unit.speaker is Speaker.OWNER


def _misplaced(letter: str, cited: Sequence[MapNote], notes: ThreadNotes) -> str:
    """Why a line may not stand in the part that it names, or ""."""
    first, owns = cited[0], any(one.unit.speaker is Speaker.OWNER for one in cited)
    match letter:
        case "A" if any(one.session is not first.session for one in cited):
            return "an arc of several sessions"
        case "F" if not any(_decides(one.unit) for one in cited):
            return "a decision that nobody made"
        case "F" if any(one.unit.id in notes.superseded for one in cited):
            return "a decision that was taken back"
        case "S" if not (_decides(first.unit) and _later(first, cited)):
            return "nothing later that takes it back"
        case "Q" if not any(
            one.unit.category in (Category.OPEN_QUESTION, Category.PROVISIONAL) for one in cited
        ):
            return "a question that nobody asked"
        case "G" | "N" if not owns:
            return "words of somebody else"
        case _:
            return ""


def _later(first: MapNote, cited: Sequence[MapNote]) -> bool:
    return any(one.number > first.number and one.unit.speaker is Speaker.OWNER for one in cited[1:])


def _parts(notes: ThreadNotes, held: Sequence[tuple[CitedLine, list[MapNote]]]) -> Parts:
    """The model's lines, and the rules' where it has none and where it has no say."""
    parts = parts_of(notes)
    by_letter = {
        letter: tuple(_line(line, cited) for line, cited in held if line.letter == letter)
        for letter in _LETTERS
    }
    for letter, part in _PARTS.items():
        parts[part] = by_letter[letter] or parts[part]
    own = {line.conversation_id: line for line in reversed(by_letter["A"])}
    parts["arc"] = tuple(own.get(line.conversation_id, line) for line in parts["arc"])
    gone = {line.unit_ids[0] for line in by_letter["S"]}
    stands = [line for line in by_letter["F"] if not gone & set(line.unit_ids)]
    told = gone | {unit for line in stands for unit in line.unit_ids}
    kept = (line for line in parts["in_force"] if not told & set(line.unit_ids))
    parts["in_force"] = tuple(sorted((*stands, *kept), key=_when))
    known = {unit for line in parts["superseded"] for unit in line.unit_ids[:1]}
    parts["superseded"] += tuple(line for line in by_letter["S"] if line.unit_ids[0] not in known)
    return parts


def _when(line: MapLine) -> tuple[bool, float]:
    return line.said_at is None, line.said_at.timestamp() if line.said_at else 0.0


def _line(line: CitedLine, cited: Sequence[MapNote]) -> MapLine:
    first = cited[0].unit
    return MapLine(
        text=line.text,
        conversation_id=first.conversation_id,
        said_at=first.said_at,
        unit_ids=tuple(dict.fromkeys(one.unit.id for one in cited)),
    )


def _offline(notes: ThreadNotes, writer: str, reason: str, key: str) -> Charted:
    made = assembled(notes, parts_of(notes), f"{MAP_VERSION} in place of {writer}")
    return Charted(made, [_fallback(notes, writer, reason, key, whole=True)])


def _fallback(notes: ThreadNotes, writer: str, reason: str, key: str, *, whole: bool) -> Fallback:
    """It stands under the thread's first conversation: a thread has no other."""
    return Fallback(
        account=notes.thread.account,
        conversation_id=notes.thread.conversation_ids[0],
        engine=writer,
        key=key,
        reason=f"{MAP_REASON}{reason}",
        sentences=0,
        whole=whole,
    )
