"""Text to tokens: words, numbers and the marks that carry meaning; the rest of the punctuation goes."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u00ad": None, "\u200b": None})
_DASHES = re.compile("[\u2010-\u2012]")

_ADDRESSES = r"""
      https?://\S+                                    # an address is one word
    | [^\W_][\w.+-]*@[^\W_][\w-]*\.[\w.-]*\w             # so is an e-mail address
    | """
_OTHERS = r"""
      \d{1,4}([-/.])\d{1,2}\1\d{1,4}                     # a date in digits
    | \d{1,3}(?:\.\d{3})+,\d{1,2}(?![\w])               # 1.200,50
    | \d{1,2}/\d{1,2}(?![\w/])                          # 2/3
    | \d{1,2}:\d{2}(?::\d{2})?                           # a time of day
    | [+-]?\d{1,3}(?:[,'\u202f]\d{3})+(?:\.\d+)?(?![\w])  # 1,200.50
    | (?<![\w)%])[+-]\d+(?:[.,]\d+)?(?![\w])             # -5, not 9-10
    | w/o?(?![\w])                                        # w/  w/o
    | \d+(?:[.,]\d+)?(?:[^\W\d_]+(?:\.m\.)?)?(?![\w])      # 3  3.5  3,5  3rd  20k  5pm
    | [^\W\d_](?:\.[^\W\d_])+\.?(?![\w])               # U.S.A.  e.g.
    | [\w]+(?:['._/:+#@\\-]+\w+)*[+#]*                   # words, identifiers, paths, C++
    | [$\u20ac\u00a3\u00a5\u20b9%\u2030\u00b0&=<>~^*+?!,;:]
    """
_TOKEN = re.compile(_OTHERS, re.VERBOSE)
_TOKEN_OR_ADDRESS = re.compile(_ADDRESSES + _OTHERS, re.VERBOSE)

LONGEST = 60
"""Tokens of a note that are looked at; a note has 15 words. A longer text is told apart by all its words."""


@dataclass(frozen=True, slots=True)
class Words:
    """A text's tokens with their capitals, and whether it asks."""

    tokens: tuple[str, ...]
    asks: bool


def tokenise(text: str) -> Words:
    """Words, numbers and marks in order. Linear in the text's length."""
    plain = text
    if not text.isascii():
        plain = _DASHES.sub("-", unicodedata.normalize("NFKC", text).translate(_QUOTES))
    # an address is looked for only where there may be one: it is tried at every word
    pattern = _TOKEN_OR_ADDRESS if "@" in plain or "://" in plain else _TOKEN
    found = tuple([match[0] for match in pattern.finditer(plain)])
    return Words(found, plain.rstrip("\"') \t\n").endswith(("?", "\uff1f")))
