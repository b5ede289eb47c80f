"""Lines of a summary or a thread map: read, and held against what they cite.

A retelling compresses, so its words are the model's own; what it may not do is settle what nobody settled,
put words into the wrong mouth, or bring in a number, a name or a matter that what it cites lacks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chunking.language import language_of
from chunking.values import strange_value
from extract.faithful.clauses import content, doubts, languages_of, loses_denial, loses_doubt
from extract.faithful.lettered_options import another_option
from extract.faithful.unsupported import (
    COMPARED,
    META,
    STRANGE,
    settling,
    unknown_share,
    unsaid_words,
    unsupported,
)
from extract.faithful.word_cues import ACTS, DECIDES, cue
from extract.grounding import names_beside
from extract.model.notes.claims import fields_of, numbers_of
from schemas.unit import Speaker
from schemas.words import count_words

LIFTED = COMPARED | {
    "a number that is not in what it cites",
    "a name that is not in what it cites",
    "a doubt or a condition was lost",
}
"""Why a line may not stand by guards that compare words: a second reading may find that the same was said."""

MOST_WORDS = 70
"""Words of a line: the prompts ask for one or two sentences. A longer one is no line but a page."""
BAD_SHARE = 0.5
"""An answer most of whose lines do not hold is no answer."""
_STRANGE_SHARE = 0.5
"""Content words of a told decision that neither the owner's words nor the decision have: a name for a thing
is one, another thing is more."""
_UNKNOWN_SHARE = 0.75
"""Content words of any line that nothing cited has: a line has no gate behind it."""

_LONGEST = 1_500
_NAME = 12
"""Letters of the name of a line's kind, such as `Decided`: its first is the letter."""
_CITED = re.compile(r"[\d\s,;&.–—to\[\]()#-]+")
_SENTENCE = re.compile(r"(?<=[.!?。！？;])\s+")
_NOBODY = re.compile(
    r"(?:it|they|we|there|a|the) (?:\w+ ){0,3}(?:was|is|were|has been|have been|had been)\b"
    r"|es w\w+|se \w+|on a\b|il a été\b|decided\b",
    re.IGNORECASE,
)
_SUBJECTS = (
    (
        (Speaker.OWNER,),
        re.compile(r"(?:the user|der nutzer|die nutzerin|el usuario|la usuaria|l['’]utilisat\w+)\b", re.I),
    ),
    (
        (Speaker.ASSISTANT,),
        re.compile(r"(?:the assistant|der assistent|el asistente|l['’]assistant)\b", re.I),
    ),
)


@dataclass(frozen=True, slots=True)
class CitedLine:
    """A line as the model wrote it."""

    letter: str
    cited: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Cited:
    """One sentence or note that a line rests on."""

    speaker: Speaker
    quote: str
    """Its words: a negation among them must not be lost."""
    words: str
    """They, and whatever else a line may take from it."""
    decides: bool
    """A decision of the owner's stands on it."""


def read_line(line: str, letters: str) -> CitedLine | None:
    """The line, or None where it cannot be read: forgiving as `extract.model.notes.claims.read_claim`."""
    fields = fields_of(line) if len(line) <= _LONGEST else []
    if len(fields) < 3:
        return None
    name = re.sub(r"[\W_]", "", fields[0])
    letter = name[:1].upper() if len(name) <= _NAME else ""
    cited = numbers_of(fields[1]) if _CITED.fullmatch(fields[1]) else ()
    text = " ".join("|".join(fields[2:]).split())
    return CitedLine(letter, cited, text) if letter and letter in letters and cited and text else None


def untrue(
    text: str,
    cited: Sequence[Cited],
    known: str,
    owner: str | None,
    *,
    settled: bool = False,
    undone: bool = False,
) -> str:
    """Why a line's text may not stand on what it cites, or "".

    `known` is what any line may name besides: title, people. A line that tells a decision of the owner's
    (`settled`, or by its words) rests on one, and takes its words from it and from what it answers: what else
    is cited, the owner did not decide. A line that tells a decision that the owner took back (`undone`) has
    two halves, and takes its words from the owner's later ones too.
    """
    if count_words(text) > MOST_WORDS:
        return "a line too long"
    if _misattributed(text, cited, owner):
        return "words of somebody else"
    languages = languages_of("\n".join(one.quote for one in cited), language_of(text))[:1]
    settled = settled or _settles_for_owner(text, owner, languages)
    if settled and not any(one.decides for one in cited):
        return "a decision that nobody made"
    rests_on = _decided(cited, languages, undone) if settled else cited
    said = "\n".join(one.words for one in rests_on)
    everything = "\n".join(one.words for one in cited)
    if strange_value(text, everything, languages, pieces=len(cited)):
        return "a number that is not in what it cites"
    if names_beside(text, f"{everything}\n{known}", languages[0]):
        return "a name that is not in what it cites"
    if not settled and unsaid_words(text, said, languages, DECIDES, ACTS):
        return "a decision that nobody made"
    if settled and unknown_share(text, f"{said}\n{known}", languages) > _STRANGE_SHARE:
        return "words that the decision does not have"
    quotes = [one.quote for one in cited]
    if not settled and loses_doubt(text, quotes, lambda words: doubts(words, languages), languages):
        return "a doubt or a condition was lost"
    if loses_denial(text, quotes, languages):
        return "a negation was lost"
    decided = "\n".join(one.quote for one in cited if one.decides)
    if settled and another_option(text, decided, said, languages):
        return "another option than was decided on"
    if unknown_share(text, f"{said}\n{known}", languages) > _UNKNOWN_SHARE:
        return STRANGE
    return unsupported(text, "\n".join(quotes), f"{said}\n{known}", languages)


def may_lift(reason: str, text: str) -> bool:
    """Whether a second reading may keep a line that may not stand for this; none that tells a decision."""
    tells = any(cue(table, tuple(table)).search(text) for table in (DECIDES, ACTS))
    return reason in LIFTED and not tells and not META.search(text)


def _decided(cited: Sequence[Cited], languages: tuple[str, ...], undone: bool) -> list[Cited]:
    """What a decision's line may take its words from: the decision, what names the same thing, and of one
    that was taken back (`undone`) the owner's words that did so.

    A text that says itself that something is decided is no proposal, whoever wrote it.
    """
    named = frozenset().union(*(content(one.words, languages) for one in cited if one.decides))
    return [
        one
        for one in cited
        if one.decides
        or (undone and one.speaker is Speaker.OWNER)
        or (named & content(one.words, languages) and not settling(one.words, languages, DECIDES, ACTS))
    ]


def _misattributed(text: str, cited: Sequence[Cited], owner: str | None) -> bool:
    """Whether a sentence has a subject none of whose words are cited."""
    speakers = {one.speaker for one in cited}
    return any(
        who is not None and not speakers & set(who)
        for who in (_subject(sentence, owner) for sentence in _SENTENCE.split(text))
    )


def _subject(sentence: str, owner: str | None) -> tuple[Speaker, ...] | None:
    """Whose words a sentence says it retells, where it says so."""
    if owner and sentence.lower().startswith(owner.lower()):
        return (Speaker.OWNER,)
    return next((who for who, pattern in _SUBJECTS if pattern.match(sentence)), None)


def _settles_for_owner(text: str, owner: str | None, languages: tuple[str, ...]) -> bool:
    """Whether a sentence says that the owner, or nobody that it names, settled something."""
    return any(
        settling(one, languages, DECIDES, ACTS)
        and (_subject(one, owner) == (Speaker.OWNER,) or _NOBODY.match(one))
        for one in _SENTENCE.split(text)
    )
