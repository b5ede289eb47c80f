"""Verbs that say the same, by their stems, and what follows a verb in one form."""

from __future__ import annotations

from collections.abc import Sequence

from curation.wording.everyday import EVERYDAY
from curation.wording.synonyms import SYNONYMS
from curation.wording.verbs import VERBS, gerund_stem, stem

_TAKES_VERB = frozenset(map(stem, ["begin", "continue", "enjoy", "hate", "favor", "intend", "want"]))
VERB_STEMS = frozenset(map(stem, VERBS))
_SAME_VERBS = {
    stem(variant[0]): stem(canonical[0])
    for variant, canonical in (EVERYDAY | SYNONYMS).items()
    if len(variant) == len(canonical) == 1 and variant[0] in VERBS and canonical[0] in VERBS
}


_SAME_VERBS |= {f"{variant}+": f"{canonical}+" for variant, canonical in _SAME_VERBS.items()}


def same_verb(token: str) -> str:
    """The canonical stem of a verb's stem, with the mark of a participle."""
    return _SAME_VERBS.get(token, token)


def complements_joined(tokens: Sequence[str]) -> list[str]:
    """`begin learning` and `begin to learn` as `begin learn`; `eat no meat` as `not eat meat`."""
    made: list[str] = []
    for token in tokens:
        if made and made[-1] in _TAKES_VERB:
            if token == "to":
                continue
            token = same_verb(gerund_stem(token) or token)
        if token == "no" and made and made[-1] == "be":
            made.append("not")
        elif token == "no" and made and made[-1] in VERB_STEMS:
            made.insert(-1, "not")
        else:
            made.append(token)
    return made
