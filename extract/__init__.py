"""Conversations in; grounded units, summaries and thread maps out."""

from schemas.library_settings import settle_libraries

settle_libraries()
