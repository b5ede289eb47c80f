"""Checks on what a model wrote, beyond those that every engine's units pass (`extract.grounding`).

A model can put words into a note that its sentence lacks. None of these checks mends a note: one that fails
is dropped with the reason, and the offline engine reads its sentence instead.
"""

from __future__ import annotations

import re

from chunking.closed_classes import negates
from chunking.language import content_stems, stem
from schemas.unit import Category

_KNOWN_SHARE = 0.5
"""Share of a note's content words that its sentences must hold: a rendering adds names for pronouns and words
such as `decided`, and keeps the rest."""
_ROLE_STEMS = frozenset(
    stem(word)
    for word in [
        "user",
        "assistant",
        "nutzer",
        "assistent",
        "usuario",
        "asistente",
        "utilisateur",
        "verfasser",
        "decided",
        "option",
        "wants",
        "writer",
        "letter",
        "pasted",
        "wonders",
        "whether",
        "considers",
        "thinks",
    ]
)
RETELLING_STEMS = _ROLE_STEMS | {
    stem(word)
    for word in [
        "asked",
        "asks",
        "wanted",
        "wondered",
        "considered",
        "weighed",
        "told",
        "said",
        "says",
        "explained",
        "proposed",
        "suggested",
        "recommended",
        "answered",
        "compared",
        "listed",
        "offered",
        "described",
        "added",
        "noted",
        "plans",
        "planned",
        "will",
        "open",
        "undecided",
        "still",
        "later",
        "dropped",
        "gave",
        "went",
        "took",
        "turned",
        "another",
        "instead",
        "called",
        "means",
    ]
}
"""And of words by which a summary or a map reports."""
META = re.compile(
    r"\b(?:the (?:text|conversation|passage|transcript|chat|excerpt|message|sentence) (?:shows|describes"
    r"|contains|mentions|is about|discusses|says|begins|ends)|as an ai\b|(?:ai )?language model"
    r"|no (?:notes|units) (?:were|are|can)|here (?:are|is) the (?:notes|units)"
    r"|i (?:cannot|can't|am unable to|'m unable to) (?:help|assist|comply|process)"
    r"|(?:user|assistant) (?:greets|thanks|asks for help|provides a response|responds|replies))\b",
    re.IGNORECASE,
)
SETTLES = re.compile(
    r"\b(?:decid\w*|decision\w*|chose\w*|choose\w*|agreed?|agreement|settled|approved|sold|bought|cancelled"
    r"|picked|opt(?:ed|s)|committed"
    r"|entsch\w+|beschloss\w*|décid\w*|choisi\w*|decidi\w*|elig\w+)\b",
    re.IGNORECASE,
)
"""Words that say something is settled: a retelling has them only where what it rests on does."""
_DENIES = re.compile(
    r"\b(?:not|no|never|none|without|nothing|nobody|cannot|\w+n['’]t|reject\w*|refus\w*|avoid\w*|exclud\w*"
    r"|lack\w*|stop\w*|against|instead|unable|forbid\w*|ban\w*|skip\w*|drop\w*|fail\w*|declin\w*|only|free"
    r"|un(?!til|der|it\b|its\b|ion|iq|iver|iform)\w{3,}|nicht|kein\w*|ohne|nie|nein|verzicht\w*|lehn\w*|sin|nunca|nada|ningun\w*|tampoco|rechaz\w*"
    r"|ne|pas|jamais|sans|aucun\w*|rien)\b",
    re.IGNORECASE,
)
"""Words that say what is not, verbs and prefixes among them: `rejected` keeps the negation of `no, not B`."""


def unfaithful(
    text: str,
    quote: str,
    cited: str,
    category: Category,
    language: str,
    own: frozenset[str] = _ROLE_STEMS,
) -> str:
    """Why a note may not stand, or "".

    `quote` is the words it stands on; `cited` those and everything else that it may take words from;
    `language` their code. `own` has the stems of words that belong to whoever writes.
    """
    if (found := META.search(text)) and found.group().lower() not in cited.lower():
        return "talk about the talk"
    if unknown_share(text, cited, language, own) > 1 - _KNOWN_SHARE:
        return "words that its sentence does not have"
    if negates(text) and not denied(cited):
        return "a negation that its sentence does not have"
    asked = category in (Category.OPEN_QUESTION, Category.PROVISIONAL)
    if not asked and negates(quote) and not denied(text):
        return "a negation was lost"
    return ""


def unknown_share(text: str, cited: str, language: str, own: frozenset[str] = _ROLE_STEMS) -> float:
    """Share of a note's content words, or of its character pairs, that its sentences do not have."""
    said = content_stems(text, language) - own
    return len(said - content_stems(cited, language)) / len(said) if said else 0.0


def denied(text: str) -> bool:
    """Whether a text says what is not, be it by a verb or a prefix: `rejected`, `unpaid`."""
    return negates(text) or _DENIES.search(text) is not None
