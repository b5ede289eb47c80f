"""Filing by a language model: the taxonomy as a prompt lists it, and what a path that was named stands for.

A model names paths in the request that it writes notes in. What it named is held against the taxonomy when
notes are filed, so that a taxonomy of the day decides and not that of the day on which the model was asked.
"""

from __future__ import annotations

from curation.filing.taxonomy import Taxonomy
from inference.prices import estimate_tokens
from inference.secrets import mask_secrets
from schemas.semantic_path import UNSORTED

LISTED_TOKENS, LISTED_BRIEFLY = 2_500, 500
"""Tokens of a list at most: of a large model, and of a small one, which is told names alone. The taxonomy
that comes with mnemic takes some 1,500 and 330."""
_ABOUT = 120
"""Characters of what is said of a path."""


def listed_paths(taxonomy: Taxonomy, *, brief: bool = False) -> str:
    """The paths, a line each, with what lies there; for a small model, or where they are too many, a line a
    first level with what is below it; where these are too many, the first levels as far as there is room.
    """
    most = LISTED_BRIEFLY if brief else LISTED_TOKENS
    leaves = list(taxonomy.leaves())
    described = [f"{path}: {_plain(branch.about)}" for path, branch in leaves]
    below: dict[str, list[str]] = {}
    for path, _ in leaves:
        first, _, rest = path.partition(".")
        below.setdefault(first, []).extend([f"{first}.{rest}"] if rest else [])
    named = [", ".join(paths) if paths else first for first, paths in below.items()]
    for lines in (named, list(below)) if brief else (described, named, list(below)):
        if estimate_tokens("\n".join(lines)) <= most:
            return "\n".join(lines)
    return "\n".join(_as_many(list(below), most))


def standing_path(path: str, taxonomy: Taxonomy) -> str | None:
    """The path that a model named, as the taxonomy has it; None where its first level is none of it.

    A single name that one path alone ends with stands for that path.
    """
    first = path.partition(".")[0]
    if first == UNSORTED:
        return UNSORTED
    if first in taxonomy.paths:
        return path
    ending = [leaf for leaf, _ in taxonomy.leaves() if leaf.endswith(f".{path}")]
    return ending[0] if len(ending) == 1 and "." not in path else None


def _plain(about: str) -> str:
    return " ".join(mask_secrets(about).split())[:_ABOUT]


def _as_many(lines: list[str], most: int) -> list[str]:
    kept: list[str] = []
    for line in lines:
        most -= estimate_tokens(line + "\n")
        if most < 0:
            break
        kept.append(line)
    return kept
