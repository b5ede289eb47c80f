"""What two notes have in common that names a thing: the ground that a verdict on both may stand on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, product

from curation.supersession.cues import STEMS_OF_CHANGE, SUPPOSITION
from curation.supersession.gist import VERB_ROOTS, Gist, gist_of, roots
from curation.wording.numbers import MONTHS
from curation.wording.phrases import PREPOSITIONS
from curation.wording.same_verbs import VERB_STEMS
from curation.wording.tokens import tokenise
from curation.wording.verbs import PAST_FORMS, VERBS, stem
from curation.wordlists import words

VAGUE = words(
    """
    time thing way lot bit part point step side moment day week month year today start end plan list idea
    question answer inform detail number matter stuff option user people person help need want way goal
    feel overwhelm stress tire excit happi keen readi stuck crack forward back kind sort main complet total
    confirm chang good great better best right wrong new next last first second much littl whole next one
    look focu key ask tell know think see say show wait wast talk
    """
)
"""Stems that so many notes have that sharing them names nothing."""

ATTRIBUTES = words(
    """
    cost price fee rate rent size weigh weight height age old number name deadlin due limit budget total
    count month year week day time date schedul plan appoint begin start end open close hold be have increa
    decrea rais lower grow rose member peopl run last tak usd eur
    """
)
"""Stems that say which property of a thing a value is; the thing itself is named by the others."""

_MOMENT = re.compile(
    r"\b(?:you|your|yours|yourself|assistant|let's|let us|chat|conversation|prompt|your answer|this list|"
    r"that list|the request|this request|back and forth|draft(?:ed)? (?:above|below))\b",
    re.IGNORECASE,
)
"""Talk between the owner and the assistant: true of a moment, and no later note takes its place."""

_BARE_ORDER = re.compile(
    r"^(?:please|just|now|so|and|then|ok|okay|also)?,?\s*(?:do not|don't|never|no (?:more|need)|"
    rf"stop|proceed|deliver|execute|confirm|output|{'|'.join(sorted(VERBS))})\b",
    re.IGNORECASE,
)


_NO_CLAIM = re.compile(
    r"^(?:this|that|that's|these|those|it|it's|its|there|here|as|until|till|when|while|if|given|because|since|"
    r"for|to|including|with|without|which|who|part|the part|righto|\w+ing)\b|:\s|:$|`",
    re.IGNORECASE,
)
"""Opens what points elsewhere, a subordinate clause or a label."""


def about_the_world(text: str, *, task: bool) -> bool:
    """Whether a note claims something of the world: no talk with the assistant, no scrap, no label.

    An order (`Stop asking.`) is about the world only as the owner's own task.
    """
    if _MOMENT.search(text) or _NO_CLAIM.search(text) or (not task and _BARE_ORDER.match(text)):
        return False
    supposed = any(found.group() != "May" for found in SUPPOSITION.finditer(text))
    return not supposed and bool(named(text))


def named(text: str) -> frozenset[str]:
    """Stems of a text that name something."""
    return frozenset(one for one in roots(text) if specific(one))


def specific(stem: str) -> bool:
    """Whether a stem names something: no verb, no word of change, not vague."""
    return not (stem in VAGUE or stem in VERB_ROOTS or stem in STEMS_OF_CHANGE)


def modified(text: str) -> dict[str, str]:
    """Stems of nouns before another noun, and that one's: `demo` of `the demo script`; properties aside."""
    found: dict[str, str] = {}
    tokens = tokenise(text).tokens
    for token, following in pairwise(tokens):
        # a noun before another stands in the singular
        if _noun_after(following) and "'" not in token and not token.endswith("s"):
            for one, other in product(gist_of(token).content, gist_of(following).content):
                found[one] = other
    return found


def _noun_after(token: str) -> bool:
    """Whether a word that follows a noun is a noun of its own, as far as a list can tell."""
    if len(token) < 3 or not token.isalpha() or not token.islower() or token in _NO_NOUN:
        return False
    if token.endswith(("ed", "ly", "s")) or token in PAST_FORMS:
        return False
    if stem(token) in VERB_STEMS and not token.endswith("ing"):
        return False
    return ATTRIBUTES.isdisjoint(gist_of(token).content)


_NO_NOUN = PREPOSITIONS | words(
    """
    is are was were be been has have had does did do will would can could may might must should shall not
    and but or nor now then again still also too only just never always often this that these those which
    one ones forward back up down out off away through together ahead early late
    who because than instead anymore longer there here today tomorrow yesterday next last each every all
    """
)


def things(gist: Gist) -> frozenset[str]:
    """Stems of a note that name what it is about: neither property nor change nor verb."""
    return frozenset(one for one in gist.content if specific(one) and one not in ATTRIBUTES)


def names(text: str) -> frozenset[str]:
    """Proper names of a text, in lower case: runs of words in capitals that do not begin it."""
    return frozenset(_names(text))


def _names(text: str) -> Iterator[str]:
    run: list[str] = []
    for token in (*tokenise(text).tokens[1:], ""):
        if token[:1].isupper() and token != "I" and token.casefold() not in _CALENDAR:
            run.append(token.casefold())
        elif run:
            yield " ".join(run)
            run = []


_CALENDAR = frozenset(MONTHS) | words("monday tuesday wednesday thursday friday saturday sunday")
