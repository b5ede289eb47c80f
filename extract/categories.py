"""What kind of meaning a clause carries: an ordered table of rules over its signs; the first that fits
decides."""

from __future__ import annotations

from dataclasses import dataclass

from extract.languages.lexicon import Sign
from schemas.unit import Category, Speaker

OWNER = frozenset({Speaker.OWNER})
PEOPLE = frozenset({Speaker.OWNER, Speaker.OTHER})
WRITERS = frozenset({Speaker.OWNER, Speaker.OTHER, Speaker.SOURCE})
OUTSIDE = frozenset({Speaker.SOURCE, Speaker.OTHER})
ADVISERS = frozenset({Speaker.ASSISTANT, Speaker.SOURCE})
ASSISTANT = frozenset({Speaker.ASSISTANT})
ANYONE = frozenset(Speaker)


@dataclass(frozen=True, slots=True)
class Rule:
    """Fits a clause that has all of `every`, one of `some` (if any is named) and none of `never`."""

    name: str
    category: Category
    speakers: frozenset[Speaker]
    every: int = 0
    some: int = 0
    never: int = 0


S = Sign
_QUESTION = S.MARKED_QUESTION | S.ASKS
_ANSWER = S.REPLY | S.SHORT
_BRIEF = _ANSWER | S.FRAGMENT
"""A few words without a verb, whatever else the sentence says."""
_TERSE = _ANSWER | S.FRAGMENT | S.VERBLESS
_OF_OTHERS = S.REPORTED
_FORCED = S.BAN | S.NEED
_NO_ANSWER = S.ASKED | S.IN_LIST | S.IN_TABLE | S.LABELLED
_BOUND = S.OBLIGATION | S.BAN | S.LIMIT


def _decides(name: str, every: int, some: int = 0, never: int = 0) -> Rule:
    """A rule for a decision: the owner's own words, never somebody else's that they report."""
    return Rule(name, Category.DECISION, OWNER, every, some, never | S.REPORTED)


