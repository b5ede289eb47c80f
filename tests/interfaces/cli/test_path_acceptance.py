"""The acceptance cases of retrieval by path, 1 to 10, by their numbers, and over MCP with a client.

Sizes other than 10,000 (case 1) and escalation (cases 5, 6, 9) have more tests in `tests/vault/test_paths.py`
and `tests/retrieval/by_path/test_drill.py`, the branch of case 8 in `tests/flows/`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from chatgpt_export import chatgpt_conversation
from mcp import Client
from mcp_types import TextContent
from open_gate import let_pass
from prepared_vaults import ingested

from chunking import estimate_tokens
from flows.ingest.steps import IngestRequest
from flows.upkeep.index_rebuild import rebuild
from interfaces.cli.commands.recall import command as recall_command
from interfaces.cli.path_options import NOT_READ_BY_PATH, READ_BY_PATH, READ_BY_PATH_ALONE
from interfaces.main import main
from interfaces.mcp.mcp_server import make_server
from interfaces.mcp.open_memory import Memory
from interfaces.path_recall import line_of
from interfaces.path_survey import SurveyKind
from schemas.act import ActKind, Deed
from vault.generations import building
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.lock import writer_lock
from vault.reader import open_vault

NOTES = [
    ("user", "I prefer tabs in Python. My editor is Helix on Linux. The project runs on Postgres and Rust."),
]
BOBS = [("user", "I planted roses in the garden behind the house.")]
AT = ("preferences.coding.style", "preferences.tools.editor", "context.project.stack")
MANY = 10_000

Told = Callable[..., Any]


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Alice's notes at the paths of case 3, one of bob's, and Carol's 10,000 keys."""
    folder = tmp_path_factory.mktemp("acceptance")
    root = let_pass(folder / "vault")
    for account, talk in (("alice", NOTES), ("bob", BOBS)):
        path = folder / f"{account}.json"
        path.write_text(json.dumps([chatgpt_conversation("talk", talk)]), encoding="utf-8")
        assert ingested(IngestRequest(root, (path,), account=account)).published
    with open_vault(root) as reader:
        found = reader.ledger.query("SELECT id FROM units WHERE account = 'alice' ORDER BY id")
    units = [str(unit) for (unit,) in found]
    with Journal(VaultLayout(root).journal) as journal:
        journal.record([Deed(ActKind.PATH_MOVE, unit, AT[place % 3]) for place, unit in enumerate(units)])
    rebuild(root)
    with Journal(VaultLayout(root).journal) as journal:
        journal.record([Deed(ActKind.CORRECT, units[0], "The new words.")])
    rebuild(root)
    return root


@pytest.fixture
def told(vault: Path, capsys: pytest.CaptureFixture[str]) -> Told:
    def tell(*arguments: str, code: int = 0, account: str = "alice") -> Any:
        capsys.readouterr()
        assert main([*arguments, "--json", "--account", account, "--vault", str(vault)]) == code
        out = capsys.readouterr().out
        return json.loads(out) if out else None

    return tell


def test_case_1_counts_of_ten_thousand_keys_are_the_truth(tmp_path: Path) -> None:
    from datetime import UTC, datetime

    from benchmarks.scale.paths import BINDING, fill, key
    from interfaces.path_survey import surveyed

    layout = VaultLayout(tmp_path / "vault")
    layout.create()
    with writer_lock(layout), building(layout, BINDING) as made:
        made.ledger.add_run("r", datetime.now(UTC), "generated", {})
        fill(made.ledger, MANY)
        made.publish("r", datetime.now(UTC))
    truth = Counter(key(number).split(".")[0] for number in range(MANY))
    with open_vault(layout.root) as reader:
        told = surveyed(reader, "scale", depth=1)
    assert {one.prefix: one.keys for one in told.branches} == truth
    assert sum(truth.values()) == told.keys == MANY


def test_case_2_what_is_missing_is_said_and_is_no_error(told: Told) -> None:
    said = told("get", AT[0], "no.such.key")
    assert (said["items"][1]["found"], said["items"][1]["value"], said["found_count"]) == (False, None, 1)


def test_case_3_depths_cut_and_a_depth_of_none_is_an_error(told: Told) -> None:
    def counts(depth: int) -> dict[str, int]:
        found: dict[str, int] = told("summarize", "--depth", str(depth))["prefix_counts"]["alice"]
        return found

    assert counts(1) == {"context": 1, "preferences": 2}
    assert counts(2) == {"context.project": 1, "preferences.coding": 1, "preferences.tools": 1}
    assert set(counts(9)) == set(AT)
    told("summarize", "--depth", "0", code=2)


