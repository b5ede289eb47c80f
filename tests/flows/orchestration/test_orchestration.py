from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from prefect.artifacts import Artifact
from prefect.blocks.notifications import CustomWebhookNotificationBlock
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import GlobalConcurrencyLimitUpdate
from pytest_httpserver import HTTPServer

from flows.ingest.steps import IngestRequest
from flows.ingest.steps import ingest as ingest_here
from flows.intake.inbox import SETTLED_SECONDS
from flows.orchestration.ingest_flows import ingest, reprocess
from flows.orchestration.notices import WRITER
from flows.orchestration.serving import allow_one_writer
from flows.orchestration.upkeep_flows import reindex, verify
from flows.reports.run_page import report_page
from flows.reports.run_summary import ArchiveOutcome
from schemas.deferred import deferred
from schemas.errors import VaultEmpty
from vault.layout import VaultLayout
from vault.reader import open_vault

# it imports the whole server, which no other worker needs that only collects this file
prefect_testing = deferred("prefect.testing.utilities")

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]


@pytest.fixture(scope="module", autouse=True)
def prefect_server() -> Iterator[None]:
    """A real Prefect server of the test's own, with a database that is thrown away."""
    with prefect_testing.prefect_test_harness(server_startup_timeout=600):
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
    link = Artifact.get("ingest-page")
    assert link is not None
    assert report_page(VaultLayout(vault), summary.run).as_uri() in str(link.data)

    planned = reprocess(vault=vault, engine=None)
    assert (planned.plan.due, planned.run) == (0, None)
    assert verify(vault=vault) > 5
    table = Artifact.get("verify-findings")
    assert table is not None
    assert str(table.data) == "[]"


def test_a_failed_run_is_told_to_the_block_that_the_owner_named(
    tmp_path: Path, httpserver: HTTPServer
) -> None:
    httpserver.expect_request("/told", method="POST").respond_with_data("thanks")
    block = CustomWebhookNotificationBlock(
        name="mine",
        url=httpserver.url_for("/told"),
        json_data={"text": "{{subject}}: {{body}}"},
        allow_private_urls=True,
    )
    block.save("mnemic", overwrite=True)
    os.environ["MNEMIC_NOTIFY"] = "custom-webhook/mnemic"
    try:
        with pytest.raises(VaultEmpty):
            reindex(vault=tmp_path / "nothing")
    finally:
        del os.environ["MNEMIC_NOTIFY"]
    (told, _) = httpserver.log[0]
    assert "reindex failed" in told.get_data(as_text=True)


def test_batches_come_back_from_shared_storage(tmp_path: Path, export: Exporter) -> None:
    archive = export("ada", {f"garden-{n}": [("user", f"Bed {n} is {n} metres long.")] for n in range(60)})
    share = tmp_path / "share"
    share.mkdir()
    summary = ingest(vault=tmp_path / "shared", archives=[archive], shared=share.as_uri())
    alone = ingest_here(IngestRequest(tmp_path / "alone", (archive,)))
    assert summary.rows == alone.rows
    assert summary.made == alone.made
    assert list(share.iterdir()) == []


def test_serving_makes_the_writers_limit_and_leaves_the_one_that_is_there() -> None:
    with get_client(sync_client=True) as client:
        for limit in (1, 2):
            allow_one_writer()
            assert client.read_global_concurrency_limit_by_name(WRITER).limit == limit
            client.update_global_concurrency_limit(WRITER, GlobalConcurrencyLimitUpdate(limit=2))
        client.delete_global_concurrency_limit_by_name(WRITER)
