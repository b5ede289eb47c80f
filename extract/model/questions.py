"""Everything that a model is asked about a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from extract.model.numbering import numbered_sheet
from extract.model.prefixes import prefix_questions
from extract.model.windows import WindowAnswer, cut_windows, window_question
from inference.language_model import Question
from schemas.chunk import Chunk
from schemas.conversation import Conversation


def questions_of(conversation: Conversation, placed: Sequence[Chunk] = ()) -> list[Question[Any]]:
    """Those that make units, and those that place the chunks given; none where nobody said anything."""
    return [*unit_questions(conversation), *prefix_questions(conversation, placed)]


def unit_questions(conversation: Conversation) -> list[Question[WindowAnswer]]:
    """One question a window, in order."""
    return [window_question(window) for window in cut_windows(numbered_sheet(conversation))]
