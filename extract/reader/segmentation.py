"""Where units begin and end: the best segmentation of a window, scored span by span.

A semi-Markov conditional random field (Sarawagi and Cohen, 2004). Labels of single tokens cut a clause at a
comma, since no label sees both of its ends; here a span is scored whole:

    begin of its first token + inside of the others + last of its last token
    + how well its first and last token go together + how usual its length is

and each token outside every span by itself. The spans chosen are those of the highest sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

LONGEST = 48
"""Tokens of a span, at most: one in two thousand of the annotators' is longer."""

HEADS = ("bio", "last", "opens", "closes", "lengths")
"""The heads that score spans, by name."""

OUT, BEGIN, INSIDE = range(3)
"""The labels of a token, in the order of `bio`."""

BARRED = -1e4

Array = NDArray[np.float32]


def segment_scores(
    states: Array, heads: Mapping[str, Array], eagerness: float = 0.0, blocks: Sequence[int] | None = None
) -> tuple[Array, Array]:
    """The scores of tokens outside of spans, (tokens,), and of spans, (tokens, LONGEST): `[t, n - 1]` is that
    of the span of n tokens whose last is t.

    `states` are a window's own, (tokens, 384); `eagerness` is added to each span. A span of
    several `blocks`, of which each token has a number, is barred.
    """
    given = {name: states @ heads[f"{name}.weight"] + heads[f"{name}.bias"] for name in HEADS[:-1]}
    lengths = (heads["lengths.weight"][0] + heads["lengths.bias"]).astype(np.float32)
    bio, count = given["bio"], len(states)
    inside = np.concatenate([[0], np.cumsum(bio[:, INSIDE])])
    together = given["opens"] @ given["closes"].T / np.sqrt(given["opens"].shape[1])
    end = np.arange(count)[:, None]
    first = end - np.arange(LONGEST)
    begin = np.maximum(first, 0)
    scores = bio[begin, BEGIN] + inside[end + 1] - inside[begin + 1] + given["last"] + together[begin, end]
    within = first >= 0
    if blocks is not None:
        numbers = np.asarray(blocks)
        within &= numbers[begin] == numbers[end]
    scores = np.where(within, scores + lengths + eagerness, BARRED)
    return bio[:, OUT].astype(np.float32), scores.astype(np.float32)


def best_segments(outside: Array, scores: Array) -> list[tuple[int, int]]:
    """(first, last) token of each span of the segmentation with the highest sum."""
    count = len(outside)
    best = np.zeros(count + 1)
    taken = np.zeros(count, int)
    for end in range(count):
        longest = min(end + 1, LONGEST)
        reached = best[end - np.arange(longest)] + scores[end, :longest]
        length = int(reached.argmax())
        without = best[end] + outside[end]
        best[end + 1] = max(without, reached[length])
        taken[end] = length + 1 if reached[length] > without else 0
    spans: list[tuple[int, int]] = []
    end = count - 1
    while end >= 0:
        if taken[end]:
            spans.append((end - int(taken[end]) + 1, end))
        end -= int(taken[end]) or 1
    return spans[::-1]
