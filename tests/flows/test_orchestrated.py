from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from prefect.artifacts import Artifact
from prefect.testing.utilities import prefect_test_harness

from flows.inbox import SETTLED_SECONDS
from flows.orchestrated import ingest
from flows.summary import ArchiveOutcome
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]


@pytest.fixture(scope="module", autouse=True)
def prefect_server() -> Iterator[None]:
    """A real Prefect server of the test's own, with a database that is thrown away."""
    with prefect_test_harness(server_startup_timeout=180):
        yield


def lay_still(path: Path) -> None:
    """Make a file look as if it had not changed for longer than the inbox waits."""
    moment = time.time() - 2 * SETTLED_SECONDS
    os.utime(path, (moment, moment))


def test_the_nightly_run_takes_the_inbox_and_reports(tmp_path: Path, export: Exporter) -> None:
    vault = tmp_path / "vault"
    inbox = vault / "inbox"
    inbox.mkdir(parents=True)
    good = export("ada", {"garden": [("user", "The garden is 40 square metres.")]}).rename(inbox / "ada.json")
    broken = inbox / "broken.json"
    broken.write_text('{"broken": ', encoding="utf-8")
    arriving = inbox / "arriving.json"
    arriving.write_text("[", encoding="utf-8")
    lay_still(good)
    lay_still(broken)

    summary = ingest(vault=vault)

    assert {Path(one.archive).name: one.outcome for one in summary.archives} == {
        "ada.json": ArchiveOutcome.IMPORTED,
        "broken.json": ArchiveOutcome.FAILED,
    }
    assert [path.name for path in inbox.iterdir()] == ["arriving.json"]
    assert {path.name for path in (vault / "processed").iterdir()} == {"ada.json", "ada.json.note.json"}
    assert {"broken.json", "broken.json.note.json"} <= {
        path.name for path in (vault / "quarantine").iterdir()
    }
    with open_vault(vault) as reader:
        assert reader.generation.rows["units"] > 0
    artifact = Artifact.get("ingest-report")
    assert artifact is not None
    assert "broken" in str(artifact.data)
