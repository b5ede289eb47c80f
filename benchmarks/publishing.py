"""What a small publication costs in a large vault.

    python -m benchmarks.publishing VAULT [--runs 3] [--talks 20]

Each run imports talks that the vault does not have (some five notes each) into a copy of it, which goes
afterwards, and prints the seconds of each stage. The first run also brings the copy to the present schema.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path

from benchmarks.faults.ground import write_archive
from flows.steps import IngestRequest, ingest
from flows.verifying import verify
from vault.current import write_current
from vault.files import copy_tree, tree_size
from vault.generations import require_published
from vault.layout import VaultLayout
from vault.reader import open_vault

FIRST_TALK = 1_000_000


def main() -> None:
    """Measure and print one JSON object a run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vault", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--talks", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.vault.absolute().parent) as folder:
        vault = Path(folder) / "vault"
        _copy_published(VaultLayout(options.vault), VaultLayout(vault))
        for run in range(options.runs):
            first = FIRST_TALK + run * options.talks
            archive = write_archive(Path(folder) / "archives", options.talks, "new", first)
            used = time.process_time()
            summary = ingest(IngestRequest(vault, (archive,)))
            used = time.process_time() - used
            with open_vault(vault) as reader:
                rows = reader.generation.rows
            said = {
                "run": run + 1,
                "notes in the vault": rows["units"],
                "points": rows["points"],
                "seconds": {stage: round(spent, 2) for stage, spent in summary.seconds.items()},
                "processor seconds": round(used, 2),
                "peak memory MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
                "disk MiB of a generation": _generation_bytes(vault) // 2**20,
            }
            print(json.dumps(said), flush=True)
        began = time.monotonic()
        _, found = verify(vault, full=True)
        print(
            json.dumps({"verify --full seconds": round(time.monotonic() - began, 1), "findings": len(found)})
        )


def _copy_published(source: VaultLayout, target: VaultLayout) -> None:
    target.create()
    number = require_published(source)
    copy_tree(source.generation(number), target.generation(number))
    write_current(target, number)


def _generation_bytes(vault: Path) -> int:
    layout = VaultLayout(vault)
    return tree_size(layout.generation(require_published(layout)))


if __name__ == "__main__":
    main()
