"""Words of a text to be: tokens freed of Markdown, trimmed of fillers, and joined again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape

from extract.candidates import Candidate
from extract.languages.lexicon import Tag
from extract.tokens import Kind, Token
from extract.wordlists import pairs, words

_FILLER, _SUBJECT, _NEGATION = Tag.FILLER, Tag.SUBJECT, Tag.NEGATION
_KEPT_LAST = frozenset(
    words(
        """
now then so right well fine great good nice true correct perfect cool like sure sí claro bien gut genau
bon
"""
    )
)
"""Fillers that at the end of a clause are more likely its complement: it is fine, not now."""
_EMPTY = frozenset(
    words(
        """
really actually basically literally honestly lol haha tbh btw imo imho obviously tho hmm um uh er
very truly incredibly extremely absolutely please
"""
    )
)
"""Words that say nothing inside a clause either."""


@dataclass(slots=True)
class Word:
    """A piece of the text, and whether a blank stands before it."""

    text: str
    spaced: bool
    low: str
    tag: int
    kind: Kind


def words_of(candidate: Candidate, first: int = 0, last: int | None = None) -> list[Word]:
    """The candidate's tokens [first, last) as words, Markdown gone."""
    clause, source = candidate.clause, candidate.source
    words: list[Word] = []
    end: int | None = None
    for token, tag in zip(clause.tokens[first:last], clause.tags[first:last], strict=True):
        if token.kind in (Kind.MARK, Kind.BREAK):
            continue
        gap = (
            end is not None
            and token.start > end
            and (source[end].isspace() or source[token.start - 1].isspace())
        )
        words.append(Word(_plain(source, token), gap, token.low, tag, token.kind))
        end = token.end
    return words


def _plain(source: str, token: Token) -> str:
    text = source[token.start : token.end]
    if token.kind is Kind.LINK and "](" in text:
        return text[text.index("[") + 1 : text.index("](")]
    return unescape(text) if text[0] == "&" and text[-1] == ";" else text


def join(words: Sequence[Word]) -> str:
    """Words to text."""
    return "".join(
        (" " if word.spaced and index else "") + word.text for index, word in enumerate(words)
    ).strip()


def respaced(head: list[Word], tail: list[Word]) -> list[Word]:
    """Head and tail with a blank between them."""
    if not tail:
        return head
    first = tail[0]
    return [*head, Word(first.text, True, first.low, first.tag, first.kind), *tail[1:]]


def trim(words: list[Word], vocatives: frozenset[str] = frozenset()) -> list[Word]:
    """The words without fillers, stray punctuation and what somebody is called by at either end."""
    first, last = 0, len(words)
    while first < last and (
        (words[first].tag & _FILLER and not words[first].tag & _SUBJECT and not _now_that(words, first))
        or words[first].low in ",:;-–—"
    ):
        first += 1
    while last > first and (
        words[last - 1].low in ",;:"
        or (words[last - 1].tag & _FILLER and last - first > 2 and words[last - 1].low not in _KEPT_LAST)
    ):
        last -= 1
    words = _past_acknowledgement(_uncalled(words[first:last], vocatives))
    if len(words) > 1 and words[0].low in '"“' and words[-1].low not in '"”':
        words = words[1:]
    return words


def _uncalled(words: list[Word], vocatives: frozenset[str]) -> list[Word]:
    """The words without `mate,` before them or `, my friend` behind them."""
    lows = [word.low for word in words]
    for size in (2, 1):
        if len(words) - size <= 2:
            continue
        if lows[-1] in vocatives and lows[-size - 1] == "," and (size == 1 or lows[-2] == "my"):
            return _uncalled(words[: -size - 1], vocatives)
        if lows[size - 1] in vocatives and lows[size] == "," and (size == 1 or lows[0] == "my"):
            return _uncalled(words[size + 1 :], vocatives)
    return words


def _now_that(words: list[Word], place: int) -> bool:
    """`now that ...`: no filler, but a conjunction."""
    return words[place].low == "now" and place + 1 < len(words) and words[place + 1].low == "that"


