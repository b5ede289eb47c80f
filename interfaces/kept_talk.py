"""What is said of talk that stays on record where its notes were taken back."""

from __future__ import annotations


def stays_on_record(conversation: str) -> str:
    """One line, with what erases it."""
    return f"what was said stays, in recall too: `mnemic forget --conversation {conversation}` erases it"
