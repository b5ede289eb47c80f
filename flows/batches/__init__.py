"""The work on one staged batch, wherever it is done.

`batch_stages.extract_batch` makes notes of conversations, `batch_stages.embed_batch` vectors of notes;
`search_points` says what search sees of each; `isolation` sets one failing conversation aside.
"""