_DECISIONS: tuple[Rule, ...] = (
    _decides("settled", S.COMMIT, never=S.IDIOM),
    _decides("turned", S.TURNS, S.FRAGMENT | S.IMPERATIVE | S.WANTS | S.REJECT, S.PAST_TENSE | S.IDIOM),
    _decides("directive", S.DIRECTIVE | S.REPLY, some=S.MENTIONS | S.NAMES, never=S.BAN),
    # short answers to what the assistant put forward
    _decides("wanted so", _ANSWER | S.WANTS | S.MENTIONS),
    _decides("acceptance", _ANSWER | S.ACCEPT),
    _decides("assent to a name", _ANSWER | S.ASSENTS | S.NAMES),
    _decides("assent to a step", _ANSWER | S.ASSENTS | S.ECHO | S.IMPERATIVE),
    _decides("assent to a thing", _TERSE | S.ASSENTS | S.MENTIONS, never=S.ASKED),
    _decides("taken up", _TERSE | S.TAKES_UP, some=S.MENTIONS | S.NUMBERED),
    _decides("refused step", _ANSWER | S.REJECT | S.ECHO | S.DIRECTIVE),
    _decides("refusal", _TERSE | S.REJECT | S.ECHO),
    _decides("conclusion", _TERSE | S.CONCLUDES, S.MENTIONS | S.NUMBERED, _FORCED | S.ASKED),
    _decides("concluded verdict", _ANSWER | S.CONCLUDES, S.ACCEPT | S.REJECT, _FORCED | S.ASKED),
    _decides(
        "own conclusion",
        _ANSWER | S.CONCLUDES | S.FIRST_PERSON | S.ECHO,
        never=_BOUND | S.NEED | S.PAST_TENSE,
    ),
    _decides("answer by name", _TERSE | S.NAMES),
    _decides("echo", _TERSE | S.ECHO, never=_NO_ANSWER | _BOUND | S.PAST_TENSE),
    # the same in passing, beside clauses that have a verb: `Old pair is in the bin, so heel lift`
    _decides("taken up in passing", _BRIEF | S.TAKES_UP | S.MENTIONS, never=S.ASKED | _BOUND | S.PAST_TENSE),
    _decides("assent in passing", _BRIEF | S.ASSENTS | S.ECHO, never=S.ASKED | _BOUND | S.PAST_TENSE),
    _decides("refused in passing", _BRIEF | S.REJECT | S.ECHO, never=_BOUND),
    _decides("concluded in passing", _BRIEF | S.CONCLUDES | S.ECHO, never=S.ASKED | _BOUND | S.NEED),
    _decides("will in reply", S.REPLY | S.WANTS | S.ECHO, never=_BOUND | S.NEED | S.PAST_TENSE),
)
RULES: tuple[Rule, ...] = (
    Rule("floated", Category.PROVISIONAL, PEOPLE, every=S.FLOATS),
    Rule(
        "doubt put as a question",
        Category.PROVISIONAL,
        PEOPLE,
        every=S.HEDGE | S.MARKED_QUESTION,
        never=S.ASKS | S.REQUEST,
    ),
    Rule("supposed", Category.PROVISIONAL, PEOPLE, every=S.SUPPOSED, never=_QUESTION | S.REPORTED),
    Rule("question", Category.OPEN_QUESTION, ANYONE, some=_QUESTION),
    Rule("order", Category.OPEN_QUESTION, OWNER, every=S.ORDER, never=_OF_OTHERS),
    Rule("request", Category.OPEN_QUESTION, OWNER, every=S.REQUEST | S.IMPERATIVE, never=_OF_OTHERS),
    Rule("put off", Category.PROVISIONAL, PEOPLE, every=S.POSTPONED),
    Rule("announced idea", Category.IDEA, PEOPLE, every=S.NOVEL),
    Rule("hedged", Category.PROVISIONAL, PEOPLE, every=S.HEDGE, never=_OF_OTHERS),
    Rule(
        "own next act", Category.ACTION_ITEM, PEOPLE, every=S.OWN_FUTURE, never=S.COMMIT | _OF_OTHERS | S.BAN
    ),
    Rule(
        "soon",
        Category.ACTION_ITEM,
        PEOPLE,
        every=S.FIRST_PERSON | S.SOON,
        never=_OF_OTHERS | S.PAST_TENSE | _BOUND | S.NEED | S.COMMIT,
    ),
    Rule("assigned", Category.ACTION_ITEM, OWNER, every=S.ASSIGNS, never=_OF_OTHERS),
    *_DECISIONS,
    Rule("ruled out", Category.CONSTRAINT, PEOPLE, every=S.REJECT | S.FRAGMENT, never=S.REPLY),
    Rule("ban", Category.CONSTRAINT, WRITERS, every=S.BAN, never=S.IDIOM),
    Rule("bound", Category.CONSTRAINT, WRITERS, some=S.LIMIT | S.OBLIGATION, never=S.FREE | S.IDIOM),
    Rule("wish", Category.CONSTRAINT, OWNER, every=S.WANTS, never=S.REPLY | _OF_OTHERS),
    Rule("need", Category.CONSTRAINT, PEOPLE, every=S.NEED, never=S.PREFERENCE | S.FREE | S.PAST_TENSE),
    Rule("asked by a date", Category.CONSTRAINT, OUTSIDE, every=S.TASK | S.LIMIT),
    Rule("asked of the owner", Category.ACTION_ITEM, OUTSIDE, every=S.TASK),
    Rule("standing ban", Category.CONSTRAINT, ASSISTANT, every=S.BAN | S.IMPERATIVE),
    Rule("advice", Category.IDEA, ADVISERS, every=S.ADVICE),
    Rule("instruction", Category.IDEA, ASSISTANT, every=S.IMPERATIVE),
    Rule(
        "rule",
        Category.CONSTRAINT,
        ANYONE,
        some=S.OBLIGATION | S.NEED,
        never=S.PREFERENCE | S.FREE | S.POSSIBLE | S.IDIOM | S.FRAGMENT,
    ),
    Rule(
        "stated limit",
        Category.CONSTRAINT,
        ASSISTANT,
        every=S.BOUNDED,
        never=S.ADVICE | S.IMPERATIVE | S.POSSIBLE | S.UNDER_PROPOSALS | S.FREE | S.FRAGMENT,
    ),
    Rule("proposed way", Category.IDEA, ASSISTANT, every=S.UNDER_PROPOSALS | S.OPENS_ITEM),
    Rule("possible", Category.IDEA, ASSISTANT, every=S.POSSIBLE | S.UNDER_PROPOSALS),
    Rule("proposed item", Category.IDEA, ASSISTANT, every=S.FRAGMENT | S.IN_LIST, never=S.BESIDE),
    Rule("listed option", Category.IDEA, ASSISTANT, every=S.FRAGMENT | S.OPTIONS | S.LABELLED),
    Rule("proposed cell", Category.IDEA, ASSISTANT, every=S.FRAGMENT | S.IN_TABLE | S.UNDER_PROPOSALS),
)


def categorise(signs: int, speaker: Speaker) -> tuple[Category, str]:
    """The category of a clause and the name of the rule that decided; a plain statement is a fact."""
    for rule in RULES:
        if (
            signs & rule.every == rule.every
            and not signs & rule.never
            and (not rule.some or signs & rule.some)
            and speaker in rule.speakers
        ):
            return rule.category, rule.name
    return Category.FACT, "statement"
