"""From archives to staged batches.

`staging.ReadingPlan` reads, with every record accounted for. Beside it: what is left out (`exclusions`,
`sieve`), what cannot be read (`quarantine`) and the inbox of the nightly run.
"""
