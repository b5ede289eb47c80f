"""Near-duplicates: notes of one account that share a normal form become one, and which one stands for them.

    key        the normal form, and the setting that a note's words depend on
    group      notes with one key                                  (linear: one hash a note)
    canonical  the highest tier, then the owner's own words, then the newest
    merge      every other one of the group is a duplicate of the canonical one

Notes that differ in anything but wording have different keys, so no threshold decides. What cannot be
understood without its setting is a duplicate only inside it: words such as `it` or a bare label in their
conversation, words such as `tomorrow` on their day.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from curation.notes import Note
from curation.wording.form import FORM_VERSION, Form, form_of
from curation.wording.tokens import tokenise
from curation.wordlists import words
from schemas.unit import Category, Speaker

RULES = f"forms/{FORM_VERSION}"
"""Who judges duplicates."""

_POINTING = words(
    """
    it this that these those he she they him her them his their its there here one ones such same other
    another both above below former latter next previous following es das dies diese dieser er sie il
    elle ce cela ça ils elles esto eso ella ello ellos este esta ese esa
    """
)
"""Words that point at something said before: at a note's start they are not understood without it."""

_DEICTIC = words(
    """
    today tomorrow yesterday tonight now currently recently soon later ago last next this week month
    year heute morgen gestern jetzt aujourd'hui demain hier maintenant hoy mañana ayer ahora oggi domani
    ieri hoje amanhã ontem
    """
)
"""Words whose meaning depends on the day."""

SHORTEST = 4
"""Words that a note must have to be understood outside its conversation."""

Key = tuple[Form, str, str, str]
"""(form, category's class, conversation or "", day or "")."""


@dataclass(frozen=True, slots=True)
class Merge:
    """`duplicate` says nothing that `canonical` does not say."""

    canonical: Note
    duplicate: Note
    reason: str

    @property
    def proposed(self) -> bool:
        """Whether it is the owner's to decide."""
        return self.duplicate.kept


def key_of(note: Note) -> Key:
    """What duplicates share: equal keys, one meaning."""
    words = [token.casefold() for token in tokenise(note.text).tokens]
    conversation = "" if _stands_alone(words) else note.conversation_id
    day = str(note.said_at.date()) if note.said_at and not _DEICTIC.isdisjoint(words) else ""
    return form_of(note.text), _class(note), conversation, day


def _stands_alone(words: Sequence[str]) -> bool:
    said = [word for word in words if word[:1].isalnum()]
    return len(said) >= SHORTEST and _POINTING.isdisjoint(said[:3])


def _class(note: Note) -> str:
    """A hedge is not a claim, and a decision is not an idea: they do not stand for one another."""
    if note.category in (Category.PROVISIONAL, Category.OPEN_QUESTION):
        return note.category.value
    if note.speaker is Speaker.OTHER:
        return f"{note.speaker.value}:{note.speaker_name}"
    return ""


def same_meaning(a: Note, b: Note) -> bool:
    """Whether keeping one of the two loses nothing."""
    return a.account == b.account and key_of(a) == key_of(b)


def duplicate_groups(notes: Sequence[Note], new: Iterable[str] | None = None) -> list[list[Note]]:
    """Groups of notes of one account with one key, in order; with `new`, those with a new one.

    Memory: eight bytes a note beside the notes themselves. A key is worked out again only where hashes meet.
    """
    if len({note.account for note in notes}) > 1:
        raise ValueError("a sweep looks at one account at a time")
    hashes = np.fromiter((hash(key_of(note)) for note in notes), dtype=np.int64, count=len(notes))
    order = np.argsort(hashes, kind="stable")
    starts = np.flatnonzero(np.diff(hashes[order], prepend=np.int64(0)) != 0) if len(order) else order
    starts = np.union1d(starts, np.zeros(min(1, len(order)), dtype=np.int64))
    lengths = np.diff(np.append(starts, len(order)))
    wanted = None if new is None else frozenset(new)
    groups: list[list[Note]] = []
    for start, length in zip(starts[lengths > 1], lengths[lengths > 1], strict=True):
        run = order[start : start + length]
        by_key: dict[Key, list[Note]] = {}
        for place in run:
            by_key.setdefault(key_of(notes[place]), []).append(notes[place])
        for group in by_key.values():
            if len(group) > 1 and (wanted is None or any(note.id in wanted for note in group)):
                groups.append(group)
    groups.sort(key=lambda group: (group[0].event, group[0].id))
    return groups


def canonical_of(group: Sequence[Note]) -> Note:
    """The note whose wording stands for the group: highest tier, then the owner's own, then the newest."""
    return max(
        group,
        key=lambda note: (
            note.kept,
            note.speaker is Speaker.OWNER,
            note.category is Category.DECISION,
            note.said_at.timestamp() if note.said_at else float("-inf"),
            note.id,
        ),
    )


def merges_of(group: Sequence[Note]) -> list[Merge]:
    """Every other note of the group into its canonical one."""
    canonical = canonical_of(group)
    return [Merge(canonical, note, _reason(canonical, note)) for note in group if note.id != canonical.id]


def _reason(canonical: Note, duplicate: Note) -> str:
    same = canonical.text == duplicate.text
    return "the same words" if same else f"says the same as {canonical.text!r}"
