"""Curation: the Note Quality Gate, which says of each unit whether it may be recalled."""
