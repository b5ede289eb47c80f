from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from flows.ingest.steps import IngestRequest
from flows.upkeep.forgetting import forget, plan_forgetting
from schemas.provenance import Standing
from tests.chatgpt_export import chatgpt_conversation
from tests.prepared_vaults import ingested
from vault.erasing import Erasure
from vault.layout import VaultLayout
from vault.web_pages import SavedPage, WebPages

SECRETS = ("A green hull keeps its colour.", "what colour keeps a hull")


@pytest.fixture
def layout(tmp_path: Path) -> VaultLayout:
    turns = [("user", "I decided to paint the hull of the boat green.")]
    talks = [chatgpt_conversation(name, turns) for name in ("hull", "keel")]
    (tmp_path / "mara.json").write_text(json.dumps(talks), encoding="utf-8")
    ingested(IngestRequest(tmp_path / "vault", (tmp_path / "mara.json",)))
    layout = VaultLayout(tmp_path / "vault")
    pages = WebPages(layout, "mara")
    page = SavedPage(
        url="https://hulls.example/", title="Hulls", fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
        published=None, sha256="0" * 64, standing=Standing.WHITELISTED, text=SECRETS[0],
    )  # fmt: skip
    pages.save(page, [(SECRETS[0], ())], "an embedder", np.ones((1, 384), np.float32))
    pages.sent("search", "brave", SECRETS[1], "asked")
    return layout


def held(layout: VaultLayout) -> bool:
    files = [path for path in layout.web.parent.glob(f"{layout.web.name}*") if path.is_file()]
    return any(one.encode() in path.read_bytes() for path in files for one in SECRETS)


def test_a_forgotten_accounts_pages_and_searches_go_too(layout: VaultLayout) -> None:
    assert held(layout)
    forget(layout.root, plan_forgetting(layout.root, Erasure(account="mara")))
    assert not held(layout)


def test_they_stay_where_talk_of_the_account_stays(layout: VaultLayout) -> None:
    plan = plan_forgetting(layout.root, Erasure(match="keel"))
    forget(layout.root, plan)
    assert held(layout)
    assert any("saved pages" in line for line in plan.still_there)
