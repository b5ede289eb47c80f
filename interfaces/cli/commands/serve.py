"""`mnemic serve`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from flows.orchestration.timetable import DEPLOYMENTS
from interfaces.cli.options import json_option, vault_folder, vault_option
from interfaces.cli.terminal import print_json, say
from schemas.deferred import deferred

if TYPE_CHECKING:
    from flows.orchestration import serving
else:
    serving = deferred("flows.orchestration.serving")


@click.command("serve")
@click.option("--no-schedule", is_flag=True, help="Run nothing by itself: only what is asked for.")
@click.option("--list", "only_list", is_flag=True, help="Say what would be served, and end.")
@vault_option
@json_option
def command(no_schedule: bool, only_list: bool, vault: Path | None, as_json: bool) -> None:
    """Serve every flow on the Prefect server that is configured, until interrupted; no worker is needed.

    \b
    Examples:
      mnemic serve --list
      PREFECT_API_URL=http://127.0.0.1:4200/api mnemic serve
    """
    rows = [
        {
            "flow": one.entrypoint.rpartition(".")[2],
            "deployment": one.name,
            "cron": one.cron,
            "active": one.active,
        }
        for one in DEPLOYMENTS
    ]
    if as_json:
        print_json({"vault": str(vault_folder(vault)), "deployments": rows})
    elif only_list:
        for one in DEPLOYMENTS:
            when = f"{one.cron} UTC{'' if one.active else ', paused'}" if one.cron else "when asked for"
            say(f"{one.entrypoint.rpartition('.')[2]}/{one.name}: {when}. {one.description}")
    if not only_list:
        serving.serve_flows(vault_folder(vault).absolute(), scheduled=not no_schedule)
