"""The thread map of the offline engine: the arc of a thread, from its sessions' units.

    goal             what the owner said in opening it
    arc              for each session the unit that says most of what the thread keeps coming back to
    turning points   decisions that took the place of others, and where the talk took up what it then kept to
    in force         the owner's decisions that can stand alone; and, apart, those that were superseded
    open questions   with which a session ended, and which no later session takes up
    next steps       the owner's tasks of the last session that has any

Every line is a unit's sentence, or names the words that were taken up; nothing is concluded beyond that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from extract.labels import names_something
from extract.prose import asks_for_feedback, content, frequencies, reads_well, salience, says_again
from schemas.base import Instant
from schemas.ids import thread_map_id
from schemas.thread import MapLine, Profile, Thread, ThreadMap
from schemas.unit import Category, Speaker, Unit

MAP_VERSION = "offline/3"
"""Engine and version, as a map's `writer` names it."""

_TAKEN_UP = 0.5
"""Share of a question's words of content; a later unit that has them takes the question up."""
_NEW_WORDS = 3
"""Words that a session brings in and most later ones keep: from so many on it is a turning point."""
_LEADING_TERMS = 40
"""Of a session's profile: what it is mostly about."""
_OPENING_MESSAGES = 2
"""Messages of the owner's that open a session: the first is often a greeting."""
_WANTS = re.compile(
    r"\b(?:want(?:s|ed)?|needs? to|plan(?:s|ning)?|goal|aims?|would like|trying to|working on|preparing"
    r"|looking for|möchte|quiere|veut)\b",
    re.IGNORECASE,
)
"""Words by which somebody says what they are after."""
_SHOWN = 12
"""Lines of each part in the text; the map itself has all."""


@dataclass(frozen=True, slots=True)
class SessionNotes:
    """A conversation of the thread with what a map needs of it."""

    conversation_id: str
    title: str | None
    began: Instant | None
    ended: Instant | None
    last_message: str | None
    units: tuple[Unit, ...]
    """What is in force, in the order in which it was said."""
    profile: Profile | None


@dataclass(frozen=True, slots=True)
class ThreadNotes:
    """A thread with everything that its map is written from."""

    thread: Thread
    sessions: Sequence[SessionNotes]
    """In the order of time."""
    superseded: Mapping[str, Unit]
    """The units that others took the place of, by id."""
    by: Mapping[str, str]
    """The id of the newer unit for each of those."""

    @property
    def decisions(self) -> list[tuple[SessionNotes, Unit]]:
        """The owner's decisions that stand, in order: what can be read alone, and what took another's place.

        That another gave way to it shows that it decides, though its sentence may be cut out of a longer one.
        """
        successors = set(self.by.values())
        return [
            (session, unit)
            for session in self.sessions
            for unit in session.units
            if unit.category is Category.DECISION
            and unit.id not in self.superseded
            and (unit.id in successors or reads_well(unit))
        ]


Parts = dict[str, tuple[MapLine, ...]]
"""The lines of a map by the name of its field, from `goal` to `next_steps`."""


def thread_map(notes: ThreadNotes) -> ThreadMap:
    """The map of a thread by rules."""
    return assembled(notes, parts_of(notes), MAP_VERSION)


def parts_of(notes: ThreadNotes) -> Parts:
    """The lines of a thread's map by rules."""
    sessions, superseded, by = notes.sessions, notes.superseded, notes.by
    counts = frequencies(unit for session in sessions for unit in session.units)
    decisions = notes.decisions
    return {
        "goal": tuple(_goal(sessions, counts)),
        "arc": tuple(_arc(session, counts) for session in sessions),
        "turning_points": tuple(_turning_points(sessions, decisions, superseded, by, counts)),
        "in_force": tuple(map_line(unit) for unit in _said_once(unit for _, unit in decisions)),
        "superseded": tuple(_taken_back(superseded, by)),
        "open_questions": _each_once(_left_open(sessions)),
        "next_steps": _each_once(_next_steps(sessions)),
    }


