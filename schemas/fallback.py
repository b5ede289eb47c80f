"""Fallback: where the engine with a language model did not deliver and the offline engine spoke instead."""

from __future__ import annotations

from schemas.base import Noun


class Fallback(Noun):
    """A run of a conversation whose units are the offline engine's. On record, so that it can be retried."""

    account: str
    conversation_id: str
    engine: str
    """The engine that was meant to do it, with its version."""
    key: str
    """The question's name in the store of answers; "" where nothing was asked."""
    reason: str
    """A short stable phrase."""
    sentences: int
    """Sentences that the offline engine read instead."""
    whole: bool
    """The whole window fell back: asking again may mend it. Else single sentences did."""
