"""Rules that keep both notes: what speaks for that comes before what speaks against it."""

from __future__ import annotations

from curation.supersession import cues
from curation.supersession.named import modified, names
from curation.supersession.pair import Pair, Ruling, Verdict, keep, scopes, shown
from curation.supersession.signs import CLAUSES, INSTEAD, finished, one_place, turned
from curation.wordlists import words
from schemas.unit import Category, Speaker


def not_newer(pair: Pair) -> Ruling | None:
    """Only what was said later can take a place."""
    if pair.older.at is None or pair.newer.at is None or pair.newer.at <= pair.older.at:
        return keep("it is not known to be newer")
    return None


def not_the_owners(pair: Pair) -> Ruling | None:
    """An assistant's or a stranger's words retire nothing that the owner said (design, rule 3)."""
    newer, older = pair.newer.speaker, pair.older.speaker
    if newer is not Speaker.OWNER and older is not newer:
        return keep(f"what the {newer.value} says retires nothing of the {older.value}'s")
    return None


def asks(pair: Pair) -> Ruling | None:
    """A question states nothing, and its answer does not make it wrong."""
    if pair.new.asks or pair.newer.category is Category.OPEN_QUESTION:
        return keep("the newer one asks")
    if pair.old.asks or pair.older.category is Category.OPEN_QUESTION:
        return keep("the older one asks, and an answer leaves the question standing")
    return None


def only_supposed(pair: Pair) -> Ruling | None:
    """What is only considered changes nothing."""
    if pair.newer.category in (Category.IDEA, Category.PROVISIONAL):
        return keep("the newer one is only considered")
    for found in cues.SUPPOSITION.finditer(pair.newer.text):
        word = found.group()
        permits = word.casefold() == "may" and " may " in f" {pair.older.text.casefold()} "
        if word != "May" and not permits:
            return keep(f"the newer one is only supposed: {word!r}")
    return None


def opposes(pair: Pair) -> Ruling | None:
    """The same with and without a negation, or with another value, where nobody can say which one holds.

    So it is where another contradicts the owner, and where both were said in one sitting without a change.
    """
    others = pair.newer.speaker is not Speaker.OWNER and pair.older.speaker is Speaker.OWNER
    if not others and (not pair.one_sitting or pair.firm or pair.soft or finished(pair)):
        return None
    if pair.old.content != pair.new.content or not pair.things or not pair.heads_agree:
        return None
    if scopes(pair.old) != scopes(pair.new) or CLAUSES & (pair.new.frames ^ pair.old.frames):
        return None
    if pair.old.negations % 2 != pair.new.negations % 2 and pair.old.values == pair.new.values:
        return Ruling(Verdict.CONTRADICT, "one denies what the other says")
    differing = set(pair.old.values) ^ set(pair.new.values)
    if pair.revalues and len(differing) == 2 and pair.old.negations == pair.new.negations:
        return Ruling(Verdict.CONTRADICT, f"one says {' where the other says '.join(sorted(differing))}")
    return None


def holds_for_a_time(pair: Pair) -> Ruling | None:
    """An exception for a time leaves the rule standing."""
    found = cues.EXCEPTION.search(pair.newer.text)
    if found and not cues.EXCEPTION.search(pair.older.text) and not finished(pair) and not pair.firm:
        return keep(f"the newer one holds for a time: {found.group()!r}")
    return None


def another_subject(pair: Pair) -> Ruling | None:
    """Never across unrelated subjects."""
    if not pair.shared:
        return keep("they share no subject")
    old, new = pair.old_head, pair.new_head
    apart = old and new and not old & new and not new & pair.old.stems and not old & pair.new.stems
    if apart and not (pair.firm and len(pair.shared) > 1) and not finished(pair) and not turned(pair):
        return keep(f"one is about {shown(old)}, the other about {shown(new)}")
    only_old, only_new = old - new - pair.new.stems, new - old - pair.old.stems
    if only_old and only_new and (old & new or (finished(pair) and not pair.firm)):
        return keep(f"one is about {shown(only_old)}, the other about {shown(only_new)}")
    return None


def another_thing(pair: Pair) -> Ruling | None:
    """The demo and the demo script, the kitchen and the kitchen table share a word and no thing."""
    if not pair.things:
        return None
    old, new = modified(pair.older.text), modified(pair.newer.text)
    parted = {
        one for one in pair.things
        if old.get(one) != new.get(one) and not {old.get(one), new.get(one)} & pair.shared
    }  # fmt: skip
    if parted < pair.things:
        return None
    return keep(f"{shown(pair.things)} is a part of another name in one of them")


def another_name(pair: Pair) -> Ruling | None:
    """Another time or amount, and another name beside it: of another thing."""
    old, new = names(pair.older.text), names(pair.newer.text)
    gone = [name for name in old if name not in pair.newer.text.casefold()]
    come = [name for name in new if name not in pair.older.text.casefold()]
    altered = cues.MOVED.fullmatch(pair.firm) or cues.RESIZED.fullmatch(pair.firm)
    if gone and come and (altered or (pair.revalues and not pair.firm and not pair.soft)):
        return keep(f"one is about {min(gone)}, the other about {min(come)}")
    return None


def another_case(pair: Pair) -> Ruling | None:
    """The same said for another place, group or occasion."""
    old, new = scopes(pair.old), scopes(pair.new)
    for preposition in sorted(old.keys() & new.keys()):
        before, after = old[preposition], new[preposition]
        apart = not before & after or (before - pair.new.content and after - pair.old.content)
        if (
            apart
            and not pair.replaces
            and pair.soft.casefold() not in INSTEAD
            and not one_place(pair)
            and not pair.firm
        ):
            return keep(f"they hold for different cases: {preposition} {shown(before)}, {shown(after)}")
    told = pair.soft and (pair.old.content <= pair.new.content or pair.soft.casefold() in INSTEAD)
    if not pair.firm and not told and (new.keys() - old.keys()) & _NARROWING:
        return keep("the newer one holds for a narrower case")
    return None


_NARROWING = words("for when if during")


def adds(pair: Pair) -> Ruling | None:
    """What says all of the older one and more refines it."""
    if pair.firm or pair.old.negations != pair.new.negations:
        return None
    if pair.old.content < pair.new.content and set(pair.old.values) <= set(pair.new.values):
        return keep("the newer one says the same and adds to it")
    if found := cues.ADDITION.search(pair.newer.text) or cues.MORE.search(pair.newer.text):
        return keep(f"the newer one adds: {found.group()!r}")
    return None


def contrasts(pair: Pair) -> Ruling | None:
    """Two sides of one thing can both be so."""
    found = cues.CONTRAST.search(pair.newer.text)
    return keep(f"the newer one sets two things side by side: {found.group()!r}") if found else None
