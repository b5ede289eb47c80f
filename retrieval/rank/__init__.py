"""The order of relevant candidates.

`scoring.score`, what threads lend (`thread_order`), how near a note has to be (`thresholds`), reranking, and
one of two notes that say the same (`redundancy`).
"""
