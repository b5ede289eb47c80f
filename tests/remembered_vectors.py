"""Vectors that an open embedder gave are given again for the same text, in tests that are not about it.

Most ingests of the suite are of the same few sentences, and a sentence is 5 ms of a processor: a sixth of an
ingest. A vector is remembered by the embedder that computed it: one that is opened anew computes its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from inference.minilm import MiniLM

KEPT = 20_000
"""Texts of an embedder, some 2 kB each."""

ABOUT_VECTORS = ("inference", "curation")
"""Folders of tests whose vectors are computed each time."""

Vectors = npt.NDArray[np.float32]

_KNOWN: WeakKeyDictionary[MiniLM, OrderedDict[str, Vectors]] = WeakKeyDictionary()
_OFF = [False]


def remember_vectors() -> None:
    """From here on `MiniLM.embed` computes what it was not asked before; once a process."""
    MiniLM.embed = _remembering(MiniLM.embed)  # type: ignore[method-assign]


def settle_for(test: Path) -> None:
    """Turn it on or off, as the test's file wants it."""
    _OFF[0] = any(folder in ABOUT_VECTORS for folder in test.parts)


def _remembering(embed: Callable[..., Vectors]) -> Callable[..., Vectors]:
    def remembered(self: MiniLM, texts: Sequence[str], **options: Any) -> Vectors:
        if _OFF[0] or options:
            return embed(self, texts, **options)
        known = _KNOWN.setdefault(self, OrderedDict())
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, embed(self, new), strict=True))
        made = np.array([known[text] for text in texts], np.float32).reshape(len(texts), self.dimension)
        while len(known) > KEPT:
            known.popitem(last=False)
        return made

    return remembered
