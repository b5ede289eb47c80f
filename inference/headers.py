"""What a service's headers say, whichever library reads them."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the service asks to wait, from `retry-after-ms`, `retry-after` (seconds or a date)."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        stated = headers.get(name)
        if stated is None:
            continue
        try:
            return max(0.0, float(stated) * scale)
        except ValueError:
            moment = email.utils.parsedate_tz(stated)
            if moment is not None:
                return max(0.0, email.utils.mktime_tz(moment) - time.time())
    return None
