"""Who orders a deep search's pool offline: question and note read word by word, each word in its place.

`retrieval.rank.late_interaction` says how, `retrieval.rank.reranking` what order reading and the relevance
that the pool has give together.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from time import monotonic

from inference.token_states import TokensInPlace, tokens_in_place
from retrieval.deep.comparison import TEXT_CHARACTERS, TIMEOUT, Compared, by_relevance
from retrieval.deep.expansion import Neighbour
from retrieval.rank.late_interaction import NOTE_TOKENS, QUESTION_TOKENS, found_in
from retrieval.rank.reranking import dealt_anew, told
from schemas.errors import MachineError

READ_COUNTS = 1.0
"""Of what reading says, beside the relevance that the pool has; both in standard deviations of the pool."""

log = logging.getLogger(__name__)


def read_word_for_word(query: str, pool: Sequence[Neighbour], timeout: float = TIMEOUT) -> Compared:
    """The pool's relevances in the order of reading; as they are where the embedder cannot be opened. Where
    reading takes longer than a comparison may, there is none."""
    if len(pool) < 2:
        return by_relevance(query, pool)
    pool = sorted(pool, key=lambda one: one.candidate.id)
    began, notes = monotonic(), list[TokensInPlace]()
    try:
        asked = tokens_in_place(query, QUESTION_TOKENS)
        for one in pool:
            notes.append(tokens_in_place(told(one.candidate.payload, TEXT_CHARACTERS), NOTE_TOKENS))
            if monotonic() - began > timeout:
                log.warning("no comparison, the first result stays: %d of %d read", len(notes), len(pool))
                return Compared({}, timed_out=True)
    except (MachineError, OSError) as error:  # weights that are missing, a full disk
        log.warning("compared by relevance alone: %s", str(error).splitlines()[0])
        return by_relevance(query, pool)
    if not asked.ids:
        return by_relevance(query, pool)
    relevances = [min(one.candidate.relevance, 1.0) for one in pool]
    read: list[float] = found_in(asked, notes).tolist()
    dealt = dealt_anew(relevances, read, READ_COUNTS)
    return Compared({one.candidate.id: share for one, share in zip(pool, dealt, strict=True)})
