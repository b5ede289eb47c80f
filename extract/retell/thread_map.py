"""The thread map of the offline engine: the arc of a thread, from its sessions' units.

    goal             what the owner said in opening it
    arc              for each session the sentence that a careful reader would keep first
    turning points   decisions that took the place of others
    in force         the owner's decisions that stand; and, apart, those that were superseded
    open questions   with which a session ended, and which no later session takes up
    next steps       the owner's tasks of the last session that has any

Every line is a sentence as it was said, with its speaker; nothing is concluded beyond that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chunking.language import content_stems
from chunking.settledness import settledness
from extract.retell.retelling import LOOKED_AT, each_once, is_telling, quoted, said, worth
from schemas.base import Instant
from schemas.ids import thread_map_id
from schemas.thread import MapLine, Profile, Thread, ThreadMap
from schemas.unit import Category, Speaker, Unit

MAP_VERSION = "offline/8"
"""Engine and version, as a map's `writer` names it."""

_TAKEN_UP = 0.5
"""Share of a question's words of content; a later unit that has them takes the question up."""
_OPENING_MESSAGES = 2
"""Messages of the owner's that open a session: the first is often a greeting."""
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
        """The owner's decisions that stand, in order: what is telling, and what took another's place.

        A line is a whole sentence, so none is taken from a sentence of which a part was superseded.
        """
        successors = set(self.by.values())
        taken_back = {(unit.conversation_id, said(unit)) for unit in self.superseded.values()}
        return [
            (session, unit)
            for session in self.sessions
            for unit in session.units
            if unit.category is Category.DECISION
            and unit.id not in self.superseded
            and (unit.conversation_id, said(unit)) not in taken_back
            and (unit.id in successors or is_telling(unit))
        ]


Parts = dict[str, tuple[MapLine, ...]]
"""The lines of a map by the name of its field, from `goal` to `next_steps`."""


def thread_map(notes: ThreadNotes) -> ThreadMap:
    """The map of a thread by rules."""
    return assembled(notes, parts_of(notes), MAP_VERSION)


def parts_of(notes: ThreadNotes) -> Parts:
    """The lines of a thread's map by rules."""
    sessions, superseded, by = notes.sessions, notes.superseded, notes.by
    decisions = notes.decisions
    return {
        "goal": tuple(_goal(sessions)),
        "arc": tuple(_arc(session) for session in sessions),
        "turning_points": tuple(_turning_points(decisions, superseded, by)),
        "in_force": tuple(map_line(unit) for unit in each_once(unit for _, unit in decisions)),
        "superseded": tuple(_taken_back(superseded, by)),
        "open_questions": _asked_once(_left_open(sessions)),
        "next_steps": tuple(_next_steps(sessions)),
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
        text=text or quoted(unit),
        conversation_id=unit.conversation_id,
        said_at=unit.said_at,
        unit_ids=(unit.id,),
    )


def _asked_once(questions: Iterator[Unit]) -> tuple[MapLine, ...]:
    """The lines of questions without those that ask in the same words what an earlier one asks."""
    found: dict[object, MapLine] = {}
    for unit in questions:
        line = map_line(unit)
        stems = content_stems(line.text)
        found.setdefault((stems or line.text, settledness(unit.text)), line)
    return tuple(found.values())


def _goal(sessions: Sequence[SessionNotes]) -> Iterator[MapLine]:
    """What the owner said in opening the thread that is most worth telling: a statement before a question."""
    for session in sessions:
        own = [unit for unit in session.units if unit.speaker is Speaker.OWNER]
        opening = list(dict.fromkeys(unit.evidence[0].message_id for unit in own))[:_OPENING_MESSAGES]
        first = [unit for unit in own if unit.evidence[0].message_id in opening]
        told = [unit for unit in first if is_telling(unit)]
        stated = [unit for unit in told if unit.category is not Category.OPEN_QUESTION]
        if found := stated or told or first:
            yield map_line(max(found, key=worth))
            return


