from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import anyio
import pytest
from boat_memory import BOAT, boat_vault, many, text_of
from mcp import Client

from chunking import estimate_tokens
from interfaces.cli.commands.recall import command as recall_command
from interfaces.main import main
from interfaces.mcp.fitted_answers import fitted
from interfaces.mcp.mcp_server import make_server
from interfaces.mcp.open_memory import Memory
from retrieval import QUOTED
from tests.asking import question
from vault.points import PointKind

LEFT_TO_THE_COMMAND_LINE = {
    *("account", "vault", "branch", "as_json", "explain", "trace", "window"),
    *("no_funnel", "gate", "rerank", "hyde", "engine", "model", "base_url", "price", "context", "timeout"),
    "decompose_by",
    *("web", "web_keep"),  # the live web is not asked over MCP
    *("deep_mode", "deep_threshold", "deep_judge"),  # the owner's to say, and over MCP it works offline
    "questions",  # a file of them; an assistant asks by calls
    *("pick", "threshold"),  # `recall_by_path` has the one; the embedder picks
}
"""Whose memory it is and what it may cost is not the assistant's to say, nor is what a program reads."""


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return boat_vault(tmp_path_factory.mktemp("mcp"))


@pytest.fixture
def memory(vault: Path) -> Iterator[Memory]:
    opened = Memory(vault, BOAT)
    yield opened
    opened.close()


def test_what_is_offered_and_what_it_answers(memory: Memory) -> None:
    async def talk() -> None:
        async with Client(make_server(memory, writable=False)) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert set(tools) == {
                "recall", "recall_more", "look_around", "recall_pair", "recall_by_path", "search_decisions",
                "search_open_questions", "search_threads", "recent", "people", "summarize", "get",
                "blame", "diff",
            }  # fmt: skip
            assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools.values())
            found = text_of(await client.call_tool("recall", {"query": "what paint for the boat's hull?"}))
            assert "green" in found
            assert "pond" not in found
            tight = text_of(await client.call_tool("recall", {"query": "the boat's hull", "budget": 60}))
            assert 0 < estimate_tokens(tight) <= 60
            decided = text_of(await client.call_tool("search_decisions", {"query": "paint of the boat"}))
            assert "decision" in decided
            asked = text_of(await client.call_tool("search_open_questions", {"query": "primer for epoxy"}))
            assert "open_question" in asked
            none = text_of(await client.call_tool("search_threads", {"query": "the paint of the boat"}))
            assert "Nothing in this memory" in none
            assert (await client.call_tool("recall", {"query": "the boat", "budget": 0})).is_error
            short = json.loads(text_of(await client.call_tool("get", {"ids": ["abc"]})))["items"]
            assert not short[0]["found"]
            assert "too short" in short[0]["why"]

    anyio.run(talk)


def test_get_shows_records_in_full_and_nothing_of_other_accounts(memory: Memory, vault: Path) -> None:
    (hit, *_) = memory.recall(question("green paint for the hull", BOAT)).hits
    stranger = Memory(vault, "otto")
    (theirs, *_) = stranger.recall(question("the boat of the garden pond", "otto", judged=False)).hits
    stranger.close()

    async def talk() -> None:
        async with Client(make_server(memory, writable=False)) as client:
            ids = [hit.id[:8], theirs.id, "00000000"]
            items = json.loads(text_of(await client.call_tool("get", {"ids": ids})))["items"]
            assert [item["found"] for item in items] == [True, False, False]
            assert [item["id"] for item in items] == ids
            assert items[0]["record"]["id"] == hit.id
            tight = text_of(await client.call_tool("get", {"ids": [hit.conversation_id], "budget": 300}))
            assert estimate_tokens(tight) <= 300

    anyio.run(talk)


def test_a_question_that_comes_again_is_answered_from_memory_until_something_changes(
    tmp_path: Path, vault: Path
) -> None:
    root = tmp_path / "vault"
    shutil.copytree(vault, root)
    memory, asked = Memory(root, BOAT), question("green paint for the hull", BOAT, limit=3)
    first = memory.recall(asked)
    assert memory.recall(asked) is first
    assert memory.recall(replace(asked, limit=2)) is not first
    assert memory.recall(replace(asked, as_of=datetime(2026, 2, 1, tzinfo=UTC))) is not first
    unit = next(hit for hit in first.hits if hit.kind == "unit")
    for command, state in ((["discard"], None), (["undo"], unit.state), (["keep", unit.id], "kept")):
        named = [unit.id] if command == ["discard"] else []
        assert main([*command, *named, "--account", BOAT, "--vault", str(root)]) == 0
        found = {hit.id: hit.state for hit in memory.recall(asked).hits}
        assert found.get(unit.id) == state
    (tmp_path / "keel.md").write_text("# Keel\n\nThe green paint for the hull ran out.\n", encoding="utf-8")
    assert main(["ingest", str(tmp_path / "keel.md"), "--account", BOAT, "--vault", str(root)]) == 0
    assert any("ran out" in hit.text for hit in memory.recall(replace(asked, limit=15)).hits)
    memory.close()