def assembled(notes: ThreadNotes, parts: Parts, writer: str) -> ThreadMap:
    """The map that these lines make."""
    thread, sessions = notes.thread, notes.sessions
    ends = [session.ended or session.began for session in sessions]
    units = dict.fromkeys(unit for lines in parts.values() for line in lines for unit in line.unit_ids)
    return ThreadMap(
        id=thread_map_id(thread.id),
        thread_id=thread.id,
        account=thread.account,
        **parts,
        text=_as_markdown(thread, sessions, parts),
        unit_ids=tuple(units),
        written_for=max((end for end in ends if end), default=None),
        writer=writer,
    )


def map_line(unit: Unit, text: str = "") -> MapLine:
    """A line that says a unit, or something that rests on it."""
    return MapLine(
        text=text or unit.text,
        conversation_id=unit.conversation_id,
        said_at=unit.said_at,
        unit_ids=(unit.id,),
    )


def _said_once(units: Iterable[Unit]) -> list[Unit]:
    """The units without those that a reader would take for one before them."""
    kept: list[Unit] = []
    for unit in units:
        if not says_again(unit, kept):
            kept.append(unit)
    return kept


def _each_once(lines: Iterator[MapLine]) -> tuple[MapLine, ...]:
    """Lines without those that say what an earlier one says."""
    said: dict[str, MapLine] = {}
    for line in lines:
        said.setdefault(" ".join(sorted(content(line.text))) or line.text, line)
    return tuple(said.values())


def _goal(sessions: Sequence[SessionNotes], counts: Counter[str]) -> Iterator[MapLine]:
    """What the owner said in opening the thread that tells most of it: a statement rather than a question."""
    for session in sessions:
        own = [unit for unit in session.units if unit.speaker is Speaker.OWNER]
        opening = list(dict.fromkeys(unit.evidence[0].message_id for unit in own))[:_OPENING_MESSAGES]
        first = [unit for unit in own if unit.evidence[0].message_id in opening]
        told = [unit for unit in first if reads_well(unit)]
        stated = [unit for unit in told if unit.category is not Category.OPEN_QUESTION]
        wanted = [unit for unit in stated if _WANTS.search(unit.text)]
        if found := wanted or stated or told or first:
            yield map_line(max(found, key=lambda unit: salience(unit, counts)))
            return


def _arc(session: SessionNotes, counts: Counter[str]) -> MapLine:
    """A session in one line: a decision, else what the owner said, else what was answered."""
    best = _most_telling(session.units, counts)
    if best is not None:
        return map_line(best)
    text = session.title or "Nothing that was noted."
    return MapLine(text=text, conversation_id=session.conversation_id, said_at=session.began)


def _most_telling(units: Sequence[Unit], counts: Counter[str]) -> Unit | None:
    own = [unit for unit in units if unit.speaker is Speaker.OWNER and reads_well(unit)]
    decided = [unit for unit in own if unit.category is Category.DECISION]
    said = [unit for unit in own if unit.category is not Category.OPEN_QUESTION]
    for found in (decided, said, own, [unit for unit in units if reads_well(unit)], units):
        if found:
            return max(found, key=lambda unit: salience(unit, counts))
    return None


def _turning_points(
    sessions: Sequence[SessionNotes],
    decisions: Sequence[tuple[SessionNotes, Unit]],
    superseded: Mapping[str, Unit],
    by: Mapping[str, str],
    counts: Counter[str],
) -> Iterator[MapLine]:
    newer: dict[str, list[Unit]] = {}
    for older, successor in by.items():
        newer.setdefault(successor, []).append(superseded[older])
    for place, session in enumerate(sessions):
        for home, unit in decisions:
            if home is session and unit.id in newer:
                replaced = " ".join(one.text for one in newer[unit.id])
                line = map_line(unit, f"{unit.text} Before: {replaced}")
                yield line.model_copy(
                    update={"unit_ids": (*line.unit_ids, *(one.id for one in newer[unit.id]))}
                )
        words = _taken_up_for_good(sessions, place)
        if len(words) >= _NEW_WORDS:
            best = _most_telling(session.units, counts)
            yield MapLine(
                text=f"From here on it is also about {', '.join(words[:_NEW_WORDS])}.",
                conversation_id=session.conversation_id,
                said_at=session.began,
                unit_ids=(best.id,) if best else (),
            )


