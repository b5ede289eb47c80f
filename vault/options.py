"""How the owner has vaults kept, from the environment (where `config.toml` is put too)."""

from __future__ import annotations

import os

from schemas.errors import UsageError

KEPT_GENERATIONS = 3
"""The published one and two to go back to, unless MNEMIC_KEPT_GENERATIONS says otherwise."""

_WORDS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False}
_WORDS |= {"no": False, "off": False}


def kept_generations() -> int:
    """How many generations stay. Raises UsageError where MNEMIC_KEPT_GENERATIONS is not a number above 0."""
    said = os.environ.get("MNEMIC_KEPT_GENERATIONS", "") or str(KEPT_GENERATIONS)
    if said.isascii() and said.isdigit() and len(said) < 10 and int(said) > 0:
        return int(said)
    raise UsageError(
        "MNEMIC_KEPT_GENERATIONS is not a number of generations",
        why=f"it is {said[:20]!r}",
        remedy="Say 1 or more",
    )


def provenance_modifiers() -> bool:
    """Whether who said a kept note first lowers its weight (`schemas.provenance.unit_weight`).

    Raises UsageError where MNEMIC_PROVENANCE_MODIFIERS is neither yes nor no.
    """
    return said_yes("MNEMIC_PROVENANCE_MODIFIERS", otherwise=False)


def said_yes(name: str, *, otherwise: bool) -> bool:
    """Whether the environment says yes under a name; `otherwise` where it says nothing.

    Raises UsageError where it says neither yes nor no.
    """
    said = os.environ.get(name, "")
    if not said:
        return otherwise
    if said.lower() in _WORDS:
        return _WORDS[said.lower()]
    raise UsageError(f"{name} is neither yes nor no", why=f"it is {said[:20]!r}", remedy="Say true or false")
