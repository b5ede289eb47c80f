"""Who orders a deep search's pool offline: question and note read word by word, each word in its place.

How they are read is in `retrieval.rank.late_interaction`.

The notes keep the relevances that the pool has, dealt out anew in the order that reading and relevance give
together: what is so relevant that it stays, and what goes, is decided as without it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from time import monotonic

import numpy as np
import numpy.typing as npt

from inference.token_states import TokensInPlace, tokens_in_place
from retrieval.deep.comparison import TEXT_CHARACTERS, TIMEOUT, Compared, by_relevance
from retrieval.deep.expansion import Neighbour
from retrieval.rank.late_interaction import NOTE_TOKENS, QUESTION_TOKENS, found_in
from schemas.errors import MachineError

READ_COUNTS = 1.0
"""Of what reading says, beside the relevance that the pool has; both in standard deviations of the pool."""

Numbers = npt.NDArray[np.float64]

log = logging.getLogger(__name__)


def read_word_for_word(query: str, pool: Sequence[Neighbour], timeout: float = TIMEOUT) -> Compared:
    """The pool's relevances in the order of reading; as they are where the embedder cannot be opened. Where
    reading takes longer than a comparison may, there is none."""
    if len(pool) < 2:
        return by_relevance(query, pool)
    began, notes = monotonic(), list[TokensInPlace]()
    try:
        asked = tokens_in_place(query, QUESTION_TOKENS)
        for one in pool:
            notes.append(tokens_in_place(_told(one), NOTE_TOKENS))
            if monotonic() - began > timeout:
                log.warning("no comparison, the first result stays: %d of %d read", len(notes), len(pool))
                return Compared({}, timed_out=True)
    except (MachineError, OSError) as error:  # weights that are missing, a full disk
        log.warning("compared by relevance alone: %s", str(error).splitlines()[0])
        return by_relevance(query, pool)
    if not asked.ids:
        return by_relevance(query, pool)
    relevance = np.array([min(one.candidate.relevance, 1.0) for one in pool])
    # to so many places: what lies further is arithmetic, not meaning
    together = np.round(spread(relevance) + READ_COUNTS * spread(found_in(asked, notes)), 6).tolist()
    order = sorted(range(len(pool)), key=lambda place: (-together[place], pool[place].candidate.id))
    dealt = np.sort(relevance)[::-1].tolist()
    return Compared({pool[place].candidate.id: share for place, share in zip(order, dealt, strict=True)})


def _told(one: Neighbour) -> str:
    """A note as it is read: below the title of its conversation."""
    payload = one.candidate.payload
    text = " ".join(payload.text.split())[:TEXT_CHARACTERS]
    return f"{payload.conversation_title}: {text}" if payload.conversation_title else text


def spread(values: Numbers) -> Numbers:
    """In standard deviations from the mean."""
    return np.asarray((values - values.mean()) / (values.std() or 1.0))
