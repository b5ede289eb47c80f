"""Which words of a query name people whom the memory only talks about: by how the memory speaks of them.

A name is a person's where more of the memory's sentences put it as only a person is put (`my sister NAME`,
`Mr NAME`, `NAME said`, `told NAME`, `NAME … She …`) than as a place or a thing is (`in NAME`, `the NAME`).
So a place or a product that the question is about stays. English alone; a name that the memory never puts so
is not known as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeAlias

from chunking.language import content_words

TextsWith: TypeAlias = Callable[[Collection[str]], Mapping[str, Collection[str]]]
"""For each of the words, texts of the memory in which it stands, written so."""

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
LEAST = 2
"""Letters of a name."""
MOST_PLACES = 500
"""Of a name in the memory, by which it is judged."""
_BEFORE = 80
"""Characters before a name that are looked at."""
_AFTER = 240

_KIN = (
    r"(?:mother|father|mum|mom|dad|parents?|sister|brother|son|daughter|wife|husband|spouse|partner|fianc[ée]e?"
    r"|girlfriend|boyfriend|(?:grand|step)(?:mother|father|ma|pa|son|daughter)|aunt|uncle|cousin|niece|nephew"
    r"|friend|neighbou?r|colleague|boss|flatmate|roommate|[a-z]{1,12}-in-law)"
)
_TITLE = (
    r"(?:Mr|Mrs|Ms|Miss|Dr|Doctor|Prof|Professor|Aunt|Uncle|Grandma|Grandpa|Granny|Grandmother|Grandfather)"
)
_IS_TITLE = re.compile(_TITLE, re.IGNORECASE)
_SAYS = (
    r"(?:says?|said|told|tells|asked|asks|thinks|thought|wrote|writes|promised|agreed|suggested|phoned|replied"
    r"|answered|wants|wanted|likes|loves|hates)"
)
_TO_PEOPLE = r"(?:tell|told|ask|asked|met|meet|meeting|phoned|thank|thanked|married|hug|invite|invited)"
_CAPITALS = "".join(one for one in map(chr, range(0x41, 0x530)) if one.isupper())
"""Latin, Greek and Cyrillic."""

_PERSON_BEFORE = re.compile(rf"\b(?:(?i:{_KIN}),?|(?i:{_TO_PEOPLE})|{_TITLE}\.?(?:\s+[A-Z]\w+)?)\s+\Z")
_PERSON_AFTER = re.compile(rf"\s+(?:\w+ly\s+)?{_SAYS}\b|,?\s+(?:who|whom|whose)\b")
_BEGINS_BEFORE = re.compile(r"(?:\A|[.!?]\s+|\bwith\s)\Z")
_PRONOUN_NEXT = re.compile(r"[^.!?\n]{0,80}[.!?]\s+(?:He|She)\b")
"""Who does what is said, and a pronoun afterwards."""
_PLACED_BEFORE = re.compile(r"\b(?:in|the|to|at)\s\Z")
_PRONOUN_SOON = re.compile(rf"[^.!?\n{_CAPITALS}]{{0,200}}\b(?:he|she|himself|herself)\b")
"""Whoever is named last before a pronoun."""
_THING_BEFORE = re.compile(r"\b(?i:in|near|into|via|using|on|onto|through|the|a|an)\s+\Z")
_WITHIN = re.compile(r"[\w,;)]\s+\Z")
"""Before a word that has its capital not only for beginning a sentence."""


@dataclass(slots=True)
class _Puttings:
    """How often texts put a word as a person, as a thing, and with a capital within a sentence."""

    persons: int = 0
    things: int = 0
    within: int = 0


def people_named(query: str, texts_with: TextsWith) -> tuple[str, ...]:
    """The words of the query, as the memory writes them, that name people; of `the Amsels`, what one of them
    is called. `texts_with` is asked once, and once more where a word of the query is in small letters."""
    typed = _typed(query)
    texts = texts_with(typed)
    named = {}
    for name, word in typed.items():
        asked, said = _puttings(name, [query]), _puttings(name, texts.get(name, ()))
        persons = asked.persons + said.persons
        # a word that only begins sentences has its capital from that
        if persons > said.things and (asked.within or said.within):
            named[name] = word
    small = [word for word in named.values() if word.islower()]
    written = texts_with(small) if small else {}
    return tuple(
        name
        for name, word in named.items()
        if not word.islower() or not _is_common(word, name, written.get(word, ()), texts.get(name, ()))
    )


def _typed(query: str) -> dict[str, str]:
    """What may be a name, as one is written, and the query's word for it."""
    words = _WORD.findall(query.replace("'s", ""))
    typed: dict[str, str] = {}
    for word in chain.from_iterable((one, one.removesuffix("s")) for one in words):
        if len(word) < LEAST or _IS_TITLE.fullmatch(word):
            continue
        for name in (word[:1].upper() + word[1:], word.capitalize()):
            if content_words(word) or (not word.islower() and _puttings(name, [query]).within):
                typed.setdefault(name, word)
    return typed


def _puttings(name: str, texts: Iterable[str]) -> _Puttings:
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    found = _Puttings()
    places = ((text, *place.span()) for text in texts for place in whole.finditer(text))
    for text, start, end in islice(places, MOST_PLACES):
        found.persons += _is_person(text, start, end)
        found.things += bool(_before(_THING_BEFORE, text, start)) and text[end : end + 2] not in {"'s", "’s"}
        found.within += _before(_WITHIN, text, start)
    return found


def _is_person(text: str, start: int, end: int) -> bool:
    """Whether a text puts what stands there as only a person is put."""
    until = end + _AFTER
    if _before(_PERSON_BEFORE, text, start) or _PERSON_AFTER.match(text, end, until):
        return True
    if _before(_BEGINS_BEFORE, text, start) and _PRONOUN_NEXT.match(text, end, until):
        return True
    return not _before(_PLACED_BEFORE, text, start) and bool(_PRONOUN_SOON.match(text, end, until))


def _before(pattern: re.Pattern[str], text: str, place: int) -> bool:
    return pattern.search(text, max(0, place - _BEFORE), place) is not None


def _is_common(word: str, name: str, small: Iterable[str], capital: Iterable[str]) -> bool:
    """Whether the memory writes it in small letters as often as with a capital: `mark`, `rose`."""
    often = sum(len(re.findall(rf"\b{re.escape(word)}\b", text)) for text in small)
    return often >= sum(len(re.findall(rf"\b{re.escape(name)}\b", text)) for text in capital)
