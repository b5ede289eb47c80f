"""Windows: what the reader sees at once of a run of talk.

    [CLS] who : the end of what was said right before [SEP] the window's own words [SEP]

Windows are cut at line breaks, else at sentence ends, and never share words: each word is read once. What
stands before a window (the message before, and the same message's earlier words) is shown and not read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer

BODY_TOKENS = 208
"""Tokens of a window's own words, at most."""

CONTEXT_TOKENS = 88
"""Tokens shown of the message before a short one, at most: a short answer leans on what it answers."""

LONG_CONTEXT_TOKENS = 40
"""The same before a longer text, and of its own earlier words: what is shown is computed once more."""

SHORT_TOKENS = 64
"""Tokens of a short message, at most."""

CONTEXT_CHARACTERS = 600
"""Characters that are tokenised for the context: more than CONTEXT_TOKENS ever take of talk."""

LONGEST_WORD = 40
"""Characters that are looked at on each side of a token for the rest of its word: a hostile text has one word
of a megabyte."""

_LEAST_SHARE = 3
"""A window that is cut early keeps at least one in so many of BODY_TOKENS."""

_OPENING, _SEPARATOR = 101, 102
"""The encoder's [CLS] and [SEP]."""

_LINE = re.compile(r"\n\s*(\S)")
"""The end of a line, and what the next one with words begins with."""

_ENDS = frozenset(".!?…。！？｡")


@dataclass(frozen=True, slots=True)
class Word:
    """A whole word of a text: of the one that is read where `own`, else of what was said before it."""

    text: str
    own: bool
    start: int
    end: int

    @property
    def said(self) -> str:
        """The word as it was said."""
        return self.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class TalkWindow:
    """One window. `offsets` are code points of the text that was cut, a pair a token of its own words."""

    ids: tuple[int, ...]
    own: int
    """Place of the first of its own tokens in `ids`; the rest follow, then one separator."""
    offsets: tuple[tuple[int, int], ...]
    text: str = ""
    shown: tuple[tuple[str, bool, int, int], ...] = ()
    """The tokens of what stands before its own: the text of each, whether that is `text`, and its code points
    there."""

    def blocks(self) -> list[int]:
        """The number of the block (a paragraph, an item of a list, a heading, a row of a table) that each of
        its own tokens is of. Of the annotators' 54,120 units none goes over the end of a line. A line that
        begins with a small letter goes on with the one before, which was cut for its length."""
        if not self.offsets:
            return []
        lines = _LINE.finditer(self.text, self.offsets[0][0], self.offsets[-1][1])
        breaks = [line.start() for line in lines if not line[1].islower()]
        return [bisect_left(breaks, start) for start, _ in self.offsets]

    def words_before(self, first: int) -> Iterator[tuple[int, Word]]:
        """Each token before one of the window's own, by its place in `ids`, with the word that it is of."""
        begin = self.own - 1 - len(self.shown)
        for number, (text, own, start, end) in enumerate(self.shown):
            yield begin + number, _word_at(text, own, start, end)
        for number, (start, end) in enumerate(self.offsets[:first]):
            yield self.own + number, _word_at(self.text, True, start, end)

    def tokens_of(self, start: int, end: int) -> tuple[int, int] | None:
        """First and last of its own tokens that overlap a span of the text; None where none does."""
        held = [place for place, (begin, stop) in enumerate(self.offsets) if stop > start and begin < end]
        return (held[0], held[-1]) if held else None


def _word_at(text: str, own: bool, start: int, end: int) -> Word:
    first, last = max(0, start - LONGEST_WORD), min(len(text), end + LONGEST_WORD)
    while start > first and text[start - 1].isalnum() and text[start : start + 1].isalnum():
        start -= 1
    while end < last and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return Word(text, own, start, end)


class WindowCutter:
    """Cuts texts with the encoder's tokenizer; safe to use from several threads."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._speakers: dict[str, list[int]] = {}

    def cut(self, text: str, speaker: str, before: str) -> Iterator[TalkWindow]:
        """The windows of `text`, in order; none of a text without words.

        `speaker` is a word for who speaks (`user`, `assistant`, `other`, `source`), `before` the text of
        the message before.
        """
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        ids, offsets = encoding.ids, encoding.offsets
        before = before[-CONTEXT_CHARACTERS:]
        heard = self._tokenizer.encode(before, add_special_tokens=False)
        earlier = [
            (token, (before, False, *place)) for token, place in zip(heard.ids, heard.offsets, strict=True)
        ]
        mine = [(token, (text, True, *place)) for token, place in zip(ids, offsets, strict=True)]
        who = self._who(speaker)
        shown_at_most = CONTEXT_TOKENS if len(ids) <= SHORT_TOKENS else LONG_CONTEXT_TOKENS
        start = 0
        while start < len(ids):
            end = _window_end(text, offsets, start)
            context = (earlier + mine[max(0, start - shown_at_most) : start])[-shown_at_most:]
            head = [_OPENING, *who, *(token for token, _ in context), _SEPARATOR]
            shown = tuple(place for _, place in context)
            yield TalkWindow(
                (*head, *ids[start:end], _SEPARATOR), len(head), tuple(offsets[start:end]), text, shown
            )
            start = end

    def _encode(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def _who(self, speaker: str) -> list[int]:
        if speaker not in self._speakers:
            self._speakers[speaker] = self._encode(f"{speaker} :")
        return self._speakers[speaker]


def _window_end(text: str, offsets: Sequence[tuple[int, int]], start: int) -> int:
    """The token after a window's last: at the last line break that fits, else the last sentence end."""
    end = start + BODY_TOKENS
    if end >= len(offsets):
        return len(offsets)
    least = start + BODY_TOKENS // _LEAST_SHARE
    sentence = 0
    for place in range(end, least, -1):
        stop, following = offsets[place - 1][1], offsets[place][0]
        if "\n" in text[stop:following]:
            return place
        if not sentence and stop < following and text[stop - 1 : stop] in _ENDS:
            sentence = place
    return sentence or end
