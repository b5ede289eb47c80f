"""Notes by path without a model: a survey, five paths and what changed, beside Memoir (`memoir-ai`).

A thousand keys of one note each, of which a hundred differ in a second generation: Memoir tells nothing of
what lies above 1,024. Both are asked in their own process, the store open; `benchmarks.scale.paths --peer`
asks the command lines too, and mnemic at a million keys. Times are medians.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from importlib import import_module

from benchmarks.scale.paths import ACCOUNT, PEER_KEYS, change, key, made_vault
from benchmarks.stages import Contenders, Figures, Setting, Work
from interfaces.history_answers import differing
from interfaces.path_survey import surveyed
from interfaces.record_items import items_of
from vault.layout import VaultLayout
from vault.reader import open_vault

CHANGED, ROUNDS = 100, 20
FIVE = [key(random.Random(1).randrange(PEER_KEYS)) for _ in range(5)]


def _asked(questions: dict[str, Callable[[], object]]) -> Figures:
    """Milliseconds of each question, the median of so many rounds."""
    taken: dict[str, list[float]] = {name: [] for name in questions}
    for _ in range(ROUNDS):
        for name, question in questions.items():
            start = time.perf_counter()
            question()
            taken[name].append((time.perf_counter() - start) * 1000)
    return {f"{name} ms": round(statistics.median(times), 1) for name, times in taken.items()}


def mnemic(setting: Setting) -> Work:
    """A vault of so many notes; two generations."""
    layout = VaultLayout(setting.folder / "paths")
    made_vault(layout, PEER_KEYS)
    change(layout, CHANGED)

    def work() -> Figures:
        with open_vault(layout.root) as reader:
            return _asked(
                {
                    "survey": lambda: surveyed(reader, ACCOUNT, depth=1),
                    "get of 5": lambda: items_of(reader, FIVE, ACCOUNT),
                    "diff": lambda: differing(reader, ACCOUNT, None, None),
                }
            )

    return work


def memoir(setting: Setting) -> Work:
    """A store of so many keys, committed twice. Its own survey reads the whole store: `read_store`."""
    peer = import_module("benchmarks.scale.memoir_store")
    made = peer.made_store(setting.folder / "memoir", PEER_KEYS)

    def work() -> Figures:
        return _asked({"survey": made.survey, "get of 5": lambda: made.get(FIVE), "diff": made.diff})

    return work


CONTENDERS: Contenders = {"mnemic": mnemic, "memoir-ai": memoir}