def _taken_up_for_good(sessions: Sequence[SessionNotes], place: int) -> list[str]:
    """Leading words of a session that none before it has, and more than half of those after it have."""
    here, later = sessions[place].profile, sessions[place + 1 :]
    if here is None or not place or len(later) < 2:
        return []
    before = {term for one in sessions[:place] if one.profile for term in one.profile.terms}
    after = Counter(term for one in later if one.profile for term in one.profile.terms)
    leading = zip(here.terms[:_LEADING_TERMS], here.words[:_LEADING_TERMS], strict=True)
    return [
        word
        for term, word in leading
        if term not in before and after[term] * 2 > len(later) and names_something(word)
    ]


def _taken_back(superseded: Mapping[str, Unit], by: Mapping[str, str]) -> Iterator[MapLine]:
    for older, unit in superseded.items():
        if unit.category is Category.DECISION:
            line = map_line(unit)
            yield line.model_copy(update={"unit_ids": (older, by[older])})


def _left_open(sessions: Sequence[SessionNotes]) -> Iterator[MapLine]:
    """Questions of a session's last message whose words no unit of a later session has."""
    later: list[frozenset[str]] = []
    found: list[MapLine] = []
    for session in reversed(sessions):
        ending = [
            unit
            for unit in session.units
            if unit.category is Category.OPEN_QUESTION
            and unit.evidence[0].message_id == session.last_message
            and reads_well(unit)
            and not asks_for_feedback(unit)
        ]
        for unit in reversed(ending):
            asked = frozenset(content(unit.text))
            if not any(len(asked & words) >= _TAKEN_UP * len(asked) for words in later):
                found.append(map_line(unit))
        later.extend(frozenset(content(unit.text)) for unit in session.units)
    yield from reversed(found)


def _next_steps(sessions: Sequence[SessionNotes]) -> Iterator[MapLine]:
    for session in reversed(sessions):
        tasks = [
            unit
            for unit in session.units
            if unit.category is Category.ACTION_ITEM and unit.speaker is Speaker.OWNER and reads_well(unit)
        ]
        if tasks:
            yield from map(map_line, _said_once(tasks))
            return


_HEADINGS = {
    "goal": "Goal",
    "arc": "Arc",
    "turning_points": "Turning points",
    "in_force": "Decisions in force",
    "superseded": "Decisions that were superseded",
    "open_questions": "Open questions",
    "next_steps": "Next steps",
}


def _as_markdown(
    thread: Thread, sessions: Sequence[SessionNotes], parts: Mapping[str, Sequence[MapLine]]
) -> str:
    days = [session.began.date().isoformat() for session in sessions if session.began]
    span = f", {days[0]} to {days[-1]}" if days else ""
    blocks = [f"# {thread.label}", f"{len(sessions)} sessions{span}"]
    for part, heading in _HEADINGS.items():
        lines = parts[part]
        if not lines:
            continue
        shown = [f"- {_dated(line)}" for line in lines[:_SHOWN]]
        if len(lines) > _SHOWN:
            shown.append(f"- and {len(lines) - _SHOWN} more")
        blocks.append("\n".join((f"## {heading}", "", *shown)))
    return "\n\n".join(blocks)


def _dated(line: MapLine) -> str:
    text = " ".join(line.text.split())
    return f"{line.said_at.date().isoformat()}: {text}" if line.said_at else text
