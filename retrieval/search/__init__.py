"""Finding candidates: `hybrid.gather` searches by words and by meaning.

`decomposition` and `hypothesis` put one prompt as several questions, `query_spelling` mends it.
"""
