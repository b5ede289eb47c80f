"""Recall by path: survey, pick, fetch.

single   one pick over the inventory of keys, with counts and samples; one to three of them
tiered   first levels (at most 4); the second level of those with more than 40 keys (at most 3 each); then at
         most 7 keys

The notes at those keys are then fetched at once. A pick is what a picker chose of the listed paths. Garbage
gives way to the paths with most keys; a picker that says that nothing fits is believed, and the result then
tells its timings alone. The numbers are those of the design's source (Memoir), but that nothing is cut off at
1,024 keys: where there are more paths than can be listed, they are listed a level higher.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from time import perf_counter
from typing import Protocol

from schemas.errors import UsageError
from schemas.semantic_path import MAX_LEVELS, is_below
from vault.path_queries import PathBranch

ESCALATES_ABOVE = 40
"""A first level with more keys is asked for its second level."""
FIRST_PICKS, FIRST_FALLBACK = 4, 3
SECOND_PICKS, SECOND_FALLBACK = 3, 2
SINGLE_PICKS = 3
KEY_PICKS = 7
LISTED = 400
"""Paths that one pick chooses from."""


class DrillMode(StrEnum):
    """How many picks lead to the notes."""

    SINGLE = "single"
    TIERED = "tiered"


def mode_named(name: str) -> DrillMode:
    """The mode of that name. Raises UsageError for one that there is none of."""
    try:
        return DrillMode(name)
    except ValueError as error:
        raise UsageError(f"there is no mode {name!r}", remedy="Use single or tiered") from error


@dataclass(frozen=True, slots=True)
class Pick:
    """What a picker made of the listed paths."""

    paths: tuple[str, ...]
    """Empty where the picker says that nothing fits."""
    garbage: bool = False
    """Whether what it said was no choice among the listed paths."""
    prompt: str | None = None
    """What a language model was asked, if one was."""


class Picker(Protocol):
    """Chooses, of listed paths, those that may hold what a question is about."""

    def pick(self, question: str, choices: Sequence[PathBranch], most: int) -> Pick:
        """At most `most` of the choices' prefixes, the best first."""
        ...


class Inventory(Protocol):
    """The paths of one account."""

    def branches(self, depth: int, below: Sequence[str] = ()) -> list[PathBranch]:
        """What lies at or below the given paths (all, if none), cut to so many names."""
        ...


@dataclass(slots=True)
class Drilled:
    """The keys that the picks came to, and how."""

    mode: DrillMode
    keys: list[str] = field(default_factory=list)
    prefixes: bool = False
    """Whether the keys are beginnings of paths: what lies below them is meant, too."""
    picked: dict[str, list[str]] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    timings: dict[str, float] = field(default_factory=dict)
    """Milliseconds, by step."""
    fallbacks: list[str] = field(default_factory=list)
    """Steps whose pick was garbage."""

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Take the time of a step."""
        start = perf_counter()
        try:
            yield
        finally:
            self.timings[name] = round((perf_counter() - start) * 1000, 3)

    def chosen(
        self, step: str, picker: Picker, question: str, choices: Sequence[PathBranch], most: int, or_else: int
    ) -> list[str]:
        """The picked paths; those with most keys, `or_else` of them, where the pick is garbage."""
        if not choices:
            return []
        with self.step(step):
            pick = picker.pick(question, choices, most)
        if pick.prompt is not None:
            self.prompts[step] = pick.prompt
        paths = list(pick.paths[:most])
        if pick.garbage:
            self.fallbacks.append(step)
            paths = [one.prefix for one in sorted(choices, key=lambda one: (-one.keys, one.prefix))[:or_else]]
        self.picked[step] = paths
        return paths


def drilled(question: str, inventory: Inventory, picker: Picker, mode: DrillMode) -> Drilled:
    """The keys that may hold what the question is about; none where the picker says that nothing does."""
    found = Drilled(mode)
    if mode is DrillMode.SINGLE:
        _single(found, question, inventory, picker)
    else:
        _tiered(found, question, inventory, picker)
    return found


def _single(found: Drilled, question: str, inventory: Inventory, picker: Picker) -> None:
    with found.step("step1_path_discovery"):
        choices, depth = _listed(inventory, ())
    found.prefixes = depth < MAX_LEVELS
    found.keys = found.chosen("step2_path_selection", picker, question, choices, SINGLE_PICKS, SINGLE_PICKS)


def _tiered(found: Drilled, question: str, inventory: Inventory, picker: Picker) -> None:
    with found.step("step1_path_discovery"):
        firsts = {one.prefix: one for one in inventory.branches(1)}
    with found.step("l1_survey"):
        choices = sorted(firsts.values(), key=lambda one: one.prefix)
    picked = found.chosen("l1_pick_llm", picker, question, choices, FIRST_PICKS, FIRST_FALLBACK)
    wide = [one for one in picked if firsts[one].keys > ESCALATES_ABOVE]
    under = [one for one in picked if one not in wide]
    if wide:
        with found.step("descend"):
            seconds = inventory.branches(2, wide)
        most, least = SECOND_PICKS * len(wide), SECOND_FALLBACK * len(wide)
        under += found.chosen("l2_pick_llm", picker, question, seconds, most, least)
    if not under:
        return
    with found.step("descend"):
        keys, depth = _listed(inventory, under, exact=[one for one in under if one in wide])
    found.prefixes = depth < MAX_LEVELS
    found.keys = found.chosen("key_pick_llm", picker, question, keys, KEY_PICKS, KEY_PICKS)


def _listed(
    inventory: Inventory, below: Sequence[str], exact: Sequence[str] = ()
) -> tuple[list[PathBranch], int]:
    """The paths to list, at the deepest level at which they are few enough, and that level.

    `exact`: of these paths, which were picked beside what lies below them, only the key itself is meant.
    """
    for depth in range(MAX_LEVELS, 0, -1):
        found = [
            one
            for one in inventory.branches(depth, below)
            if one.prefix in below
            or not any(is_below(one.prefix, wide) for wide in exact)
            or any(is_below(one.prefix, other) for other in below if other not in exact)
        ]
        if len(found) <= LISTED:
            return found, depth
    return sorted(found, key=lambda one: (-one.keys, one.prefix))[:LISTED], 1


def memory_of(path: str, account: str, note: Mapping[str, object], relevance: float) -> dict[str, object]:
    """A note as recall by path tells it."""
    about = {name: note[name] for name in ("id", "category", "state", "said_at")}
    return {
        "path": path, "content": note["text"], "namespace": account, "relevance_score": round(relevance, 4),
        "metadata": about,
    }  # fmt: skip
