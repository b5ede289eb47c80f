"""Slips of the keyboard: an unknown word that is one edit away from one known word is that word.

Known are the whole words of the embedder's tokenizer, some twenty thousand frequent ones. The edit (a letter
missing, added, changed or swapped with its neighbour) leaves the first and the last letter alone, so an
inflection is never taken for a slip, and only words in lower case are looked at: names are not mended.
Source of the conditions: the measured guard of six letters, same ends, one Damerau edit.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache

from inference.weights import find_weights

SHORTEST_MENDED = 6
"""Letters of a word that is mended: among shorter ones too many are one edit apart."""


@lru_cache(maxsize=65536)
def mended(word: str) -> str:
    """The known word that a lower-case word stands for; the word itself where it is known or none is near.

    Raises EmbedderMissing where the embedder's files are not installed.
    """
    if len(word) < SHORTEST_MENDED or not (word.isascii() and word.isalpha() and word.islower()):
        return word
    known, lacking = _known()
    if word in known or any(base in known for base in _bases(word)):
        return word
    near = set(lacking.get(word, ()))
    for shorter in _shorter(word):
        if shorter in known:
            near.add(shorter)
        near.update(one for one in lacking.get(shorter, ()) if _one_edit(one, word))
    return near.pop() if len(near) == 1 else word


def _bases(word: str) -> Iterator[str]:
    """What a regular ending may stand on: `expires` is no slip for `empires`."""
    for ending in ("s", "es", "d", "ed", "r", "er", "rs", "ers", "ing", "ly"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            yield word.removesuffix(ending)
            if ending == "ing":
                yield word.removesuffix(ending) + "e"


def _shorter(word: str) -> Iterator[str]:
    """The word without one of its inner letters."""
    return (word[:at] + word[at + 1 :] for at in range(1, len(word) - 1))


def _one_edit(one: str, other: str) -> bool:
    """Whether two words of one length differ in one letter, or in two neighbours that are swapped."""
    if len(one) != len(other):
        return False
    apart = [at for at in range(len(one)) if one[at] != other[at]]
    if len(apart) == 2 and apart[1] == apart[0] + 1:
        first, second = apart
        return one[first] == other[second] and one[second] == other[first]
    return len(apart) == 1


@cache
def _known() -> tuple[frozenset[str], dict[str, tuple[str, ...]]]:
    """The known words, and by a word that lacks one inner letter those that it may be."""
    vocabulary = json.loads(find_weights().tokenizer.read_text(encoding="utf-8"))["model"]["vocab"]
    known = frozenset(word for word in vocabulary if word.isascii() and word.isalpha())
    lacking: dict[str, list[str]] = defaultdict(list)
    for word in known:
        if len(word) >= SHORTEST_MENDED:
            for shorter in _shorter(word):
                lacking[shorter].append(word)
    return known, {shorter: tuple(sorted(set(words))) for shorter, words in lacking.items()}
