"""Choosing units worth retelling, and saying whose they are: what summaries and thread maps share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from extract.tokens import Kind, tokenize
from extract.wordlists import words
from schemas.unit import Category, Speaker, Unit
from schemas.words import CHARACTERS_PER_WORD, count_words

_LEAST_WORDS = 4
_ENDS = tuple(".!?。！？")
_DANGLING = frozenset(
    words("it this that these those they there he she here then so and but or which given because if as to")
)
"""A sentence that opens with one of these leans on what stood before it."""
_SMALL_TALK = re.compile(
    r"^(?:the (?:user|assistant)"
    r" (?:is|feels|would be|can|hopes?|appreciates?|understands?|wishes|loves?|thanks?)"
    r" (?:very |truly |really |so |absolutely |most |completely )*"
    r"(?:glad|happy|welcome|sorry|sure|ready|here|excited|thrilled|delighted|help|thankful|grateful|relieved)?\b"
    r"|rest assured|feel free|be assured|please|thanks?\b|let the (?:user|assistant) know)",
    re.IGNORECASE,
)
_CONTENT = frozenset({Kind.WORD, Kind.NUMBER, Kind.CODE, Kind.UNSPACED})
_LETTERS = 4
"""Words shorter than this seldom say what a text is about."""


def reads_well(unit: Unit) -> bool:
    """Whether the unit's sentence can stand in running text: whole, long enough, leaning on nothing."""
    text = unit.text
    if "…" in text or not text.endswith(_ENDS) or text.startswith("["):
        return False
    opening = text.split(maxsplit=1)[0].lower().strip(",.'’")
    if opening in _DANGLING or _SMALL_TALK.match(text):
        return False
    return count_words(text) >= _LEAST_WORDS or unit.category is Category.DECISION


def content(text: str) -> list[str]:
    """The words of a text that may say what it is about, lower case."""
    return [
        token.low
        for token in tokenize(text)
        if token.kind in _CONTENT and (token.end - token.start >= _LETTERS or token.kind is not Kind.WORD)
    ]


def frequencies(units: Iterable[Unit]) -> Counter[str]:
    """How often each word of content stands in the units; the owner's count double."""
    counts: Counter[str] = Counter()
    for unit in units:
        weight = 2 if unit.speaker is Speaker.OWNER else 1
        for word in set(content(unit.text)):
            counts[word] += weight
    return counts


def salience(unit: Unit, counts: Mapping[str, int]) -> float:
    """How much of what the conversation keeps coming back to is in the unit; numbers and names help.

    The mean over its words of content of log2 of their frequency would favour short sentences: the root of
    their number stands between sum and mean.
    """
    found = content(unit.text)
    if not found:
        return 0.0
    total = sum(min(counts.get(word, 0), 8) for word in set(found))
    return float(total / len(found) ** 0.5) + sum(word[0].isdigit() for word in found)


def name_of(unit: Unit, owner: str | None) -> str:
    """Who said the unit, as a sentence's subject."""
    if unit.speaker is Speaker.OWNER:
        return owner or "The user"
    if unit.speaker is Speaker.ASSISTANT:
        return "The assistant"
    if unit.speaker is Speaker.OTHER:
        return unit.speaker_name or "Somebody else"
    return "A pasted text"


def listed(texts: Sequence[str]) -> str:
    """Sentences as the members of one: `a; b; and c`. Their own full stops are dropped."""
    members = [text.rstrip(".。") for text in texts]
    return "; ".join(members)


def first_sentences(text: str, most_words: int) -> str:
    """The beginning of a text: whole sentences up to so many words, else that many words and an ellipsis."""
    flat = " ".join(text.split())
    kept = ""
    for sentence in re.split(r"(?<=[.!?。！？])\s+", flat[: most_words * 40]):
        if count_words(kept) + count_words(sentence) > most_words:
            break
        kept = f"{kept} {sentence}".strip()
    if kept:
        return kept
    cut = " ".join(flat.split()[:most_words])[: most_words * 12]
    if count_words(cut) > most_words:
        cut = cut[: most_words * CHARACTERS_PER_WORD]
    return cut if cut == flat else f"{cut} …"
