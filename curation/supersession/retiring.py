"""Rules that retire what was done, taken back, given up or denied."""

from __future__ import annotations

import re

from curation.supersession import cues
from curation.supersession.gist import VERB_ROOTS, roots
from curation.supersession.named import things
from curation.supersession.pair import Pair, Ruling, scopes, supersede
from curation.supersession.signs import (
    CLAUSES,
    HALF,
    INSTEAD,
    LITTLE,
    NEARLY,
    NOW,
    THIRD,
    elsewhere,
    finished,
    same_deed,
    turned,
)
from curation.wordlists import words
from schemas.unit import Category


def done(pair: Pair) -> Ruling | None:
    """What was to be done is done."""
    still = cues.ACTION.search(pair.newer.text) or cues.UNDER_WAY.search(_MAIN.split(pair.newer.text)[0])
    if pair.one_sitting and not cues.END.search(pair.newer.text) and "past" not in pair.new.marks:
        return None
    if not finished(pair) or still or pair.new.negations > pair.old.negations:
        return None
    if (
        "past" in pair.old.marks
        and pair.older.category is not Category.ACTION_ITEM
        and not pair.old.negations
    ):
        return None
    other = bool(things(pair.old) - pair.new.content and things(pair.new) - pair.old.content)
    named = pair.heads_agree and (pair.older.category is Category.ACTION_ITEM or not other)
    enough = pair.overlap >= NEARLY or (pair.overlap >= HALF and named)
    about = pair.things or pair.old_head & pair.new_head
    if not pair.shared & VERB_ROOTS and not things(pair.old) <= pair.new.content | _UNFINISHED:
        return None
    if enough and about and same_deed(pair) and "future" not in pair.new.marks:
        return supersede("what was still to be done is done")
    return None


_UNFINISHED = words("half draft progress open unpaid pend broken")

_MAIN = re.compile(r"[,;:]|\b(?:so|and|because|since)\b")
"""Where a sentence's first clause ends."""


def replaced(pair: Pair) -> Ruling | None:
    """It names what it replaces, and that is what the older one said."""
    if not pair.replaces or len(pair.shared) < 2 or pair.overlap < HALF:
        return None
    in_scope = {stem for scope in scopes(pair.old).values() for stem in scope}
    if in_scope & set(roots(pair.replaces)) or in_scope <= pair.new.content:
        return supersede(f"the newer one names what it replaces: {pair.replaces!r}")
    return None


def changed(pair: Pair) -> Ruling | None:
    """Words of change, or of a mistake, on the same subject."""
    two_things = pair.overlap >= THIRD and len(pair.things) > 1
    enough = pair.overlap >= HALF or two_things or (pair.overlap >= LITTLE and pair.heads_agree)
    if pair.firm and enough and _of_that_kind(pair):
        return supersede(f"the newer one says that it changed: {pair.firm!r}")
    told = pair.new_event or pair.soft.casefold() in _STOPS
    if pair.soft and pair.says_other and told and pair.overlap >= HALF and (pair.heads_agree or turned(pair)):
        return supersede(f"the newer one tells of a change: {pair.soft!r}")
    return None


_STOPS = ("quit", "stopped")


def _of_that_kind(pair: Pair) -> bool:
    """Whether the older note says a thing of the kind that the words of change alter: a time, an amount."""
    if cues.MOVED.fullmatch(pair.firm):
        return bool(pair.old.values or pair.old.phrases or cues.PLANNED.search(pair.older.text))
    return bool(pair.old.values) if cues.RESIZED.fullmatch(pair.firm) else True


def dropped(pair: Pair) -> Ruling | None:
    """What the owner meant to do is given up, or something else is done instead."""
    meant = pair.older.category in (Category.DECISION, Category.ACTION_ITEM, Category.PROVISIONAL)
    if not (meant or cues.INTENT.search(pair.older.text)) or cues.ADDITION.search(pair.newer.text):
        return None
    about = pair.about - _choices(pair)
    all_of_it = bool(about) and about <= pair.new.content
    denies = pair.new.negations > pair.old.negations
    given_up = cues.GIVEN_UP.search(pair.newer.text)
    if all_of_it and (denies or given_up) and not elsewhere(pair):
        return supersede("what was meant to be done is given up")
    return None


def _choices(pair: Pair) -> frozenset[str]:
    """Stems of what only the older note chose, where the newer one says what it chose instead."""
    if not (pair.firm or pair.soft.casefold() in INSTEAD):
        return frozenset()
    return things(pair.old) - pair.new.content


def denied(pair: Pair) -> Ruling | None:
    """The same with and without a negation, or with a word's opposite."""
    if not pair.heads_agree or scopes(pair.old) != scopes(pair.new):
        return None
    if CLAUSES & (pair.new.frames ^ pair.old.frames):
        return None
    if pair.old.negations % 2 != pair.new.negations % 2 and pair.alike >= NEARLY:
        return supersede("the newer one denies what the older one says")
    opposite = next(
        (one for one in pair.old.content if _OPPOSITES.get(one, frozenset()) & pair.new.content), ""
    )
    if (
        opposite
        and not pair.revalues
        and pair.same_subject
        and pair.overlap >= HALF
        and pair.old.negations == pair.new.negations
    ):
        return supersede(f"the newer one says the opposite of {opposite!r}")
    return None


_PAIRS = """
open clos; allow forbid; enabl disabl; accept reject; approv reject; pass fail; increas reduc; singl marri;
empti full; public privat; onlin offlin; indoor outdoor; mandatori option; requir option; remot onsit;
avail unavail; begin stop; buy sell; hire fire; manual automat; free paid; vegetarian meat; vegan meat;
deni approv; big small; reopen clos; join leav; alon togeth
"""


_OPPOSITES: dict[str, frozenset[str]] = {}


for _first, _second in (entry.split() for entry in _PAIRS.split(";")):
    _OPPOSITES[_first] = _OPPOSITES.get(_first, frozenset()) | {_second}
    _OPPOSITES[_second] = _OPPOSITES.get(_second, frozenset()) | {_first}


def now_otherwise(pair: Pair) -> Ruling | None:
    """Nearly all is the same, and the newer one says how it is now."""
    if (
        pair.soft
        and pair.says_other
        and not (pair.one_sitting and pair.older.category is Category.ACTION_ITEM)
        and (pair.heads_agree or turned(pair))
        and pair.overlap >= NEARLY
        and pair.old.frames >= pair.new.frames - NOW
    ):
        return supersede(f"the newer one says how it is now: {pair.soft!r}")
    return None
