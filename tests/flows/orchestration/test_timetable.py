from __future__ import annotations

from importlib import import_module
from pathlib import Path

import yaml
from prefect.flows import Flow

from flows.orchestration.timetable import DEPLOYMENTS, TAGS

PREFECT_FILE = Path(__file__).resolve().parents[3] / "deployments" / "prefect.yaml"


def test_the_file_for_workers_and_the_served_table_are_one() -> None:
    written = yaml.safe_load(PREFECT_FILE.read_text(encoding="utf-8"))["deployments"]
    assert len(written) == len(DEPLOYMENTS)
    for there, here in zip(written, DEPLOYMENTS, strict=True):
        schedule = (there.get("schedules") or [{}])[0]
        assert (there["entrypoint"], there["name"], there["description"]) == (
            here.entrypoint,
            here.name,
            here.description,
        )
        assert (schedule.get("cron"), schedule.get("active", True)) == (here.cron, here.active)
        assert there["parameters"] == here.parameters
        assert there["tags"] == list(TAGS)
        assert there["concurrency_limit"]["limit"] == 1


def test_every_flow_explains_its_parameters_and_ends() -> None:
    for one in DEPLOYMENTS:
        module, _, name = one.entrypoint.rpartition(".")
        flow = getattr(import_module(module), name)
        assert isinstance(flow, Flow)
        described = flow.parameters.model_dump()["properties"]
        assert set(one.parameters) <= set(described)
        assert flow.timeout_seconds
        assert flow.on_failure_hooks
        assert flow.on_crashed_hooks
