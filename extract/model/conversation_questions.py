"""Everything that a model is asked about a conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from extract.model.model_summaries import summary_questions
from extract.model.notes.claim_checks import is_readable, judged, writer_for
from extract.model.notes.note_windows import WindowAnswer, unit_windows, window_question, windows_again
from extract.model.notes.numbering import numbered_sheet
from extract.model.prefixes import prefix_questions
from extract.model.replies import Replies
from inference.language_model import REACH, ModelQuestion, Reach
from schemas.chunk import Chunk
from schemas.conversation import Conversation


def questions_of(
    conversation: Conversation,
    placed: Sequence[Chunk] = (),
    *,
    summary: bool = False,
    reach: Reach = REACH,
) -> Mapping[str, Sequence[ModelQuestion[Any]]]:
    """By what they make: units, prefixes of the chunks given, and the summary if it is wanted.

    There are none where nobody said anything.
    """
    sheet = numbered_sheet(conversation)
    return {
        "units": [window_question(one, reach) for one in unit_windows(sheet, reach)],
        "prefixes": prefix_questions(conversation, placed, reach),
        "summaries": summary_questions(sheet, reach) if summary else [],
    }


def questions_again(
    conversation: Conversation, ask: Replies, reach: Reach = REACH
) -> list[ModelQuestion[WindowAnswer]]:
    """What is asked once more, alone, of notes that could not be read in the answers that `ask` has."""
    sheet = numbered_sheet(conversation)
    windows = unit_windows(sheet, reach)
    replies = ask([window_question(window, reach) for window in windows])
    pairs = [pair for pair in zip(windows, replies, strict=True) if not is_readable(pair[1])]
    writer = writer_for(sheet, "") if pairs else None
    return [
        window_question(lone, reach)
        for pair in pairs
        if writer and (first := judged(*pair, writer))
        for lone in windows_again(first.window, first.unread)
    ]
