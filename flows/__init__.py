"""The plain steps of every run, and the Prefect flows that wrap them.

Prefect and Ray read their settings when they are imported, which only modules of this package do: no
telemetry, and time to migrate a new database. Whoever says otherwise in the environment is heard.
"""

import os

for _name, _value in (
    ("DO_NOT_TRACK", "1"),
    ("PREFECT_SERVER_ANALYTICS_ENABLED", "false"),
    ("RAY_USAGE_STATS_ENABLED", "0"),
    ("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "120"),
):
    os.environ.setdefault(_name, _value)
