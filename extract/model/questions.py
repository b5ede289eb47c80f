"""Everything that a model is asked about a conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from extract.model.numbering import numbered_sheet
from extract.model.prefixes import prefix_questions
from extract.model.summaries import summary_questions
from extract.model.windows import cut_windows, window_question
from inference.language_model import Question, Reach
from schemas.chunk import Chunk
from schemas.conversation import Conversation

REACH = Reach()


def questions_of(
    conversation: Conversation,
    placed: Sequence[Chunk] = (),
    *,
    summary: bool = False,
    reach: Reach = REACH,
) -> Mapping[str, Sequence[Question[Any]]]:
    """By what they make: units, prefixes of the chunks given, and the summary if it is wanted.

    There are none where nobody said anything.
    """
    sheet = numbered_sheet(conversation)
    return {
        "units": [window_question(window) for window in cut_windows(sheet, reach.detail)],
        "prefixes": prefix_questions(conversation, placed, reach.detail),
        "summaries": summary_questions(sheet, reach.gist) if summary else [],
    }
