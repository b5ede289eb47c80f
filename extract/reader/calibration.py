"""How likely a careful reader keeps a note: one logistic regression over what the reader makes of it.

The heads were taught on words as they were said; what counts is the note as it is worded. The regression was
fitted on judged notes of talk held out (`docs/reading.md`). It looks at what the heads say and at the
encoder's own states of the words that were taken, whose weights lie beside the heads (`SpanReading.worth`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from extract.reader.small_reader import ATTRIBUTES, SpanReading
from schemas.estimate import Estimate
from schemas.unit import MAX_WORDS, Speaker
from schemas.words import count_words

_FEW_WORDS = 4
_LEAST = 1e-4


def features(
    told: SpanReading, span: SpanReading, speaker: Speaker, text: str, *, whole: bool, named: bool
) -> dict[str, float]:
    """What the regression looks at. `told` is the reading of what the note's words were taken from, the span
    itself or a stretch around it; `named`: whether the note is told behind what it takes up."""
    return {
        "alone": _logit(told.chance("alone", "y")),
        "keep": _logit(told.chance("keep", "y")),
        "own": _logit(span.chance("whose", "own")),
        "wider": float(told is not span),
        "cut": float(not whole),
        "named": float(named),
        "few": float(count_words(text) < _FEW_WORDS),
        "words": count_words(text) / MAX_WORDS,
        "by owner": float(speaker is Speaker.OWNER),
        "state": told.worth,
    }


def estimate(
    settings: Mapping[str, float], found: Mapping[str, float], span: SpanReading, *, whole: bool
) -> Estimate:
    """The gate's view of a note: `settings` are the regression's weights by feature, "bias" among them."""
    total = settings.get("bias", 0.0) + sum(settings.get(name, 0.0) * value for name, value in found.items())
    own = span.chance("whose", ATTRIBUTES["whose"][0])
    return Estimate(
        good=round(1 / (1 + math.exp(-total)), 4),
        whose=span.likeliest("whose"),
        own=round(own, 4),
        whole=whole,
    )


def _logit(chance: float) -> float:
    bounded = min(max(chance, _LEAST), 1 - _LEAST)
    return math.log(bounded / (1 - bounded))
