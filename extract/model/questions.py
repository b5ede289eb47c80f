"""Everything that a model is asked about a conversation."""

from __future__ import annotations

from extract.model.numbering import numbered_sheet
from extract.model.windows import WindowAnswer, cut_windows, window_question
from inference.language_model import Question
from schemas.conversation import Conversation


def questions_of(conversation: Conversation) -> list[Question[WindowAnswer]]:
    """One question a window, in order; none where nobody said anything."""
    return [window_question(window) for window in cut_windows(numbered_sheet(conversation))]
