"""The sweeps as Prefect flows. Parameters carry paths and names, never text; changes are in the ledger."""

from __future__ import annotations

from pathlib import Path

from prefect import flow

from flows.orchestration.notices import one_writer, tell_event, tell_failure, tell_report
from flows.sweeps import clean_duplicates as duplicates
from flows.sweeps import clean_superseded as superseded
from flows.sweeps.sweep import LIMIT, SweepRequest, SweepSummary
from vault.layout import default_vault_folder

SWEEP_SECONDS = 6 * 3_600.0


def _told(summary: SweepSummary, vault: Path) -> dict[str, int]:
    counts = {**summary.effects, "remaining": summary.remaining}
    lines = [f"# {summary.sweep}: {summary.judged:,} pairs judged", "", "| effect | count |", "|---|---|"]
    lines += [f"| {effect} | {count:,} |" for effect, count in counts.items()]
    lines += ["", "What became of which notes: `mnemic clean log`. `mnemic clean undo ID` takes it back."]
    tell_report(summary.sweep, "\n".join(lines) + "\n")
    tell_event(f"{summary.sweep}.done", vault, counts)
    return counts


@flow(
    name="clean-duplicates",
    flow_run_name="merge notes that say the same",
    timeout_seconds=SWEEP_SECONDS,
    on_failure=[tell_failure],
    on_crashed=[tell_failure],
)
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
    root = vault or default_vault_folder()
    with one_writer():
        summary = duplicates.clean_duplicates(SweepRequest(root, account, False, limit, act_on_kept))
    return _told(summary, root)


@flow(
    name="clean-superseded",
    flow_run_name="retire what was superseded",
    timeout_seconds=SWEEP_SECONDS,
    on_failure=[tell_failure],
    on_crashed=[tell_failure],
)
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
    root = vault or default_vault_folder()
    with one_writer():
        summary = superseded.clean_superseded(SweepRequest(root, account, False, limit, act_on_kept, archive))
    return _told(summary, root)
