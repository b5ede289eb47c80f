"""The offline judge: rules in order, the first that has something to say decides, each with its reason.

What speaks for keeping both comes first, and a pair that no rule knows is kept: a wrong supersession hides a
note. A new rule is one function and one line in `RULES`.
"""

from __future__ import annotations

from collections.abc import Callable

from curation.supersession import cues
from curation.supersession.gist import VERB_ROOTS, Gist, roots
from curation.supersession.pair import Pair, Ruling, Verdict, scopes, shown
from curation.wording.same_verbs import VERB_STEMS
from curation.wordlists import words
from schemas.unit import Category, Speaker

JUDGE = "offline/2"
"""Name and version of the judge. Raise it when a rule changes: pairs are then judged again."""

LITTLE, HALF, NEARLY = 0.25, 0.5, 0.8
"""Shares of the shorter note's meaningful stems that both must have: the weaker the sign, the more."""

Rule = Callable[[Pair], Ruling | None]


def _keep(reason: str) -> Ruling:
    return Ruling(Verdict.KEEP_BOTH, reason)


def _supersede(reason: str) -> Ruling:
    return Ruling(Verdict.SUPERSEDE, reason)


def not_newer(pair: Pair) -> Ruling | None:
    """Only what was said later can take a place."""
    if pair.older.at is None or pair.newer.at is None or pair.newer.at <= pair.older.at:
        return _keep("it is not known to be newer")
    return None


def not_the_owners(pair: Pair) -> Ruling | None:
    """An assistant's or a stranger's words retire nothing that the owner said (design, rule 3)."""
    newer, older = pair.newer.speaker, pair.older.speaker
    if newer is not Speaker.OWNER and older is not newer:
        return _keep(f"what the {newer.value} says retires nothing of the {older.value}'s")
    return None


def asks(pair: Pair) -> Ruling | None:
    """A question states nothing, and its answer does not make it wrong."""
    if pair.new.asks or pair.newer.category is Category.OPEN_QUESTION:
        return _keep("the newer one asks")
    if pair.old.asks or pair.older.category is Category.OPEN_QUESTION:
        return _keep("the older one asks, and an answer leaves the question standing")
    return None


def only_supposed(pair: Pair) -> Ruling | None:
    """What is only considered changes nothing."""
    if pair.newer.category in (Category.IDEA, Category.PROVISIONAL):
        return _keep("the newer one is only considered")
    for found in cues.SUPPOSITION.finditer(pair.newer.text):
        word = found.group()
        permits = word.casefold() == "may" and " may " in f" {pair.older.text.casefold()} "
        if word != "May" and not permits:
            return _keep(f"the newer one is only supposed: {word!r}")
    return None


def holds_for_a_time(pair: Pair) -> Ruling | None:
    """An exception for a time leaves the rule standing."""
    found = cues.EXCEPTION.search(pair.newer.text)
    if found and not cues.EXCEPTION.search(pair.older.text) and not _finished(pair) and not pair.firm:
        return _keep(f"the newer one holds for a time: {found.group()!r}")
    return None


def another_subject(pair: Pair) -> Ruling | None:
    """Never across unrelated subjects."""
    if not pair.shared:
        return _keep("they share no subject")
    old, new = pair.old_head, pair.new_head
    apart = old and new and not old & new and not new & pair.old.words and not old & pair.new.words
    if apart and not (pair.firm and len(pair.shared) > 1) and not _finished(pair) and not _turned(pair):
        return _keep(f"one is about {shown(old)}, the other about {shown(new)}")
    only_old, only_new = old - new - pair.new.words, new - old - pair.old.words
    if old & new and only_old and only_new:
        return _keep(f"one is about {shown(only_old)}, the other about {shown(only_new)}")
    return None


def another_case(pair: Pair) -> Ruling | None:
    """The same said for another place, group or occasion."""
    old, new = scopes(pair.old), scopes(pair.new)
    for preposition in sorted(old.keys() & new.keys()):
        before, after = old[preposition], new[preposition]
        if not before & after and not pair.replaces and not _located(pair) and not pair.firm:
            return _keep(f"they hold for different cases: {preposition} {shown(before)}, {shown(after)}")
    turned = pair.soft and pair.old.content <= pair.new.content
    if not pair.firm and not turned and (new.keys() - old.keys()) & _NARROWING:
        return _keep("the newer one holds for a narrower case")
    return None


