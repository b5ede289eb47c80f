"""Which pairs are worth judging: one account, one subject, the newer one new since the last sweep.

Two notes share a subject when they share stems that few notes have. Each new note looks only at older notes
that share one of its rarest stems, so the work grows with the new notes and not with the pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

from curation.duplicates import stands_alone
from curation.notes import Note
from curation.supersession import cues
from curation.supersession.gist import gist_of
from curation.supersession.named import about_the_world, specific
from schemas.unit import Category, Speaker, State

RAREST = 4
"""Stems of a new note that older ones are looked up by: its rarest."""

COMMON = 200
"""A stem that more notes have says nothing of a subject."""

SAME_SUBJECT = 0.5
"""Share of the weight of both notes' stems that they must have in common. Below it, of fifty supersessions
drawn from RealMem nearly all joined two subjects (`docs/cleaning.md`): words of change have no subject."""

SAME_WORDS = 0.95
"""Others' words take the place of nothing of the owner's; they are compared where they may contradict it."""

PER_NOTE = 40
"""Older notes that one new note is judged against at most, those that share most first."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair to judge."""

    older: Note
    newer: Note
    shared: float
    """How much they share, 0-1: see `SAME_SUBJECT`."""


def may_supersede(note: Note) -> bool:
    """Whether a note can take another's place: the owner's own statement, not only considered."""
    return note.speaker is Speaker.OWNER and _states(note)


def _states(note: Note) -> bool:
    return note.said_at is not None and note.category not in (
        Category.OPEN_QUESTION,
        Category.IDEA,
        Category.PROVISIONAL,
    )


def comparable(note: Note) -> bool:
    """Whether a note is a claim that is understood by itself: no idea, no part of a sentence, no `it`.

    What the gate holds for review is none yet.
    """
    considered = note.category in (Category.OPEN_QUESTION, Category.IDEA, Category.PROVISIONAL)
    if note.state is State.REVIEW or considered or CUT in note.text or not stands_alone(note):
        return False
    task = note.speaker is Speaker.OWNER and note.category in (Category.ACTION_ITEM, Category.DECISION)
    return about_the_world(note.text, task=task)


CUT = "…"
"""Extraction's sign for words that it left out: what is left is too little to compare."""


def changes_something(note: Note) -> bool:
    """Whether its words announce a change, an end, a denial or state a value."""
    gist = gist_of(note.text)
    return bool(
        gist.values or gist.negations or cues.FIRM.search(note.text) or cues.SOFT.search(note.text)
        or cues.END.search(note.text) or "be" in gist.spine
    )  # fmt: skip


def candidates(notes: Sequence[Note], new: Iterable[str]) -> list[Candidate]:
    """The pairs that the new notes bring, each new note's best first, new notes in order.

    `notes` is the corpus of one account, the new ones among them.
    """
    wanted = frozenset(new)
    frequency: Counter[str] = Counter()
    holders: dict[str, list[int]] = defaultdict(list)
    for place, note in enumerate(notes):
        if note.category is Category.OPEN_QUESTION or note.said_at is None:
            continue
        for stem in gist_of(note.text).content:
            frequency[stem] += 1
            if len(holders[stem]) <= COMMON:
                holders[stem].append(place)
    found: list[Candidate] = []
    for note in notes:
        if note.id in wanted and _states(note) and comparable(note) and changes_something(note):
            found.extend(_older_ones(note, notes, holders, frequency))
    return found


def _older_ones(
    note: Note, notes: Sequence[Note], holders: dict[str, list[int]], frequency: Counter[str]
) -> list[Candidate]:
    mine = gist_of(note.text).content
    telling = sorted(
        (stem for stem in mine if frequency[stem] <= COMMON), key=lambda stem: (frequency[stem], stem)
    )
    places = Counter(place for stem in telling[:RAREST] for place in holders[stem])
    pairs: list[Candidate] = []
    for place, _ in places.most_common():
        older = notes[place]
        if older.id == note.id or not _earlier(older, note) or not comparable(older):
            continue
        if older.speaker is not Speaker.OWNER and not may_supersede(note):
            continue
        shared = _alike(mine, gist_of(older.text).content, frequency, len(notes))
        if shared >= (SAME_SUBJECT if may_supersede(note) else SAME_WORDS):
            pairs.append(Candidate(older, note, shared))
    pairs.sort(key=lambda pair: (-pair.shared, pair.older.id))
    return pairs[:PER_NOTE]


def _alike(mine: frozenset[str], theirs: frozenset[str], frequency: Counter[str], notes: int) -> float:
    """Shared stems over all stems of the two, each weighed by how rare it is in the corpus; 0-1.

    Words of change are left out: they are what the newer note has more. Fewer than two shared stems are none,
    and so are stems of which none names anything.
    """
    both = (mine & theirs) - cues.STEMS_OF_CHANGE
    if len(mine & theirs) < 2 or not any(specific(stem) for stem in both):
        return 0.0

    def weight(stems: frozenset[str]) -> float:
        return sum(log(1 + notes / (1 + frequency[stem])) for stem in stems)

    every = (mine | theirs) - cues.STEMS_OF_CHANGE
    return weight(both) / weight(every) if every else 0.0


def _earlier(older: Note, newer: Note) -> bool:
    return older.said_at is not None and newer.said_at is not None and older.said_at < newer.said_at
