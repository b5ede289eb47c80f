"""`mnemic vault`."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interfaces.cli.options import json_option, vault_folder, vault_option
from interfaces.cli.terminal import TerminalProgress, print_json, print_table, say
from schemas.deferred import deferred
from schemas.errors import IntegrityError
from schemas.generation import Generation
from schemas.words import amount
from vault.files import tree_size
from vault.generations import (
    drop_old,
    drop_spare,
    finished_numbers,
    published_number,
    read_manifest,
    recover,
)
from vault.layout import VaultLayout
from vault.lock import writer_lock
from vault.occupancy import unoccupied
from vault.options import kept_generations

if TYPE_CHECKING:
    from flows.reports import progress
    from flows.upkeep import full_verification, index_rebuild, leftovers, search_graph
    from vault import backup, restoring
else:
    full_verification = deferred("flows.upkeep.full_verification")
    index_rebuild = deferred("flows.upkeep.index_rebuild")
    progress = deferred("flows.reports.progress")
    search_graph = deferred("flows.upkeep.search_graph")
    leftovers = deferred("flows.upkeep.leftovers")
    backup = deferred("vault.backup")
    restoring = deferred("vault.restoring")


@click.group("vault")
def command() -> None:
    """Look after the store: its generations, their integrity, backups.

    \b
    Examples:
      mnemic vault list
      mnemic vault verify --full
      mnemic vault backup memory-2026-03-01.zip
    """


def _number(layout: VaultLayout) -> int | None:
    try:
        return published_number(layout)
    except IntegrityError:
        return None


@command.command("list")
@vault_option
@json_option
def list_generations(vault: Path | None, as_json: bool) -> int:
    """Say which generations there are, what they hold and who reads them.

    \b
    Examples:
      mnemic vault list --json
    """
    layout = VaultLayout(vault_folder(vault))
    published = _number(layout)
    rows: list[dict[str, object]] = []
    for number in finished_numbers(layout):
        folder = layout.generation(number)
        row: dict[str, object] = {"generation": number, "published": number == published}
        try:
            manifest = read_manifest(folder)
        except IntegrityError as error:
            row["damaged"] = error.why
        else:
            row["at"] = manifest.published_at
            row["points"] = manifest.points
            row["notes"] = manifest.rows.get("units", 0)
            row["journal_seq"] = manifest.journal_seq
            row["source"] = manifest.source
        row["bytes"] = tree_size(folder)
        with unoccupied(folder) as free:
            row["read"] = not free
        rows.append(row)
    if as_json:
        print_json({"vault": str(layout.root), "published": published, "generations": rows})
        return 0 if rows else 1
    columns = ("generation", "made", "what it holds", "state")
    print_table(str(layout.root), columns, [_generation_row(row) for row in rows])
    return 0 if rows else 1


def _generation_row(row: dict[str, object]) -> tuple[object, ...]:
    made, size = row.get("at"), row["bytes"]
    holds = [f"{name} {row[name]:,}" for name in ("points", "notes") if name in row]
    holds.append(f"{size / 2**20:,.1f} MiB" if isinstance(size, int) else "")
    state = [name for name in ("published", "read") if row.get(name)]
    if "damaged" in row:
        state.append(f"damaged: {row['damaged']}")
    when = f"{made:%Y-%m-%d %H:%M}" if isinstance(made, datetime) else ""
    return row["generation"], when, ", ".join(holds), ", ".join(state)


@command.command("verify")
@click.option("--full", is_flag=True, help="Read every file, row and point; embed a sample again.")
@click.option("--generation", "number", type=int, default=None, help="Which one. [default: the published]")
@vault_option
@json_option
def verify_generation(full: bool, number: int | None, vault: Path | None, as_json: bool) -> int:
    """Check that a generation is what was published. Exit code 1 where something is found.

    \b
    Examples:
      mnemic vault verify
      mnemic vault verify --full --json
    """
    checks, found = full_verification.verify(vault_folder(vault), full=full, number=number)
    if as_json:
        print_json({"checks": checks, "full": full, "findings": [asdict(one) for one in found]})
    else:
        for one in found:
            say(f"{one.check}: {one.where}: {one.what}. {one.remedy}")
        depth = "" if full else " (files read once a day, points sampled: --full does all of it)"
        say(f"{len(found)} findings in {len(checks)} checks: {', '.join(checks)}{depth}")
    return 1 if found else 0


def _published(generation: Generation, as_json: bool) -> int:
    if as_json:
        print_json(generation.model_dump(mode="json", exclude={"files"}))
    else:
        say(f"Published generation {generation.number} with {amount(generation.points, 'point')}")
    return 0


@command.command("rollback")
@click.argument("number", type=int)
@vault_option
@json_option
def roll_back(number: int, vault: Path | None, as_json: bool) -> int:
    """Publish the content of generation NUMBER as a new one, and on it what you kept and discarded since.

    It also mends a CURRENT that is damaged or names nothing.

    \b
    Examples:
      mnemic vault rollback 12
    """
    return _published(index_rebuild.rollback(vault_folder(vault), number), as_json)


@command.command("rebuild")
@vault_option
@json_option
def rebuild_index(vault: Path | None, as_json: bool) -> int:
    """Make the index anew from the ledger, and publish. The old index is never read; every note is embedded.

    \b
    Examples:
      mnemic vault rebuild
    """
    with progress.Stages(TerminalProgress()).stage("rebuild", None, "points") as watch:
        generation = index_rebuild.rebuild(vault_folder(vault), watch.advance)
    return _published(generation, as_json)


@command.command("optimize")
@vault_option
@json_option
def optimize_index(vault: Path | None, as_json: bool) -> int:
    """Build the graph by which meaning is searched, and publish. Worth it from about 50,000 points.

    It takes about two minutes for 100,000 points, and others may read meanwhile; recall is the same, and
    quicker (docs/retrieval.md). Later runs keep it.

    \b
    Examples:
      mnemic vault optimize
    """
    return _published(search_graph.optimize(vault_folder(vault)), as_json)


@command.command("prune")
@click.option(
    "--keep",
    type=click.IntRange(min=1),
    default=kept_generations,
    show_default="MNEMIC_KEPT_GENERATIONS, or 3",
)
@vault_option
@json_option
def prune(keep: int, vault: Path | None, as_json: bool) -> int:
    """Drop old generations and leftovers of interrupted runs. One that is being read stays.

    \b
    Examples:
      mnemic vault prune --keep 1
    """
    layout = VaultLayout(vault_folder(vault))
    before = tree_size(layout.root)
    with writer_lock(layout):
        recover(layout)
        dropped = drop_old(layout, keep)
        drop_spare(layout)
        cleared = leftovers.clear_leftovers(layout)
    freed = before - tree_size(layout.root)
    if as_json:
        print_json({"dropped": dropped, "cleared": cleared, "freed_bytes": freed})
    else:
        for name in cleared:
            say(f"cleared {name}")
        named = ", ".join(map(str, sorted(dropped))) or "none"
        say(f"dropped generations: {named}; leftovers: {len(cleared)}; {freed / 2**20:,.0f} MiB freed")
    return 0


@command.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@vault_option
@json_option
def make_backup(file: Path | None, vault: Path | None, as_json: bool) -> int:
    """Write the published generation and your acts to one checksummed FILE. Others may work meanwhile.

    The file is readable by you alone (mode 600). What a killed backup left goes with the next, or `prune`.

    \b
    Examples:
      mnemic vault backup
      mnemic vault backup /media/stick/memory.zip
    """
    target = file or Path(f"mnemic-{datetime.now(UTC):%Y%m%d-%H%M%S}.zip")
    record = backup.back_up(vault_folder(vault), target)
    if as_json:
        print_json(
            {
                "file": str(target),
                "bytes": target.stat().st_size,
                "generation": record.generation.number,
                "branches_left_out": record.branches_left_out,
            }
        )
    else:
        size = target.stat().st_size / 2**20
        say(f"generation {record.generation.number} written to {target} ({size:,.1f} MiB)")
        if record.branches_left_out:
            say(f"branches are not in it: {', '.join(record.branches_left_out)}; back each up with --branch")
    return 0


@command.command("restore")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@vault_option
@json_option
def restore_backup(file: Path, vault: Path | None, as_json: bool) -> int:
    """Make a vault of a backup FILE, in a new or empty folder. Every byte is checked first.

    It is unpacked aside and takes its place whole: one that was killed is run again.

    \b
    Examples:
      mnemic vault restore memory.zip --vault ~/restored
    """
    return _published(restoring.restore(file, vault_folder(vault)), as_json)
