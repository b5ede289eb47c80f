"""Where sentences end: a rule that would rather miss an end than cut a sentence in two.

The governing-idea test needs a paragraph's first and last sentence, and windows need cuts that do no harm;
for both a missed end costs little and a false one much.
"""

from __future__ import annotations

import re

_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?=\s)\s*+|[。！？]++[」』”’）]*+\s*+")
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘*_]*\Z")
_LETTERS_AND_DOTS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_LIST_NUMBER = re.compile(r"(?:\A|\n)[ \t]*\d{1,9}\Z")
_TICKS = re.compile(r"`+")
_BRACKETS = re.compile(r"\[[^\[\]]*+\]")
_LONGEST_WORD = 40

_ABBREVIATIONS = """
approx art aug bzw ca cf ch co corp dec dept dr ed eds eq esp est etc ex feb fig figs inc incl jan jr jul jun
ltd max mar min mr mrs ms mt nov nr oct op pp prof pt resp sec sen sept sr st str tel trans univ usw
vgl viz vol vs zb
"""
_BEFORE_A_NUMBER = frozenset(["no", "nos"])
_NOT_AN_END = frozenset(_ABBREVIATIONS.split())


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences of one paragraph, in order, without gaps, the white space after each included.

    An end inside a code span or a link's brackets, after an abbreviation, an initial or a list number,
    or before a small letter is none. Linear in the text's length.
    """
    shielded = _shield(text)
    spans = []
    start = 0
    for match in _END.finditer(shielded):
        if match.end() < len(text) and _is_end(text, match.start(), match.end()):
            spans.append((start, match.end()))
            start = match.end()
    if start < len(text):
        spans.append((start, len(text)))
    return spans


def _is_end(text: str, mark: int, after: int) -> bool:
    if text[mark] in "。！？":
        return True
    if text[after].islower():
        return False
    if text[mark] != ".":
        return True
    around = max(0, mark - _LONGEST_WORD)
    match = _LAST_WORD.search(text, around, mark)
    word = match[0] if match else ""
    if word.isdigit():
        return not _LIST_NUMBER.search(text[around:mark] if around == 0 else "x" + text[around:mark])
    if word.casefold() in _BEFORE_A_NUMBER:
        return not text[after].isdigit()
    return not (_LETTERS_AND_DOTS.fullmatch(word) or word.casefold() in _NOT_AN_END)


def _shield(text: str) -> str:
    """The text with brackets and code spans overwritten, length kept: no sentence ends inside them."""
    if "[" in text:
        text = _BRACKETS.sub(lambda match: "x" * len(match[0]), text)
    if "`" not in text:
        return text
    parts = []
    done = 0
    for start, end in _code_spans(text):
        parts += [text[done:start], "x" * (end - start)]
        done = end
    return "".join([*parts, text[done:]])


def _code_spans(text: str) -> list[tuple[int, int]]:
    """Code spans: a run of backticks up to the next run of the same length, as CommonMark pairs them."""
    runs = [match.span() for match in _TICKS.finditer(text)]
    last_of_length = {end - start: index for index, (start, end) in enumerate(runs)}
    spans = []
    index = 0
    while index < len(runs):
        start, end = runs[index]
        if last_of_length[end - start] > index:
            index += 1
            while runs[index][1] - runs[index][0] != end - start:
                index += 1
            spans.append((start, runs[index][1]))
        index += 1
    return spans
