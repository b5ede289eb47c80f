"""Modules that are imported when something of them is first used.

A command that shows one note should answer at once, and not wait for the server, the encoder or the tables
that another command needs. What is heavy for a module that is imported often is named once, at its head:

    if TYPE_CHECKING:
        import numpy as np
    else:
        np = deferred("numpy")

so that readers and the import linter find it where imports stand, and no function imports anything.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


class _Deferred(ModuleType):
    """Stands for a module until it is asked for an attribute, and then hands that one's on."""

    def __getattr__(self, name: str) -> object:
        return getattr(import_module(self.__name__), name)


def deferred(name: str) -> ModuleType:
    """The module of that full name; it is imported at the first use of something in it, which may raise
    ImportError."""
    return _Deferred(name)
