"""Is a candidate about the question, and does the memory answer it at all?

The first by `relevance_filter.fits` or `model_filter.judge_with`, the second by `abstention`, from what
`evidence` measures.
"""
