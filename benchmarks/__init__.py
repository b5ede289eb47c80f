"""One script a question; what a peer brings along reports as little as mnemic does."""

from schemas.telemetry import refuse_telemetry

refuse_telemetry()