def _turned(pair: Pair) -> bool:
    """Whether words of change stand beside nearly all of the other note: its subject may be reworded."""
    elsewhere = any(
        set(roots(" ".join(head))) & other.content
        for head, other in ((pair.old_head, pair.new), (pair.new_head, pair.old))
    )
    return bool(pair.soft or pair.firm) and elsewhere and len(pair.shared) >= MANY and pair.overlap >= NEARLY


MANY = 3
_NARROWING = words("for when if during")


def _to_do(pair: Pair) -> bool:
    spine = pair.old.spine
    ordered = (
        bool(spine) and spine[0] in VERB_STEMS and not VERB_STEMS.union(("be", "have")) & set(spine[1:3])
    )
    told = pair.older.category is Category.ACTION_ITEM or ordered
    return told or bool(cues.ACTION.search(pair.older.text))


def _finished(pair: Pair) -> bool:
    """Whether the older note is of something to do, and the newer one of something that was done."""
    told = "past" in pair.new.marks or any(word.endswith("+") for word in pair.new.spine)
    return _to_do(pair) and (told or bool(cues.END.search(pair.newer.text)))


def _same_deed(pair: Pair) -> bool:
    """Whether the newer note tells of the very thing that was to be done, or that all of it is settled."""
    settled = bool(cues.SETTLED.search(pair.newer.text)) and bool(pair.old_head & pair.new_head)
    ended = bool(cues.END.search(pair.newer.text)) and len(pair.shared) > 1
    return settled or ended or bool(pair.shared & VERB_ROOTS)


def done(pair: Pair) -> Ruling | None:
    """What was to be done is done."""
    if not _finished(pair) or cues.ACTION.search(pair.newer.text) or pair.new.negations > pair.old.negations:
        return None
    if (
        "past" in pair.old.marks
        and pair.older.category is not Category.ACTION_ITEM
        and not pair.old.negations
    ):
        return None
    if pair.overlap >= HALF and _same_deed(pair) and "future" not in pair.new.marks:
        return _supersede("what was still to be done is done")
    return None


def replaced(pair: Pair) -> Ruling | None:
    """It names what it replaces, and that is what the older one said."""
    if not pair.replaces or len(pair.shared) < 2 or pair.overlap < HALF:
        return None
    in_scope = {stem for scope in scopes(pair.old).values() for stem in scope}
    if in_scope & set(roots(pair.replaces)) or in_scope <= pair.new.content:
        return _supersede(f"the newer one names what it replaces: {pair.replaces!r}")
    return None


def changed(pair: Pair) -> Ruling | None:
    """Words of change, or of a mistake, on the same subject."""
    enough = pair.overlap >= HALF or (pair.overlap >= LITTLE and pair.heads_agree)
    if pair.firm and enough:
        return _supersede(f"the newer one says that it changed: {pair.firm!r}")
    told = pair.new_event or pair.soft.casefold() in _STOPS
    if (
        pair.soft
        and pair.says_other
        and told
        and pair.overlap >= HALF
        and (pair.heads_agree or _turned(pair))
    ):
        return _supersede(f"the newer one tells of a change: {pair.soft!r}")
    return None


_STOPS = ("quit", "stopped")


def adds(pair: Pair) -> Ruling | None:
    """What says all of the older one and more refines it."""
    if pair.firm or pair.old.negations != pair.new.negations:
        return None
    if pair.old.content < pair.new.content and set(pair.old.values) <= set(pair.new.values):
        return _keep("the newer one says the same and adds to it")
    if found := cues.ADDITION.search(pair.newer.text):
        return _keep(f"the newer one adds: {found.group()!r}")
    return None


def contrasts(pair: Pair) -> Ruling | None:
    """Two sides of one thing can both be so."""
    found = cues.CONTRAST.search(pair.newer.text)
    return _keep(f"the newer one sets two things side by side: {found.group()!r}") if found else None


def denied(pair: Pair) -> Ruling | None:
    """The same with and without a negation, or with a word's opposite."""
    if not pair.heads_agree or scopes(pair.old) != scopes(pair.new):
        return None
    if pair.old.negations % 2 != pair.new.negations % 2 and pair.alike >= NEARLY:
        return _supersede("the newer one denies what the older one says")
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
        return _supersede(f"the newer one says the opposite of {opposite!r}")
    return None


