"""Deep search: where a recall is not sure of its package, it looks further and compares what it found.

`expansion.py` gathers the pool, `comparison.py` orders it, `merging.py` puts it beside what recall had, and
`escalation.py` decides whether any of that happens.
"""
