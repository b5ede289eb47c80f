"""Paths from end to end: filed when notes are loaded, surveyed without a model, moved by the owner for
good."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import TextContent
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.reprocessing import ReprocessRequest, reprocess
from flows.ingest.steps import IngestRequest, ingest
from flows.upkeep.index_rebuild import rebuild, rollback
from interfaces.main import main
from interfaces.mcp.mcp_server import make_server
from interfaces.mcp.open_memory import Memory
from vault.ledger import Ledger
from vault.reader import open_vault

GARDEN = [("user", "I planted tomatoes and basil on the balcony. The hedge in the garden needs cutting.")]
HEALTH = [("user", "I am allergic to penicillin. My doctor prescribed a cream for my eczema.")]
OTHER = [("user", "I planted roses in the garden behind the house.")]

Told = Callable[..., dict[str, Any]]


@pytest.fixture
def vault(tmp_path: Path, export: Callable[..., Path]) -> Path:
    root = let_pass(tmp_path / "vault")
    for account, talks in (
        ("alice", {"the-balcony": GARDEN, "the-doctor": HEALTH}),
        ("bob", {"the-roses": OTHER}),
    ):
        assert ingested(IngestRequest(root, (export(account, talks),), account=account)).published
    return root


@pytest.fixture
def told(vault: Path, capsys: pytest.CaptureFixture[str]) -> Told:
    def tell(*arguments: str, code: int = 0, account: str = "alice") -> dict[str, Any]:
        capsys.readouterr()
        assert main([*arguments, "--json", "--account", account, "--vault", str(vault)]) == code
        out = capsys.readouterr().out
        said: dict[str, Any] = json.loads(out) if out else {}
        return said

    return tell


def places(told: Told, account: str = "alice") -> dict[str, int]:
    said = told("summarize", "--depth", "3", account=account)
    counts: dict[str, int] = said["prefix_counts"][account]
    assert sum(counts.values()) == said["total_memories"] == said["namespaces"][account]
    return counts


def of_note(vault: Path, word: str) -> tuple[str, list[str]]:
    """The id of the one note that has the word, and its paths as they were published."""
    with open_vault(vault) as reader:
        ((unit,),) = reader.ledger.query("SELECT id FROM units WHERE text LIKE ?", [f"%{word}%"])
        found = reader.ledger.query(
            "SELECT path FROM note_paths WHERE unit_id = ? AND tree = 'paths' ORDER BY path", [unit]
        )
    return str(unit), [str(path) for (path,) in found]


def test_notes_are_filed_when_they_are_loaded(vault: Path, told: Told) -> None:
    unit, paths = of_note(vault, "tomatoes")
    assert "home.garden.the-balcony" in paths
    _, allergy = of_note(vault, "penicillin")
    assert "health.medical.the-doctor" in allergy
    assert set(paths) <= set(places(told))
    item = told("get", "home.garden.the-balcony")["items"][0]
    assert unit in [entry["id"] for entry in item["value"]["entries"]]
    assert item["full_key"] == "alice:home.garden.the-balcony"
    assert told("summarize", "timeline", "--depth", "2")["prefix_counts"]["alice"] == {"2026.01": 1}


def test_get_says_of_each_what_is_missing(vault: Path, told: Told) -> None:
    unit, _ = of_note(vault, "tomatoes")
    said = told("get", "home.no.such", unit, "2026.01.01", "preferences")
    assert [item["found"] for item in said["items"]] == [False, True, True, False]
    assert said["items"][0]["value"] is None
    assert (said["count"], said["found_count"], said["success"]) == (4, 2, True)
    assert set(said["items"][0]) == set(said["items"][1]) == set(said["items"][2])


def test_the_beginning_of_a_path_is_told_what_lies_below(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["get", "home.garden", "no.such", "--account", "alice", "--vault", str(vault)]) == 1
    said = capsys.readouterr().out
    assert "home.garden: not found; below it lie home.garden." in said
    assert "no.such: not found; no note lies at this path" in said


def test_a_survey_is_of_one_namespace_however_it_is_written(
    vault: Path, told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("alice", "user:alice", '("user","alice")', "('user', 'alice')"):
        assert main(["summarize", "--depth", "3", "-n", name, "--json", "--vault", str(vault)]) == 0
        assert json.loads(capsys.readouterr().out)["prefix_counts"] == {"alice": places(told)}
    assert not any("roses" in path for path in places(told))
    (his,) = [path for path in places(told, "bob") if path.startswith("home.garden")]
    assert not told("get", his, code=1)["items"][0]["found"]
    assert not told("get", f"user:bob:{his}", code=1)["items"][0]["found"]
    assert told("get", f"user:bob:{his}", account="bob")["items"][0]["found"]
    assert main(["summarize", "-n", "user:carol", "--vault", str(vault)]) == 2
    assert main(["summarize", "--vault", str(vault)]) == 2


def test_a_path_of_one_of_several_accounts_asks_for_its_name(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unit, _ = of_note(vault, "tomatoes")
    for named in ("home.garden.the-balcony", "home.garden", "home", "2026.01.01", "no.such"):
        assert main(["get", named, "--vault", str(vault)]) == 2
        assert "Name one with --account" in capsys.readouterr().err
    for named in (unit, "alice:home.garden.the-balcony", "user:bob:2026.01.01"):
        assert main(["get", named, "--vault", str(vault)]) == 0
    assert main(["get", "carol:home.garden", "--vault", str(vault)]) == 1


def test_names_too_short_for_ids_take_no_other_item_along(vault: Path, told: Told) -> None:
    unit, _ = of_note(vault, "tomatoes")
    told("path", "move", unit, "dad.media")
    for as_of in ((), ("--as-of", "1")):
        items = told("get", "2026.01.01", "dad", "beef", "zebra.media", unit, *as_of)["items"]
        assert [one["found"] for one in items] == [True, False, False, False, True]
        assert all(one["why"] for one in items if not one["found"])
    assert told("blame", "a.b")["entries"] == []
    told("blame", "dad", code=2)


def test_hints_of_an_earlier_generation_are_of_its_paths(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unit, _ = of_note(vault, "tomatoes")
    there = ["--account", "alice", "--vault", str(vault)]
    assert main(["path", "move", unit, "later.place", *there]) == 0
    capsys.readouterr()
    for as_of, hint in ((["--as-of", "1"], "no note lies at this path"), ([], "below it lie later.place")):
        assert main(["get", "later", "home.garden", *as_of, *there]) == 1
        said = capsys.readouterr().out
        assert f"later: not found; {hint}" in said
    assert main(["get", "home.garden", "--as-of", "1", *there]) == 1
    assert "home.garden.the-balcony" in capsys.readouterr().out


def test_the_timelines_name_is_no_path_of_the_taxonomy(vault: Path, told: Told) -> None:
    unit, paths = of_note(vault, "tomatoes")
    for name in ("undated", "Undated", "undated.odd"):
        told("path", "move", unit, name, code=2)
        told("path", "rename", paths[0], name, code=2)
    told("path", "move", unit, "home.undated")
    assert told("get", "undated", code=1)["found_count"] == 0


def test_a_namespace_and_an_account_may_name_the_same(vault: Path, told: Told) -> None:
    assert told("summarize", "-n", "user:alice") == told("summarize")
    assert told("get", "2026.01.01", "-n", '("user","alice")')["items"] == told("get", "2026.01.01")["items"]
    told("summarize", "-n", "user:bob", code=2)
    told("get", "2026.01.01", "-n", "user:bob", code=2)


def test_a_survey_of_a_part_counts_the_notes_of_that_part(vault: Path, told: Told) -> None:
    notes = [of_note(vault, word)[0] for word in ("tomatoes", "hedge", "penicillin")]
    told("path", "move", notes[0], "places.oslo")
    told("path", "move", notes[1], "unsorted.odd")
    part = told("summarize", "places")
    assert (part["total_memories"], part["total_notes"]) == (1, 1)
    everything, taxonomy = told("summarize"), told("summarize", "taxonomy")
    unsorted = told("path", "show", "unsorted")["notes"]
    assert taxonomy["total_notes"] == everything["total_notes"] - len({one["id"] for one in unsorted})
    assert taxonomy["total_memories"] == everything["total_memories"] - len({one["path"] for one in unsorted})


def test_bad_depths_and_globs_are_refused(told: Told) -> None:
    told("summarize", "--depth", "0", code=2)
    told("summarize", "--keys", "", code=2)
    assert told("summarize", "--keys", "no.such.*")["matching_keys"] == {"alice": []}
    assert told("summarize", "--keys", "' OR 1=1 --")["matching_keys"] == {"alice": []}


def test_a_stream_has_the_same_line_by_line(
    vault: Path, told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = places(told)
    capsys.readouterr()
    asked = ["summarize", "--depth", "3", "--keys", "*", "--stream", "-n", "alice", "--vault", str(vault)]
    assert main(asked) == 0
    head, *lines, end = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert head["total_memories"] == len(counts)
    assert {one["prefix"]: one["keys"] for one in lines if "prefix" in one} == counts
    assert [one["key"] for one in lines if "key" in one] == sorted(counts)
    assert end == {"done": True}


def test_a_move_holds_at_once_and_over_every_later_run(
    vault: Path, told: Told, export: Callable[..., Path]
) -> None:
    unit, before = of_note(vault, "tomatoes")
    told("path", "move", unit, "Food.Herbs")
    assert told("path", "show", unit)["notes"] == [{"id": unit, "path": "food.herbs"}]
    assert "food.herbs" in places(told)
    assert of_note(vault, "tomatoes") == (unit, before)  # no run has folded it yet
    more = export("more", {"the-balcony": [*GARDEN, ("user", "The basil needs water every day.")]})
    assert ingest(IngestRequest(vault, (more,), account="alice")).published
    assert of_note(vault, "tomatoes") == (unit, ["food.herbs"])
    rollback(vault, 2)  # to before the act
    assert of_note(vault, "tomatoes") == (unit, ["food.herbs"])
    assert reprocess(ReprocessRequest(vault, force=True)) is not None
    assert of_note(vault, "tomatoes") == (unit, ["food.herbs"])
    rebuild(vault)
    assert of_note(vault, "tomatoes") == (unit, ["food.herbs"])
    told("undo")
    assert "food.herbs" not in places(told)
    assert {one["path"] for one in told("path", "show", unit)["notes"]} == set(before)


def test_rename_and_merge_hold_for_what_comes_later(
    vault: Path, told: Told, export: Callable[..., Path]
) -> None:
    told("path", "rename", "home.garden", "plot")
    assert any(path.startswith("plot.") for path in places(told))
    assert not any(path.startswith("home.garden") for path in places(told))
    assert any(path.startswith("home.garden") for path in places(told, "bob"))
    told("path", "rename", "plot", "health", code=2)
    told("path", "merge", "plot", "nowhere", code=2)
    told("path", "rename", "plot", "plot.deeper", code=2)
    told("path", "rename", "no.such", "plot", code=2)
    told("path", "move", "no.such", "plot", code=2)
    later = export("later", {"the-lawn": [("user", "The lawn in the garden has moss in the shade.")]})
    assert ingest(IngestRequest(vault, (later,), account="alice")).published
    assert "plot.the-lawn" in places(told)
    told("path", "merge", "plot", "health")
    assert "health.the-lawn" in places(told)
    assert told("undo")["undone"][0]["act"] == "path_merge"
    assert "plot.the-lawn" in places(told)
    told("undo", account="bob", code=1)


def test_what_was_forgotten_lies_nowhere(vault: Path, told: Told) -> None:
    unit, paths = of_note(vault, "tomatoes")
    told("path", "move", unit, "food.secret-herbs")
    with open_vault(vault) as reader:
        ((talk,),) = reader.ledger.query("SELECT conversation_id FROM units WHERE id = ?", [unit])
    assert main(["forget", "--conversation", str(talk), "--yes", "--vault", str(vault)]) == 0
    assert not {*paths, "food.secret-herbs"} & set(places(told))
    assert any(path.startswith("health.medical") for path in places(told))
    for file in (*vault.glob("generations/*/ledger.duckdb"), vault / "journal.sqlite"):
        assert b"secret-herbs" not in file.read_bytes()
        assert b"tomatoes" not in file.read_bytes()


def test_a_vault_of_before_paths_gets_them_at_the_next_run(
    vault: Path, told: Told, export: Callable[..., Path]
) -> None:
    filed = places(told)
    with open_vault(vault) as reader:
        number = reader.generation.number
    from vault.generations import building
    from vault.layout import VaultLayout

    with building(VaultLayout(vault), reader.generation.embedder) as older:
        older.ledger.query("DELETE FROM filed_paths")
        older.ledger.query("DELETE FROM settled WHERE name = 'filed_by'")
        older.publish("r", reader.generation.published_at)
    assert "knew no paths" in told("summarize")["notices"][0]
    again = export("alice", {"the-balcony": GARDEN, "the-doctor": HEALTH})
    assert ingest(IngestRequest(vault, (again,), account="alice")).published
    assert places(told) == filed
    assert not ingest(IngestRequest(vault, (again,), account="alice")).published
    assert number == 2


def test_the_vaults_own_taxonomy_holds_from_the_next_run_on(
    vault: Path, told: Told, export: Callable[..., Path]
) -> None:
    told_paths = main(["path", "taxonomy", "--copy", "--vault", str(vault)])
    assert told_paths == 0
    own = vault / "taxonomy.yaml"
    own.write_text(
        "paths:\n  plants: {about: plants on the balcony and in the garden}\n"
        "  body: {about: illness and medicine}\n",
        encoding="utf-8",
    )
    again = export("alice", {"the-balcony": GARDEN, "the-doctor": HEALTH})
    assert ingest(IngestRequest(vault, (again,), account="alice")).published
    assert "plants.the-balcony" in places(told)
    assert "body.the-doctor" in places(told)
    for bad in (
        "paths: [",
        "paths: {a: {about: x, below: {b.c: {about: y}}}}",
        "paths: {unsorted: {about: x}}",
        "paths: &a {b: {about: x, below: *a}}",
        "paths: {a: {about: x}, a: {about: y}}",
    ):
        own.write_text(bad, encoding="utf-8")
        assert main(["ingest", str(again), "--account", "alice", "--vault", str(vault)]) == 2
    assert "plants.the-balcony" in places(told)


def test_an_assistant_surveys_and_gets(vault: Path, told: Told) -> None:
    memory = Memory(vault, "alice")

    async def talk() -> None:
        async with Client(make_server(memory, writable=False)) as client:

            async def asked(tool: str, **arguments: object) -> dict[str, Any]:
                (content,) = (await client.call_tool(tool, arguments)).content
                assert isinstance(content, TextContent)
                said: dict[str, Any] = json.loads(content.text)
                return said

            survey = await asked("summarize", depth=1)
            assert survey["mode"] == "[mode=flat]"
            assert sum(survey["prefix_counts"]["alice"].values()) == survey["total_memories"]
            drilled = await asked("summarize", keys=["home.*"])
            assert drilled["mode"] == "[mode=drill]"
            keys = drilled["matching_keys"]["alice"]
            got = await asked("get", ids=[*keys, "no.such.key"])
            assert got["mode"] == "[mode=get]"
            assert [one["found"] for one in got["items"]] == [True] * len(keys) + [False]
            tight = await asked("summarize", depth=3, budget=90)
            assert "samples" in tight["left_out"]

    try:
        anyio.run(talk)
    finally:
        memory.close()


def test_an_older_ledger_has_no_paths_and_is_read(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "ledger.duckdb", read_only=False) as ledger:
        for table in ("filed_paths", "note_paths", "path_counts"):
            ledger.query(f"DROP TABLE {table}")
        ledger.query("DELETE FROM migrations WHERE version = 14")
    with Ledger.open(tmp_path / "ledger.duckdb", read_only=True) as ledger:
        assert ledger.query("SELECT count(*) FROM note_paths") == [(0,)]
