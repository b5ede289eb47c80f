"""Question and note read word by word, each word in its place: late interaction.

A note's vector is the mean of its words, and the mean of a long passage says little of the one clause that
answers. Late interaction keeps the words apart (MaxSim: Khattab and Zaharia, ColBERT, 2020): every token of
the question looks for the token of the note that is most like it, by the embedder's own states, and what the
question's tokens find is added up. A token that few of the notes have counts more (BM25's idf, over these
notes). Nothing is trained, and nothing beside the embedder's weights is needed.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from inference.token_states import TokensInPlace, tokens_in_place
from retrieval.rank.model_reranking import UNRANKED
from schemas.errors import MachineError

QUESTION_TOKENS, NOTE_TOKENS = 64, 160
"""Read at most, the framing two included."""

Numbers = npt.NDArray[np.float64]

log = logging.getLogger(__name__)


def scored_by_words(query: str, texts: Sequence[str]) -> list[float] | None:
    """A `Reranker`: what the question's tokens find in each text, -1 to 1; None where the embedder cannot be
    opened, or the question has no token."""
    try:
        asked = tokens_in_place(query, QUESTION_TOKENS)
        notes = [tokens_in_place(" ".join(text.split()), NOTE_TOKENS) for text in texts]
    except (MachineError, OSError) as error:  # weights that are missing, a full disk
        log.warning(UNRANKED, str(error).splitlines()[0])
        return None
    return found_in(asked, notes).tolist() if asked.ids else None


def found_in(asked: TokensInPlace, notes: Sequence[TokensInPlace]) -> Numbers:
    """Of each note what the question's tokens find in it, -1 to 1: the mean of their nearest tokens' cosines,
    each by how few of the notes have it."""
    having = [frozenset(one.ids) for one in notes]
    seen = np.array([sum(token in own for own in having) for token in asked.ids])
    rarity = np.log1p((len(notes) - seen + 0.5) / (seen + 0.5))
    rarity /= rarity.sum()
    nearest = [
        (asked.states @ one.states.T).max(axis=1) if one.ids else np.zeros(len(asked.ids)) for one in notes
    ]
    return np.asarray(np.array(nearest) @ rarity, np.float64)