def test_case_4_globs_are_a_union_and_compose_with_depth(told: Told) -> None:
    def matching(*globs: str) -> set[str]:
        asked = [part for glob in globs for part in ("--keys", glob)]
        return set(told("summarize", *asked)["matching_keys"]["alice"])

    assert matching("preferences.coding.*", "context.*") == {AT[0], AT[2]}
    assert matching("*.project.*") == {AT[2]}
    both = told("summarize", "--keys", "preferences.*", "--depth", "2")
    assert both["prefix_counts"]["alice"] == {"preferences.coding": 1, "preferences.tools": 1}


def test_cases_5_and_6_a_drill_tells_its_steps_and_modes(told: Told) -> None:
    said = told("recall", "which editor do I use?", "--mode", "tiered")
    assert said["metadata"]["mode"] == "tiered"
    assert {"step1_path_discovery", "l1_survey", "l1_pick_llm", "total_search"} <= set(
        said["metadata"]["step_timings"]
    )
    assert "l2_pick_llm" not in said["metadata"]["step_timings"]  # no first level has more than 40 keys
    assert said["memories"][0]["path"] == AT[1] or "Helix" in said["memories"][0]["content"]
    nothing = told("recall", "editor", "--mode", "single", "--threshold", "1")
    assert (nothing["memories"], nothing["count"], nothing["success"]) == ([], 0, True)
    assert nothing["metadata"]["step_timings"]
    told("recall", "editor", "--mode", "sideways", code=2)


def test_case_7_two_writes_are_blamed_diffed_and_read_back(told: Told, vault: Path) -> None:
    (change,) = told("diff")["changes"]
    assert (change["operation"], change["new"]["text"]) == ("changed", "The new words.")
    entries = told("blame", change["key"])["entries"]
    acts = [one["message"] for one in entries if not one["message"].startswith("filed at")]
    assert acts[:2] == ["correct", "path_move"]
    then = str(told("diff")["from"])
    (item,) = told("get", change["key"], "--as-of", then)["items"]
    assert item["record"]["text"] == change["old"]["text"] != "The new words."
    by_path = ["recall", "the new words", "--mode", "tiered"]  # found by its vector of now
    now, before = [
        {one["content"] for one in told(*by_path, *as_of)["memories"]} for as_of in ([], ["--as-of", then])
    ]
    assert "The new words." in now - before
    assert change["old"]["text"] in before - now
    first = told(*by_path, "--as-of", "1")
    assert first["notices"][1] == "as of generation 1"
    assert not {one["path"] for one in first["memories"]} & set(AT)  # they were moved there later


def test_a_date_before_all_generations_bounds_nothing(told: Told) -> None:
    for mode in ("single", "tiered"):
        now, before = (
            told("recall", "the new words", "--mode", mode, *as_of)
            for as_of in ((), ("--as-of", "1999-12-31"))
        )
        assert before["memories"] == now["memories"] != []
        assert "before the first generation" in before["notices"][1]
    told("recall", "the new words", "--mode", "tiered", "--as-of", "99", code=2)


def test_case_8_nothing_of_one_account_reaches_another(told: Told) -> None:
    for mode in ("single", "tiered", "hybrid"):
        said = told("recall", "roses in the garden", "--mode", mode)
        assert "roses" not in json.dumps(said.get("memories", said.get("hits")))
    (his,) = told("summarize", "--keys", "*", account="bob")["matching_keys"]["bob"][:1]
    assert not told("get", his, code=1)["items"][0]["found"]
    assert told("recall", "roses", "--mode", "tiered", account="bob")["count"] == 1


def test_case_9_a_bare_first_level_is_a_key_like_others(told: Told, vault: Path, tmp_path: Path) -> None:
    from vault.files import copy_tree

    copy = tmp_path / "vault"
    copy_tree(vault, copy)
    (unit,) = [one["id"] for one in told("get", AT[2])["items"][0]["value"]["entries"]]
    assert main(["path", "move", unit, "preferences", "--account", "alice", "--vault", str(copy)]) == 0
    memory = Memory(copy, "alice")
    try:
        survey = json.loads(memory.summarize(SurveyKind.ALL, 1, (), 2000))
        assert survey["prefix_counts"]["alice"] == {"preferences": 3}
        got = json.loads(memory.get(["preferences"], 2000))
        assert got["items"][0]["found"]
    finally:
        memory.close()


