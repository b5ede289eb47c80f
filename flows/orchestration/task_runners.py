"""Who works on the batches: threads or processes of this machine, or a Dask or Ray cluster."""

from __future__ import annotations

import importlib
import os
from typing import Any

from prefect.task_runners import ProcessPoolTaskRunner, TaskRunner, ThreadPoolTaskRunner

from schemas.errors import UsageError

RUNNERS = ("threads", "processes", "dask", "ray")
DASK_SCHEDULER, RAY_ADDRESS = "MNEMIC_DASK_SCHEDULER", "MNEMIC_RAY_ADDRESS"
"""Address of a cluster that runs already; unset: one on this machine, for this run."""


def task_runner(name: str, workers: int | None = None) -> TaskRunner[Any]:
    """The runner by its name, with so many workers (by default one a processor).

    Raises UsageError for an unknown name, and where the library of a cluster is not installed.
    """
    count = workers or os.cpu_count() or 1
    if name == "threads":
        # extraction holds the interpreter, and the embedder has threads of its own: one batch at a time
        return ThreadPoolTaskRunner(max_workers=workers or 1)
    if name == "processes":
        return ProcessPoolTaskRunner(max_workers=count)
    if name == "dask":
        runner = _optional("prefect_dask", "DaskTaskRunner", "prefect-dask")
        address = os.environ.get(DASK_SCHEDULER)
        if address:
            return runner(address=address)  # type: ignore[no-any-return]
        return runner(cluster_kwargs={"n_workers": count, "threads_per_worker": 1})  # type: ignore[no-any-return]
    if name == "ray":
        runner = _optional("prefect_ray", "RayTaskRunner", "prefect-ray")
        address = os.environ.get(RAY_ADDRESS)
        here = {"num_cpus": count, "include_dashboard": False}
        return runner(address=address) if address else runner(init_kwargs=here)  # type: ignore[no-any-return]
    raise UsageError(f"no runner is called {name!r}", remedy=f"There are: {', '.join(RUNNERS)}")


def _optional(module: str, name: str, package: str) -> Any:
    try:
        return getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise UsageError(
            f"{package} is not installed", remedy=f"Install it beside mnemic: pip install {package}"
        ) from error