_ACKNOWLEDGED = (
    ("got", "it"),
    ("makes", "sense"),
    ("sounds", "good"),
    ("of", "course"),
    ("no", "problem"),
    ("good", "point"),
)


def _past_acknowledgement(words: list[Word]) -> list[Word]:
    """The words after `got it,` and its like."""
    if len(words) > 3 and (words[0].low, words[1].low) in _ACKNOWLEDGED and words[2].low == ",":
        return words[3:]
    return words


_SHORTER: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = tuple(
    (tuple(long.split()), tuple(short.split()))
    for long, short in pairs(
        """
to be able to: to; is able to: can; are able to: can; in order to: to; so as to: to; in order for: for;
as well as: and; due to the fact that: because; the fact that: that; whether or not: whether;
each and every: every; a wide range of: many; a wide variety of: many; a variety of: various;
a large number of: many; a number of: several;
at this point in time: now; at the moment: now; in the event that: if; with regard to: on; with regards
to: on;
in terms of: in; for the purpose of: for; in the process of:; the process of:; make use of: use;
in addition to: besides; prior to: before; take the time to:; go ahead and:; feel free to:; be sure to:;
in the middle of: amid; all of the: all the; just to be clear:; in the form of: as
"""
    ).items()
)
"""Wordy turns of phrase, and what they say."""
_TURNS: dict[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]] = {
    first: tuple(turn for turn in _SHORTER if turn[0][0] == first)
    for first in {turn[0][0] for turn in _SHORTER}
}


def _shortened(words: list[Word]) -> list[Word]:
    """The words with wordy turns of phrase put briefly."""
    found: list[Word] = []
    place = 0
    while place < len(words):
        turn = next(
            (
                (long, short)
                for long, short in _TURNS.get(words[place].low, ())
                if tuple(word.low for word in words[place : place + len(long)]) == long
                and place + len(long) < len(words)
            ),
            None,
        )
        if turn is None:
            found.append(words[place])
            place += 1
            continue
        first = words[place]
        brief = [Word(text, True, text, 0, first.kind) for text in turn[1]]
        if brief and first.text[:1].isupper():
            brief[0].text = brief[0].text.capitalize()
        if brief:
            brief[0].spaced = first.spaced
        found.extend(brief)
        place += len(turn[0])
    return found


def strip_fillers(words: list[Word]) -> list[Word]:
    """The words without those that say nothing; `like 8` becomes `about 8`; a filler under a negation
    stays."""
    kept: list[Word] = []
    words = _shortened(words)
    for place, word in enumerate(words):
        before = words[place - 1] if place else None
        if word.low in _EMPTY and place and not (before and before.tag & _NEGATION):
            continue
        if kept and kept[-1].low in ("a", "an") and before is not None and before.low in _EMPTY:
            kept[-1].text = ("A" if kept[-1].text[:1] == "A" else "a") + "n" * (word.low[:1] in "aeiou")
        following = words[place + 1] if place + 1 < len(words) else None
        if word.low == "like" and place and following is not None and following.kind is Kind.NUMBER:
            word = Word("about", word.spaced, "about", word.tag, word.kind)
        kept.append(word)
    return kept or words


def finish(text: str, mark: str) -> str:
    """Capital first, `mark` last."""
    text = text.strip().strip(",;: ").strip()
    while text and text[-1] in ".!?…。！？":
        text = text[:-1].rstrip()
    text = _balanced(text)
    if text[:1].islower():
        text = text[0].upper() + text[1:]
    return text if _CLOSED.search(text) and mark in ".。" else text + mark


_CLOSED = re.compile(r"[.!?…。！？][\"”’»)]$")
"""A sentence that ends inside its quotation marks has its stop already."""


def _balanced(text: str) -> str:
    """The text without a bracket whose partner lies outside it, or that holds all of it."""
    if text[:1] == "(" and text[-1:] == ")" and text.count("(") == 1:
        return text[1:-1].strip()
    if text.count("(") > text.count(")"):
        place = text.rfind("(")
        return text[:place] + text[place + 1 :]
    if text.count(")") > text.count("("):
        return text.replace(")", "", 1)
    return text
