"""What libraries read of the environment when they are imported, and later not again."""

from __future__ import annotations

import os

REFUSED = {
    # onnxruntime queues events on the machine and sends them from a thread of its own
    "ORT_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "RAY_USAGE_STATS_ENABLED": "0",
    # pydantic looks through all installed packages for plugins, which see every value that it validates
    "PYDANTIC_DISABLE_PLUGINS": "__all__",
}
"""What keeps libraries from reporting on their use, and from showing values to others."""

SETTLED = {
    # numpy's OpenBLAS gives a product to all cores, and its threads spin while they wait for one another.
    # Where two threads of ours make small products side by side, as the reader's do, that took five times
    # the processor time, and by the clock too.
    "OPENBLAS_NUM_THREADS": "1",
}
"""What keeps libraries from using a processor for nothing."""


def settle_libraries() -> None:
    """Set `REFUSED` and `SETTLED` for this process and those that it starts; what the environment says
    already stays.

    Packages call it in their `__init__`, which runs before any import in their modules. An empty variable
    says nothing: onnxruntime takes it for leave to send.
    """
    for name, value in {**REFUSED, **SETTLED}.items():
        if not os.environ.get(name):
            os.environ[name] = value
