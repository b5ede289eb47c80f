"""Which paths a drill asks for, in how many picks, and what becomes of a pick that is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from retrieval.by_path.drill import LISTED, Drilled, DrillMode, Pick, drilled, mode_named
from schemas.errors import UsageError
from schemas.semantic_path import is_below
from vault.path_queries import PathBranch

ALL = Pick(("*",))


class Keys:
    """An inventory of these keys, a note at each."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = keys

    def branches(self, depth: int, below: Sequence[str] = ()) -> list[PathBranch]:
        fitting = [key for key in self.keys if not below or any(is_below(key, one) for one in below)]
        counts = Counter(".".join(key.split(".")[:depth]) for key in fitting)
        return [PathBranch(prefix, count, count, "a note") for prefix, count in sorted(counts.items())]


@dataclass
class Said:
    """Picks as they were told beforehand, `ALL` being every choice; remembers what it was asked."""

    picks: list[Pick]
    asked: list[list[str]] = field(default_factory=list)

    def pick(self, question: str, choices: Sequence[PathBranch], most: int) -> Pick:
        self.asked.append([one.prefix for one in choices])
        pick = self.picks[len(self.asked) - 1]
        paths = tuple(self.asked[-1]) if pick is ALL else pick.paths
        return Pick(paths, pick.garbage, prompt=f"{question} {len(choices)}")


def ask(keys: Sequence[str], *picks: Pick, mode: DrillMode = DrillMode.TIERED) -> tuple[Drilled, Said]:
    picker = Said(list(picks))
    return drilled("what?", Keys(keys), picker, mode), picker


def wide(count: int, first: str = "work") -> list[str]:
    return [f"{first}.part{number % 5}.key{number}" for number in range(count)]


@pytest.mark.parametrize(("count", "steps"), [(40, 2), (41, 3), (50, 3)])
def test_more_than_forty_keys_ask_for_the_second_level(count: int, steps: int) -> None:
    found, picker = ask(wide(count), ALL, *([Pick(("work.part1",))] if steps == 3 else []), ALL)
    assert len(picker.asked) == len(found.prompts) == steps
    assert ("l2_pick_llm" in found.prompts) == (steps == 3)
    assert len(found.keys) == 7
    if steps == 3:
        assert {key.split(".")[1] for key in found.keys} == {"part1"}
    assert {"step1_path_discovery", "l1_survey", "l1_pick_llm", "descend", "key_pick_llm"} <= set(
        found.timings
    )


def test_garbage_gives_way_to_the_paths_with_most_keys() -> None:
    keys = [*wide(9, "home"), *wide(3, "food"), *wide(5, "pets"), "a.b.c"]
    found, _ = ask(keys, Pick((), garbage=True), Pick((), garbage=True))
    assert found.picked["l1_pick_llm"] == ["home", "pets", "food"]
    assert len(found.keys) == 7
    assert found.fallbacks == ["l1_pick_llm", "key_pick_llm"]


@pytest.mark.parametrize("mode", list(DrillMode))
def test_none_is_believed_and_tells_timings_alone(mode: DrillMode) -> None:
    found, picker = ask(wide(50), Pick(()), mode=mode)
    assert (found.keys, len(picker.asked)) == ([], 1)
    assert found.timings
    assert ask([], mode=mode)[0].keys == []


def test_short_keys_of_a_wide_branch_stay_in_reach() -> None:
    keys = [*wide(60, "preferences"), "preferences", "preferences.tools"]
    found, picker = ask(keys, ALL, Pick(("preferences", "preferences.tools")), ALL)
    assert {"preferences", "preferences.tools"} <= set(picker.asked[1])
    assert found.keys == ["preferences", "preferences.tools"]


def test_single_asks_once_and_lists_no_more_than_fits() -> None:
    found, picker = ask(wide(30), ALL, mode=DrillMode.SINGLE)
    assert (len(picker.asked), len(picker.asked[0]), len(found.keys)) == (1, 30, 3)
    assert not found.prefixes
    found, picker = ask(wide(LISTED + 1), Pick(("work.part2",)), mode=DrillMode.SINGLE)
    assert picker.asked == [[f"work.part{number}" for number in range(5)]]
    assert (found.keys, found.prefixes) == (["work.part2"], True)


def test_an_unknown_mode_is_an_error() -> None:
    assert mode_named("tiered") is DrillMode.TIERED
    with pytest.raises(UsageError):
        mode_named("vector")
