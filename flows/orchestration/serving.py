"""Every deployment served by this process: for people without a work pool and a worker."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from prefect import serve
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import GlobalConcurrencyLimitCreate
from prefect.deployments.runner import RunnerDeployment
from prefect.exceptions import ObjectNotFound
from prefect.flows import Flow
from prefect.schedules import Cron
from prefect.types.entrypoint import EntrypointType

from flows.orchestration.notices import WRITER
from flows.orchestration.timetable import DEPLOYMENTS, TAGS


def allow_one_writer() -> None:
    """Make the limit that has a second run wait for the vault, where the server has none yet."""
    with get_client(sync_client=True) as client:
        try:
            client.read_global_concurrency_limit_by_name(WRITER)
        except ObjectNotFound:
            client.create_global_concurrency_limit(GlobalConcurrencyLimitCreate(name=WRITER, limit=1))


def serve_flows(vault: Path, *, scheduled: bool = True) -> None:
    """Serve until interrupted, one run at a time; a run that is due meanwhile waits.

    Without `scheduled` a run starts only when it is asked for.
    """
    allow_one_writer()
    served = []
    for one in DEPLOYMENTS:
        module, _, name = one.entrypoint.rpartition(".")
        named: Flow[..., object] = getattr(import_module(module), name)
        schedule = Cron(one.cron, timezone="UTC", active=one.active and scheduled) if one.cron else None
        made = named.to_deployment(
            one.name,
            description=one.description,
            schedule=schedule,
            tags=list(TAGS),
            parameters={**one.parameters, "vault": str(vault)},
            entrypoint_type=EntrypointType.MODULE_PATH,
        )
        if isinstance(made, RunnerDeployment):  # a coroutine only where a loop runs already
            served.append(made)
    serve(*served, limit=1)
