"""Words that may go without a loss."""

from __future__ import annotations

from chunking.wordlists import words
from curation.normal_form.spelling.table_entries import entries

ARTICLES = words("a an the")

FILLERS = entries(
    """
    : please; just so you know; for your information; fyi; by the way; btw; note that; to be honest
    : as you know; of course; basically; actually; you know; i mean; keep in mind that; remember that
    : sorry; to note; for the record; in fact; as it happens; it is the case that; just
    not just: not just
    just before: just before
    just after: just after
    """
)
"""Not `only`, `even`, `really`: they change what is said, or how strongly; where `just` does, it stays."""
