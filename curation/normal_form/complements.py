"""What follows a verb, in one form."""

from __future__ import annotations

from collections.abc import Sequence

from chunking.wordlists import words
from curation.normal_form.verbs import VERBS, gerund_stem, stem

_TAKES_VERB = frozenset(map(stem, words("begin continue enjoy hate intend like prefer start want")))
VERB_STEMS = frozenset(map(stem, VERBS))


def complements_joined(tokens: Sequence[str]) -> list[str]:
    """`begin learning` and `begin to learn` as `begin learn`; `eat no meat` as `not eat meat`."""
    made: list[str] = []
    for token in tokens:
        if made and made[-1] in _TAKES_VERB:
            if token == "to":
                continue
            token = gerund_stem(token) or token
        if token == "no" and made and made[-1] == "be":
            made.append("not")
        elif token == "no" and made and made[-1] in VERB_STEMS:
            made.insert(-1, "not")
        else:
            made.append(token)
    return made
