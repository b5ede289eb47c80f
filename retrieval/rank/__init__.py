"""The order of relevant candidates.

`scoring.score`, how near a note has to be (`thresholds`), reranking, and
one of two notes that say the same (`redundancy`).
"""
