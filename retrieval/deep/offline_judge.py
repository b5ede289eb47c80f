"""Who orders a deep search's pool offline: the judge of relevance, which reads question and note together.

`retrieval.rank.relevance_judge` is the judge, `retrieval.rank.reranking` says what order its word and the
relevance that the pool has give together.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from time import monotonic

from retrieval.deep.comparison import TEXT_CHARACTERS, TIMEOUT, Compared, by_relevance
from retrieval.deep.expansion import Neighbour
from retrieval.rank.relevance_judge import load_relevance_judge
from retrieval.rank.reranking import dealt_anew, told
from schemas.errors import MachineError

JUDGE_COUNTS = 1.0
"""Of what the judge says, beside the relevance that the pool has; both in standard deviations of the pool. It
is what the order before the judge had; no other was measured."""

_AT_ONCE = 8
"""Notes that are read before the clock is looked at."""

log = logging.getLogger(__name__)


def compared_offline(query: str, pool: Sequence[Neighbour], timeout: float = TIMEOUT) -> Compared:
    """The pool's relevances in the order of judge and relevance; as they are where the judge cannot be
    opened. Where reading takes longer than a comparison may, there is none."""
    if len(pool) < 2 or not query.strip():
        return by_relevance(query, pool)
    pool = sorted(pool, key=lambda one: one.candidate.id)
    texts = [told(one.candidate.payload, TEXT_CHARACTERS) for one in pool]
    began, read = monotonic(), list[float]()
    try:
        judge = load_relevance_judge()
        while len(read) < len(texts):
            read += judge.scores(query, texts[len(read) : len(read) + _AT_ONCE])
            if monotonic() - began > timeout:
                log.warning("no comparison, the first result stays: %d of %d read", len(read), len(texts))
                return Compared({}, timed_out=True)
    except (MachineError, OSError) as error:  # weights that are missing, a full disk
        log.warning("compared by relevance alone: %s", str(error).splitlines()[0])
        return by_relevance(query, pool)
    dealt = dealt_anew([min(one.candidate.relevance, 1.0) for one in pool], read, JUDGE_COUNTS)
    return Compared({one.candidate.id: share for one, share in zip(pool, dealt, strict=True)})
