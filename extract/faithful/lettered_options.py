"""Options that are called by a letter: a note on `B` names B, and nothing that stands under `A.` alone."""

from __future__ import annotations

import re

from chunking.language import shared
from extract.faithful.clauses import content

_LETTER = re.compile(r"(?<![\w'’°&/+-])(?<!\d )(?P<letter>[A-Ha-h])(?![\w'’&/+-])")
_ARTICLE = re.compile(r"\s+(?!(?:and|or|is|und|oder|ist|et|ou|est|y|es)\b)\W?\w")
_LABEL = re.compile(r"\W*(?:\w+ )?(?P<letter>[A-H])(?:[.):|]|\s+[-–—|])\s")
_BEGINS = re.compile(r"(?:^|[.!?:]\s)\W*$")


def letters_of(text: str) -> set[str]:
    """The letters A to H by which a text names something, as capitals. An article is none."""
    return {
        found["letter"].upper()
        for found in _LETTER.finditer(text)
        if not (found["letter"] in "aA" and _is_article(text, found))
    }


def another_option(text: str, quote: str, cited: str, languages: tuple[str, ...]) -> bool:
    """Whether a text names another option than the words it stands on, by its letter or by what it is.

    `cited` has a line for each sentence that the text may take words from, the quote's among them.
    """
    said, known = letters_of(quote), letters_of(cited)
    named = {letter for letter in letters_of(text) if re.search(rf"\b{letter}\b", text)}
    if named - (said or known or named):
        return True
    if not said:
        return False
    other: list[str] = []
    own = [quote]
    for line in cited.split("\n"):
        label = _LABEL.match(line)
        (other if label and label["letter"] not in said else own).append(line)
    unsaid = content(text, languages) - shared(content(text, languages), content("\n".join(own), languages))
    return bool(shared(unsaid, content("\n".join(other), languages)))


def _is_article(text: str, found: re.Match[str]) -> bool:
    """Whether an `a` stands before a word; a capital one is an article only where a sentence begins."""
    before_a_word = _ARTICLE.match(text, found.end()) is not None
    return before_a_word and (found["letter"] == "a" or _BEGINS.search(text, 0, found.start()) is not None)
