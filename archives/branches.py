"""The order of a conversation's tree: parents before children, siblings as the archive lists them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ordered:
    """Keys in reading order, and what was wrong with the tree."""

    keys: tuple[str, ...]
    dangling: tuple[str, ...]
    """Keys whose parent the archive lacks: read as roots."""
    cut: tuple[str, ...]
    """Keys whose link to their parent closed a circle and was cut."""


def order(parents: Mapping[str, str | None], listed: Mapping[str, Sequence[str]]) -> Ordered:
    """Depth first from the roots, without recursion: a conversation may be 100,000 messages deep.

    `parents` maps each key, in file order, to its parent's; `listed` gives, where the archive has it,
    a parent's own order of its children. Never sorts by time: real answers are dated before their questions.
    """
    if _is_chain(parents):
        return Ordered(tuple(parents), (), ())
    children: dict[str, list[str]] = {}
    roots: list[str] = []
    dangling: list[str] = []
    for key, parent in parents.items():
        if parent is not None and parent in parents:
            children.setdefault(parent, []).append(key)
        else:
            roots.append(key)
            if parent is not None:
                dangling.append(key)
    for parent, siblings in children.items():
        if len(siblings) > 1 and parent in listed:
            place = {key: position for position, key in reversed(list(enumerate(listed[parent])))}
            siblings.sort(key=lambda key: place.get(key, len(place)))
    keys: dict[str, None] = {}
    for root in roots:
        _walk(root, children, keys)
    cut: list[str] = []
    if len(keys) < len(parents):
        for key in parents:
            if key not in keys:
                cut.append(key)
                _walk(key, children, keys)
    return Ordered(tuple(keys), tuple(dangling), tuple(cut))


def _is_chain(parents: Mapping[str, str | None]) -> bool:
    """Whether each key is the only child of the one before, as mostly: then they are in order."""
    before = None
    for key, parent in parents.items():
        if parent != before:
            return False
        before = key
    return True


def _walk(start: str, children: Mapping[str, list[str]], keys: dict[str, None]) -> None:
    waiting = [start]
    while waiting:
        key = waiting.pop()
        if key in keys:
            continue
        keys[key] = None
        if key in children:
            waiting.extend(reversed(children[key]))
