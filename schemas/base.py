"""What every noun shares."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict


class Noun(BaseModel):
    """A frozen record: equal by value, with no field beyond the declared ones."""

    # a command uses few of the nouns: each is made ready when it is first used, not when it is imported
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A changed copy. What was computed and cached on the original is not carried over."""
        copied = super().model_copy(update=update, deep=deep)
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied


def _as_utc(value: datetime) -> datetime:
    if value.tzinfo is UTC:
        return value
    if value.tzinfo is None:
        raise ValueError("a time without a zone is a guess: convert it to UTC where it is read")
    return value.astimezone(UTC)


Instant = Annotated[datetime, AfterValidator(_as_utc)]
"""A moment in UTC. A naive datetime is refused: only the reader knows which zone was meant."""


def sha256_text(text: str) -> str:
    """SHA-256 of the text's UTF-8 form, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()
