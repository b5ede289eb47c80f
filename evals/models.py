"""The engine that a scorer runs: the offline engine, or one that asks a language model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from extract.engine import Engine, OfflineEngine
from inference.provider_choice import Asked, open_model
from schemas.deferred import deferred

if TYPE_CHECKING:
    from extract.model import model_engine
    from inference.stored_model import StoredModel
else:
    model_engine = deferred("extract.model.model_engine")


@contextmanager
def opened(asked: Asked | None, *, proofread: bool = False) -> Iterator[tuple[str, Engine]]:
    """(name, engine); without `asked` the offline engine. A model is asked as the scorer goes, for second
    readings too where `proofread`, and what it answers is kept for this run alone.

    Raises what `open_model` raises.
    """
    if asked is None:
        yield "offline", OfflineEngine()
        return

    with opened_model(asked) as model:
        reach = replace(model.provider.reach, proofread=proofread)
        yield model.name, model_engine.ModelEngine(model.name, model.complete, reach=reach)


@contextmanager
def opened_model(asked: Asked) -> Iterator[StoredModel]:
    """The model itself. Raises what `open_model` raises."""
    with TemporaryDirectory(prefix="mnemic-eval-") as folder, open_model(asked, Path(folder)) as model:
        yield model
