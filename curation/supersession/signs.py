"""Signs that several rules look for in a pair."""

from __future__ import annotations

from curation.supersession import cues
from curation.supersession.gist import VERB_ROOTS, roots
from curation.supersession.pair import Pair
from curation.wording.phrases import PREPOSITIONS
from curation.wording.same_verbs import VERB_STEMS
from curation.wordlists import words
from schemas.unit import Category

LITTLE, THIRD, HALF, NEARLY = 0.25, 0.33, 0.5, 0.8
"""Shares of the shorter note's meaningful stems that both must have: the weaker the sign, the more."""


INSTEAD = ("instead", "stattdessen", "invece")


MANY = 3


def turned(pair: Pair) -> bool:
    """Whether words of change stand beside nearly all of the other note: its subject may be reworded."""
    elsewhere = any(
        set(roots(" ".join(head))) & other.content
        for head, other in ((pair.old_head, pair.new), (pair.new_head, pair.old))
    )
    return bool(pair.soft or pair.firm) and elsewhere and len(pair.shared) >= MANY and pair.overlap >= NEARLY


def _to_do(pair: Pair) -> bool:
    spine = pair.old.spine
    ordered = (
        bool(spine) and spine[0] in VERB_STEMS and not VERB_STEMS.union(("be", "have")) & set(spine[1:3])
    )
    told = pair.older.category is Category.ACTION_ITEM or ordered
    return told or bool(cues.ACTION.search(pair.older.text))


def finished(pair: Pair) -> bool:
    """Whether the older note is of something to do, and the newer one of something that was done."""
    told = "past" in pair.new.marks or any(word.endswith("+") for word in pair.new.spine)
    return _to_do(pair) and (told or bool(cues.END.search(pair.newer.text)))


def same_deed(pair: Pair) -> bool:
    """Whether the newer note tells of the very thing that was to be done, or that all of it is settled."""
    settled = bool(cues.SETTLED.search(pair.newer.text)) and bool(pair.old_head & pair.new_head)
    ended = bool(cues.END.search(pair.newer.text)) and len(pair.shared) > 1
    return settled or ended or bool(pair.shared & VERB_ROOTS)


def elsewhere(pair: Pair) -> bool:
    """Whether the newer note names an occasion or a place that the older one does not."""
    added = set(pair.new.phrases) - set(pair.old.phrases)
    if _PLACES & (pair.new.content ^ pair.old.content):
        return True
    return any(
        phrase.split(" ")[0] in PREPOSITIONS - _OF_CHANGE
        and set(roots(phrase)) & pair.new.content - pair.old.content
        for phrase in added
    )


_PLACES = words("outsid insid abroad elsewher")


_OF_CHANGE = words("to by from until till after since before as of about due_to because_of because")


def one_place(pair: Pair) -> bool:
    """Whether both say it of something that can only have one: where somebody lives, what a thing weighs."""
    verbs = pair.old.words & pair.new.words & _ONE_AT_A_TIME
    return bool(verbs) and pair.old.spine == pair.new.spine and pair.old.frames == pair.new.frames


_ONE_AT_A_TIME = words("live weigh cost")


NOW = words("now no_longer instead_of already by until on at to")
CLAUSES = words("until when if while unless because as so_that although")
"""What begins a clause of its own: a note with one says something else."""
