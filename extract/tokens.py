"""Text to tokens: words, numbers, code, links, emphasis marks and punctuation, each with its place.

Inline code, links and addresses are single tokens, so nothing downstream can cut one in two.
Every alternative is bounded or starts at a character that no other can start at: matching is linear.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

from schemas.words import UNSPACED


class Kind(IntEnum):
    """What a token is."""

    WORD = 1
    NUMBER = 2
    CODE = 3
    LINK = 4
    UNSPACED = 5
    """Part of a run of a script without spaces, up to a particle or twelve characters."""
    MARK = 6
    """Markdown emphasis: read over, and absent from a unit's text."""
    END = 7
    """Punctuation that may end a sentence."""
    BREAK = 8
    """A line break."""
    PUNCT = 9


CONTENT_KINDS = frozenset({Kind.WORD, Kind.NUMBER, Kind.CODE, Kind.LINK, Kind.UNSPACED})


class Token(NamedTuple):
    """A run `[start, end)` of the text that was tokenised; `low` is its lower-case form with straight
    apostrophes."""

    kind: Kind
    start: int
    end: int
    low: str


_PATTERN = re.compile(
    rf"""
    (?P<CODE>``?[^`\n]{{1,400}}``?)
  | (?P<LINK>!?\[[^\]\[\n]{{1,300}}\]\([^()\s]{{1,1500}}\)
      |<?(?:https?://|www\.)[^\s<>"'\])]{{1,2000}}>?
      |[A-Za-z0-9_.+-]{{1,64}}@[A-Za-z0-9-]{{1,63}}(?:\.[A-Za-z0-9-]{{1,63}}){{1,8}})
  | (?P<TAG></?[A-Za-z][^<>\n]{{0,200}}>)
  | (?P<ENTITY>&(?:[A-Za-z]{{2,8}}|\#\d{{1,6}});)
  | (?P<NUMBER>[€$£¥]?\d+(?:[.,:/'’–-]\d+)*
      (?:\s?[%°‰]|(?:[A-Za-zµ²³°]{{1,4}}(?!\w))|-[^\W\d_]{{2,24}})?)
  | (?P<UNSPACED>
      [{UNSPACED}ー]{{1,12}}?(?:[はがをにへともでて的了和与及或]|から|まで|ので|けど)(?=[{UNSPACED}ー])
      |[{UNSPACED}ー]{{1,12}})
  | (?P<WORD>[^\W\d_{UNSPACED}]
      (?:[^\W_{UNSPACED}]|_(?=[^\W_])|['’](?=[^\W\d_])|[-/&](?=\w)|\.(?=[a-z0-9])|(?<=\b[^\W\d_])\.(?=[A-Z]\.))*
      |[#@]\w+)
  | (?P<MARK>\*{{1,3}}(?=[^\s*])|(?<=[^\s*])\*{{1,3}}|~~|(?<!\w)_{{1,2}}(?=\w)|(?<=\w)_{{1,2}}(?!\w))
  | (?P<BREAK>\n)
  | (?P<END>[.!?…]+|[。！？｡]+)
  | (?P<PUNCT>\S)
    """,
    re.VERBOSE,
)
_KINDS = {name: Kind[name] for name in _PATTERN.groupindex if name in Kind.__members__}
_BREAKING = ("<br", "<p", "</p", "<li", "<div", "</div", "<tr", "<h")
"""Tags that end a line; every other tag only marks."""
_BLANK = frozenset({"&nbsp;", "&ensp;", "&emsp;", "&thinsp;", "&zwnj;", "&shy;"})


def tokenize(text: str) -> list[Token]:
    """The tokens of a text, in order; everything but blanks belongs to one."""
    tokens = []
    for match in _PATTERN.finditer(text):
        low = match.group().lower()
        if "’" in low:
            low = low.replace("’", "'")
        name = match.lastgroup or "PUNCT"
        kind = _KINDS.get(name)
        if kind is None:
            kind = _markup(name, low)
        tokens.append(Token(kind, match.start(), match.end(), low))
    return tokens


def _markup(name: str, low: str) -> Kind:
    """What an HTML tag or entity is to a reader of the text."""
    if name == "TAG":
        return Kind.BREAK if low.startswith(_BREAKING) else Kind.MARK
    return Kind.MARK if low in _BLANK else Kind.PUNCT
