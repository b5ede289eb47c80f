"""Which flow runs when: what `mnemic serve` serves. A test holds `deployments/prefect.yaml` to the same."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Deployment:
    """One deployment of a flow."""

    entrypoint: str
    """The flow, by its module's path."""
    name: str
    description: str
    cron: str | None = None
    """In UTC; None: only when asked for."""
    active: bool = True
    parameters: dict[str, object] = field(default_factory=dict)


TAGS = ("mnemic",)
DEPLOYMENTS = (
    Deployment(
        "flows.orchestration.ingest_flows.ingest",
        "nightly",
        "Everything that waits in the vault's inbox becomes notes.",
        "0 3 * * *",
        parameters={"vault": None, "archives": None, "engine": None},
    ),
    Deployment(
        "flows.orchestration.ingest_flows.collect",
        "nightly",
        "What assistants keep on this machine and changed, as far as `mnemic collect` was told that it may.",
        "30 3 * * *",
        parameters={"vault": None, "engine": None},
    ),
    Deployment(
        "flows.orchestration.ingest_flows.reprocess",
        "on-demand",
        "Work that today's versions would do otherwise, done again; a dry run unless it is told.",
        parameters={"vault": None, "dry_run": True},
    ),
    Deployment(
        "flows.orchestration.sweep_flows.clean_duplicates",
        "weekly",
        "Notes that say the same become one.",
        "0 5 * * 0",
        parameters={"vault": None},
    ),
    Deployment(
        "flows.orchestration.sweep_flows.clean_superseded",
        "weekly",
        "What newer notes took the place of is archived; of what the owner kept it is proposed.",
        "0 6 * * 0",
        parameters={"vault": None},
    ),
    Deployment(
        "flows.orchestration.upkeep_flows.verify",
        "weekly",
        "The published generation is compared with what was published, file by file and point by point.",
        "0 7 * * 0",
        parameters={"vault": None, "full": True},
    ),
    Deployment(
        "flows.orchestration.upkeep_flows.reindex",
        "on-demand",
        "The index made anew from the ledger, as after a change of the embedder.",
        parameters={"vault": None},
    ),
)
