"""Near-duplicates: notes of one account that say the same become one, and which one stands for them.

    key        the normal form, and the setting that a note's words depend on
    group      notes with one key                                  (linear: one hash a note)
    joined     groups one of whose notes the small judge takes for one of the other's (`pairs.judge`)
    canonical  the highest tier, then the owner's own words, then the newest
    merge      every other one of the group is a duplicate of the canonical one

A key differs in anything but wording; the judge knows other words for the same, and never joins what
differs in a number, a name, a negation or a doubt. What cannot be understood without its setting is a
duplicate only inside it: words such as `it` or a bare label in their conversation, words such as `tomorrow`
on their day.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

from chunking.wordlists import words
from curation.normal_form.form import FORM_VERSION, Form, form_of, opening
from curation.pairs.candidate_pairs import CandidatePair, alike
from curation.pairs.small_judge import JUDGE, PairJudge
from curation.swept_note import SweptNote
from schemas.unit import Category, Speaker

RULES = f"forms/{FORM_VERSION}+{JUDGE}"
"""Who judges duplicates."""

_POINTING = words(
    """
    it this that these those he she they him her them his their its there here one ones such same other
    another both former latter previous following es das dies diese dieser er sie il
    elle ce cela ça ils elles esto eso ella ello ellos este esta ese esa
    """
)
"""Words that point at something said before: at a note's start they are not understood without it."""

_BACKWARD = words("above below mentioned said aforementioned latter former obige obigen")
"""Words that point back wherever they stand."""

_DEICTIC = words(
    """
    today tomorrow yesterday tonight now currently recently soon later ago last next this week month
    year heute morgen gestern jetzt aujourd'hui demain hier maintenant hoy mañana ayer ahora oggi domani
    ieri hoje amanhã ontem
    """
)
"""Words whose meaning depends on the day."""

SHORTEST = 3
"""Words of a form that a note must have to be understood outside its conversation."""

Key = tuple[Form, str, str, str]
"""(form, category's class, conversation or "", day or "")."""


class SameJudge(Protocol):
    """Who knows other words for the same."""

    def same(self, one: str, other: str) -> bool:
        """Whether keeping one of two texts loses nothing, whichever of them comes first."""


@dataclass(frozen=True, slots=True)
class Merge:
    """`duplicate` says nothing that `canonical` does not say."""

    canonical: SweptNote
    duplicate: SweptNote
    reason: str

    @property
    def proposed(self) -> bool:
        """Whether it is the owner's to decide."""
        return self.duplicate.kept


def key_of(note: SweptNote) -> Key:
    """What duplicates share: equal keys, one meaning.

    The setting is read off the form, so that two wordings of one note never differ in it.
    """
    form = form_of(note.text)
    said = [word for part in form for word in part.split(" ") if word not in ("", "|", "?")]
    conversation = "" if _stands_alone(form, said) else note.conversation_id
    day = str(note.said_at.date()) if note.said_at and not _DEICTIC.isdisjoint(said) else ""
    return form, _class(note), conversation, day


def _stands_alone(form: Form, said: Sequence[str]) -> bool:
    return len(said) >= SHORTEST and _POINTING.isdisjoint(opening(form)) and _BACKWARD.isdisjoint(said)


def stands_alone(note: SweptNote) -> bool:
    """Whether a note is understood outside its conversation."""
    form = form_of(note.text)
    return _stands_alone(
        form, [word for part in form for word in part.split(" ") if word not in ("", "|", "?")]
    )


def _class(note: SweptNote) -> str:
    """A hedge is not a claim, and a decision is not an idea: they do not stand for one another."""
    if note.category in (Category.PROVISIONAL, Category.OPEN_QUESTION):
        return note.category.value
    if note.speaker is Speaker.OTHER:
        return f"{note.speaker.value}:{note.speaker_name}"
    return ""


