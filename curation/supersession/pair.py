"""An older and a newer note, with what they share worked out once."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property

from curation.supersession import cues
from curation.supersession.gist import Gist, gist_of, root_of, roots
from curation.supersession.named import ATTRIBUTES, modified, specific, things
from curation.wording.tokens import tokenise
from curation.wordlists import words
from schemas.unit import Category, Speaker


class Verdict(StrEnum):
    """What a judge says of an older and a newer note."""

    SUPERSEDE = "supersede"
    CONTRADICT = "contradict"
    """Both cannot hold, and which one does is not for a rule to say: linked, nothing hidden."""
    KEEP_BOTH = "keep_both"


@dataclass(frozen=True, slots=True)
class Judged:
    """A note as a judge sees it."""

    text: str
    category: Category
    speaker: Speaker
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict and the sentence that a person can check."""

    verdict: Verdict
    reason: str


def keep(reason: str) -> Ruling:
    """Both notes stay."""
    return Ruling(Verdict.KEEP_BOTH, reason)


def supersede(reason: str) -> Ruling:
    """The newer note takes the older one's place."""
    return Ruling(Verdict.SUPERSEDE, reason)


@dataclass(frozen=True)
class Pair:
    """What the rules look at."""

    older: Judged
    newer: Judged

    @cached_property
    def old(self) -> Gist:
        """The older note's gist."""
        return gist_of(self.older.text)

    @cached_property
    def new(self) -> Gist:
        """The newer note's gist."""
        return gist_of(self.newer.text)

    @cached_property
    def shared(self) -> frozenset[str]:
        """Stems of meaning that both have."""
        return self.old.content & self.new.content

    @cached_property
    def overlap(self) -> float:
        """Shared stems over those of the note that has fewer; 0 where either has none."""
        fewest = min(len(self.old.content), len(self.new.content))
        return len(self.shared) / fewest if fewest else 0.0

    @cached_property
    def alike(self) -> float:
        """Shared stems over those of both, words of change left out; 0-1."""
        every = (self.old.content | self.new.content) - cues.STEMS_OF_CHANGE
        return min(1.0, len(self.shared) / len(every)) if every else 0.0

    @cached_property
    def says_other(self) -> bool:
        """Whether the newer note has a meaningful word, a value or a negation that the older one lacks."""
        other = set(self.new.values) - set(self.old.values)
        return bool(self.new.content - self.old.content or other) or self.old.negations != self.new.negations

    @cached_property
    def old_head(self) -> frozenset[str]:
        """Stems of nouns that say what the older note is about; empty where a pronoun does."""
        return frozenset(map(root_of, head(self.old) - _PERSONS))

    @cached_property
    def new_head(self) -> frozenset[str]:
        """Stems of nouns that say what the newer note is about; empty where a pronoun does."""
        return frozenset(map(root_of, head(self.new) - _PERSONS))

    @cached_property
    def heads_agree(self) -> bool:
        """Whether the subjects have a word in common, or one of them is a pronoun."""
        return not self.old_head or not self.new_head or bool(self.old_head & self.new_head)

    @cached_property
    def same_subject(self) -> bool:
        """Whether the subjects have a word in common, pronouns included."""
        return bool(head(self.old) & head(self.new))

    @cached_property
    def firm(self) -> str:
        """The newer note's words for a change or a mistake that the older one lacks; "" without any."""
        return self._only_newer(cues.FIRM)

    @cached_property
    def soft(self) -> str:
        """The newer note's words for how it is now, where the older one lacks them; "" without any."""
        return self._only_newer(cues.SOFT)

    def _only_newer(self, known: re.Pattern[str]) -> str:
        before = {match.group().casefold() for match in known.finditer(self.older.text)}
        told = {
            root_of(token.casefold()) for token in tokenise(self.older.text).tokens
        } & cues.STEMS_OF_CHANGE
        found = (
            match.group()
            for match in known.finditer(self.newer.text)
            if not cues.DENIED.search(self.newer.text, 0, match.start())
            and not cues.SUBORDINATE.search(self.newer.text, 0, match.start())
        )
        new = (one for one in found if one.casefold() not in before)
        return next((one for one in new if root_of(one.casefold().split()[0]) not in told), "")

    @cached_property
    def one_sitting(self) -> bool:
        """Whether both were said within hours: what is then said again is rather told than changed."""
        if self.older.at is None or self.newer.at is None:
            return False
        return self.newer.at - self.older.at < SITTING

    @cached_property
    def things(self) -> frozenset[str]:
        """What both notes name."""
        return frozenset(one for one in self.shared if specific(one) or one in self.old_head)

    @cached_property
    def about(self) -> frozenset[str]:
        """What the older note names, its subject first; a noun that only narrows another may be left out."""
        subject = frozenset(one for one in self.old_head if one not in ATTRIBUTES)
        narrowing = modified(self.older.text)
        named = things(self.old) | (subject & self.old.content)
        return frozenset(one for one in named if narrowing.get(one) not in named)

    @cached_property
    def new_event(self) -> bool:
        """Whether the newer note tells what happened and the older one how it is."""
        return "past" in self.new.marks and "past" not in self.old.marks

    @cached_property
    def one_part_differs(self) -> bool:
        """Whether subject and verb are the same, and a little of the rest is other."""
        old, new = ([word for word in gist.spine if word not in _AFTERWARDS] for gist in (self.old, self.new))
        same = next(
            (at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
        )
        only_old, only_new = self.old.content - self.new.content, self.new.content - self.old.content
        few = 0 < len(only_old) <= MOST_CHANGED and 0 < len(only_new) <= MOST_CHANGED
        framed = self.new.frames - _AFTERWARDS == self.old.frames - _AFTERWARDS
        return same > 1 and few and framed and bool(self.shared)

    @cached_property
    def revalues(self) -> bool:
        """Whether both have values of one kind, and not the same ones."""
        if not self.old.values or not self.new.values or set(self.old.values) == set(self.new.values):
            return False
        return bool(_units(self.old.values) & _units(self.new.values))

    @cached_property
    def replaces(self) -> str:
        """What the newer note says it replaces, where all its words are the older one's; else ""."""
        for match in cues.REPLACED.finditer(self.newer.text):
            word, before = match.group().casefold(), self.newer.text[: match.start()]
            governed = cues.GOVERNED.get(word)
            if governed is not None and not governed.search(before):
                continue
            following = self.newer.text[match.end() :]
            named = roots(following.split(",")[0].split(".")[0])[:LONGEST_NAMED]
            known = self.old.content | set(self.old.values)
            if not named or not set(named) <= known or not set(named) - _VAGUE:
                continue
            if governed is None or (set(roots(before)) - set(named)) - known:
                return f"{match.group()} {following.split()[0]}"
        return ""


_AFTERWARDS = words("now instead no_longer anymore currently these")
SITTING = timedelta(hours=6)
MOST_CHANGED = 3
"""Meaningful words that a changed part may have."""

LONGEST_NAMED = 2
"""Meaningful words after a word of replacement that must all be the older note's."""

_OWNERS = words("i we user he she they his her their your")
_PERSONS = words("i we user you he she they it the there must can should might will would could")
_VAGUE = words("go make do take get want need use")


def head(gist: Gist) -> frozenset[str]:
    """The words that say who or what the spine is about: up to `be`, else the first."""
    spine = gist.spine
    if "be" in spine:
        at = spine.index("be")
        sides = spine[:at], spine[at + 1 :]
        # an equation's sides stand in alphabetical order: it is about the one that belongs to somebody
        left = not _OWNERS & set(sides[1]) or bool(_OWNERS & set(sides[0]))
        named = [word for word in sides[0 if left else 1] if word not in gist.values]
        return frozenset(named or sides[1 if left else 0])
    return frozenset(spine[:1])


def scopes(gist: Gist) -> dict[str, frozenset[str]]:
    """What the note's phrases of case (`for`, `in`, `at`, `during`, …) name, without times and numbers."""
    found: dict[str, frozenset[str]] = {}
    for phrase in gist.phrases:
        preposition, *rest = phrase.split(" ")
        named = frozenset(roots(" ".join(rest))) & gist.content
        if preposition in _CASES and named:
            found[preposition] = found.get(preposition, frozenset()) | named
    return found


_CASES = words("for in at during when if within")


def _units(values: Collection[str]) -> set[str]:
    """What the values are values of; a bare number may be a time of day."""
    units = {unit_of(one) for one in values}
    return units | {"@"} if "#" in units else units


def unit_of(value: str) -> str:
    """What a value is a value of: dollars, a date, a time of day, a weekday."""
    if value.startswith("#"):
        return value.partition(" ")[2] or "#"
    if value.startswith(("@", "date-")):
        return value[:1]
    return "day"


def shown(stems: Collection[str]) -> str:
    """Stems in order, for a reason."""
    return " ".join(sorted(stems))
