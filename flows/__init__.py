"""The plain steps of every run, and the Prefect flows that wrap them.

Prefect and Ray read their settings when they are imported, which only modules of this package do: no
telemetry, and time to migrate a new database. Whoever says otherwise in the environment is heard.
"""

import os

from schemas.library_settings import settle_libraries

settle_libraries()
os.environ.setdefault("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "120")
