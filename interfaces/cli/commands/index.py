"""`mnemic index`."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interfaces.cli.lookup import opened
from interfaces.cli.options import json_option, vault_option
from interfaces.cli.terminal import TerminalProgress, print_json, say
from schemas.deferred import deferred
from schemas.words import amount

if TYPE_CHECKING:
    import qdrant_client

    from flows.reports import progress
    from vault import pushing
    from vault import server as vault_server
else:
    qdrant_client = deferred("qdrant_client")
    progress = deferred("flows.reports.progress")
    pushing = deferred("vault.pushing")
    vault_server = deferred("vault.server")


@click.group("index")
def command() -> None:
    """Carry the index elsewhere.

    \b
    Examples:
      mnemic index push --to https://qdrant.example:6333
    """


@command.command("push")
@click.option("--to", "url", envvar="QDRANT_URL", required=True, help="The server. [default: $QDRANT_URL]")
@click.option("--collection", envvar="QDRANT_COLLECTION", default="mnemic", show_default=True)
@click.option(
    "--on-disk/--in-memory",
    envvar="QDRANT_ON_DISK",
    default=True,
    show_default=True,
    help="Where new vectors lie.",
)
@click.option(
    "--quantised", is_flag=True, envvar="QDRANT_QUANTISED", help="Keep an int8 copy of new vectors in memory."
)
@vault_option
@json_option
def push_index(
    url: str, collection: str, on_disk: bool, quantised: bool, vault: Path | None, as_json: bool
) -> int:
    """Copy the published index to a Qdrant server as a generation there. Nothing is embedded again.

    Points that stand there already are not sent. Everything is read back and compared. The key, where the
    server asks for one, is taken from QDRANT_API_KEY; TLS follows from https.

    \b
    Examples:
      mnemic index push --to http://localhost:6333
      QDRANT_API_KEY=… mnemic index push --to https://qdrant.example:6333 --quantised --json
    """
    client = qdrant_client.QdrantClient(
        url=url, api_key=os.environ.get("QDRANT_API_KEY"), check_compatibility=False
    )
    options = vault_server.ServerOptions(collection, on_disk, quantised)
    with opened(vault) as reader:
        generation = reader.generation
        server = vault_server.ServerIndex.create(
            client, options, generation.number, generation.embedder.dimension
        )
        with progress.Stages(TerminalProgress()).stage("push", generation.points, "points") as watch:
            done = pushing.push(reader.published_index, server, watch.advance)
        server.close()
    equal = done.digest == generation.points_digest
    if as_json:
        print_json({**asdict(done), "generation": generation.number, "equals_manifest": equal})
    else:
        say(
            f"generation {generation.number}: {amount(done.written, 'point')} sent, "
            f"{done.unchanged:,} were there, {done.removed:,} left; read back and equal: "
            f"{done.points:,} payloads, {done.vectors:,} vectors"
        )
        if not equal:
            say("but the index is not the one that was published: run `mnemic vault verify --full`")
    return 0 if equal else 1
