"""HTML to the text that its reader saw. Reads any HTML, however broken, in one pass."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_BREAKS = frozenset(
    {
        "p",
        "div",
        "br",
        "li",
        "ul",
        "ol",
        "tr",
        "table",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "pre",
        "blockquote",
        "hr",
    }
)
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_SILENT = frozenset({"script", "style", "template"})
_MANY_BREAKS = re.compile(r"\n{3,}")
_SPACES = re.compile(r"[ \t\r\n\f]+")


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._silent = 0
        self._verbatim = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent += 1
        if tag in _BREAKS:
            self.parts.append("\n")
        if tag == "pre":
            self._verbatim += 1
            self.parts.append("```\n")
        elif tag == "code" and not self._verbatim:
            self.parts.append("`")
        elif tag == "li":
            self.parts.append("- ")
        elif tag in ("td", "th"):
            self.parts.append(" | ")
        elif tag in _HEADINGS:
            self.parts.append(_HEADINGS[tag])
        elif tag == "img":
            self.parts.append(dict(attrs).get("alt") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        if tag == "pre":
            self._verbatim = max(0, self._verbatim - 1)
            self.parts.append("\n```")
        elif tag == "code" and not self._verbatim:
            self.parts.append("`")
        if tag in _BREAKS and tag != "li":
            self.parts.append("\n" if tag != "p" else "\n\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(data if self._verbatim else _SPACES.sub(" ", data))


def text_of(html: str) -> str:
    """The words, with line breaks for blocks, dashes for list items, fences for code."""
    words = _Words()
    words.feed(html)
    words.close()
    lines = (line.strip(" ") for line in "".join(words.parts).split("\n"))
    return _MANY_BREAKS.sub("\n\n", "\n".join(lines)).strip()
