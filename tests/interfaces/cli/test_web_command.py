"""`mnemic web` and `mnemic recall --web` where the live web is off, and over saved pages."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation

from flows.ingest.steps import IngestRequest
from inference import load_embedder
from interfaces.main import main
from schemas.base import sha256_text
from schemas.provenance import Standing
from tests.prepared_vaults import ingested
from vault.layout import VaultLayout
from vault.web_pages import SavedPage, WebPages

TURNS = [("user", "I decided to paint the hull of the boat green."), ("assistant", "Green it is.")]
OLD, NEW = "https://old.example/", "https://new.example/"


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("web")
    export = folder / "mara.json"
    export.write_text(json.dumps([chatgpt_conversation("hull", TURNS)]), encoding="utf-8")
    ingested(IngestRequest(folder / "vault", (export,)))
    return folder / "vault"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, vault: Path) -> None:
    for name in ("ENABLED", "PROVIDER", "RESULTS", "SEARXNG"):
        monkeypatch.delenv(f"MNEMIC_WEB_{name}", raising=False)
    pages = WebPages(VaultLayout(vault), "mara")
    for url, days in ((OLD, 90), (NEW, 1)):
        text = f"# Hulls\n\nA green hull keeps its colour for four years. {url}"
        page = SavedPage(
            url=url,
            title="Hulls\x1b[2J",
            fetched_at=datetime.now(UTC) - timedelta(days=days),
            published=None,
            sha256=sha256_text(text),
            standing=Standing.WHITELISTED,
            text=text,
        )
        pages.save(page, [(text, ("Hulls",))], "an embedder", load_embedder().embed([text]))


def test_the_live_web_is_off_unless_turned_on(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", "--vault", str(vault), "--web", "always", "the hull"]) == 2
    assert "MNEMIC_WEB_ENABLED" in capsys.readouterr().err
    assert main(["web", "refresh", "--all", "--vault", str(vault)]) == 2
    assert WebPages(VaultLayout(vault), "mara").log(5) == []


def test_a_provider_that_is_not_set_is_named(
    vault: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMIC_WEB_ENABLED", "true")
    assert main(["recall", "--vault", str(vault), "--web", "always", "the hull"]) == 2
    assert "MNEMIC_WEB_PROVIDER" in capsys.readouterr().err
    monkeypatch.setenv("MNEMIC_WEB_ENABLED", "perhaps")
    assert main(["recall", "--vault", str(vault), "the hull"]) == 2
    assert "neither yes nor no" in capsys.readouterr().err


def test_saved_pages_are_listed_and_dropped(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["web", "list", "--vault", str(vault), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["pages"]
    assert [(one["url"], one["weight"]) for one in told] == [(OLD, 0.7), (NEW, 0.7)]
    assert main(["web", "list", "--vault", str(vault)]) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert main(["web", "drop", "--older-than", "30", "--vault", str(vault)]) == 0
    assert main(["web", "drop", OLD, "--vault", str(vault)]) == 2
    assert main(["web", "drop", "--vault", str(vault)]) == 2
    assert main(["web", "drop", "--older-than", "800000", "--vault", str(vault)]) == 2
    assert [one.url for one in WebPages(VaultLayout(vault), "mara").pages()] == [NEW]
    assert OLD.encode() not in (vault / "web.sqlite").read_bytes()


def test_a_recall_finds_a_saved_page(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["recall", "--vault", str(vault), "how long does a green hull keep its colour?", "--json"]
    assert main(asked) == 0
    package = json.loads(capsys.readouterr().out)
    assert {hit["tier"] for hit in package["hits"]} == {"chat", "web"}
    assert (package["web"]["live"], package["web"]["sent"]) == (False, [])


def test_the_log_is_shown_and_erased(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    WebPages(VaultLayout(vault), "mara").sent("search", "brave.example", "green hull", "--web always")
    assert main(["web", "log", "--vault", str(vault), "--json"]) == 0
    (line,) = json.loads(capsys.readouterr().out)["sent"]
    assert (line["kind"], line["place"], line["what"]) == ("search", "brave.example", "green hull")
    assert main(["web", "log", "--clear", "--vault", str(vault)]) == 0
    assert WebPages(VaultLayout(vault), "mara").log(5) == []


def test_a_backup_has_the_saved_pages(vault: Path, tmp_path: Path) -> None:
    assert main(["vault", "backup", str(tmp_path / "b.zip"), "--vault", str(vault)]) == 0
    assert main(["vault", "restore", str(tmp_path / "b.zip"), "--vault", str(tmp_path / "again")]) == 0
    assert [one.url for one in WebPages(VaultLayout(tmp_path / "again"), "mara").pages()] == [OLD, NEW]
