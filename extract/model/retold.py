"""Lines of a summary or a thread map: read, and held against what they cite.

A retelling compresses, so its words are the model's own; what it may not do is settle what nobody settled,
put words into the wrong mouth, or bring in a number, a name or a matter that what it cites lacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from chunking.closed_classes import hedges, negates
from chunking.language import content_stems, language_of
from extract.grounding import names_beside, numbers_beside
from extract.model.faithful import (
    RETELLING_STEMS,
    SETTLES,
    denied,
    unfaithful,
    unknown_share,
)
from schemas.unit import Category, Speaker
from schemas.words import count_words

Is: TypeAlias = Callable[[str], bool]
"""Whether words are of a kind."""

MOST_WORDS = 70
"""Words of a line: the prompts ask for one or two sentences. A longer one is no line but a page."""
BAD_SHARE = 0.5
"""An answer most of whose lines do not hold is no answer."""
_STRANGE_SHARE = 0.3
"""Content words of a told decision that neither the owner's words nor the decision have: a name for a thing
is one, another thing is more."""

_LEAST_STEM = 4
"""Letters that two words share at least where one begins the other."""

_NUMBERS = r"\d{1,7}(?:\s{0,2},\s{0,2}\d{1,7}){0,80}"
_LINE = re.compile(rf"\s*(?P<letter>[A-Z])\s*\|\s*(?P<cited>{_NUMBERS})\s*\|(?P<text>[^|]+)")
_LONGEST = 1_500
_SENTENCE = re.compile(r"(?<=[.!?。！？;])\s+")
_PART = re.compile(
    r"(?<=[.!?。！？;])\s+|,\s+|\s+(?:and|but|while|und|aber|y|pero|et|mais)\s+", re.IGNORECASE
)
"""What parts the statements of a line: a doubt or a denial holds for its own."""
_NOBODY = re.compile(
    r"(?:it|they|we|there|a|the) (?:\w+ ){0,3}(?:was|is|were|has been|have been|had been)\b"
    r"|es w\w+|se \w+|on a\b|il a été\b|decided\b",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"\b(?:if|unless|in case|provided|wenn|falls|sofern|si|en caso|au cas)\b", re.IGNORECASE
)
_AS_TALK = re.compile(
    r"\b(?:ask(?:s|ed|ing)?\b|wonder|consider(?!abl)|weigh(?:s|ed|ing)?\b(?! (?:\w+ )?\d)|propos|suggest"
    r"|recommend|undecided|whether|(?:left|leaves|is|are|stays?|remains?|still|yet) open\b"
    r"|(?:assistant|assistent|asistente) (?:\w+ly |also )?(?:offer|describ|explain|list|compar)"
    r"|frag|überleg|schlug|schlägt|pregunt|propus|sugir|demand|envisag)",
    re.IGNORECASE,
)
"""Words that tell something as talked about, and not as so."""
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
class Line:
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


def read_line(line: str, letters: str) -> Line | None:
    """The line, or None where it does not keep to the form."""
    found = _LINE.fullmatch(line) if len(line) <= _LONGEST else None
    if found is None or found["letter"] not in letters:
        return None
    cited = tuple(dict.fromkeys(int(number) for number in found["cited"].split(",") if number.strip()))
    return Line(found["letter"], cited, " ".join(found["text"].split()))


def untrue(text: str, cited: Sequence[Cited], known: str, owner: str | None, *, settled: bool = False) -> str:
    """Why a line's text may not stand on what it cites, or "".

    `known` is what any line may name besides: title, people. A line that tells a decision of the owner's
    (`settled`, or by its words) rests on one, and takes its words from it and from what it answers: what else
    is cited, the owner did not decide.
    """
    if count_words(text) > MOST_WORDS:
        return "a line too long"
    if _misattributed(text, cited, owner):
        return "words of somebody else"
    settled = settled or _settles_for_owner(text, owner)
    if settled and not any(one.decides for one in cited):
        return "a decision that nobody made"
    rests_on = _decided(cited) if settled else cited
    said = "\n".join(one.words for one in rests_on)
    if numbers_beside(text, said):
        return "a number that is not in what it cites"
    if names_beside(text, f"{said}\n{known}"):
        return "a name that is not in what it cites"
    if not settled and any(found.lower() not in said.lower() for found in SETTLES.findall(text)):
        return "a decision that nobody made"
    language = language_of(said)
    if settled and unknown_share(text, f"{said}\n{known}", language, RETELLING_STEMS) > _STRANGE_SHARE:
        return "words that the decision does not have"
    if not settled and _loses_doubt(text, cited):
        return "a doubt or a condition was lost"
    if len(cited) > 1 and _loses_denial(text, cited):
        return "a negation was lost"
    quote = cited[0].quote if len(cited) == 1 else ""
    return unfaithful(text, quote, f"{said}\n{known}", Category.FACT, language, RETELLING_STEMS)


def _loses_doubt(text: str, cited: Sequence[Cited]) -> bool:
    """Whether a line tells as so what one of the cited doubts or supposes, and no other says for certain."""

    def doubts(words: str) -> bool:
        return hedges(words) or _SUPPOSES.search(words) is not None

    def keeps(words: str) -> bool:
        return doubts(words) or _AS_TALK.search(words) is not None

    if all(doubts(one.quote) for one in cited) and not keeps(text):
        return True
    return len(cited) > 1 and _loses(text, cited, doubts, keeps)


def _loses_denial(text: str, cited: Sequence[Cited]) -> bool:
    """Whether a line says without a `not` most of what one of the cited denies, and no other one says."""
    return _loses(text, cited, negates, denied)


def _loses(text: str, cited: Sequence[Cited], marked: Is, keeps: Is) -> bool:
    """Whether most words of a `marked` sentence are told, and the part of the line that has most of them does
    not keep the mark.

    Nothing is lost where another sentence says the same without it.
    """
    told = _stems(text)
    plain = [_stems(one.quote) for one in cited if not marked(one.quote)]
    parts = [(_stems(part), part) for part in _PART.split(text) if part.strip()]
    for one in cited:
        own = _stems(one.quote)
        shared = _among(own, told)
        said_plainly = any(len(_among(shared, other)) == len(shared) for other in plain)
        if not marked(one.quote) or 2 * len(shared) <= len(own) or said_plainly:
            continue
        most = max(len(_among(shared, stems)) for stems, _ in parts)
        if not any(keeps(part) for stems, part in parts if len(_among(shared, stems)) == most):
            return True
    return False


def _among(stems: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """Those of the stems that are among the others, or begin one or with one: `move` and `moves`."""
    close = (one for one in stems - others if any(_alike(one, other) for other in others))
    return (stems & others).union(close)


def _alike(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= _LEAST_STEM and (one.startswith(other) or other.startswith(one))


def _decided(cited: Sequence[Cited]) -> list[Cited]:
    """What a decision's line may take its words from: the decision, and what names the same thing.

    A text that says itself that something is decided is no proposal, whoever wrote it.
    """
    named = {stem for one in cited if one.decides for stem in _stems(one.words)}
    return [
        one for one in cited if one.decides or (named & _stems(one.words) and not SETTLES.search(one.words))
    ]


def _stems(words: str) -> frozenset[str]:
    return content_stems(words, language_of(words)) - RETELLING_STEMS


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


def _settles_for_owner(text: str, owner: str | None) -> bool:
    """Whether a sentence says that the owner, or nobody that it names, settled something."""
    return any(
        SETTLES.search(one) and (_subject(one, owner) == (Speaker.OWNER,) or _NOBODY.match(one))
        for one in _SENTENCE.split(text)
    )
