"""Fallback: where the engine with a language model did not deliver and the offline engine spoke instead."""

from __future__ import annotations

from schemas.base import Noun

SUMMARY_REASON = "summary: "
"""How a fallback's reason begins that is a session summary's."""
MAP_REASON = "thread map: "
"""How a fallback's reason begins that is a thread map's: it stands under a conversation of the thread."""

PROOF_REASON = "not proofread: "
"""In a fallback's reason: the second reading of what stands is missing, and the guards alone judged it."""


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
    """All that was asked fell back, and asking again may mend it. Else single sentences did."""

    @property
    def what(self) -> str:
        """What the offline engine wrote instead, or what is missing."""
        if PROOF_REASON in self.reason:
            return "second reading"
        if self.reason.startswith(SUMMARY_REASON):
            return "session summary" if self.whole else "lines of a session summary"
        if self.reason.startswith(MAP_REASON):
            return "thread map" if self.whole else "lines of a thread map"
        return "whole window" if self.whole else "sentences"
