"""A few plain words for a day: `yesterday`, `3 weeks ago`, `last month`, `monday`.

They are worked out from the day it is now, and mean its beginning: in UTC, as every date without a zone.
"""

from __future__ import annotations

import re
from calendar import day_name, monthrange
from datetime import UTC, datetime, timedelta

_BACK = {"today": 0, "yesterday": 1}
_AGO = re.compile(
    r"(?P<count>\d{1,4}|an?|one) (?P<unit>day|week|month|year)s? ago|last (?P<last>week|month|year)"
)


def plain_date(words: str, now: datetime | None = None) -> datetime | None:
    """The beginning of the day that the words name; None where they are no such words."""
    said = " ".join(words.lower().split())
    today = (now or datetime.now(UTC)).replace(hour=0, minute=0, second=0, microsecond=0)
    if said in _BACK:
        return today - timedelta(days=_BACK[said])
    weekdays = [name.lower() for name in day_name]
    if said.removeprefix("last ") in weekdays:
        back = (today.weekday() - weekdays.index(said.removeprefix("last "))) % 7
        return today - timedelta(days=back or 7)
    found = _AGO.fullmatch(said)
    if found is None:
        return None
    count = int(found["count"]) if (found["count"] or "").isdigit() else 1
    return _earlier(today, count, found["unit"] or found["last"])


def _earlier(day: datetime, count: int, unit: str) -> datetime | None:
    """So many days, weeks, months or years before a day; None before the year 1."""
    try:
        if unit in ("day", "week"):
            return day - timedelta(days=count * (7 if unit == "week" else 1))
        months = day.year * 12 + day.month - 1 - count * (12 if unit == "year" else 1)
        year, month = divmod(months, 12)
        return day.replace(year=year, month=month + 1, day=min(day.day, monthrange(year, month + 1)[1]))
    except (ValueError, OverflowError):
        return None
