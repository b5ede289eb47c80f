"""Whether a text keeps what its source denies and supposes, clause by clause.

Source and text are cut into clauses; each clause of the source is compared with the part of the text that
tells it. So `mastic, not glue` may be told as `mastic`, and not as `glue`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from chunking.closed_classes import (
    APPROXIMATES,
    KEEPS_HEDGE,
    NEGATIONS_BY_LANGUAGE,
    OPPOSITES,
    hedges,
    negates,
)
from chunking.language import content_stems, language_of, shared, stem, words_of
from extract.faithful.word_cues import (
    BOUNDS,
    CONCEDES,
    DECIDES,
    HOLDS_ONLY,
    RETELLING,
    SUPPOSES,
    TALK,
    TELLS,
    UNREAL,
    WHETHER,
    cue,
)

Is: TypeAlias = Callable[[str], bool]
"""Whether words are of a kind."""
Keeps: TypeAlias = Callable[[str, str], bool]
"""Whether a part of a text keeps what a clause of the source is marked by."""
Heart: TypeAlias = Callable[["SourceClause"], frozenset[str]]
"""The stems of a clause that its mark is on."""

_FRAGMENT = 2
"""Content words up to which a part shares the denial of the part before: `no glue, tape or foam`."""

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|[。！？\n]")
_PART = re.compile(
    r",\s+|、|，|\s+[-–—]+\s+|\s*[():]\s+|\s+\(|\)\s*|[\"“”«»「」]"
    r"|\s+(?:and|but|while|because|though|und|aber|weil|sondern|y|pero|porque|sino|et|mais|car)\s+",
    re.IGNORECASE,
)
"""What parts the statements of a sentence: a denial or a condition holds for its own."""
_INTERJECTED = re.compile(r"\b(?:no|non|nope|nah|nein)\b(?=\s*(?:$|[,.!?;:]))", re.IGNORECASE)
"""A `no` that nothing follows: an answer or a sigh, `oh no`, and no denial of its clause."""
_AUXILIARY = re.compile(
    r"\b(?:\w+n['’]t|cannot|(?:ai|ca|do|wo|sha|did|does|could|should|would|is|are|was|were|has|have|had|must)nt"
    r"|(?:ca|di|do|wi|ha)nna|(?:is|was|did|does|could|should|would|has|had|must)na)\b",
    re.IGNORECASE,
)
"""English auxiliaries with `not` in them, the Scots among them: `canna`."""
_UN = re.compile(r"un(?!til|der|it\b|its\b|ion|iq|iver|iform|less)\w{3,}")
_HIRAGANA = re.compile("[\u3040-\u309f]+")
_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class SourceClause:
    """A statement of a text."""

    text: str
    stems: frozenset[str]
    """Of its content words, without those that only tell."""


def languages_of(quote: str, around: str) -> tuple[str, ...]:
    """The languages whose cues count in a quote: its own, then that of what it stands in.

    A few signs of a script without spaces are too short to tell from, and show their language themselves.
    """
    own = language_of(quote, around)
    if _KANA.search(quote):
        own = "ja"
    elif own != "ja" and _HAN.search(quote):
        own = "zh"
    return tuple(dict.fromkeys((own, around)))


@lru_cache(maxsize=1 << 10)  # check after check asks for the clauses of the same few texts
def clauses(text: str, languages: tuple[str, ...]) -> tuple[SourceClause, ...]:
    """The clauses of a text. One that supposes stays with what it holds for, and a list with its denial."""
    return tuple(
        SourceClause(part, content(part, languages))
        for sentence in _SENTENCE.split(text)
        for part in _joined(sentence, languages)
    )


def content(text: str, languages: tuple[str, ...]) -> frozenset[str]:
    """The stems of what a text is about: no words by which notes tell, no endings in hiragana."""
    plain = cue(DECIDES, languages).sub(" ", cue(TELLS, languages).sub(" ", text))
    if "ja" in languages:
        plain = _HIRAGANA.sub(" ", plain)
    return content_stems(plain, languages[0]) - RETELLING


def denies(text: str, languages: tuple[str, ...]) -> bool:
    """Whether words of negation deny what a clause says; a `no` that nothing follows, and a bound (`no more
    than`), do not."""
    plain = cue(BOUNDS, languages).sub(" ", _INTERJECTED.sub(" ", text))
    return negates(plain, languages) or ("en" in languages and _AUXILIARY.search(plain) is not None)


def denied(text: str, other: str, languages: tuple[str, ...]) -> bool:
    """Whether a text says what is not, be it by a verb or a prefix that `other` does not have too.

    `rejected` keeps the denial of `no, not B`; `excluded` does not keep that of `not excluded`.
    """
    words = set(words_of(text))
    if any(not NEGATIONS_BY_LANGUAGE.get(one, frozenset()).isdisjoint(words) for one in languages):
        return True
    opposites = {word for word in words if word in OPPOSITES or _UN.fullmatch(word) or word.endswith("less")}
    own = {stem(word, languages[0]) for word in opposites}
    return denies(text, languages) or not own <= {stem(word, languages[0]) for word in words_of(other)}


def supposes(text: str, languages: tuple[str, ...]) -> bool:
    """Whether a clause holds only where something else does."""
    return cue(SUPPOSES, languages).search(cue(WHETHER, languages).sub(" ", text)) is not None


def imagines(text: str, languages: tuple[str, ...]) -> bool:
    """Whether a clause supposes, or says what would be and is not."""
    return supposes(text, languages) or cue(UNREAL, languages).search(text) is not None


def doubts(text: str, languages: tuple[str, ...]) -> bool:
    """Whether a text doubts or supposes what it says."""
    return hedges(text, rounding=True) or supposes(text, languages)


def gains_denial(text: str, quote: str, cited: str, languages: tuple[str, ...]) -> bool:
    """Whether a text denies something that its source does not deny.

    The denied word, or where the source does not have it the rest of the clause, must be denied by a clause
    of the quote or of what else is cited; a quote of a few words, such as `not now` or `no`, denies what it
    answers. So `cannot get past the middle` is refused of `my novel is stuck`: it may be true, and a `not`
    that nobody said may not.
    """
    sources = clauses(quote, languages), clauses(cited, languages)
    for part in clauses(text, languages):
        if not denies(part.text, languages):
            continue
        focus = denied_word(part, languages)
        told = [one for source in sources for one in source]
        near = [one for one in told if shared(focus, one.stems)]
        near = near or [one for one in told if shared(part.stems, one.stems)]
        short = [one for one in sources[0] if len(one.stems) <= _FRAGMENT]
        if near and not any(
            denied(one.text, part.text, languages) or _INTERJECTED.search(one.text) for one in (*near, *short)
        ):
            return True
    return False


def denied_word(clause: SourceClause, languages: tuple[str, ...]) -> frozenset[str]:
    """The stems of the first content words behind a clause's negations: what they deny. Where none
    follows, as behind a German verb's `nicht`, it may be any of the clause."""
    found: set[str] = set()
    for sign in _negations(languages).finditer(clause.text):
        behind = (content(word, languages) & clause.stems for word in words_of(clause.text[sign.end() :]))
        first = next(filter(None, behind), None)
        if first is None:
            return clause.stems
        found |= first
    return frozenset(found) or clause.stems


