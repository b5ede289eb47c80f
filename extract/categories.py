"""What kind of meaning a clause carries: an ordered table of rules over its signs; the first that fits decides."""

from __future__ import annotations

from dataclasses import dataclass

from extract.languages.lexicon import Sign
from schemas.unit import Category, Speaker

OWNER = frozenset({Speaker.OWNER})
OTHERS = frozenset({Speaker.ASSISTANT, Speaker.OTHER, Speaker.SOURCE})
PEOPLE = frozenset({Speaker.OWNER, Speaker.OTHER})
ASSISTANT = frozenset({Speaker.ASSISTANT})
ANYONE = frozenset(Speaker)
NONE = Sign(0)


@dataclass(frozen=True, slots=True)
class Rule:
    """Fits a clause that has all of `every`, one of `some` (if any is named) and none of `never`."""

    name: str
    category: Category
    speakers: frozenset[Speaker]
    every: Sign = NONE
    some: Sign = NONE
    never: Sign = NONE

    def fits(self, signs: int, speaker: Speaker) -> bool:
        """Whether the rule decides for these signs."""
        return (
            speaker in self.speakers
            and signs & self.every == self.every
            and (not self.some or bool(signs & self.some))
            and not signs & self.never
        )


S = Sign
_QUESTION = S.MARKED_QUESTION | S.ASKS
RULES: tuple[Rule, ...] = (
    Rule(
        "doubt put as a question",
        Category.PROVISIONAL,
        PEOPLE,
        every=S.HEDGE | S.MARKED_QUESTION,
        never=S.ASKS | S.REQUEST,
    ),
    Rule("question", Category.OPEN_QUESTION, ANYONE, some=_QUESTION),
    Rule("request", Category.OPEN_QUESTION, OWNER, some=S.REQUEST | S.ORDER, never=S.REPORTED),
    Rule("put off", Category.PROVISIONAL, PEOPLE, every=S.POSTPONED),
    Rule("announced idea", Category.IDEA, PEOPLE, every=S.NOVEL),
    Rule("hedged", Category.PROVISIONAL, PEOPLE, every=S.HEDGE, never=S.REPORTED),
    Rule(
        "own next act", Category.ACTION_ITEM, PEOPLE, every=S.OWN_FUTURE, never=S.COMMIT | S.REPORTED | S.BAN
    ),
    Rule("settled", Category.DECISION, OWNER, every=S.COMMIT, never=S.REPORTED),
    Rule("directive", Category.DECISION, OWNER, every=S.DIRECTIVE | S.REPLY),
    Rule("acceptance", Category.DECISION, OWNER, every=S.ACCEPT | S.REPLY | S.SHORT, never=S.REPORTED),
    Rule("refusal", Category.DECISION, OWNER, every=S.REJECT | S.REPLY | S.SHORT, never=S.REPORTED),
    Rule(
        "echo",
        Category.DECISION,
        OWNER,
        every=S.ECHO | S.REPLY | S.SHORT,
        never=S.REPORTED | S.OBLIGATION | S.BAN | S.LIMIT,
    ),
    Rule(
        "bare answer",
        Category.DECISION,
        OWNER,
        every=S.FRAGMENT | S.REPLY | S.SHORT | S.NUMBERED,
        never=S.REPORTED,
    ),
    Rule("ban", Category.CONSTRAINT, PEOPLE, every=S.BAN),
    Rule("bound", Category.CONSTRAINT, PEOPLE, some=S.LIMIT | S.OBLIGATION),
    Rule("advice", Category.IDEA, ASSISTANT, every=S.ADVICE),
    Rule("order", Category.IDEA, ASSISTANT, every=S.IMPERATIVE),
    Rule("rule", Category.CONSTRAINT, OTHERS, some=S.OBLIGATION),
    Rule("possible", Category.IDEA, ASSISTANT, every=S.POSSIBLE | S.UNDER_PROPOSALS),
    Rule("proposed item", Category.IDEA, ASSISTANT, every=S.UNDER_PROPOSALS | S.FRAGMENT),
)


def categorise(signs: int, speaker: Speaker) -> tuple[Category, str]:
    """The category of a clause and the name of the rule that decided; a plain statement is a fact."""
    for rule in RULES:
        if rule.fits(signs, speaker):
            return rule.category, rule.name
    return Category.FACT, "statement"
