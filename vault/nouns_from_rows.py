"""Units and conversations from rows of a batch's or the ledger's tables; without numpy and pyarrow, which a
command that shows a note does not need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schemas.conversation import Conversation, Message
from schemas.unit import Unit

_MESSAGE_FIELDS = tuple(name for name in Message.model_fields if name != "id")
_CONVERSATION_FIELDS = tuple(name for name in Conversation.model_fields if name not in ("id", "messages"))


def unit_from_row(row: Mapping[str, object]) -> Unit:
    """A unit from a row of the batch's or the ledger's table."""
    # a ledger of before has no estimates
    return Unit.model_validate({name: row[name] for name in Unit.model_fields if name in row})


def conversation_from_rows(
    row: Mapping[str, object], messages: Sequence[Mapping[str, object]]
) -> Conversation:
    """A conversation from its row and its messages' rows, in order, of the batch's or the ledger's tables."""
    return Conversation.model_validate(
        {
            "id": row["conversation_id"],
            **{name: row[name] for name in _CONVERSATION_FIELDS},
            "messages": [
                {"id": one["message_id"], **{name: one[name] for name in _MESSAGE_FIELDS}} for one in messages
            ],
        }
    )
