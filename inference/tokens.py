"""How many language-model tokens a text takes, estimated without a network or a model."""

from __future__ import annotations

import re
from math import ceil

_WIDE = re.compile(
    "[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U0001f000-\U0001faff\U00020000-\U0003ffff]"
)
"""CJK, kana, Hangul, full-width forms, emoji: about a token a character, or more."""

_TOKENS_PER_WIDE = 1.25
_TOKENS_PER_OTHER = 0.5
_TOKENS_PER_ASCII = 0.25


def estimate_tokens(text: str) -> int:
    """Tokens of `text` for a current language model, rounded up; 0 for the empty text.

    A quarter of a token for an ASCII character (the usual figure for English prose), half for other
    alphabets, 1.25 for CJK and emoji. It is an estimate: an exact count takes the model's own endpoint.
    It is additive up to rounding: the estimate of a joined text never exceeds the sum of its parts'.
    """
    if text.isascii():
        return ceil(len(text) * _TOKENS_PER_ASCII)
    wide = len(_WIDE.findall(text))
    plain = sum(map(str.isascii, text))
    return ceil(
        wide * _TOKENS_PER_WIDE + plain * _TOKENS_PER_ASCII + (len(text) - wide - plain) * _TOKENS_PER_OTHER
    )
