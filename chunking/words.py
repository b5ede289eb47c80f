"""Words of a text, plain, counted and compared: what the governing-idea test and topic shifts build on."""

from __future__ import annotations

import re
from typing import Any

from chunking.grammar import inline_parser

_MARKUP = re.compile(r"[*_`\[\]<>&\\!~]")
_LONGEST_PARSED = 1_000
"""Inline Markdown longer than this many characters is shown as written: its parse need not be linear."""

_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_SPACED_WORD = re.compile(rf"[^\W_{_UNSPACED}](?:[^\s{_UNSPACED}]*[^\W_{_UNSPACED}])?")
_UNSPACED_RUN = re.compile(rf"[{_UNSPACED}]+")
_TERM = re.compile(rf"[^\W\d_{_UNSPACED}]{{3,}}")
_PREFIX = 5
"""Letters that stand for a word: truncation is the plainest stemmer that suits most inflected languages."""

_COMMON_WORDS = """
about after again also and any are because been before but can cannot could did does doing don each for from
get had has have here how into its just like may might more most much must nor not now off one only other our
out over own same shall she should some such than that the their them then there these they this those through
too under until use used uses using very was way were what when where which while who why will with within
without would you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def plain_words(markdown: str, references: dict[str, Any] | None = None) -> str:
    """The words of inline Markdown without its marks, on one line.

    `references` are the text's link definitions, as `chunking.blocks.outline` gives them.
    """
    if len(markdown) > _LONGEST_PARSED or not _MARKUP.search(markdown):
        return " ".join(markdown.split())
    tokens = inline_parser().parseInline(markdown, {"references": references or {}})[0].children or []
    parts = [
        " " if token.type in ("softbreak", "hardbreak") else token.content
        for token in tokens
        if token.type != "html_inline"
    ]
    return " ".join("".join(parts).split())


def count_words(text: str) -> int:
    """Words: runs of letters and digits between spaces; in scripts without spaces, two characters a word."""
    unspaced = sum(-(-len(run) // 2) for run in _UNSPACED_RUN.findall(text))
    return len(_SPACED_WORD.findall(text)) + unspaced


def terms(text: str) -> list[str]:
    """What a text is about: its content words cut to a stem, and character pairs of unspaced scripts."""
    found = [word[:_PREFIX] for word in _TERM.findall(text.casefold()) if word not in _COMMON]
    for run in _UNSPACED_RUN.findall(text):
        found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
    return found
