"""Rules that retire a value, a name or a choice for another one of the same thing."""

from __future__ import annotations

from curation.supersession import cues
from curation.supersession.gist import Gist, roots
from curation.supersession.named import names, things
from curation.supersession.pair import Pair, Ruling, keep, scopes, shown, supersede
from curation.supersession.signs import HALF, LITTLE, NEARLY, NOW, elsewhere, one_place
from curation.wordlists import words
from schemas.unit import Category


def revalued(pair: Pair) -> Ruling | None:
    """The same with another number, date or time."""
    if not pair.revalues or not pair.heads_agree:
        return None
    if "past" in pair.old.marks and "past" in pair.new.marks and not pair.firm:
        return keep("both tell what happened, and each may have")
    if len(set(pair.old.values) - set(pair.new.values)) > 1 and not pair.firm:
        return keep("more than one value differs, as it does where two things are meant")
    if (elsewhere(pair) or pair.one_sitting) and not (pair.firm or pair.soft):
        return None
    nearly = pair.overlap >= NEARLY and pair.new.frames - NOW <= pair.old.frames
    if nearly or (pair.new_event and pair.overlap >= LITTLE and pair.old_head & pair.new_head):
        before, after = ", ".join(pair.old.values), ", ".join(pair.new.values)
        return supersede(f"the same with another value: {before} became {after}")
    return None


def updated(pair: Pair) -> Ruling | None:
    """All that the older note is about, a word of change, and another value of one kind."""
    cue = pair.firm or pair.soft or cues.GREW.search(pair.newer.text)
    about = pair.about
    if not pair.firm:
        about |= things(pair.old)
    if not (cue and pair.revalues and about and about <= pair.new.content):
        return None
    if len(set(pair.old.values) - set(pair.new.values)) > 1 or ("past" in pair.old.marks and not pair.firm):
        return None
    before, after = ", ".join(pair.old.values), ", ".join(pair.new.values)
    return supersede(f"a word of change and another value: {before} became {after}")


def renamed(pair: Pair) -> Ruling | None:
    """The same thing with a word of change and another name in the place of the old one."""
    before, after = names(pair.older.text), names(pair.newer.text)
    old, new = pair.older.text.casefold(), pair.newer.text.casefold()
    gone = {name for name in before if name not in new or cues.END.search(new)}
    come = {name for name in after if name not in old}
    about = pair.about - {root for name in before for root in roots(name)}
    known = bool(about) and about <= pair.new.content
    cue = pair.firm or pair.soft or (cues.END.search(new) and any(name in new for name in before))
    if len(gone) == 1 and come and known and cue and pair.old.negations == pair.new.negations:
        return supersede(f"another name in the place of {min(gone)!r}")
    return None


def chosen(pair: Pair) -> Ruling | None:
    """Another choice for the same thing: two decisions, or one with a word of change."""
    old, new = scopes(pair.old), scopes(pair.new)
    decided = pair.older.category is pair.newer.category is Category.DECISION
    if not (decided or pair.firm or pair.soft) or not old or old != new:
        return None
    objects = things(pair.old) - pair.new.content and things(pair.new) - pair.old.content
    choose = cues.CHOICE.search(pair.older.text) and cues.CHOICE.search(pair.newer.text)
    if objects and choose and pair.old.negations == pair.new.negations:
        return supersede(f"another choice for {shown(next(iter(sorted(old.values(), key=sorted))))}")
    return None


def decided_again(pair: Pair) -> Ruling | None:
    """The owner decided the same matter anew, and one part of it differently."""
    decided = pair.older.category is pair.newer.category is Category.DECISION
    if not decided or len(pair.things) < 2 or pair.overlap < NEARLY or not pair.heads_agree:
        return None
    if pair.one_sitting or pair.old.content <= pair.new.content or elsewhere(pair) or not pair.says_other:
        return None
    return supersede("the same was decided anew, in part differently")


def reset(pair: Pair) -> Ruling | None:
    """Somebody set it to another value: `they raised the fee to 55 euros`."""
    named = bool(pair.old_head) and pair.old_head <= pair.new.stems | pair.new.content
    if pair.revalues and pair.new_event and "to" in pair.new.frames and named and pair.overlap >= HALF:
        return supersede(f"it was set to {', '.join(pair.new.values)}")
    return None


def swapped(pair: Pair) -> Ruling | None:
    """The same subject and verb in the same frame, one part of it other now: `now deploy with …`."""
    if _ADDING & pair.old.words & pair.new.words:
        return None
    if not pair.soft or not pair.one_part_differs or scopes(pair.old).keys() != scopes(pair.new).keys():
        return None
    return supersede(f"one part of it is other now: {pair.soft!r}")


_ADDING = words("have play learn read watch visit buy eat own add tak get")
"""Verbs of which one can do many at a time: `now plays tennis` ends no piano."""


def equated(pair: Pair) -> Ruling | None:
    """`X is A`, later `X is B`: the same subject, equated with something else."""
    if (
        pair.old.spine.count("be") != 1
        or pair.new.spine.count("be") != 1
        or pair.old.phrases != pair.new.phrases
        or pair.old.negations != pair.new.negations
    ):
        return None
    # the normal form puts the sides of an equation in alphabetical order: either may be the subject
    for old in _sides(pair.old):
        for new in _sides(pair.new):
            if (
                old[0] == new[0]
                and old[1] != new[1]
                and len(old[0]) > 1
                and _names(old[1])
                and _names(new[1])
            ):
                return supersede("the same is equated with something else")
    return None


def located(pair: Pair) -> Ruling | None:
    """What can have only one place or one name: where somebody lives, when something starts."""
    if one_place(pair) and pair.old.content != pair.new.content:
        return supersede("it can only have one, and the newer one names another")
    return None


def _sides(gist: Gist) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """What an equation equates, in both directions."""
    at = gist.spine.index("be")
    left, right = (
        tuple(word for word in side if word not in _RENEWED)
        for side in (gist.spine[:at], gist.spine[at + 1 :])
    )
    return (left, right), (right, left)


def _names(words: tuple[str, ...]) -> bool:
    """Whether a side of an equation is one plain name; a quality, of which a thing has many, is none."""
    return 0 < len(words) < 3 and not words[-1].endswith(_QUALITIES) and not _PRONOUNS & set(words)


_RENEWED = words("new current latest")


_PRONOUNS = words("i we he she they it you user there")


_QUALITIES = ("y", "ful", "ous", "ive", "able", "al", "ed", "+", "ing", "less", "ic", "ant", "ent")
