"""The small judge: an encoder that reads two notes at once, fine-tuned on labelled pairs (`docs/reading.md`).

    [CLS] older note [SEP] newer note [SEP]

It gives the chances of duplicate, supersedes, contradicts and unrelated, and of the same subject and
attribute. It acts only where they are sure together, and never against what form alone settles (`guards`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from curation.pairs.guards import differ_in_claim, differ_in_form, one_word_apart, protected
from curation.pairs.pair import NotePair, PairVerdict, Ruling, keep
from inference.finetuned import FineTuned

WEIGHTS = "pairs-1.safetensors"
JUDGE = "offline/5"
"""Name and version of the judge. Raise it when its weights or guards change: pairs are then judged again."""

RELATIONS = ("dup", "sup", "con", "unr")
"""What a pair can be, in the order of the head's logits."""

DOUBTED = 0.5
"""The chance of being the same from which on a language model, where one is set, is asked."""

_OPENING, _SEPARATOR = 101, 102
_MOST_TOKENS = 120
"""Tokens of one note, at most: a note has fifteen words."""


@dataclass(frozen=True, slots=True)
class PairChances:
    """Chances, 0-1."""

    relation: Mapping[str, float]
    subject: float
    """That both are about one thing."""
    attribute: float
    """That both say the same property of it."""


def pair_ids(tokenizer: Tokenizer, older: str, newer: str) -> list[int]:
    """The encoder's input for two notes."""

    def encoded(text: str) -> list[int]:
        return list(tokenizer.encode(text, add_special_tokens=False).ids[:_MOST_TOKENS])

    return [_OPENING, *encoded(older), _SEPARATOR, *encoded(newer), _SEPARATOR]


class PairJudge:
    """Open weights; safe to use from several threads."""

    def __init__(self, encoder: FineTuned) -> None:
        self._encoder = encoder
        bounds = json.loads(encoder.metadata.get("settings", "{}"))
        self._same = float(bounds.get("duplicate", 0.9))
        self._supersedes = float(bounds.get("supersede", 0.8))
        self._contradicts = float(bounds.get("contradict", 0.9))

    def opinion(self, older: str, newer: str) -> PairChances:
        """What the judge makes of two texts, the second said later."""
        states = self._encoder.hidden(pair_ids(self._encoder.tokenizer, older, newer))
        pooled = np.concatenate([states[0], states.mean(axis=0)])
        chances = _softmax(self._encoder.head("relation", pooled))
        subject = _softmax(self._encoder.head("subject", pooled))
        attribute = _softmax(self._encoder.head("attribute", pooled))
        return PairChances(
            dict(zip(RELATIONS, chances.tolist(), strict=True)), float(subject[1]), float(attribute[1])
        )

    def same(self, one: str, other: str) -> bool:
        """Whether keeping one of two texts loses nothing, whichever of them comes first."""
        if differ_in_form(one, other):
            return False
        first = self.opinion(one, other).relation["dup"]
        return first >= self._same and self.opinion(other, one).relation["dup"] >= self._same

    def doubts(self, one: str, other: str) -> bool:
        """Whether two texts may well be the same by both orders of reading, and `same` is not sure: its own
        chance is too small, or one word stands in another's place."""
        if differ_in_claim(one, other):
            return False
        chance = min(self.opinion(*pair).relation["dup"] for pair in ((one, other), (other, one)))
        return chance >= DOUBTED and (chance < self._same or one_word_apart(one, other))

    def ruling(self, pair: NotePair) -> Ruling:
        """Whether the newer note takes the older one's place."""
        if (kept := protected(pair)) is not None:
            return kept
        found = self.opinion(pair.older.text, pair.newer.text)
        supersedes = min(found.relation["sup"], found.subject)
        if supersedes >= self._supersedes:
            return Ruling(
                PairVerdict.SUPERSEDE, f"it says otherwise of the same thing (chance {supersedes:.2f})"
            )
        contradicts = min(found.relation["con"], found.attribute)
        if contradicts >= self._contradicts:
            return Ruling(PairVerdict.CONTRADICT, f"both cannot hold (chance {contradicts:.2f})")
        return keep(f"nothing shows that one takes the other's place (chance {supersedes:.2f})")


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    powers = np.exp(logits.astype(np.float64) - logits.max())
    return np.asarray(powers / powers.sum())


@lru_cache(maxsize=1)
def load_judge() -> PairJudge:
    """The judge that is shipped; its graph is put together on first use."""
    with as_file(files("curation.pairs") / "weights" / WEIGHTS) as path:
        return PairJudge(FineTuned(path))