def same_meaning(a: SweptNote, b: SweptNote, judge: SameJudge | None = None) -> bool:
    """Whether keeping one of the two loses nothing: one key, or one meaning to the judge in one setting."""
    if a.account != b.account:
        return False
    one, other = key_of(a), key_of(b)
    return one == other or (judge is not None and one[1:] == other[1:] and judge.same(a.text, b.text))


def duplicate_groups(
    notes: Sequence[SweptNote], new: Iterable[str] | None = None, judge: SameJudge | None = None
) -> list[list[SweptNote]]:
    """Groups of notes of one account that say the same, in order; with `new`, those with a new one.

    Without a judge only the normal form decides. Memory: some two hundred bytes a note beside the notes
    themselves.
    """
    if len({note.account for note in notes}) > 1:
        raise ValueError("a sweep looks at one account at a time")
    places: dict[bytes, list[int]] = {}
    first: dict[bytes, int] = {}
    for place, note in enumerate(notes):
        digest = _digest(key_of(note))
        if digest in first:
            places.setdefault(digest, [first[digest]]).append(place)
        else:
            first[digest] = place
    wanted = None if new is None else frozenset(new)
    found = [[notes[place] for place in held] for held in places.values()]
    if judge is not None:
        found = _joined(found, notes, wanted, judge)
    groups = [group for group in found if wanted is None or any(note.id in wanted for note in group)]
    groups.sort(key=lambda group: (group[0].event, group[0].id))
    return groups


def doubtful_pairs(
    notes: Sequence[SweptNote], new: Iterable[str] | None, judge: PairJudge
) -> list[CandidatePair]:
    """The pairs of alike notes in one setting that the small judge neither joins nor keeps apart for sure;
    with `new`, those with a new one."""
    wanted = None if new is None else frozenset(new)
    return [pair for pair in alike(notes, wanted) if _in_doubt(pair, judge)]


def _in_doubt(pair: CandidatePair, judge: PairJudge) -> bool:
    one, other = key_of(pair.older), key_of(pair.newer)
    return one != other and one[1:] == other[1:] and judge.doubts(pair.older.text, pair.newer.text)


MOST_JOINED = 8
"""Wordings of a group that a further one is held against; a larger group takes no more."""


def _joined(
    groups: list[list[SweptNote]], notes: Sequence[SweptNote], wanted: frozenset[str] | None, judge: SameJudge
) -> list[list[SweptNote]]:
    """The groups, with notes and groups joined to one another that the judge takes for the same.

    Every wording of the one is held against every wording of the other: nothing is joined by way of a third.
    """
    home = {note.id: group for group in groups for note in group}
    for pair in alike(notes, wanted):
        one, other = home.get(pair.older.id, [pair.older]), home.get(pair.newer.id, [pair.newer])
        if one is not other and _all_the_same(one, other, judge):
            joined = [*one, *other]
            home.update((note.id, joined) for note in joined)
    found = {id(group): group for group in home.values() if len(group) > 1}
    return list(found.values())


def _all_the_same(some: Sequence[SweptNote], others: Sequence[SweptNote], judge: SameJudge) -> bool:
    one, other = ({note.text: note for note in group} for group in (some, others))
    if len(one) + len(other) > MOST_JOINED:
        return False
    return all(same_meaning(left, right, judge) for left in one.values() for right in other.values())


def _digest(key: Key) -> bytes:
    """Stands for a key: sixteen bytes, so that equal ones of different keys do not occur."""
    form, *rest = key
    return blake2b("\x1f".join((*form, *rest)).encode("utf-8", "replace"), digest_size=16).digest()


def canonical_of(group: Sequence[SweptNote]) -> SweptNote:
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


def merges_of(group: Sequence[SweptNote]) -> list[Merge]:
    """Every other note of the group into its canonical one."""
    canonical = canonical_of(group)
    return [Merge(canonical, note, _reason(canonical, note)) for note in group if note.id != canonical.id]


def _reason(canonical: SweptNote, duplicate: SweptNote) -> str:
    # no words of the other note: they would outlive it here if the owner had it forgotten
    return "the same words" if canonical.text == duplicate.text else "the same in other words"
