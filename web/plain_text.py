"""What others wrote, as plain text: no markup, no control characters."""

from __future__ import annotations

import re
import unicodedata
from html.parser import HTMLParser

_LINES = frozenset("\n\t")
_UNSEEN_MARKS = frozenset("\u00ad\u200c\u200d\ufe0e\ufe0f")
"""What hyphenates, parts and joins letters, and chooses between a sign and its picture: kept one or two at a
time, as writing needs them. A longer run is a message to a program."""
_MOST_MARKS = 2
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Unicode's categories of what is no letter or mark: controls, formats (which turn the direction of text
around or hide words from its reader), halves of surrogate pairs, private use, separators."""
_IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0d\uffa0\U000e0000-\U000e0fff]"
)
"""Of letters and marks, those that show nothing (Unicode's Default_Ignorable_Code_Point): fillers, and
selectors of variants, in which whole sentences can be hidden."""


def without_controls(text: str) -> str:
    """The text without characters that a reader does not see and a terminal or a model may."""
    if text.isascii() and text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    kept: list[str] = []
    marks = 0
    for one in _IGNORABLE.sub("", lines):
        marks = marks + 1 if one in _UNSEEN_MARKS else 0
        seen = not marks and (one in _LINES or unicodedata.category(one) not in _DROPPED)
        if seen or 0 < marks <= _MOST_MARKS:
            kept.append(one)
    return "".join(kept)


def one_line(text: str) -> str:
    """Markup and line ends gone: for titles and snippets, in which services mark what was found."""
    reader = _Words()
    reader.feed(text)
    reader.close()
    return " ".join(without_controls("".join(reader.said)).split())


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
