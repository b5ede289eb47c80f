"""What the caller wants left out of a reading: asked before anything of it is read further."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from schemas.conversation import Conversation
from schemas.resource import Resource


class LeftOut(NamedTuple):
    """Why something is left out."""

    reason: str
    remedy: str = ""
    nameless: bool = False
    """Not even its name may stand in the report."""


Rules = Callable[[Conversation | Resource], LeftOut | None]
"""None for what stays. A conversation may be shown twice: without its messages, by what is said of it as a
whole before they are read, and then with them."""


def keep_all(_read: Conversation | Resource) -> None:
    """Leave nothing out."""