@lru_cache(maxsize=64)
def _negations(languages: tuple[str, ...]) -> re.Pattern[str]:
    """The words of negation of some languages."""
    known = sorted(word for one in languages for word in NEGATIONS_BY_LANGUAGE.get(one, ()))
    return re.compile(rf"\b(?:{'|'.join(known) or '(?!)'})\b|{_AUXILIARY.pattern}", re.IGNORECASE)


def loses_denial(text: str, sources: Sequence[str], languages: tuple[str, ...]) -> bool:
    """Whether a text says without a `not` most of what a clause denies, the very word that is denied among
    it, and no other clause says it. `I'm not selling it` may be told as `keeps it`."""

    def keeps(part: str, clause: str) -> bool:
        return denied(part, clause, languages) or cue(BOUNDS, languages).search(part) is not None

    return _loses(
        text,
        sources,
        lambda one: denies(one, languages),
        keeps,
        languages,
        lambda one: denied_word(one, languages),
    )


def loses_doubt(text: str, sources: Sequence[str], marked: Is, languages: tuple[str, ...]) -> bool:
    """Whether a text tells as so most of what a clause doubts or supposes, and no other says for certain."""

    def keeps(told: str, _: str) -> bool:
        part = cue(CONCEDES, languages).sub(" ", told)
        return (
            doubts(part, languages)
            or any(pattern.search(part) for pattern in (KEEPS_HEDGE, APPROXIMATES))
            or any(cue(table, languages).search(part) for table in (TALK, HOLDS_ONLY, UNREAL))
        )

    return _loses(text, sources, marked, keeps, languages)


def _loses(
    text: str,
    sources: Sequence[str],
    marked: Is,
    keeps: Keeps,
    languages: tuple[str, ...],
    heart: Heart = lambda clause: clause.stems,
) -> bool:
    """Whether most words of a `marked` clause are told, one of its `heart` among them, and no part of the
    text that has most of that keeps the mark.

    Nothing is lost where another clause says the same without it.
    """
    told = [one for source in sources for one in clauses(source, languages)]
    parts = clauses(text, languages)
    own = frozenset().union(*(part.stems for part in parts))
    plain = [one.stems for one in told if not marked(one.text)]
    under = [one for one in told if marked(one.text)]
    for one in under:
        taken, core = shared(one.stems, own), shared(heart(one), own)
        if (
            not core
            or (plain and 2 * len(taken) <= len(one.stems))
            or any(len(shared(taken, other)) == len(taken) for other in plain)
        ):
            continue
        most = max(len(shared(core, part.stems)) for part in parts)
        tellers = [place for place, part in enumerate(parts) if len(shared(core, part.stems)) == most]
        if not any(keeps(_with_contrast(parts, place, languages), one.text) for place in tellers):
            return True
    return False


def _with_contrast(parts: Sequence[SourceClause], place: int, languages: tuple[str, ...]) -> str:
    """A part's text, with what stands behind it to say what is not: `the court decides, not the user`."""
    text, behind = parts[place].text, parts[place + 1 : place + 2]
    contrasts = [one.text for one in behind if denies(one.text.split()[0], languages)]
    return ", ".join((text, *contrasts))


def _joined(sentence: str, languages: tuple[str, ...]) -> Iterator[str]:
    """The parts of a sentence, those that do not stand alone joined to the one before or behind them."""
    held = waiting = ""
    for part in filter(str.strip, _PART.split(sentence)):
        if waiting:
            yield from filter(None, (held,))
            held, waiting = f"{waiting}, {part}", ""
        elif cue(SUPPOSES, languages).match(part.strip()):
            waiting = part
        elif held and denies(held, languages) and _is_fragment(part, languages):
            held = f"{held}, {part}"
        else:
            yield from filter(None, (held,))
            held = part
    yield from filter(None, (f"{held}, {waiting}" if held and waiting else held or waiting,))


def _is_fragment(part: str, languages: tuple[str, ...]) -> bool:
    return len(content(part, languages)) <= _FRAGMENT and not denies(part, languages)
