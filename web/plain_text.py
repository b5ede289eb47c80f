"""What others wrote, as plain text: no markup, no control characters."""

from __future__ import annotations

import re
import unicodedata
from html.parser import HTMLParser

_LINES = frozenset("\n\t")
_SOFT_HYPHEN, _NON_JOINER, _JOINER = "\u00ad", "\u200c", "\u200d"
_AS_TEXT_OR_PICTURE = "\ufe0e\ufe0f"
_UNSEEN_MARKS = frozenset({_SOFT_HYPHEN, _NON_JOINER, _JOINER, *_AS_TEXT_OR_PICTURE})
"""What hyphenates, parts and joins letters, and chooses between a sign and its picture: kept one by one where
writing needs them. Elsewhere they are a message to a program."""
_JOINS = re.compile("[\u0600-\u07ff\u0860-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefe]")
"""Of scripts whose letters take other forms beside each other: Arabic and its kin, Brahmi's children."""
_SIGNS = frozenset({"So", "Sm", "Sk"})
_OTHER_SIGNS = frozenset("0123456789#*\u203c\u2049\u3030\u303d\u20e3")
"""Keycaps, and marks of punctuation that have a picture."""
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Unicode's categories of what is no letter or mark: controls, formats (which turn the direction of text
around or hide words from its reader), halves of surrogate pairs, private use, separators."""
_IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0d\uffa0\u2065\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
"""Of letters and marks, those that show nothing (Unicode's Default_Ignorable_Code_Point): fillers, and
selectors of variants, in which whole sentences can be hidden."""


def without_controls(text: str) -> str:
    """The text without characters that a reader does not see and a terminal or a model may."""
    if text.isascii() and text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    shown = _IGNORABLE.sub("", lines)
    kept = [""]
    for place, one in enumerate(shown):
        if one in _UNSEEN_MARKS:
            if _needed(one, kept[-1], shown[max(0, place - 2) : place], shown[place + 1 : place + 3]):
                kept.append(one)
        elif one in _LINES or unicodedata.category(one) not in _DROPPED:
            kept.append(one)
        elif one.isspace():
            kept.append(" ")  # a form feed parts words
    return "".join(kept)


def _needed(mark: str, before: str, two_before: str, two_after: str) -> bool:
    """Whether writing needs the mark after the character that was kept last, and between these two pairs."""
    after = two_after[:1]
    if mark == _SOFT_HYPHEN:  # no language breaks off a single letter
        return len(two_before) == 2 == len(two_after) and (two_before + two_after).isalpha()
    if mark == _NON_JOINER:
        return bool(_JOINS.match(before) and _JOINS.match(after))
    if mark == _JOINER:
        return bool(_JOINS.match(before)) or ((_is_sign(before) or before == "\ufe0f") and _is_sign(after))
    return _is_sign(before)


def _is_sign(one: str) -> bool:
    return one != "" and (one in _OTHER_SIGNS or unicodedata.category(one) in _SIGNS)


def one_line(text: str) -> str:
    """Markup and line ends gone: for titles and snippets, in which services mark what was found."""
    reader = _Words()
    reader.feed(text)
    reader.close()
    return plain_line("".join(reader.said))


def plain_line(text: str) -> str:
    """Line endings and controls gone, of what is plain text already."""
    return " ".join(without_controls(text).split())


class _Words(HTMLParser):
    """The text between the tags, entities resolved; nothing of scripts and styles."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        self._silent += tag in {"script", "style"}

    def handle_endtag(self, tag: str) -> None:
        self._silent = max(0, self._silent - (tag in {"script", "style"}))

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.said.append(data)
