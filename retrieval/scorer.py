"""How much each part of relevance counts in a vault: the same, unless its owner had it taught."""

from __future__ import annotations

from pydantic import Field, ValidationError

from retrieval.question import EQUAL, Weights
from schemas.base import Noun
from schemas.errors import IntegrityError
from vault.layout import VaultLayout


class TaughtScorer(Noun):
    """The file of `mnemic train scorer`."""

    meaning: float = Field(ge=0, le=4)
    words: float = Field(ge=0, le=4)
    home_meaning: float = Field(ge=0, le=4)
    home_words: float = Field(ge=0, le=4)
    learned: int
    """Deep searches that it was learned from."""

    @property
    def weights(self) -> Weights:
        """As a question takes them."""
        return Weights(self.meaning, self.words, self.home_meaning, self.home_words)


def scorer_weights(layout: VaultLayout) -> Weights:
    """The weights in use. Raises IntegrityError where the vault's file cannot be read as weights."""
    try:
        said = layout.scorer.read_text(encoding="utf-8")
    except FileNotFoundError:
        return EQUAL
    try:
        weights = TaughtScorer.model_validate_json(said).weights
    except ValidationError as error:
        first = error.errors()[0]
        raise IntegrityError(
            "the taught scorer is damaged",
            where=str(layout.scorer),
            why=f"{first['msg']} ({first['loc']})",
            remedy="Run `mnemic train scorer --back`, and teach it again",
        ) from error
    return weights if weights.of_passage > 0 else EQUAL
