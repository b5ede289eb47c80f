"""Work on conversations one by one: where it fails on one, that one is set aside, and the others go on."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from schemas.conversation import Conversation
from schemas.errors import MnemicError

T = TypeVar("T")


def each_alone(
    conversations: Iterable[Conversation], work: Callable[[Conversation], T]
) -> tuple[list[tuple[Conversation, T]], dict[str, str]]:
    """What the work makes of each conversation, and the reason by id of those on which it failed.

    What a service or the machine could not do (`MnemicError`, `OSError`) is nobody's conversation: it is
    raised, and the batch waits for another run.
    """
    done: list[tuple[Conversation, T]] = []
    failed: dict[str, str] = {}
    for conversation in conversations:
        try:
            done.append((conversation, work(conversation)))
        except (MnemicError, OSError):
            raise
        except Exception as error:  # noqa: BLE001  # whatever else it is, the next conversation has no part in it
            failed[conversation.id] = _reason(error)
    return done, failed


def _reason(error: Exception) -> str:
    """The error's kind and where it arose. Not its words: they may quote what the conversation says."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {frame.name} ({Path(frame.filename).name}, line {frame.lineno})"