def _arc(session: SessionNotes) -> MapLine:
    """A session in one line: a decision, else what the owner said, else what was answered."""
    best = _most_telling(session.units)
    if best is not None:
        return map_line(best)
    text = session.title or "Nothing that was noted."
    return MapLine(text=text, conversation_id=session.conversation_id, said_at=session.began)


def _most_telling(units: Sequence[Unit]) -> Unit | None:
    own = [unit for unit in units if unit.speaker is Speaker.OWNER and is_telling(unit)]
    decided = [unit for unit in own if unit.category is Category.DECISION]
    stated = [unit for unit in own if unit.category is not Category.OPEN_QUESTION]
    for found in (decided, stated, own, [unit for unit in units if is_telling(unit)], units):
        if found:
            return max(found, key=worth)
    return None


def _turning_points(
    decisions: Sequence[tuple[SessionNotes, Unit]], superseded: Mapping[str, Unit], by: Mapping[str, str]
) -> Iterator[MapLine]:
    """Decisions that took the place of others, with what they replaced."""
    replaced: dict[str, list[Unit]] = {}
    for older, successor in by.items():
        replaced.setdefault(successor, []).append(superseded[older])
    for _, unit in decisions:
        if before := replaced.get(unit.id):
            line = map_line(unit, f"{quoted(unit)} Before: {' '.join(quoted(one) for one in before)}")
            yield line.model_copy(update={"unit_ids": (unit.id, *(one.id for one in before))})


def _taken_back(superseded: Mapping[str, Unit], by: Mapping[str, str]) -> Iterator[MapLine]:
    for older, unit in superseded.items():
        if unit.category is Category.DECISION:
            line = map_line(unit)
            yield line.model_copy(update={"unit_ids": (older, by[older])})


def _left_open(sessions: Sequence[SessionNotes]) -> Iterator[Unit]:
    """Questions of a session's last message whose words no unit of a later session has."""
    later = _Later()
    found: list[Unit] = []
    for session in reversed(sessions):
        ending = [
            unit
            for unit in session.units
            if unit.category is Category.OPEN_QUESTION
            and unit.evidence[0].message_id == session.last_message
            and is_telling(unit)
        ]
        for unit in reversed(ending):
            if not later.take_up(content_stems(unit.text)):
                found.append(unit)
        for unit in session.units:
            later.add(content_stems(unit.text))
    yield from reversed(found)


class _Later:
    """The content words of the units of later sessions, by word."""

    def __init__(self) -> None:
        self._units: list[frozenset[str]] = []
        self._holders: dict[str, list[int]] = {}

    def add(self, stems: frozenset[str]) -> None:
        for stem in stems:
            self._holders.setdefault(stem, []).append(len(self._units))
        self._units.append(stems)

    def take_up(self, asked: frozenset[str]) -> bool:
        """Whether one of the units has enough of a question's words.

        A unit that has them has one of the rarest; of a word, the last `LOOKED_AT` units that have it are
        looked at, so that a word in every unit costs no more.
        """
        needed = math.ceil(_TAKEN_UP * len(asked))
        if not needed:
            return bool(self._units)
        rarest = sorted(asked, key=lambda stem: (len(self._holders.get(stem, ())), stem))
        return any(
            len(asked & self._units[place]) >= needed
            for stem in rarest[: len(asked) - needed + 1]
            for place in self._holders.get(stem, ())[-LOOKED_AT:]
        )


def _next_steps(sessions: Sequence[SessionNotes]) -> Iterator[MapLine]:
    for session in reversed(sessions):
        tasks = [
            unit
            for unit in session.units
            if unit.category is Category.ACTION_ITEM and unit.speaker is Speaker.OWNER and is_telling(unit)
        ]
        if tasks:
            yield from map(map_line, each_once(tasks))
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
