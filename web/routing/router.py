"""Whether a prompt is answered by the memory alone, or by the memory and the live web: with the reason.

`always` and `never` say it themselves. `auto` asks a small logistic model over what the prompt says: its
meaning (the embedder's vector) and a few counts. It learned on prompts that were labelled by hand; the
threshold is where few prompts for the memory go outside, since a wrong search tells strangers what a person
asks, and a missed one costs a flag (`benchmarks/calibration/web_router.py`, docs/web.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources

import numpy as np
import numpy.typing as npt

from chunking.language import ENGLISH, content_words, language_of, words_of
from inference.embedder import Embedder
from schemas.base import Noun


class WebMode(StrEnum):
    """Who says whether the live web is asked."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Route:
    """Where a prompt goes, and why."""

    live: bool
    reason: str


OWN = frozenset({"i", "i'm", "i've", "i'd", "i'll", "me", "my", "mine", "myself", "we", "us", "our", "ours"})
"""The closed class of English first persons: a prompt about oneself asks the memory."""

NOW = frozenset({"now", "today", "tonight", "tomorrow", "currently", "latest", "newest", "recent", "current"})
"""Words that point at the present: what is outside changes."""


class RouterWeights(Noun):
    """What the router learned, and from which run."""

    embedder: str
    """The embedder that the vector's weights are for."""
    vector: tuple[float, ...]
    counts: tuple[float, ...]
    """For `counts_of`, in its order."""
    bias: float
    threshold: float
    """A prompt goes outside from this chance on."""
    run: str


@cache
def learned() -> RouterWeights:
    """The weights in use."""
    stored = resources.files("web").joinpath("routing/data/router.json").read_text(encoding="utf-8")
    return RouterWeights.model_validate_json(stored)


def counts_of(prompt: str) -> npt.NDArray[np.float64]:
    """(9,): shares of first persons and of words for the present, a question mark, the logarithm of how many
    words; then names (capitals within the prompt, as share, any, several) and figures (as share, any).

    What the world knows has a name or a number more often than what one says to oneself. Scaled so that one
    penalty suits them all.
    """
    words = words_of(prompt)
    many = max(len(words), 1)
    own = sum(word in OWN for word in words) / many
    present = sum(word in NOW for word in words) / many
    whole = prompt.split()
    written = max(len(whole), 1)
    names = sum(word[:1].isupper() and bool(content_words(word)) for word in whole[1:])
    figures = sum(any(one.isdigit() for one in word) for word in whole)
    shape = (names / written, float(names > 0), float(names > 1), figures / written, float(figures > 0))
    return np.array([3 * own, 3 * present, 3 * float("?" in prompt), 3 * np.log(many), *shape])


def chance_live(prompt: str, embedder: Embedder, weights: RouterWeights) -> float:
    """0-1: how likely the prompt asks for what only the web knows."""
    vector = embedder.embed_query(prompt).astype(np.float64)
    total = float(vector @ np.array(weights.vector) + counts_of(prompt) @ np.array(weights.counts))
    return float(1 / (1 + np.exp(-(total + weights.bias))))


def routed(prompt: str, mode: WebMode, embedder: Embedder) -> Route:
    """Where the prompt goes. In doubt it stays inside: also where the weights are for another embedder."""
    if mode is not WebMode.AUTO:
        return Route(mode is WebMode.ALWAYS, f"--web {mode.value}")
    weights = learned()
    if embedder.binding.name != weights.embedder:
        return Route(False, f"the router was not taught for the embedder {embedder.binding.name}")
    if (spoken := language_of(prompt)) != ENGLISH:
        return Route(False, f"the router reads English, and this looks like {spoken}: --web always asks")
    chance = chance_live(prompt, embedder, weights)
    side = "at least" if chance >= weights.threshold else "below"
    return Route(
        chance >= weights.threshold,
        f"a chance of {chance:.2f} that it asks for what is outside, {side} {weights.threshold:.2f}",
    )