def now_otherwise(pair: Pair) -> Ruling | None:
    """Nearly all is the same, and the newer one says how it is now."""
    if (
        pair.soft
        and pair.says_other
        and (pair.heads_agree or _turned(pair))
        and pair.overlap >= NEARLY
        and pair.old.frames >= pair.new.frames - _NOW
    ):
        return _supersede(f"the newer one says how it is now: {pair.soft!r}")
    return None


_NOW = words("now no_longer instead_of already by until on at to")


def revalued(pair: Pair) -> Ruling | None:
    """The same with another number, date or time."""
    if not pair.revalues or not pair.heads_agree:
        return None
    if "past" in pair.old.marks and "past" in pair.new.marks and not pair.firm:
        return _keep("both tell what happened, and each may have")
    if len(set(pair.old.values) - set(pair.new.values)) > 1 and not pair.firm:
        return _keep("more than one value differs, as it does where two things are meant")
    nearly = pair.overlap >= NEARLY and pair.new.frames - _NOW <= pair.old.frames
    if nearly or (pair.new_event and pair.overlap >= LITTLE and pair.old_head & pair.new_head):
        before, after = ", ".join(pair.old.values), ", ".join(pair.new.values)
        return _supersede(f"the same with another value: {before} became {after}")
    return None


def reset(pair: Pair) -> Ruling | None:
    """Somebody set it to another value: `they raised the fee to 55 euros`."""
    named = bool(pair.old_head) and pair.old_head <= pair.new.words | pair.new.content
    if pair.revalues and pair.new_event and "to" in pair.new.frames and named and pair.overlap >= HALF:
        return _supersede(f"it was set to {', '.join(pair.new.values)}")
    return None


def swapped(pair: Pair) -> Ruling | None:
    """The same subject and verb in the same frame, one part of it other now: `now deploy with …`."""
    if not pair.soft or not pair.one_part_differs or scopes(pair.old).keys() != scopes(pair.new).keys():
        return None
    return _supersede(f"one part of it is other now: {pair.soft!r}")


def equated(pair: Pair) -> Ruling | None:
    """`X is A`, later `X is B`: the same subject, equated with something else."""
    if (
        pair.old.spine.count("be") != 1
        or pair.new.spine.count("be") != 1
        or pair.old.phrases != pair.new.phrases
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
                return _supersede("the same is equated with something else")
    return None


def located(pair: Pair) -> Ruling | None:
    """What can have only one place or one name: where somebody lives, when something starts."""
    if _located(pair) and pair.old.content != pair.new.content:
        return _supersede("it can only have one, and the newer one names another")
    return None


def _located(pair: Pair) -> bool:
    verbs = pair.old.words & pair.new.words & _ONE_AT_A_TIME
    return bool(verbs) and pair.old.spine == pair.new.spine and pair.old.frames == pair.new.frames


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
_ONE_AT_A_TIME = words("live weigh cost")
_PAIRS = """
open clos; allow forbid; enabl disabl; accept reject; approv reject; pass fail; increas reduc; singl marri;
empti full; public privat; onlin offlin; indoor outdoor; mandatori option; requir option; remot onsit;
avail unavail; begin stop; buy sell; hire fire; manual automat; free paid; vegetarian meat; vegan meat;
deni approv; join leav; alon togeth
"""
_OPPOSITES: dict[str, frozenset[str]] = {}
for _first, _second in (entry.split() for entry in _PAIRS.split(";")):
    _OPPOSITES[_first] = _OPPOSITES.get(_first, frozenset()) | {_second}
    _OPPOSITES[_second] = _OPPOSITES.get(_second, frozenset()) | {_first}


RULES: tuple[Rule, ...] = (
    not_newer, not_the_owners, asks, only_supposed, another_subject, done, replaced, holds_for_a_time,
    another_case, changed, adds, contrasts, denied, now_otherwise, reset, revalued, swapped, equated, located,
)  # fmt: skip


PROTECTING: tuple[Rule, ...] = (not_newer, not_the_owners, asks, only_supposed)
"""What no other judge may overrule."""


def judge(pair: Pair) -> Ruling:
    """The first rule's ruling; both are kept where no rule knows."""
    for rule in RULES:
        ruling = rule(pair)
        if ruling is not None:
            return ruling
    return _keep("nothing shows that one takes the other's place")
