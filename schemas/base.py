"""What every noun shares."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict


class Noun(BaseModel):
    """A frozen record: equal by value, with no field beyond the declared ones."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _as_utc(value: datetime) -> datetime:
    if value.tzinfo is None:
        raise ValueError("a time without a zone is a guess: convert it to UTC where it is read")
    return value.astimezone(UTC)


Instant = Annotated[datetime, AfterValidator(_as_utc)]
"""A moment in UTC. A naive datetime is refused: only the reader knows which zone was meant."""


def sha256_text(text: str) -> str:
    """SHA-256 of the text's UTF-8 form, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()
