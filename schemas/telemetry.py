"""Libraries that report on their use are told not to, before anything imports them."""

from __future__ import annotations

import os

REFUSED = {
    # onnxruntime queues events on the machine and sends them from a thread of its own
    "ORT_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "RAY_USAGE_STATS_ENABLED": "0",
}
"""Environment variables that the libraries read when they are imported, and later not again."""


def refuse_telemetry() -> None:
    """Set `REFUSED` for this process and those that it starts; what the environment says already stays.

    Packages call it in their `__init__`, which runs before any import in their modules. An empty variable
    says nothing: onnxruntime takes it for leave to send.
    """
    for name, value in REFUSED.items():
        if not os.environ.get(name):
            os.environ[name] = value
