"""What others wrote, as plain text: no markup, no control characters."""

from __future__ import annotations

import unicodedata
from html.parser import HTMLParser

_KEPT = frozenset("\n\t\u00ad\u200c\u200d")
"""Line ends and tabs, and what hyphenates, parts and joins letters."""
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Unicode's categories of what is no letter or mark: controls, formats (which turn the direction of text
around or hide words from its reader), halves of surrogate pairs, private use, separators."""


def without_controls(text: str) -> str:
    """The text without characters that a reader does not see and a terminal or a model may."""
    if text.isascii() and text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return "".join(one for one in lines if one in _KEPT or unicodedata.category(one) not in _DROPPED)


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
