"""Where names stand in a text, however they are written: whole, in part, joined otherwise, in the plural.

A name is its runs of letters. Between them in the text may stand a blank, a hyphen, an apostrophe, a dot, a
low line or digits, or nothing: `Anne-Marie`, `Annemarie`, `anne_marie`. Nothing else of a name is looked for,
so a pattern begins and ends with letters and takes time by the length of the text alone. Of a name without
letters the digits are looked for, if it has as many as a telephone number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from chunking.stop_words import STOP_WORDS
from chunking.wordlists import words
from web.routing.folded_text import (
    HAN,
    HANGUL,
    LETTERS,
    NO_LETTER_AFTER,
    NO_LETTER_BEFORE,
    FoldedText,
    fold_letter,
)

LEAST_PART = 2
"""Letters of a part of a name: initials are none."""
LEAST_PLURAL = 4
"""Letters of a part that is looked for with an s, in small letters too: `does` is no plural of Doe."""

LEAST_DIGITS = 7
"""Of a name that is a number."""

_JOINER = r"[\s\d_.'-]{0,8}+"
_PARTICLES = words(
    "van von der den de del della di da dos das du la le el al bin ibn ter ten zu zur af av y e"
)
"""They join the parts of a name, and are none; with a capital at its beginning they may be one: `Al Gore`."""
_LABELS = words(
    """
account ai admin default family guest home main office personal private root school shared team test user
work
"""
)
"""Ordinary words by which people call an account."""
_ORDINARY = frozenset(STOP_WORDS).union(_LABELS, _PARTICLES)

_WITH_E = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"}
"""Letters that have a second plain form."""
_E_INSIDE = re.compile(r"(?<=[a-z][aou])e(?=[a-z]{2})")
_GIVEN_OR_FAMILY = re.compile(f"[{HAN}]{{3,4}}|[{HANGUL}]{{3,4}}")
"""Names that are written without a blank. A given name has two characters, and so may a family's, but for
Korean, where hardly any has."""
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe"
_ARABIC = re.compile("[\u0620-\u06ff]")
_WRITTEN_BEFORE = (
    "(?:[\u0648\u0641]?(?:\u0644\u0644|[\u0628\u0644\u0643]?(?:\u0627\u0644)?))"  # and, so; to, in, as; the
)


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of letters of a name, in its plain forms."""

    forms: tuple[str, ...]

    @property
    def pattern(self) -> str:
        return f"(?:{'|'.join(self.forms)})"

    def stands_in(self, text: str) -> bool:
        return any(form in text for form in self.forms)


def places_of_names(names: Iterable[str], plain: str, text: FoldedText) -> list[tuple[int, int]]:
    """Runs of `plain` that say a name, in order, and apart. `text` is `plain` folded."""
    found = []
    names = tuple(names)
    for number in filter(None, map(_number, names)):
        found += [text.place_of(*match.span()) for match in number.finditer(text.text)]
    for runs, is_part in dict.fromkeys(chain.from_iterable(map(_sought, names))):
        if all(run.stands_in(text.text) for run in runs):
            for pattern, proper in _patterns(runs, is_part):
                for match in pattern.finditer(text.text):
                    start, end = text.place_of(*match.span())
                    if not proper or _as_a_name(plain[start:end]):
                        found.append((start, end))
    return list(_merged(found))


def _number(name: str) -> re.Pattern[str] | None:
    """What finds a number that stands for a person who has no name in an archive: a telephone's."""
    digits = re.findall("[0-9]", name)
    if len(digits) < LEAST_DIGITS or LETTERS.search(name):
        return None
    said = r"[\s./()-]{0,3}+".join(digits)
    return re.compile(rf"(?<!\d)\+?{said}(?!\d)")


def _sought(name: str) -> Iterator[tuple[tuple[_Run, ...], bool]]:
    """What is looked for of a name: all of it, its words that have several runs, and its parts."""
    by_word = [LETTERS.findall(word) for word in name.split()]
    runs = list(chain.from_iterable(by_word))
    if all(len(run) < LEAST_PART for run in runs):
        return
    for lot in (runs, *by_word):
        if len(lot) > 1:
            yield tuple(map(_run, lot)), False
    for place, run in enumerate(runs):
        joins = run.casefold() in _PARTICLES and len(runs) > 1 and not (place == 0 and run.istitle())
        if len(run) >= LEAST_PART and not joins:
            yield (_run(run),), True
        if _GIVEN_OR_FAMILY.fullmatch(run):
            yield (_run(run[-2:]),), True
            if not re.match(f"[{HANGUL}]", run):
                yield (_run(run[:2]),), True


@lru_cache(maxsize=1 << 16)
def _run(letters: str) -> _Run:
    base = "".join(map(fold_letter, letters))
    with_e = "".join(_WITH_E.get(one) or fold_letter(one) for one in letters.casefold())
    return _Run(tuple(dict.fromkeys((base, with_e, _E_INSIDE.sub("", base)))))


def _patterns(runs: tuple[_Run, ...], is_part: bool) -> Iterator[tuple[re.Pattern[str], bool]]:
    """Patterns, each with whether it counts only where the text has it as a name is written."""
    proper = all(run.forms[0] in _ORDINARY for run in runs)
    said = _JOINER.join(run.pattern for run in runs)
    last = runs[-1].forms[0]
    several = "" if f"{last}s" in STOP_WORDS else "|s'?"
    long = not is_part or len(last) >= LEAST_PLURAL
    yield _bounded(runs, rf"{said}(?:'s{several if long else ''})?"), proper
    if several and len(last) == LEAST_PLURAL - 1 and not long:
        yield _bounded(runs, f"{said}s"), True


def _bounded(runs: tuple[_Run, ...], pattern: str) -> re.Pattern[str]:
    first, last = runs[0].forms[0][0], runs[-1].forms[0][-1]
    # names from elsewhere are within longer words from elsewhere: マイク in マイクロソフト
    before = f"(?<![{_KATAKANA}])" if re.match(f"[{_KATAKANA}]", first) else ""
    after = f"(?![{_KATAKANA}])" if re.match(f"[{_KATAKANA}]", last) else ""
    prefix = _WRITTEN_BEFORE if _ARABIC.match(first) else ""
    return re.compile(f"{NO_LETTER_BEFORE}{before}{prefix}{pattern}{NO_LETTER_AFTER}{after}")


def _as_a_name(written: str) -> bool:
    return written[0].isupper() and not written.removesuffix("'s").isupper()


def _merged(places: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    begun = None
    for start, end in sorted(places):
        if begun is None or start > begun[1]:
            if begun is not None:
                yield begun
            begun = (start, end)
        else:
            begun = (begun[0], max(begun[1], end))
    if begun is not None:
        yield begun