def test_case_10_the_threshold_holds_in_text_and_json(
    told: Told, vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["recall", "which editor do I use?", "--mode", "single"]
    best = told(*asked)["memories"][0]["relevance_score"]
    for threshold in (0.0, best - 0.01, best + 0.01):
        shown = told(*asked, "--threshold", str(threshold))["memories"]
        main([*asked, "--threshold", str(threshold), "--account", "alice", "--vault", str(vault)])
        text = capsys.readouterr().out
        assert [one["content"] in text for one in shown] == [True] * len(shown)
        assert sum(f" {path}: " in text for path in AT) == len({one["path"] for one in shown})
        assert all(one["relevance_score"] >= threshold for one in shown)


def test_a_recall_by_path_keeps_its_budget_and_limit(
    told: Told, vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["recall", "which editor do I use?", "--mode", "single", "--threshold", "-1"]
    every = told(*asked)["memories"]
    tokens = [estimate_tokens("\n".join(map(line_of, every[: n + 1]))) for n in range(len(every))]
    assert len(every) > 1
    for budget, count in ((1, 0), (tokens[0] - 1, 0), (tokens[0], 1), (tokens[-1] - 1, len(every) - 1)):
        said = told(*asked, "--budget", str(budget))
        assert said["memories"] == every[:count]
        assert (said["count"], said["left_out"]) == (count, len(every) - count)
        main([*asked, "--budget", str(budget), "--account", "alice", "--vault", str(vault)])
        text, count_told = capsys.readouterr()
        assert [line_of(one) in text for one in every] == [n < count for n in range(len(every))]
        assert f"{len(every) - count} left out for the budget" in count_told
    assert "left_out" not in told(*asked, "--budget", str(tokens[-1]))
    assert told(*asked, "--limit", "1")["memories"] == every[:1]


def test_each_option_of_recall_is_read_by_path_or_refused() -> None:
    assert {one.name for one in recall_command.params} == READ_BY_PATH | NOT_READ_BY_PATH
    assert not READ_BY_PATH & NOT_READ_BY_PATH
    assert READ_BY_PATH_ALONE < READ_BY_PATH


def test_options_that_a_mode_does_not_read_are_refused(
    vault: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = ("--account", "alice", "--vault", str(vault))
    monkeypatch.setenv("MNEMIC_DEEP_SEARCH_ENABLED", "1")
    for mode, options, named in (
        ("tiered", ["--digest"], "--digest"),
        ("tiered", ["--kind", "unit", "--explain"], "--kind, --explain"),
        ("single", ["--deep"], "--deep/--no-deep"),
        ("single", ["--session", "s"], "--session"),
        ("single", ["--format", "xml", "--window", "900"], "--format, --window"),
        ("hybrid", ["--threshold", "0.5"], "--threshold"),
        ("bm25", ["--pick", "model"], "--pick"),
    ):
        assert main(["recall", "editor", "--mode", mode, *options, *there]) == 2
        assert f"--mode {mode} does not read {named} (" in capsys.readouterr().err
    assert main(["recall", "editor", "--mode", "tiered", *there]) == 0


Asks = Callable[..., Any]


def over_mcp(vault: Path, talk: Callable[[Asks], Awaitable[None]], account: str = "alice") -> None:
    """Have a client ask a server: `await asks(tool, progress, **arguments)` gives what its JSON says."""
    memory = Memory(vault, account)

    async def run() -> None:
        async with Client(make_server(memory, writable=False)) as client:

            async def asks(tool: str, progress: Any = None, **arguments: object) -> Any:
                result = await client.call_tool(tool, arguments, progress_callback=progress)
                (content,) = result.content
                assert isinstance(content, TextContent)
                return content.text if result.is_error else json.loads(content.text)

            await talk(asks)

    try:
        anyio.run(run)
    finally:
        memory.close()


def test_an_assistant_surveys_and_gets_as_the_cases_say(vault: Path) -> None:
    async def talk(asks: Asks) -> None:
        got = await asks("get", ids=[AT[0], "no.such.key"])  # case 2
        assert (got["mode"], got["items"][1]["found"], got["found_count"]) == ("[mode=get]", False, 1)
        for depth, counts in (  # case 3
            (1, {"context": 1, "preferences": 2}),
            (9, dict.fromkeys(AT, 1)),
        ):
            assert (await asks("summarize", depth=depth))["prefix_counts"]["alice"] == counts
        assert "greater than or equal to 1" in await asks("summarize", depth=0)
        both = await asks("summarize", keys=["*.project.*", "preferences.coding.*"], depth=1)  # case 4
        assert both["mode"] == "[mode=drill]"
        assert set(both["matching_keys"]["alice"]) == {AT[0], AT[2]}
        assert both["prefix_counts"]["alice"] == {"context": 1, "preferences": 1}
        assert "tiered" in await asks("recall_by_path", query="editor", mode="sideways")  # case 6
        (his,) = (await asks("get", ids=["bob:places.garden"]))["items"]  # case 8
        assert not his["found"]
        theirs = await asks("recall_by_path", query="roses in the garden")
        assert "roses" not in json.dumps(theirs["memories"])
        best = await asks("recall_by_path", query="which editor do I use?", mode="single")  # case 10
        least = best["memories"][0]["relevance_score"] + 0.01
        assert (await asks("recall_by_path", query="which editor?", threshold=least))["count"] == 0

    over_mcp(vault, talk)


def test_an_assistant_asks_what_was_and_who_did_it(vault: Path) -> None:
    async def talk(asks: Asks) -> None:  # case 7
        diff = await asks("diff")
        assert (diff["mode"], diff["stat"]["changed"]) == ("[mode=diff]", 1)
        assert "changes" not in await asks("diff", before=1, stat=True)
        (change,) = diff["changes"]
        blame = await asks("blame", named=change["key"], limit=1)
        assert (blame["mode"], len(blame["entries"])) == ("[mode=blame]", 1)
        now, then = [
            (await asks("get", ids=[change["key"]], as_of=generation))["items"][0]["record"]["text"]
            for generation in (diff["to"], diff["from"])
        ]
        assert (now, then) == (change["new"]["text"], change["old"]["text"])
        first = await asks("summarize", depth=3, as_of=1)
        assert not set(first["prefix_counts"]["alice"]) & set(AT)  # they were moved there later
        assert first["notices"][0] == "as of generation 1"
        assert "remembers no generation" in await asks("summarize", as_of=99)
        mixed = await asks("get", ids=["abc", change["key"], AT[0]], as_of=diff["to"])
        assert [one["found"] for one in mixed["items"]] == [False, True, True]
        assert "too short" in mixed["items"][0]["why"]

    over_mcp(vault, talk)


def test_an_assistant_gets_results_as_they_are_found(vault: Path) -> None:
    async def talk(asks: Asks) -> None:
        said: list[Any] = []

        async def progress(count: float, total: float | None, message: str | None) -> None:
            said.append((count, json.loads(message or "")))

        whole = await asks("summarize", progress, depth=2, stream=True)
        assert [count for count, _ in said] == [1, 2, 3, 4, 5]
        assert said[0][1]["total_memories"] == whole["total_memories"] == 3
        assert {one["prefix"]: one["keys"] for _, one in said[1:-1]} == whole["prefix_counts"]["alice"]
        assert said[-1][1] == {"done": True}
        said.clear()
        whole = await asks("get", progress, ids=[AT[0], "no.such.key"], stream=True)
        assert [one for _, one in said] == whole["items"]
        said.clear()
        await asks("get", progress, ids=[AT[0]])
        assert said == []

    over_mcp(vault, talk)


def test_an_assistant_recalls_by_path_and_is_not_picked_for_twice(vault: Path) -> None:
    async def talk(asks: Asks) -> None:
        asked = {"query": "which editor do I use?", "limit": 1}
        tiered, single, again = [
            await asks("recall_by_path", **asked, mode=mode) for mode in ("tiered", "single", "tiered")
        ]
        assert "Helix" in tiered["memories"][0]["content"] == single["memories"][0]["content"]
        assert [one["metadata"]["mode"] for one in (tiered, single, again)] == ["tiered", "single", "tiered"]
        assert "cached" not in tiered
        assert again.pop("cached")
        assert again == tiered

    over_mcp(vault, talk)


def test_the_skill_is_installed_and_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install = ["skill", "install", "--folder", str(tmp_path), "--json"]
    assert main(install) == 0
    path = Path(json.loads(capsys.readouterr().out)["installed"])
    assert path == tmp_path / "mnemic-paths" / "SKILL.md"
    text = path.read_text(encoding="utf-8")
    assert text.startswith("---\nname: mnemic-paths\n")
    assert all(word in text for word in ("summarize", "blame", "diff", "[mode=get]", "40", "three to seven"))
    assert main(install) == 0
    path.write_text("the owner's own", encoding="utf-8")
    assert main(install) == 2
    assert path.read_text(encoding="utf-8") == "the owner's own"
    assert main([*install, "--force"]) == 0
