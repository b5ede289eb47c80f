"""When `mnemic collect --watch` reads: after a quiet moment, and not too often."""

from __future__ import annotations

from dataclasses import dataclass

QUIET_SECONDS = 15.0
"""Files that change are left alone until they have not for so long: an answer comes in many writes."""

State = tuple[tuple[str, str], ...]
"""Path and stamp of everything that changed since it was read."""


@dataclass(slots=True)
class WatchPace:
    """Decides by what has changed and by the clock (seconds that only grow)."""

    least: float
    """Seconds between two runs."""
    _last: float | None = None
    _seen: State = ()
    _since: float = 0.0
    _began: float = 0.0

    def is_due(self, state: State, now: float) -> bool:
        """Whether to read now: something changed, the last run was long ago, and either all was quiet for a
        moment or it has not been for as long as lies between two runs."""
        if not state:
            self._seen = ()
            return False
        if not self._seen:
            self._began = now
        if state != self._seen:
            self._seen, self._since = state, now
        if self._last is not None and now - self._last < self.least:
            return False
        return now - self._since >= QUIET_SECONDS or now - self._began >= max(self.least, QUIET_SECONDS)

    def ran(self, now: float) -> None:
        """A run has ended."""
        self._last, self._seen = now, ()
