"""What stays when a run meets it again with a lesser engine than the one that made it.

A nightly run by rules leaves alone what a language model was paid for, and a run that writes no prefixes or
summaries by a model, or has none read a second time, leaves those that there are. A changed conversation is
read again by whoever runs, and `mnemic reprocess` reads again whatever it is told to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from extract.engine import by_rules, without_proof

BY_ENGINE = ("extract", "place", "summarise")
"""Stages whose version is the engine's."""


def stands(made: Mapping[str, str], ours: Mapping[str, str]) -> bool:
    """Whether work of versions `made` stays before a run of versions `ours`: a model did more of it."""
    pairs = [(made.get(stage, ""), ours.get(stage, "")) for stage in BY_ENGINE]
    more = [
        (not by_rules(then) and by_rules(now)) or (then != now and without_proof(then) == now)
        for then, now in pairs
    ]
    same = [then == now or (by_rules(then) and by_rules(now)) for then, now in pairs]
    return any(more) and all(more_of or same_of for more_of, same_of in zip(more, same, strict=True))


def standing(
    on_record: Iterable[Mapping[str, str]], ours: Mapping[str, str]
) -> tuple[Mapping[str, str], ...]:
    """Those of the versions on record whose work stays."""
    return tuple(made for made in on_record if stands(made, ours))
