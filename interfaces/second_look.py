"""Who has a second look at the best candidates, as `mnemic recall --rerank` and the MCP tool name it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from inference.language_model import LanguageModel
from retrieval.rank.model_reranking import UNRANKED, Reranker, rerank_with
from retrieval.rank.relevance_judge import load_relevance_judge
from schemas.deferred import deferred
from schemas.errors import MachineError
from vault.readonly import may_write

if TYPE_CHECKING:
    from inference import cross_encoder as inference_cross_encoder
    from inference import score_store
else:
    inference_cross_encoder = deferred("inference.cross_encoder")
    score_store = deferred("inference.score_store")

log = logging.getLogger(__name__)


@dataclass(eq=False)
class JudgesLook:
    """A `Reranker`: the judge of relevance, its scores kept in the vault where that may be written."""

    cache: Path
    failed: str = ""
    """Why there was no look, once one was asked for and could not be."""

    def __call__(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """What the judge says of each text; None where it cannot be opened."""
        try:
            return _remembered(load_relevance_judge(), self.cache)(query, texts)
        except (MachineError, OSError) as error:
            self.failed = str(error).splitlines()[0]
            log.warning(UNRANKED, self.failed)
            return None


def reranker_of(named: str | None, model: LanguageModel | None, cache: Path) -> Reranker | None:
    """The reranker of that name: `judge`, `model`, or a cross-encoder's; None where none is named."""
    if named is None:
        return None
    if named == "judge":
        return JudgesLook(cache)
    if named == "model" and model:
        return rerank_with(model)
    return _remembered(inference_cross_encoder.load_cross_encoder(named), cache)


def _remembered(encoder: inference_cross_encoder.CrossEncoder, cache: Path) -> Reranker:
    """A cross-encoder's scores, stored in the vault where that may be written."""
    return score_store.RememberedScores(encoder, cache).scores if may_write(cache.parent) else encoder.scores
