"""Whatever shows what was said has a link to the conversation at its service, and none for an odd id."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation
from open_gate import let_pass

from flows.ingest.steps import IngestRequest, ingest
from interfaces.main import main
from interfaces.package_sources import rendered, with_links
from retrieval import Options, PackageFormat, Question, recall
from vault.index import Where
from vault.reader import open_vault

NATIVE = "0a1b2c3d-0000-4000-8000-000000000001"
LINK = f"https://chatgpt.com/c/{NATIVE}"
ODD = 'javascript:alert("x")'


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("links")
    vault = let_pass(folder / "vault")
    talks = [
        chatgpt_conversation(NATIVE, [("user", "I decided to sow oats. The north field is 12 hectares.")]),
        chatgpt_conversation(ODD, [("user", "I decided to paint the boat green. The boat is 7 m long.")]),
    ]
    archive = folder / "me.json"
    archive.write_text(json.dumps(talks), encoding="utf-8")
    ingest(IngestRequest(vault, (archive,)))
    return vault


def ids(vault: Path, table: str, column: str, native: str) -> list[str]:
    with open_vault(vault) as reader:
        found = reader.ledger.query(
            f"""SELECT {column} FROM {table} WHERE conversation_id IN
                (SELECT conversation_id FROM conversations WHERE native_id = ?) ORDER BY 1""",
            [native],
        )
    return [str(one) for (one,) in found]


def test_every_record_of_a_conversation_has_its_link(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = [
        *ids(vault, "units", "id", NATIVE),
        *ids(vault, "chunks", "id", NATIVE),
        *ids(vault, "session_summaries", "id", NATIVE),
        *ids(vault, "conversations", "conversation_id", NATIVE),
    ]
    assert main(["get", *named, "--json", "--vault", str(vault)]) == 0
    items = json.loads(capsys.readouterr().out)["items"]
    assert {one["record"]["source_link"] for one in items} == {LINK}
    assert main(["get", named[0], "--vault", str(vault)]) == 0
    assert LINK in capsys.readouterr().out
    (odd, *_) = ids(vault, "units", "id", ODD)
    assert main(["get", odd, "--json", "--vault", str(vault)]) == 0
    assert json.loads(capsys.readouterr().out)["items"][0]["record"]["source_link"] is None


def test_a_package_has_its_links_inside_its_budget(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", "How large is the north field?", "--json", "--vault", str(vault)]) == 0
    package = json.loads(capsys.readouterr().out)
    links = {one["conversation_title"]: one["source_link"] for one in package["hits"]}
    assert LINK in links.values()
    assert main(["recall", "How large is the north field?", "--vault", str(vault)]) == 0
    said = capsys.readouterr().out
    assert said.count(LINK) == 1
    assert "javascript:" not in said.partition("Sources:")[2]


@pytest.mark.parametrize("budget", [60, 150, 400, 2000])
def test_links_never_exceed_the_budget(vault: Path, budget: int) -> None:
    from chunking import estimate_tokens
    from inference import load_embedder

    with open_vault(vault) as reader:
        question = Question("oats north field", Where("me"), options=Options(budget=budget))
        package = with_links(recall(question, reader.index, load_embedder()), reader)
    assert estimate_tokens(rendered(package)) <= budget
    as_json = package.model_copy(update={"format": PackageFormat.JSON})
    assert LINK not in rendered(as_json)


def test_exported_pages_have_the_link(vault: Path, tmp_path: Path) -> None:
    assert (
        main(
            [
                "export",
                "markdown",
                "--to",
                str(tmp_path / "pages"),
                "--state",
                "passed",
                "--vault",
                str(vault),
            ]
        )
        == 0
    )
    pages = [one.read_text(encoding="utf-8") for one in (tmp_path / "pages").rglob("*.md")]
    told = [one for one in pages if f'source: "{LINK}"' in one]
    assert told
    assert any(f"(<{LINK}>)" in one for one in told)
    assert not any(
        "source:" in one and "javascript" in one.partition("---")[2].partition("---")[0] for one in pages
    )


def test_the_review_page_leads_to_the_service(vault: Path) -> None:
    from tests.interfaces.review_server import served

    (home,) = ids(vault, "conversations", "conversation_id", NATIVE)
    (odd,) = ids(vault, "conversations", "conversation_id", ODD)
    with served(vault, "me") as page:
        with urllib.request.urlopen(f"{page.address}conversation/{home}") as answer:
            assert f'href="{LINK}"' in answer.read().decode()
        with urllib.request.urlopen(f"{page.address}conversation/{odd}") as answer:
            assert "javascript:" not in answer.read().decode()
