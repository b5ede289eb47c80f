"""Times as chat services write them, to UTC."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple

from archives.shapes import mapping

_NUMBER = re.compile(r"[+-]?\d{1,20}(?:\.\d{0,20})?")
_SCALES = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
"""Unix times above each bound count nanoseconds, microseconds, milliseconds: as seconds they would lie
past the year 5000."""


class Moment(NamedTuple):
    """A time in UTC, if it could be read, beside what the archive wrote."""

    at: datetime | None = None
    given: str | None = None
    zone_assumed: bool = False
    """The archive named no zone, so the caller's was taken."""

    @property
    def unreadable(self) -> bool:
        """Something was written, and it is no time."""
        return self.given is not None and self.at is None


def moment(value: object, zone: tzinfo = UTC) -> Moment:
    """Read a Unix time (number or numeric string, s to ns), an ISO 8601 string or a `{"$date": …}`.

    `zone` is what a time without a zone is taken to be in. What cannot be read gives `at=None`.
    """
    if type(value) is float and 0.0 <= value < _SCALES[-1][0]:  # what nearly every message has
        return Moment(datetime.fromtimestamp(value, UTC), repr(value))
    if value is None or value == "" or isinstance(value, bool):
        return Moment()
    if isinstance(value, int | float):
        return Moment(_from_unix(value), repr(value))
    if isinstance(value, dict):
        inner = value.get("$date", value.get("$numberLong"))
        return moment(inner, zone) if inner is not None else Moment(None, str(mapping(value))[:80])
    if not isinstance(value, str):
        return Moment(None, str(value)[:80])
    text = value.strip()
    if _NUMBER.fullmatch(text):
        return Moment(_from_unix(float(text)), value)
    try:
        read = datetime.fromisoformat(text)
        assumed = read.tzinfo is None
        return Moment((read.replace(tzinfo=zone) if assumed else read).astimezone(UTC), value, assumed)
    except (ValueError, OverflowError):
        return Moment(None, value[:80])


def _from_unix(value: float) -> datetime | None:
    if isinstance(value, int) and abs(value) > 1 << 70:
        return None
    seconds = float(value)
    if not math.isfinite(seconds):
        return None
    if abs(seconds) >= _SCALES[-1][0]:
        scale = next(scale for bound, scale in _SCALES if abs(seconds) >= bound)
        seconds /= scale
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
