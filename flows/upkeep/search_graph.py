"""The graph by which meaning is searched in a large memory, built aside and published like all else."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from flows.upkeep.index_rebuild import finish
from inference import load_embedder
from schemas.generation import Generation
from vault.generations import building, recover, require_published
from vault.layout import VaultLayout
from vault.lock import writer_lock


def optimize(vault: Path) -> Generation:
    """Build the index's graph (HNSW) in a copy of the published generation, and publish.

    Without it a search by meaning looks at every point of its account. Later runs keep it: what they add is
    looked at one by one until the next time. Every point is compared with the ledger before publishing.
    Raises VaultLocked, VaultEmpty, DiskFull; IntegrityError where what was written does not read back.
    """
    layout = VaultLayout(vault)
    with writer_lock(layout):
        recover(layout)
        require_published(layout)
        embedder = load_embedder()
        run = str(uuid4())
        with building(layout, embedder.binding) as next_generation:
            next_generation.whole = True
            next_generation.ledger.add_run(run, datetime.now(UTC), "vault optimize", {})
            next_generation.index.build_graph()
            return finish(next_generation, embedder, run)
