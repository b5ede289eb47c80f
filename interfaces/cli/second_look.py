"""Who has a second look at the best candidates, as `mnemic recall --rerank` names it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from inference.language_model import LanguageModel
from retrieval.rank.late_interaction import scored_by_words
from retrieval.rank.model_reranking import Reranker, rerank_with
from schemas.deferred import deferred
from vault.readonly import may_write

if TYPE_CHECKING:
    from inference import cross_encoder as inference_cross_encoder
    from inference import score_store
else:
    inference_cross_encoder = deferred("inference.cross_encoder")
    score_store = deferred("inference.score_store")


def reranker_of(named: str | None, model: LanguageModel | None, cache: Path) -> Reranker | None:
    """The reranker of that name: `words`, `model`, or a cross-encoder's; None where none is named."""
    if named is None:
        return None
    if named == "words":
        return scored_by_words
    return rerank_with(model) if named == "model" and model else _cross_encoder(named, cache)


def _cross_encoder(named: str, cache: Path) -> Reranker:
    """A cross-encoder's scores, stored in the vault where that may be written."""
    encoder = inference_cross_encoder.load_cross_encoder(named)
    return score_store.RememberedScores(encoder, cache).scores if may_write(cache.parent) else encoder.scores
