"""With the live web off no command opens a socket, whatever else is set of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from chatgpt_export import chatgpt_conversation

from flows.ingest.steps import IngestRequest
from interfaces.main import COMMANDS
from schemas.base import sha256_text
from schemas.provenance import Standing
from tests.prepared_vaults import ingested
from vault.layout import VaultLayout
from vault.reader import open_vault
from vault.web_pages import SavedPage, WebPages

ROOT = Path(__file__).resolve().parents[2]
WATCHED = ROOT / "tests" / "interfaces" / "watched_commands.py"
TURNS = [("user", "I decided to paint the hull of the boat green."), ("assistant", "Green it is.")]
SET = {
    "MNEMIC_WEB_PROVIDER": "brave",
    "BRAVE_API_KEY": "a-key",
    "MNEMIC_WEB_SEARXNG": "http://192.0.2.1:8888",
}
"""Everything but MNEMIC_WEB_ENABLED."""

WATCHED_ELSEWHERE = {"inspect", "ingest", "reprocess", "doctor", "mcp", "threads", "clean"}
"""In `tests/interfaces/test_nothing_leaves.py`."""
PROBE = "socket.bind ('::1', 0)"
"""urllib3 looks, when detect-secrets has it imported, whether this machine has IPv6: no packet goes out."""
PROBE_CALLS = re.compile(
    r"socket\(AF_INET6, SOCK_STREAM|bind\(\d+, \{sa_family=AF_INET6, sin6_port=htons\(0\).*::1"
)
"""The same as system calls."""
NOT_WATCHED = {"open", "review", "serve", "setup", "index", "train"}
"""They serve on this machine, fetch weights or push an index by purpose; `train` needs a paid-for vault."""


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sockets")
    export = folder / "mara.json"
    export.write_text(json.dumps([chatgpt_conversation("hull", TURNS)]), encoding="utf-8")
    ingested(IngestRequest(folder / "vault", (export,)))
    text = "A green hull keeps its colour for four years."
    page = SavedPage(
        url="https://hulls.example/",
        title="Hulls",
        fetched_at=datetime.now(UTC),
        published=None,
        sha256=sha256_text(text),
        standing=Standing.SINGLE,
        text=text,
    )
    pages = WebPages(VaultLayout(folder / "vault"), "mara")
    pages.save(page, [(text, ())], "an embedder", np.ones((1, 384), np.float32))
    return folder / "vault"


def commands(vault: Path) -> list[list[str]]:
    with open_vault(vault) as reader:
        ((unit,),) = reader.ledger.query("SELECT id FROM units LIMIT 1")
        ((talk,),) = reader.ledger.query("SELECT conversation_id FROM conversations LIMIT 1")
    file = vault.parent / "notes.md"
    file.write_text("# Hull\n\nGreen.\n", encoding="utf-8")
    pages = str(vault.parent / "pages")
    of_vault = [
        ["recall", "what colour does a hull keep, and what is the weather in Oslo today?", "--explain"],
        ["recall", "the price of paint", "--web", "never", "--web-keep", "--deep", "--decompose"],
        ["web", "list"],
        ["web", "log"],
        ["web", "drop", "--older-than", "9"],
        ["get", str(unit)],
        ["summarize"],
        ["blame", str(unit)],
        ["diff", "1", "1"],
        ["path", "taxonomy"],
        ["list"],
        ["show", str(talk)],
        ["summary", str(talk)],
        ["status"],
        ["gate", "--explain", str(unit)],
        ["keep", str(unit)],
        ["discard", str(unit)],
        ["correct", str(unit), "The hull is green.", "--keep"],
        ["undo"],
        ["policy", "list"],
        ["sql", "SELECT 1"],
        ["forget", "--conversation", str(talk), "--dry-run"],
        ["vault", "list"],
        ["exclusions"],
        ["export", "units"],
        ["export", "markdown", "--to", pages],
        ["import", "markdown", pages],
        ["collect", "--dry-run"],
        ["plan", str(vault.parent / "mara.json")],
        ["account", "list"],
        ["diverge", "what colour is the hull, and what is the weather in Oslo?"],
        ["session", "list"],
        ["branch", "trial"],
        ["merge", "trial"],
        ["branch", "--delete", "trial"],
    ]
    others = [
        ["chunk", str(file)],
        ["skill", "show"],
        ["config", "show"],
        ["eval", "--help"],
        ["completion", "bash"],
    ]
    return [[*one, "--vault", str(vault)] for one in of_vault] + others


def test_no_command_opens_a_socket_with_the_web_off(vault: Path, tmp_path: Path) -> None:
    """By Python's own sockets, and where strace is at hand by the system calls of whatever library."""
    lot = commands(vault)
    assert {one[0] for one in lot} | WATCHED_ELSEWHERE | NOT_WATCHED == set(COMMANDS)
    asked, home, calls = tmp_path / "asked", tmp_path / "home", tmp_path / "calls"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MNEMIC_WEB")}
    env = {**kept, **SET, "HOME": str(home), "PYTHONPATH": str(ROOT), "MNEMIC_CONFIG": str(home / "none")}
    env["MNEMIC_CACHE"] = str(cache())
    traced = traces()
    tracing = ["strace", "-f", "-qq", "-e", "trace=%network", "-o", str(calls)] if traced else []
    told = [*tracing, sys.executable, str(WATCHED), str(asked), json.dumps(lot)]
    done = subprocess.run(told, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "hulls.example" in done.stdout
    assert set(asked.read_text(encoding="utf-8").splitlines()) <= {PROBE}
    if traced:
        reaching = [one for one in calls.read_text().splitlines() if "AF_INET" in one]
        assert reaching  # urllib3's, which shows that the trace sees them
        assert not [one for one in reaching if not PROBE_CALLS.search(one)]


def test_what_would_ask_the_web_is_refused(vault: Path, tmp_path: Path) -> None:
    lot = [
        ["recall", "the weather", "--web", "always", "--vault", str(vault)],
        ["web", "refresh", "--all", "--vault", str(vault)],
    ]
    env = {**os.environ, **SET, "PYTHONPATH": str(ROOT), "MNEMIC_WEB_ENABLED": "no"}
    told = [sys.executable, str(WATCHED), str(tmp_path / "asked"), json.dumps(lot)]
    done = subprocess.run(told, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == len(lot)
    assert done.stderr.count("the live web is off") == len(lot)
    assert (tmp_path / "asked").read_text(encoding="utf-8") == ""


def traces() -> bool:
    """Whether system calls can be traced here: strace may be missing, or forbidden in a container."""
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-qq", "true"], capture_output=True, check=False).returncode == 0


def cache() -> Path:
    from inference.weights import cache_folder

    return cache_folder()
