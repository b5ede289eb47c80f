"""What introduces a list, short enough to stand before each of its entries.

`Here are some of the most common use cases for Adobe Campaign:` is `Most common use cases` to each entry;
`The budget should include the following:` is a predicate that wants the entry behind it.
"""

from __future__ import annotations

import re

from extract.languages.lexicon import Language, Tag
from extract.wordlists import words

LEAD_WORDS = 8
"""A label of more words than this would crowd out what it labels."""
_ANNOUNCES = re.compile(
    r"^(?:(?:sure|okay|ok|absolutely|certainly|of course|great|yes|yep|so|alright|right|and|now|then|also"
    r"|again|for example|for instance|specifically|that is)[,!.]* +)*"
    r"(?:(?:here|below|these|there|this|the following|listed)(?:['’]s| are| is| follow)(?: just| also)?"
    r"|(?:i|we)(?: have|['’]ve|['’]d| would| will|['’]ll)?"
    r" (?:suggest|recommend|propose|listed|compiled|prepared)"
    r"|you(?: can| could| might| may| should|['’]ll)?(?: also)? (?:consider|find|see|want|try))?"
    r" *(?:(?:some|a few|several|a couple|many|a list|a|an|the|your|my|our|just|both|all|most)"
    r"(?: of)?(?: the)? +)*"
    r"(?:(?:quick |short |brief |sample |simple |possible )*"
    r"(?:examples?|lists?|overview|summary|breakdown|outline|set|rundown|draft) of (?:the |some |a )?)?",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(
    r"[ ,]+(?:as follows|(?:the )?following(?: \w+){0,2}|like this|such as|namely)$", re.IGNORECASE
)
_NUMBERING = re.compile(r"^(?:\d{1,2}|[A-Za-z]|[IVX]+)[.)]\s+")
_STOPS_AT = frozenset(
    words(
        """
that which who whom whose where when while because if so for in on at with by from to into during within
based using along across you i we they it he she including such as before after about regarding
"""
    )
)
_OPEN = frozenset(
    words(
        """
include includes including involves involve contain contains means mean requires require needs need offers
offer covers cover provides provide features feature has have are is were was requested mentioned want wants
suggested chose choose lists list entails comprises use uses
"""
    )
)
"""Verbs that a list stands behind as their object."""


def shortened(text: str, language: Language) -> str:
    """The lead-in in at most LEAD_WORDS words; "" where nothing of it names what the list is of."""
    text = _NUMBERING.sub("", text.strip(" :*_"))
    if language.code != "en":
        if only_announces(text):
            return ""
        return text if len(text.split()) <= LEAD_WORDS else ""
    text = _FOLLOWING.sub("", text)
    found = text.split()
    if len(found) <= LEAD_WORDS and open_predicate(text, language):
        return text
    end = _end(_ANNOUNCES.match(text))
    found = text[end:].split()
    if end or len(found) > LEAD_WORDS:
        stops = (place for place, word in enumerate(found) if place and word.lower().strip(",;") in _STOPS_AT)
        found = found[: next(stops, len(found))]
    lows = [word.lower().strip(",;:*_") for word in found]
    if not 0 < len(found) <= LEAD_WORDS or lows[-1] in _GENERIC:
        return ""
    if any(language.tag(low) & Tag.FINITE for low in lows) or language.tag(lows[0]) & _OPENS_NO_NOUN:
        return ""
    return " ".join(found).strip(" ,;:*_")


_OPENS_NO_NOUN = (
    Tag.SUBJECT
    | Tag.FINITE
    | Tag.CONDITION
    | Tag.PREPOSITION
    | Tag.INFINITIVE
    | Tag.BASE
    | Tag.GERUND
    | Tag.FILLER
)
_GENERIC = frozenset(
    words(
        """
way ways thing things point points detail details list lists breakdown summary overview one ones that
this let's
lets we're i'm you'll here refined update problem steps step
"""
    )
)
"""Nouns that name nothing: a label that ends in one of them says no more than that a list follows."""


_ONLY_ANNOUNCES = re.compile(
    r"^(?:(?:gern|klar|natürlich|sure|claro|bien sûr|voilà|perfecto)[,!.]* )*"
    r"(?:here (?:is|are)|hier (?:sind|ist)|voici|voilà|aquí (?:tienes|hay|están?|te dejo)"
    r"|(?:te|le) (?:recomiendo|sugiero|propongo)|je (?:vous|te) (?:conseille|propose)"
    r"|ich (?:empfehle|schlage))\b",
    re.IGNORECASE,
)


def only_announces(text: str) -> bool:
    """Whether a lead-in says no more than that a list follows: `Here is the list`, `Voici quelques idées`."""
    return _ONLY_ANNOUNCES.match(text.strip(" *_")) is not None


def _end(found: re.Match[str] | None) -> int:
    return found.end() if found else 0


def open_predicate(text: str, language: Language) -> bool:
    """Whether the lead-in is a subject with a verb that the entry is the object of."""
    found = [word.lower().strip(",;:*_") for word in text.split()]
    if len(found) < 2 or found[-1] not in _OPEN or found[0] in ("here", "there", "these", "what", "this"):
        return False
    return not language.tag(found[0]) & (Tag.CONDITION | Tag.PREPOSITION | Tag.QUESTION | Tag.INFINITIVE)


def predicated(label: str, entry: str) -> str:
    """The entry as the object of the open predicate `label`: one of several that it `includes`."""
    stem, _, verb = label.rpartition(" ")
    if verb.lower() in ("are", "were"):
        label = f"{stem} include"
    return f"{label} {entry}"
