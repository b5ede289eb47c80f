"""What is shown of an assistant on this machine has a link to its file, and to the line where it is known."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp_types import TextContent
from open_gate import let_pass

from flows.ingest.steps import IngestRequest, ingest
from interfaces.main import main
from interfaces.mcp.mcp_server import make_server
from interfaces.mcp.open_memory import Memory
from tests.interfaces.review_server import served
from vault.reader import open_vault

SESSION, MESSAGE = "0a1b2c3d-0000-4000-8000-000000000001", "0a1b2c3d-0000-4000-8000-00000000000a"
HOSTILE = "../../../etc/passwd"


def line(session: str, message: str, words: str) -> str:
    said = {"role": "user", "content": words}
    head = {"type": "user", "uuid": message, "parentUuid": None, "sessionId": session}
    return json.dumps({**head, "timestamp": "2026-04-01T09:00:00.000Z", "message": said}) + "\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """(home, vault, the session's file) of one session with a real id and one with a hostile one."""
    folder = tmp_path_factory.mktemp("files")
    vault, project = let_pass(folder / "vault"), folder / "my home" / ".claude" / "projects" / "-work"
    project.mkdir(parents=True)
    file = project / f"{SESSION}.jsonl"
    file.write_text(
        json.dumps({"type": "file-history-snapshot", "messageId": "u1", "snapshot": {}})
        + "\n"
        + line(SESSION, MESSAGE, "I decided to sow oats. The north field is 12 hectares.")
    )
    odd = line(HOSTILE, "x", "I decided to paint the boat green. The boat is 7 m long.")
    (project / "odd.jsonl").write_text(odd)
    ingest(IngestRequest(vault, (folder / "my home" / ".claude",), account="me"))
    return folder / "my home", vault, file


@pytest.fixture
def vault(made: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(made[0]))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    return made[1]


@pytest.fixture
def link(made: tuple[Path, Path, Path]) -> str:
    return made[2].as_uri()


def note_of(vault: Path, session: str) -> str:
    with open_vault(vault) as reader:
        ((unit,),) = reader.ledger.query(
            """SELECT min(id) FROM units WHERE conversation_id IN
               (SELECT conversation_id FROM conversations WHERE native_id = ?)""",
            [session],
        )
    return str(unit)


def test_a_package_has_the_sessions_file(vault: Path, link: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", "How large is the north field?", "--vault", str(vault)]) == 0
    assert f"- <{link}> " in capsys.readouterr().out
    assert main(["recall", "How large is the north field?", "--json", "--vault", str(vault)]) == 0
    hits = json.loads(capsys.readouterr().out)["hits"]
    assert {one["source_link"] for one in hits} <= {link, None}
    assert link in {one["source_link"] for one in hits}
    assert main(["recall", "How long is the boat?", "--json", "--vault", str(vault)]) == 0
    assert "passwd" not in capsys.readouterr().out


def test_a_note_has_its_own_line(
    vault: Path, link: str, made: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    named = note_of(vault, SESSION)
    assert main(["get", named, "--json", "--vault", str(vault)]) == 0
    record = json.loads(capsys.readouterr().out)["items"][0]["record"]
    assert record["source_link"] == f"{link}#L2"
    assert record["source_file"] == f"{made[2]}:2"
    assert main(["get", named, "--vault", str(vault)]) == 0
    assert f"{made[2]}:2" in capsys.readouterr().out
    assert main(["get", note_of(vault, HOSTILE), "--json", "--vault", str(vault)]) == 0
    assert json.loads(capsys.readouterr().out)["items"][0]["record"]["source_link"] is None


def test_over_mcp_a_package_and_a_note_lead_to_the_file(vault: Path, link: str) -> None:
    async def told() -> str:
        async with Client(make_server(Memory(vault, "me"), writable=False)) as client:
            given = await client.call_tool("recall", {"query": "How large is the north field?"})
            whole = await client.call_tool("get", {"ids": [note_of(vault, SESSION)]})
        return "\n".join(
            one.text for result in (given, whole) for one in result.content if isinstance(one, TextContent)
        )

    said = anyio.run(told)
    assert f"<{link}>" in said
    assert f"{link}#L2" in said


def test_a_page_shows_the_files_address_to_be_copied(vault: Path, link: str) -> None:
    with served(vault, "me") as page:
        for at in (f"note/{note_of(vault, SESSION)}", "?q=north+field"):
            with urllib.request.urlopen(f"{page.address}{at}") as answer:
                told = answer.read().decode()
            assert f'<code class="quiet">{link}</code>' in told
            assert 'href="file:' not in told


def test_exported_pages_lead_to_the_file(vault: Path, link: str, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    asked = ["export", "markdown", "--to", str(pages), "--state", "passed", "--transcripts"]
    assert main([*asked, "--vault", str(vault)]) == 0
    told = [one.read_text(encoding="utf-8") for one in pages.rglob("*.md")]
    assert any(
        f'source: "{link}"' in one and f"([the file on this machine](<{link}>))" in one for one in told
    )
    assert not any("passwd" in one.partition("---")[2].partition("---")[0] for one in told)


def test_no_link_is_made_once_the_file_is_gone(
    vault: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(["get", note_of(vault, SESSION), "--json", "--vault", str(vault)]) == 0
    record = json.loads(capsys.readouterr().out)["items"][0]["record"]
    assert (record["source_link"], record["source_file"]) == (None, None)
