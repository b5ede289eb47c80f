"""What a run may spend. Money is set aside before a call, at the call's worst, and settled after it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Budget:
    """`spent + reserved` never passes `limit`, so a run can stop short of its budget but not beyond it."""

    limit: float | None
    """Dollars; None: no limit."""
    spent: float = 0.0
    reserved: float = 0.0

    def reserve(self, usd: float) -> bool:
        """Set dollars aside for a call; False, and nothing set aside, where they are not there."""
        if self.limit is not None and self.spent + self.reserved + usd > self.limit + 1e-12:
            return False
        self.reserved += usd
        return True

    def settle(self, reserved: float, spent: float) -> None:
        """Give back what was set aside for a call, and book what it cost."""
        self.reserved = max(0.0, self.reserved - reserved)
        self.spent += spent
