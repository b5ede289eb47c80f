"""The paths of a taxonomy as a tree: every branch with the notes at it or below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from vault.path_queries import PathBranch


@dataclass(slots=True)
class Twig:
    """A branch of the tree; `notes` are those at the path or below it."""

    path: str
    name: str
    notes: int
    below: list[Twig] = field(default_factory=list)


def tree_of(found: Sequence[PathBranch]) -> list[Twig]:
    """The first level of the tree; each level with the most notes first."""
    twigs: dict[str, Twig] = {}
    roots: list[Twig] = []
    for one in sorted(found, key=lambda branch: (branch.prefix.count("."), -branch.notes, branch.prefix)):
        if one.prefix in twigs:  # a path of two names is its own third level
            continue
        above, _, name = one.prefix.rpartition(".")
        twig = twigs[one.prefix] = Twig(one.prefix, name, one.notes)
        (twigs[above].below if above in twigs else roots).append(twig)
    return roots
