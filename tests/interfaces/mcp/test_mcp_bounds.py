"""What the owner lets an assistant have besides: other accounts of theirs, and deep search."""

from __future__ import annotations

import errno
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NoReturn

import anyio
import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent
from open_gate import let_pass

from chunking import estimate_tokens
from inference.score_store import FILE
from interfaces import second_look
from interfaces.main import main
from interfaces.mcp.further_look import FurtherLook
from interfaces.mcp.mcp_server import make_server
from interfaces.mcp.open_memory import Memory
from retrieval.deep.escalation import CALLS, DeepMode
from vault.layout import VaultLayout

BOAT, GARDEN, STRANGER = "mara", "mara-garden", "otto"
SURE = 1.1
"""A threshold that no confidence reaches: recall is never sure enough."""
POND = "what about the willow at the garden pond?"


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two accounts of one person, and somebody else's."""
    folder = tmp_path_factory.mktemp("bounds")
    root = let_pass(folder / "vault")
    for name, account, text in (
        ("boat", BOAT, "The boat is painted green. The willow mast is spruce now."),
        ("garden", GARDEN, "The willow at the garden pond rots and has to go."),
        ("park", STRANGER, "The willow at the park pond was planted by Otto."),
    ):
        (folder / f"{name}.md").write_text(f"# {name}\n\n{text}\n", encoding="utf-8")
        assert main(["ingest", str(folder / f"{name}.md"), "--account", account, "--vault", str(root)]) == 0
    return root


def asking(memory: Memory, talk: Callable[[Client], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with Client(make_server(memory, writable=False)) as client:
            await talk(client)

    anyio.run(whole)
    memory.close()


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def test_an_account_that_the_owner_named_may_answer(vault: Path) -> None:
    async def talk(client: Client) -> None:
        asked = {"query": POND, "output": "json"}
        own = json.loads(text_of(await client.call_tool("recall", asked)))
        assert "rots" not in str(own["hits"])
        both = json.loads(text_of(await client.call_tool("recall", {**asked, "also": [GARDEN]})))
        (hit, *_) = [one for one in both["hits"] if "rots" in one["text"]]
        assert "Otto" not in str(both)
        (item,) = json.loads(text_of(await client.call_tool("get", {"ids": [hit["id"]]})))["items"]
        assert item["found"]
        tight = text_of(await client.call_tool("recall", {"query": POND, "also": [GARDEN], "budget": 40}))
        assert 0 < estimate_tokens(tight) <= 40

    memory = Memory(vault, BOAT, also=(GARDEN,))
    assert GARDEN in (make_server(memory, writable=False).instructions or "")
    asking(memory, talk)


def test_no_other_account_answers_whether_it_is_there_or_not(vault: Path) -> None:
    told = []

    async def talk(client: Client) -> None:
        for name in (STRANGER, "nobody", GARDEN):
            refused = await client.call_tool("recall", {"query": POND, "also": [name]})
            assert refused.is_error
            told.append(text_of(refused).replace(name, "NAME"))

    asking(Memory(vault, BOAT), talk)
    assert len(set(told)) == 1
    assert "--also" in told[0]
    asking(Memory(vault, BOAT, also=(GARDEN,)), talk_of_strangers)


async def talk_of_strangers(client: Client) -> None:
    refused = await client.call_tool("recall", {"query": POND, "also": [STRANGER]})
    assert refused.is_error


def test_deep_search_is_made_where_it_is_asked_for(vault: Path) -> None:
    async def talk(client: Client) -> None:
        asked = {"query": "the willow of the boat"}
        assert "Deep search" not in text_of(await client.call_tool("recall", asked))
        deep = text_of(await client.call_tool("recall", {**asked, "deep": True}))
        assert "Deep search, offline: " in deep
        for budget in (20, 60, 200):
            tight = text_of(await client.call_tool("recall", {**asked, "deep": True, "budget": budget}))
            assert 0 < estimate_tokens(tight) <= budget
        for number in range(CALLS):
            spent = await client.call_tool("recall", {"query": f"willow {number}", "deep": True})
        assert "Deep search: refused" in text_of(spent)
        fresh = {**asked, "deep": True, "session": "another"}
        assert "Deep search, offline: " in text_of(await client.call_tool("recall", fresh))

    asking(Memory(vault, BOAT, further=FurtherLook(threshold=SURE)), talk)


def test_the_judge_looks_again_where_it_is_asked_for(vault: Path) -> None:
    async def talk(client: Client) -> None:
        asked = {"query": "What colour does the boat get?", "output": "json"}
        plain = json.loads(text_of(await client.call_tool("recall", asked)))
        again = json.loads(text_of(await client.call_tool("recall", {**asked, "look_again": True})))
        assert {one["id"] for one in again["hits"]} == {one["id"] for one in plain["hits"]}

    scores = VaultLayout(vault).cache / FILE
    assert not scores.exists()
    asking(Memory(vault, BOAT), talk)
    assert scores.exists()


def test_a_look_that_failed_is_told_and_made_the_next_time(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    async def talk(client: Client) -> None:
        asked = {"query": "Which colour has the boat?", "look_again": True}
        with monkeypatch.context() as broken:
            broken.setattr(second_look, "load_relevance_judge", full)
            failed = text_of(await client.call_tool("recall", asked))
        assert "Not looked at again" in failed
        assert "No space left" in failed
        assert "Not looked at again" not in text_of(await client.call_tool("recall", asked))

    asking(Memory(vault, BOAT), talk)


def test_the_owner_says_whether_recall_looks_further(vault: Path) -> None:
    asked = {"query": "the willow of the boat"}

    async def always(client: Client) -> None:
        assert "Deep search, offline: " in text_of(await client.call_tool("recall", asked))
        plain = text_of(await client.call_tool("recall", {**asked, "deep": False}))
        assert "Deep search" not in plain

    async def never(client: Client) -> None:
        refused = await client.call_tool("recall", {**asked, "deep": True})
        assert refused.is_error
        assert "MNEMIC_DEEP_SEARCH_ENABLED" in text_of(refused)
        assert not (await client.call_tool("recall", asked)).is_error

    asking(Memory(vault, BOAT, further=FurtherLook(wanted=True, threshold=SURE)), always)
    asking(Memory(vault, BOAT, further=FurtherLook(wanted=False, threshold=SURE)), never)
    asking(Memory(vault, BOAT, further=FurtherLook(mode=DeepMode.OFF, threshold=SURE)), never)
