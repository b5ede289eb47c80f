"""What a note is about and what it says of it, taken from its normal form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

from curation.wording.form import form_of
from curation.wording.numbers import UNITS
from curation.wording.phrases import PREPOSITIONS
from curation.wording.same_verbs import same_verb
from curation.wording.spelling import unslipped
from curation.wording.tokens import tokenise
from curation.wording.verbs import VERBS, gerund_stem, stem
from curation.wordlists import words

_FUNCTION = PREPOSITIONS | words(
    """
    i we he she they it you user assistant a an the this that these those his her their your its and or
    but not no be have do must can should might would could will any some all every each other no_longer
    now also still only very really so just then there here who what which when where how why whom to of
    be+ more most less much many again already than too own decide like get+ let decided change anymore
    instead actually next
    """
)


@dataclass(frozen=True, slots=True)
class Gist:
    """A note in parts: subject, verb and object are the spine; the values are what tends to change."""

    text: str
    asks: bool
    marks: frozenset[str]
    spine: tuple[str, ...]
    phrases: tuple[str, ...]
    content: frozenset[str]
    """Stems that carry meaning, without values."""
    values: tuple[str, ...]
    """Numbers, dates and times."""
    negations: int

    @property
    def words(self) -> frozenset[str]:
        """The words of the spine."""
        return frozenset(self.spine)

    @property
    def stems(self) -> frozenset[str]:
        """The stems of the spine's words."""
        return frozenset(map(root_of, self.spine))

    @property
    def frames(self) -> frozenset[str]:
        """What the adverbials begin with: prepositions, and words such as `next`."""
        first = (phrase.split(" ")[0] for phrase in self.phrases)
        return frozenset(one for one in first if not _is_value(one))


def roots(text: str) -> list[str]:
    """The stems of meaning and the values of a run of words, in order."""
    gist = gist_of(text)
    known = gist.content | set(gist.values)
    found = [root_of(unslipped(token.casefold())) for token in tokenise(text).tokens]
    return [*(one for one in found if one in known), *gist.values]


def _is_value(token: str) -> bool:
    return token.startswith(("#", "@", "date-")) or token in _DAYS


_DAYS = words(
    """
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays january february march april may_month june july august september october
    november december spring summer fall_season winter
    """
)


@lru_cache(maxsize=200_000)
def gist_of(text: str) -> Gist:
    """The gist of a note's text."""
    form = form_of(text)
    asks = form[:1] == ("?",)
    if form.count("|") >= 2 and form[0] in ("", "?"):
        first = form.index("|")
        second = form.index("|", first + 1)
        marks, spine, phrases = form[1:first], form[first + 1 : second], form[second + 1 :]
    else:
        marks, spine, phrases = (), form[1:], ()
    tokens = [token for part in (*spine, *phrases) for token in _parts(part)]
    return Gist(
        text=text,
        asks=asks or tokenise(text).asks,
        marks=frozenset(marks),
        spine=tuple(spine),
        phrases=tuple(phrases),
        content=frozenset(
            root_of(token)
            for token in tokens
            if token not in _FUNCTION and not _is_value(token) and len(token) > 1
        ),
        values=tuple(sorted(token for token in tokens if _is_value(token))),
        negations=sum(
            token in _NEGATIVE and following not in _MERELY
            for token, following in zip(tokens, [*tokens[1:], ""], strict=False)
        ),
    )


_STEMMER = snowballstemmer.stemmer("english")


@lru_cache(maxsize=65536)
def root_of(token: str) -> str:
    """The stem that a word shares with its other forms, its verb's synonyms first."""
    base = token.rstrip("+")
    root: str = _STEMMER.stemWord(same_verb(gerund_stem(base) or base))
    return root


VERB_ROOTS = frozenset(map(root_of, map(stem, VERBS)))
"""The stems of common verbs, as they stand among a gist's content."""


def _parts(part: str) -> list[str]:
    """The words of a phrase; a value with its unit stays whole."""
    words_of = part.split(" ")
    made: list[str] = []
    for at, word in enumerate(words_of):
        if word in _VALUE_UNITS and at and words_of[at - 1].startswith("#"):
            made[-1] = f"{made[-1]} {word}"
        else:
            made.append(word)
    return made


_VALUE_UNITS = frozenset(unit for unit, _ in UNITS.values())


_MERELY = words("just only merely simply exactly")
"""`not just about looks` denies nothing of looks."""

_NEGATIVE = words(
    """
    not never no none nobody nothing no_longer without nicht kein keine nie pas jamais nunca non não
    forbid stop avoid reject cancel skip ban quit disabl discontinu refus
    """
)
