"""Everything that a model is asked about a conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from extract.model.model_summaries import (
    asked_of_lines,
    summary_question,
    summary_questions,
    summary_windows,
)
from extract.model.notes.claim_checks import is_readable, judged, writer_for
from extract.model.notes.note_windows import (
    NoteWindow,
    WindowAnswer,
    unit_windows,
    window_question,
    windows_again,
)
from extract.model.notes.numbering import Sheet, numbered_sheet
from extract.model.prefixes import prefix_questions
from extract.model.proofreading import ProofAnswer, asked_of_notes
from extract.model.replies import Replies
from inference.language_model import REACH, ModelQuestion, Reach, Reply
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


Answered = tuple[NoteWindow, Reply[WindowAnswer]]


def answered_windows(sheet: Sheet, ask: Replies, reach: Reach) -> list[Answered]:
    """The windows of a conversation with their answers, in order."""
    windows = unit_windows(sheet, reach)
    return list(zip(windows, ask([window_question(one, reach) for one in windows]), strict=True))


def unread_windows(answered: Sequence[Answered], sheet: Sheet, reach: Reach) -> list[tuple[int, NoteWindow]]:
    """What is asked once more, alone, because an answer could not be read: windows, each with the place of
    the one that it is a part of. A second reading may yet keep most of an answer that guards refuse: then
    what could not be read of it is asked too."""
    unread = [(place, pair) for place, pair in enumerate(answered) if not is_readable(pair[1])]
    writer = writer_for(sheet, "") if unread else None
    return [
        (place, lone)
        for place, pair in unread
        if writer and (first := judged(*pair, writer, _all_true(pair[1]) if reach.proofread else None))
        for lone in windows_again(first.window, first.unread)
    ]


def _all_true(reply: Reply[WindowAnswer]) -> dict[int, str]:
    return dict.fromkeys(range(len(reply.value.units)), "") if reply.value else {}


def questions_again(
    conversation: Conversation, ask: Replies, reach: Reach = REACH
) -> list[ModelQuestion[WindowAnswer]]:
    """What is asked once more, alone, of notes that could not be read in the answers that `ask` has."""
    sheet = numbered_sheet(conversation)
    lone = unread_windows(answered_windows(sheet, ask, reach), sheet, reach)
    return [window_question(window, reach) for _, window in lone]


def proof_questions(
    conversation: Conversation, ask: Replies, reach: Reach = REACH, *, summary: bool = False
) -> list[ModelQuestion[ProofAnswer]]:
    """What a second reading is asked about the answers that `ask` has: on notes, and on the summary if there
    is one by the model. None where no second reading is wanted."""
    if not reach.proofread:
        return []
    sheet = numbered_sheet(conversation)
    pairs = answered_windows(sheet, ask, reach)
    lone = [window for _, window in unread_windows(pairs, sheet, reach)]
    if lone:
        pairs += zip(lone, ask([window_question(one, reach) for one in lone]), strict=True)
    asked = asked_of_notes(pairs)
    if summary:
        parts = summary_windows(sheet, reach)
        asked += asked_of_lines(parts, ask([summary_question(one, reach) for one in parts]))
    return [question for _, question in asked if question]