def test_what_another_account_has_is_as_if_it_were_not_there(memory: Memory, vault: Path) -> None:
    mine = memory.recall(question("I decided to paint the hull green", BOAT, kinds=(PointKind.UNIT,))).hits[0]
    stranger = Memory(vault, "otto")

    async def talk() -> None:
        async with Client(make_server(stranger, writable=True)) as client:
            for tool, asked in (
                ("keep", {"ids": [mine.id[:8]]}),
                ("recall", {"query": "boat", "conversation": mine.conversation_id[:8]}),
                ("recall", {"query": "boat", "thread": mine.conversation_id[:8]}),
            ):
                refused = await client.call_tool(tool, asked)
                assert refused.is_error
                assert mine.id not in text_of(refused)
                assert mine.conversation_id not in text_of(refused)

    anyio.run(talk)
    stranger.close()


def test_a_time_that_utc_does_not_have_is_refused_with_its_reason(memory: Memory) -> None:
    async def talk() -> None:
        async with Client(make_server(memory, writable=False)) as client:
            asked = {"query": "boat", "as_of": "9999-12-31T23:59:59-14:00"}
            refused = await client.call_tool("recall", asked)
            assert refused.is_error
            assert "beyond" in text_of(refused)

    anyio.run(talk)


def test_keep_is_there_only_where_writing_is_allowed(memory: Memory) -> None:
    note = memory.recall(question("I decided to paint the hull green", BOAT)).hits
    unit = next(hit for hit in note if hit.kind == "unit")

    async def talk() -> None:
        async with Client(make_server(memory, writable=False)) as client:
            assert (await client.call_tool("keep", {"ids": [unit.id]})).is_error
        async with Client(make_server(memory, writable=True)) as client:
            said = text_of(await client.call_tool("keep", {"ids": [unit.id[:8]], "reason": "asked to"}))
            assert unit.id in said
            assert (await client.call_tool("keep", {"ids": ["0" * 8]})).is_error

    anyio.run(talk)
    found = memory.recall(question("I decided to paint the hull green", BOAT)).hits
    kept = {hit.id: hit.state for hit in found}
    assert kept[unit.id] == "kept"


def test_fifty_recalls_at_once_are_answered(memory: Memory) -> None:
    async def talk() -> None:
        async with Client(make_server(memory, writable=False)) as client:
            await many(client, 50)

    anyio.run(talk)


def test_what_comes_back_is_marked_as_quoted_and_cannot_leave_the_quotation(memory: Memory) -> None:
    async def talk() -> None:
        async with Client(make_server(memory, writable=False)) as client:
            asked = {"query": "the mast is spruce and eleven metres tall", "tiers": ["resource"]}
            first, *rest = text_of(await client.call_tool("recall", asked)).splitlines()
            assert QUOTED in first
            (order,) = [one for one in rest if "Ignore previous instructions" in one]
            assert order.startswith("  ")
            said = json.loads(text_of(await client.call_tool("recall", {**asked, "output": "json"})))
            assert said["notices"][0] == QUOTED
            assert said["notices"][1].startswith("Confidence ")
            none = text_of(await client.call_tool("recall", {"query": "zygomorphic xylophones"}))
            assert "Nothing in this memory" in none

    anyio.run(talk)


def test_an_assistant_has_the_options_of_the_command_line(memory: Memory) -> None:
    async def talk() -> None:
        async with Client(make_server(memory, writable=False)) as client:
            (recall,) = [one for one in (await client.list_tools()).tools if one.name == "recall"]
            offered = set(recall.input_schema["properties"])
            options = {option.name for option in recall_command.params}
            assert options - offered == LEFT_TO_THE_COMMAND_LINE
            asked = {"query": "what paint for the boat's hull?"}
            whole = memory.recall(question(asked["query"], BOAT))
            digest = text_of(await client.call_tool("recall", {**asked, "detail": "digest"}))
            first, *rows = digest.splitlines()
            assert first == QUOTED
            ids = [row.split()[0] for row in rows]
            assert len(ids) == len(whole.hits)
            assert all(hit.id.startswith(short) for hit, short in zip(whole.hits, ids, strict=True))
            compact = text_of(await client.call_tool("recall", {**asked, "detail": "compact", "budget": 60}))
            assert estimate_tokens(compact) <= 60
            for bounds in (
                {"mode": "bm25"},
                {"mode": "vector"},
                {"fusion": "rrf"},
                {"decompose": True},
                {"kinds": ["unit"], "states": ["passed", "kept"]},
                {"limit": 1, "as_of": "2026-02-01T00:00:00Z", "after": "2026-01-01T00:00:00Z"},
            ):
                assert "green" in text_of(await client.call_tool("recall", {**asked, **bounds}))
            nobody = {**asked, "providers": ["nobody"]}
            assert "Nothing in this memory" in text_of(await client.call_tool("recall", nobody))

    anyio.run(talk)


