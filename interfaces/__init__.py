"""How mnemic is used: the command line; later an assistant (MCP) and a review page."""

from schemas.telemetry import refuse_telemetry

refuse_telemetry()
