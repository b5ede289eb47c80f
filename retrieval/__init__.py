"""From a query to the few notes that answer it: `recall` is the only way in, or, for several at once,
`recall_together`.

Names are loaded when they are first used: a command that only shows a note needs no numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from schemas.library_settings import settle_libraries

if TYPE_CHECKING:
    from retrieval.funnel import recall as recall
    from retrieval.package import Dropped as Dropped
    from retrieval.package import Hit as Hit
    from retrieval.package import Package as Package
    from retrieval.package import PackagePart as PackagePart
    from retrieval.question import Fusion as Fusion
    from retrieval.question import Mode as Mode
    from retrieval.question import Options as Options
    from retrieval.question import Question as Question
    from retrieval.rendering import QUOTED as QUOTED
    from retrieval.rendering import PackageFormat as PackageFormat
    from retrieval.together import recall_together as recall_together
    from vault.index import Where as Where

settle_libraries()

_HOME = {
    "QUOTED": "rendering",
    "Dropped": "package",
    "Fusion": "question",
    "Hit": "package",
    "Mode": "question",
    "Options": "question",
    "Package": "package",
    "PackageFormat": "rendering",
    "PackagePart": "package",
    "Question": "question",
    "Where": "question",
    "recall": "funnel",
    "recall_together": "together",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return list(_HOME)
