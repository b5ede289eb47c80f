"""Cutting Markdown: mnemic beside the libraries of `benchmarks/chunk_requirements.txt`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from benchmarks.ablation.chunk_defects import DAMAGE, Chunker, chunkers, corpus, defects, truth_of
from benchmarks.stages import Contenders, Figures, Setting, Work

ROOT = Path(__file__).parents[2]
TIMES = 5
"""This repository's pages are some 300 kB: cut so often, the quickest takes a time that can be measured."""
COUNTED = tuple(name for name in DAMAGE if name not in ("chars_lost", "docs_with_loss"))


def _with(chunker: Chunker) -> Callable[[Setting], Work]:
    def ready(_: Setting) -> Work:
        texts = corpus([ROOT / "docs", ROOT / "data"])
        chunker("# warm\n\nup\n")

        def work() -> Callable[[], Figures]:
            for _ in range(TIMES):
                made = [chunker(text) for text in texts]

            def counted() -> Figures:
                both = zip(texts, made, strict=True)
                found: Counter[str] = sum((defects(truth_of(text), cut) for text, cut in both), Counter())
                return {"chunks": sum(map(len, made)), "defects": sum(found[name] for name in COUNTED)}

            return counted

        return work

    return ready


CONTENDERS: Contenders = {name: _with(chunker) for name, chunker in chunkers().items()}
