"""The sweeps as Prefect flows. Parameters carry paths and names, never text; changes are in the ledger."""

from __future__ import annotations

import os
from pathlib import Path

# Prefect reads its settings when it is imported: no telemetry, and time to migrate a new database
os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
os.environ.setdefault("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "120")

from prefect import flow

from flows import clean_duplicates as duplicates
from flows import clean_superseded as superseded
from flows.sweeps import LIMIT, SweepRequest
from vault.layout import default_vault_folder


@flow(name="clean-duplicates", validate_parameters=True)
def clean_duplicates(
    vault: Path | None = None, account: str | None = None, limit: int = LIMIT, act_on_kept: bool = False
) -> dict[str, int]:
    """Merge notes that say the same. Returns how many pairs were judged, by effect, and what remains.

    Args:
        vault: the vault's folder; by default `MNEMIC_VAULT`, else this platform's data folder.
        account: only this one; by default each by itself.
        limit: new notes to look at; the next run takes the rest.
        act_on_kept: the owner's policy lets the sweep archive kept notes too.
    """
    request = SweepRequest(vault or default_vault_folder(), account, False, limit, act_on_kept)
    summary = duplicates.clean_duplicates(request)
    return {**summary.effects, "remaining": summary.remaining}


@flow(name="clean-superseded", validate_parameters=True)
def clean_superseded(
    vault: Path | None = None,
    account: str | None = None,
    limit: int = LIMIT,
    act_on_kept: bool = False,
    archive: bool = True,
) -> dict[str, int]:
    """Archive what newer notes took the place of, by the offline rules; without `archive`, propose it.

    The other parameters are those of `clean_duplicates`.
    """
    request = SweepRequest(vault or default_vault_folder(), account, False, limit, act_on_kept, archive)
    summary = superseded.clean_superseded(request)
    return {**summary.effects, "remaining": summary.remaining}
