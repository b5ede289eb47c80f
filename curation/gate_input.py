"""What a criterion sees: a unit before the gate, and what was said where it comes from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

from chunking.closed_classes import EMPTY_WORDS
from curation.gate_settings import GateSettings
from schemas.base import sha256_text
from schemas.unit import Outcome, Unit
from schemas.words import UNSPACED

Finding: TypeAlias = tuple[Outcome, str]
"""What a criterion says, and why in words that a person can check; no words where it passes."""

PASSED: Finding = (Outcome.PASS, "")

Older: TypeAlias = Callable[[Unit], str | None]
"""The id of an older unit that says the same; None where there is none."""

_WORD = re.compile(rf"\d+(?:[.,:]\d+)*|[{UNSPACED}]+|[^\W\d_{UNSPACED}]+(?:['’][^\W\d_]+)*")
_ENDINGS = ("ing", "ed", "es", "en", "er", "s", "e", "n", "t")
_SHORTEST = 3
_STEM = 5
"""Letters by which words are taken for forms of one: `planning`, `planned`; `Rechnung`, `Rechnungen`."""


@lru_cache(maxsize=4096)  # criterion after criterion asks for the words of the same few texts
def words_of(text: str) -> tuple[str, ...]:
    """The words and numbers of a text, case folded; of scripts without spaces, the pairs of characters.

    Meant for notes and quotes, whose words are kept for the next criterion; of a message use `each_word`.
    """
    return tuple(each_word(text))


def each_word(text: str) -> Iterator[str]:
    """The same one by one, and nothing is kept."""
    for match in _WORD.finditer(text.replace("’", "'")):
        word = match.group().casefold()
        if word[0] >= "\u0e00" and len(word) > 1 and not word[0].isdigit() and _UNSPACED.match(word):
            yield from (word[at : at + 2] for at in range(len(word) - 1))
        else:
            yield word


_UNSPACED = re.compile(f"[{UNSPACED}]")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The beginning that a word shares with its other forms."""
    if word[0].isdigit():
        return word
    bare = word.partition("'")[0] or word
    for ending in _ENDINGS:
        if bare.endswith(ending) and len(bare) - len(ending) >= _SHORTEST:
            bare = bare[: -len(ending)]
            break
    return bare[:_STEM]


@lru_cache(maxsize=1024)
def stems_of(text: str) -> frozenset[str]:
    """The stems of every word of a text."""
    return frozenset(map(stem, words_of(text)))


@dataclass(frozen=True)
class SourceContext:
    """What was said in a unit's conversation, worked out once for all its units."""

    texts: Mapping[str, str]
    """Message text by message id, for every message that a unit of it cites."""
    title: str = ""

    @cached_property
    def hashes(self) -> dict[str, str]:
        """SHA-256 of each text, in hex."""
        return {message: sha256_text(text) for message, text in self.texts.items()}

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of every word, the title's included: what a note may draw its words from."""
        return frozenset(
            stem(word) for text in (self.title, *self.texts.values()) for word in each_word(text)
        )

    def once(self, message: str, of: Callable[[str], frozenset[str]]) -> frozenset[str]:
        """What a function finds in a message's text: worked out once, however many notes ask."""
        if (message, of) not in self._found:
            self._found[message, of] = of(self.texts[message])
        return self._found[message, of]

    @cached_property
    def _found(self) -> dict[tuple[str, Callable[[str], frozenset[str]]], frozenset[str]]:
        return {}


@dataclass(frozen=True)
class Ungated:
    """A unit before the gate."""

    unit: Unit
    heard: SourceContext
    older: Older | None = None
    """None where the corpus could not be asked."""

    @cached_property
    def quote(self) -> str:
        """The words that the unit stands on, its context's included."""
        return "\n".join(one.quote for one in (*self.unit.evidence, *self.unit.context))

    @cached_property
    def own_quote(self) -> str:
        """The first words that the unit stands on, without its context."""
        return self.unit.evidence[0].quote

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the unit's text, case folded."""
        return words_of(self.unit.text)

    @cached_property
    def quoted(self) -> frozenset[str]:
        """Stems of the quotes."""
        return stems_of(self.quote)

    def knows(self, stem: str) -> bool:
        """Whether the note may draw on a word: its quotes, its conversation or its speaker's name have it."""
        return (
            stem in self.quoted or stem in self.heard.stems or stem in stems_of(self.unit.speaker_name or "")
        )

    def cites(self, found: str, of: Callable[[str], frozenset[str]]) -> bool:
        """Whether it is among what a function finds in a message that the unit cites."""
        ids = {one.message_id for one in (*self.unit.evidence, *self.unit.context)}
        return any(found in self.heard.once(one, of) for one in ids if one in self.heard.texts)

    @cached_property
    def content(self) -> list[str]:
        """Stems of the text's words that carry meaning: no function words, no `the user says`."""
        return [stem(word) for word in self.words if word not in EMPTY_WORDS]


Criterion: TypeAlias = Callable[[Ungated, GateSettings], Finding]
