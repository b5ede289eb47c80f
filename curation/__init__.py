"""Curation: the Note Quality Gate, which says of each unit whether it may be recalled."""

from schemas.library_settings import settle_libraries

settle_libraries()
