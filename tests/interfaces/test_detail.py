"""Progressive retrieval on the command line: digest, compact and in full name the same hits."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from open_gate import let_pass

from chunking import estimate_tokens
from interfaces.main import main

Ask = Callable[..., dict[str, Any]]
DOCUMENT = (
    "# Teist\n\n## Hull\n\nThe hull of the boat is green.\n\n## Mast\n\nThe mast of the boat is spruce.\n"
)


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("detail")
    let_pass(folder / "vault")
    talk = {"id": "c1", "owner": "Mara", "title": "The paint of the boat called Teist, and other questions"}
    said = [
        "I decided to paint the hull of the boat green. The mast is eleven metres tall.",
        "A green hull suits the boat.",
    ]
    talk["messages"] = [  # type: ignore[assignment]
        {
            "id": f"m{n}",
            "role": ("user", "assistant")[n],
            "created_at": f"2026-01-05T10:0{n}:00Z",
            "text": text,
        }
        for n, text in enumerate(said)
    ]
    (folder / "boat.transcript.jsonl").write_text(json.dumps(talk) + "\n", encoding="utf-8")
    (folder / "teist.md").write_text(DOCUMENT, encoding="utf-8")
    for name in ("boat.transcript.jsonl", "teist.md"):
        arguments = ["ingest", str(folder / name), "--account", "mara", "--vault", str(folder / "vault")]
        assert main(arguments) == 0
    return folder / "vault"


@pytest.fixture
def ask(vault: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    def run(*arguments: str) -> dict[str, Any]:
        capsys.readouterr()
        assert main([*arguments, "--vault", str(vault), "--json"]) == 0
        parsed: dict[str, Any] = json.loads(capsys.readouterr().out)
        return parsed

    return run


def test_the_same_ids_order_and_keys_at_every_level_of_detail(ask: Ask) -> None:
    for query in ("the green hull of the boat", "zzzqqq xxyyzz"):
        full = ask("recall", query)
        digest = ask("recall", query, "--digest")
        compact = ask("recall", query, "--compact")
        assert full.keys() == digest.keys() == compact.keys()
        whole = [hit["id"] for hit in full["hits"]]
        for shown in (digest, compact):
            assert len(shown["hits"]) == len(whole)
            assert all(one.startswith(hit["id"]) for one, hit in zip(whole, shown["hits"], strict=True))
    assert digest["hits"] == []


def test_a_digest_is_an_id_and_where_and_costs_little(ask: Ask) -> None:
    digest = ask("recall", "the green hull of the boat", "--digest")
    assert digest["hits"]
    assert all(hit.keys() == {"id", "where"} for hit in digest["hits"])
    assert digest["tokens"] <= 16 * len(digest["hits"])


def test_compact_states_what_get_costs(ask: Ask) -> None:
    for hit in ask("recall", "the green hull of the boat", "--compact")["hits"]:
        (item,) = ask("get", hit["id"])["items"]
        assert item["found"]
        cost = estimate_tokens(json.dumps(item["record"], ensure_ascii=False, default=str))
        assert hit["tokens"] == pytest.approx(cost, rel=0.05)


def test_get_shows_neighbours_and_what_is_missing(ask: Ask) -> None:
    hits = ask("recall", "the green hull of the boat")["hits"]
    units = [hit["id"] for hit in hits if hit["kind"] == "unit"]
    items = ask("get", units[0], "ffffffff", *[hit["id"] for hit in hits if hit["kind"] == "chunk"])["items"]
    assert [item["found"] for item in items[:2]] == [True, False]
    assert items[1] == {
        "id": "ffffffff", "key": "ffffffff", "full_key": "ffffffff", "namespace": None,
        "found": False, "kind": None, "tokens": 0, "record": None, "value": None,
        "why": "nothing has this id, and no note lies at such a path",
    }  # fmt: skip
    assert {one["place"] for one in items[0]["record"]["neighbours"]} <= {-1, 1}
    assert items[0]["record"]["neighbours"]
    assert all("neighbours" in item["record"] for item in items[2:])


def test_a_trace_is_stored_on_request(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    shown = ask("recall", "the green hull of the boat", "--limit", "1", "--trace", str(path))
    ask("recall", "the mast", "--trace", str(path))
    first, second = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert shown["dropped"] == shown["steps"] == []
    assert first["dropped"]
    assert first["steps"]
    assert second["query"] == "the mast"


@pytest.mark.parametrize("output", ["markdown", "json", "xml"])
def test_formats(vault: Path, capsys: pytest.CaptureFixture[str], output: str) -> None:
    arguments = ["recall", "the green hull of the boat", "--format", output, "--budget", "150"]
    assert main([*arguments, "--vault", str(vault)]) == 0
    said = capsys.readouterr().out
    assert "green" in said
    assert estimate_tokens(said) <= 150
    assert output != "json" or json.loads(said)["hits"]


def test_filters_on_the_command_line(ask: Ask, vault: Path) -> None:
    def kinds(*bounds: str) -> set[str]:
        return {hit["kind"] for hit in ask("recall", "the hull of the boat", "--no-funnel", *bounds)["hits"]}

    everything = ask("recall", "the hull of the boat", "--no-funnel")["hits"]
    talk = next(hit["conversation_id"] for hit in everything if hit["kind"] == "unit")
    assert {hit["tier"] for hit in everything} == {"chat", "resource"}
    said = ask("recall", "the hull of the boat", "--no-funnel", "--conversation", talk[:8])["hits"]
    assert {hit["conversation_id"] for hit in said} == {talk}
    assert kinds("--person", "assistant") <= {"unit", "chunk"}
    assert kinds("--person", "nobody") == set()
    assert kinds("--provider", "transcript")
    assert kinds("--provider", "nowhere") == set()
    assert kinds("--mode", "bm25")
    assert main(["recall", "boat", "--thread", "ffffffff", "--vault", str(vault)]) == 2
    assert main(["recall", "boat", "--conversation", "ffffffff", "--vault", str(vault)]) == 2


def test_an_empty_answer_says_so_at_every_level_of_detail(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["recall", "zzzqqq xxyyzz", "--vault", str(vault)]
    capsys.readouterr()
    for option in ([], ["--digest"], ["--compact"]):
        assert main([*asked, *option]) == 0
        said = capsys.readouterr()
        assert "Nothing in this memory answers" in said.out
        assert said.err.startswith("0 hits, ")


def test_the_footer_counts_what_was_printed(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--digest", "--compact"):
        capsys.readouterr()
        question = ["recall", "the green hull of the boat", "--limit", "1", option, "--vault", str(vault)]
        assert main(question) == 0
        said = capsys.readouterr()
        assert said.err.startswith("1 hit, ")
        assert f", {estimate_tokens(said.out)} of " in said.err
