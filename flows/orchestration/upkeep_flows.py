"""Verification and the index made anew as Prefect flows."""

from __future__ import annotations

from pathlib import Path

from prefect import flow

from flows.orchestration.notices import (
    ProgressArtifact,
    one_writer,
    tell_event,
    tell_failure,
    tell_report,
    tell_table,
)
from flows.upkeep.full_verification import verify as verify_generation
from flows.upkeep.index_rebuild import rebuild
from schemas.errors import IntegrityError
from vault.generations import published_number, read_manifest
from vault.layout import VaultLayout, default_vault_folder

VERIFY_SECONDS, REINDEX_SECONDS = 6 * 3_600.0, 12 * 3_600.0


@flow(
    name="verify",
    flow_run_name="verify the published generation",
    timeout_seconds=VERIFY_SECONDS,
    on_failure=[tell_failure],
    on_crashed=[tell_failure],
)
def verify(vault: Path | None = None, full: bool = True) -> int:
    """Check that the published generation is what was published. A finding fails the run.

    Args:
        vault: the vault's folder; by default `MNEMIC_VAULT`, else this platform's data folder.
        full: read every file, row, quote and point, and embed a sample again.
    """
    root = vault or default_vault_folder()
    checks, found = verify_generation(root, full=full)
    rows = [{"check": one.check, "where": one.where, "what": one.what, "remedy": one.remedy} for one in found]
    tell_table("verify-findings", rows, f"{len(found)} findings in {len(checks)} checks")
    tell_event("verify.found" if found else "verify.sound", root, {"findings": len(found), "full": full})
    if found:
        raise IntegrityError(
            f"{len(found)} findings",
            where=str(root),
            remedy="See the table of this run, or `mnemic vault verify`",
        )
    return len(checks)


@flow(
    name="reindex",
    flow_run_name="reindex the vault",
    timeout_seconds=REINDEX_SECONDS,
    on_failure=[tell_failure],
    on_crashed=[tell_failure],
)
def reindex(vault: Path | None = None) -> int:
    """Make the index anew from the ledger, every point embedded again; returns the new generation's number.

    Args:
        vault: the vault's folder; by default `MNEMIC_VAULT`, else this platform's data folder.
    """
    layout = VaultLayout(vault or default_vault_folder())
    number = published_number(layout)
    points = read_manifest(layout.generation(number)).points if number is not None else None
    progress = ProgressArtifact("reindex")
    with one_writer():
        progress.start("embed", points, "points")
        made = rebuild(layout.root, progress.advance)
        progress.finish()
    report = (
        f"# Reindex: generation {made.number}\n\n{made.points:,} points, embedded by {made.embedder.name}\n"
    )
    tell_report("reindex", report)
    tell_event("reindex.published", layout.root, {"generation": made.number, "points": made.points})
    return made.number
