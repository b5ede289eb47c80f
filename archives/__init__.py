"""One reader a format: bytes in, conversations out, and an account of every record.

Names are loaded when they are first used: a command that only shows where a note came from needs no reader.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from archives.archive import Archive as Archive
    from archives.archive import open_archive as open_archive
    from archives.counting import Counts as Counts
    from archives.guarded_stream import Limits as Limits
    from archives.inspection import COUNTED as COUNTED
    from archives.inspection import Inspection as Inspection
    from archives.inspection import inspect_archive as inspect_archive
    from archives.leaving_out import LeftOut as LeftOut
    from archives.limits_in_settings import stated_limits as stated_limits
    from archives.tally import RejectedRecord as RejectedRecord

_HOME = {
    "COUNTED": "inspection",
    "Archive": "archive",
    "Counts": "counting",
    "Inspection": "inspection",
    "LeftOut": "leaving_out",
    "Limits": "guarded_stream",
    "RejectedRecord": "tally",
    "inspect_archive": "inspection",
    "open_archive": "archive",
    "stated_limits": "limits_in_settings",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return list(_HOME)
