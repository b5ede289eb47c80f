"""The prompt decomposed by a language model, in one call: its ways, and its altitude.

The *altitude* is the subject domain that the prompt belongs to, not its narrow angle: a relevance filter may
judge by it where nothing else was said. What a model says is searched beside the prompt and never in its
place, and it is no evidence that the memory knows an answer (`retrieval.search.decomposition`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from typing import Literal, TypeAlias

from pydantic import BaseModel

from inference.fence import fenced
from inference.language_model import LanguageModel, ModelQuestion, read_prompt
from retrieval.search.decomposition import AIMS, variations
from retrieval.search.question_names import names_of, numbers_of
from retrieval.search.variation import Variation
from schemas.errors import ServiceError

PROMPT = read_prompt(resources.files("retrieval") / "prompts", "decompose", 1)

MOST_CHARACTERS = 300
"""Of a way; more is no search text."""

MOST_OF_DOMAIN = 80
"""Characters of a domain."""

log = logging.getLogger(__name__)


class WayOfAsking(BaseModel):
    """One way, as the model puts it."""

    aim: Literal["concept", "methodology", "session continuity", "supplemental authority"]
    text: str


class WaysAnswer(BaseModel):
    """The form of the answer."""

    domain: str
    ways: list[WayOfAsking]


@dataclass(frozen=True, slots=True)
class Decomposition:
    """How a prompt is put, and what it is about."""

    ways: tuple[Variation, ...]
    altitude: str | None = None
    """The subject domain; None where nobody said one."""
    by: str = "offline"
    """Who decomposed it: `offline`, or the model."""


Decomposer: TypeAlias = Callable[[str], Decomposition]


def by_words(prompt: str) -> Decomposition:
    """By the prompt's own words, without a model and without an altitude."""
    return Decomposition(tuple(variations(prompt)))


def decompose_with(model: LanguageModel) -> Decomposer:
    """Decomposition by a language model; by the prompt's own words where it does not answer, or no way of it
    may be used."""

    def decompose(prompt: str) -> Decomposition:
        asked = ModelQuestion(
            PROMPT, fenced("prompt", prompt), WaysAnswer, expected_tokens=150, most_tokens=600
        )
        try:
            (reply,) = model.complete([asked])
        except ServiceError as error:
            log.warning("no decomposition, the prompt's own words do: %s", str(error).splitlines()[0])
            return by_words(prompt)
        if reply.value is None:
            return by_words(prompt)
        domain = " ".join(reply.value.domain.split())
        ways = usable(prompt, reply.value.ways)
        altitude = domain if 0 < len(domain) <= MOST_OF_DOMAIN else None
        return Decomposition(ways or by_words(prompt).ways, altitude, model.name)

    return decompose


def usable(prompt: str, ways: list[WayOfAsking]) -> tuple[Variation, ...]:
    """Of each aim the first way that may be searched: not the prompt itself, no longer than a search text,
    and with every name and number of the prompt. A question on error 502 must not become one on errors."""
    tiers = {aim: of_aim for aim, _, of_aim in AIMS}
    kept = [*names_of(prompt), *numbers_of(prompt)]
    made: dict[str, Variation] = {}
    for way in ways:
        text = " ".join(way.text.split())
        fits = 0 < len(text) <= MOST_CHARACTERS and all(one in text for one in kept)
        if fits and (text != prompt or tiers[way.aim]) and way.aim not in made:
            made[way.aim] = Variation(way.aim, text, tiers[way.aim])
    return tuple(made.values())