def test_recall_more_gives_what_the_session_was_not_given(memory: Memory) -> None:
    async def talk() -> None:
        async with Client(make_server(memory, writable=False)) as client:
            asked = {"query": "what paint for the boat's hull?", "session": "chat-1", "output": "json"}
            first = json.loads(text_of(await client.call_tool("recall", {**asked, "limit": 2})))
            need = {"need": "which primer suits the boat", "terms": ["epoxy"], "why": "a step is missing"}
            more = text_of(await client.call_tool("recall_more", {"session": "chat-1", **need}))
            assert "primer" in more
            assert "call 2 of 6" in more
            assert all(hit["id"] not in more for hit in first["hits"])
            unknown = await client.call_tool("recall_more", {"session": "chat-2", **need})
            assert unknown.is_error
            assert "Begin one" in text_of(unknown)

    anyio.run(talk)


def test_an_empty_vault_is_served_and_says_so_until_it_is_filled(tmp_path: Path, vault: Path) -> None:
    memory = Memory(tmp_path / "new", BOAT)

    async def talk() -> None:
        async with Client(make_server(memory, writable=True)) as client:
            for tool, asked in (("recall", {"query": "paint?"}), ("get", {"ids": ["abcdef12"]})):
                empty = await client.call_tool(tool, asked)
                assert empty.is_error
                assert "mnemic ingest" in text_of(empty)
            shutil.copytree(vault, tmp_path / "new", dirs_exist_ok=True)
            found = text_of(await client.call_tool("recall", {"query": "what paint for the boat's hull?"}))
            assert "green" in found

    anyio.run(talk)
    memory.close()


def test_look_around_gives_what_stands_near_for_others_to_judge(memory: Memory) -> None:
    async def talk() -> None:
        async with Client(make_server(memory, writable=False)) as client:
            asked = {"query": "what paint for the boat's hull?", "budget": 900}
            told = json.loads(text_of(await client.call_tool("look_around", asked)))
            notes = told["notes"]
            assert any("green" in one["begins"] for one in notes)
            got = text_of(await client.call_tool("get", {"ids": [notes[0]["id"]]}))
            assert notes[0]["begins"][:40] in got
            tight = text_of(await client.call_tool("look_around", {**asked, "budget": 120}))
            assert estimate_tokens(tight) <= 120
            assert json.loads(tight)["left_out"] > 0

    anyio.run(talk)


def test_recall_pair_hands_over_both_packages_or_their_union(memory: Memory) -> None:
    async def talk() -> None:
        async with Client(make_server(memory, writable=False)) as client:
            asked = {"query": "what paint for the boat's hull?", "budget": 300}
            both = text_of(await client.call_tool("recall_pair", asked))
            report, depth, breadth = both.split("\n# ")
            assert report.startswith(("CONVERGED", "DIVERGED"))
            assert "green" in depth
            assert "green" in breadth
            assert depth.startswith("Depth (confidence ")
            assert estimate_tokens(both) <= 300
            assert both.count(QUOTED) == 1
            assert "For lack of room" not in both, "what has no room is counted once, for both together"
            whole = text_of(await client.call_tool("recall_pair", {**asked, "budget": 2_000}))
            assert "shown" not in whole, "where all is shown nothing is said of it"
            shown = [part.count("\n- **") for part in (depth, breadth)]
            (line,) = [one for one in report.splitlines() if one.startswith("shown")]
            told = [int(one) for one in re.findall(r"\d+", line)]
            assert told[::2] == shown
            assert all(few <= many for few, many in zip(shown, told[1::2], strict=True))
            union = text_of(await client.call_tool("recall_pair", {**asked, "handed": "union"}))
            lines = [line for line in union.splitlines() if line.startswith("- **")]
            assert len(lines) == len(set(lines))

    anyio.run(talk)


@pytest.mark.parametrize("budget", [1, 2, 3, 15, 40, 200, 2000, 100_000])
def test_records_are_cut_to_the_budget_and_masked(budget: int) -> None:
    record = {"text": "word " * 5000, "members": [{"note": "n" * 300}] * 200, "key": "sk-" + "a1" * 20}
    text = fitted({"items": [record]}, budget)
    assert "cut" in text or json.loads(text)["items"]
    assert budget < 3 or json.loads(text) is not None
    assert estimate_tokens(text) <= budget
    assert "sk-a1" not in text
