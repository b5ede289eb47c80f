from __future__ import annotations

import json
import random
import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp_types import CallToolResult, Implementation, TextContent
from open_gate import let_pass

from benchmarks.faults.tool_budgets import TOOLS, arguments_for
from chunking import estimate_tokens
from interfaces.main import main
from interfaces.mcp.mcp_server import make_server
from interfaces.mcp.memory_acts import actor_of
from interfaces.mcp.open_memory import Memory
from vault.files import copy_tree
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault

OWNER = "mara"
ROWS = [
    ("m1", "user", "I decided to paint the hull of the boat green. Which primer suits epoxy?"),
    ("m2", "assistant", "A two-component epoxy primer suits the hull. Otto Brandt sells it in Kiel."),
    ("m3", "user", "I asked Otto Brandt in Kiel, and Otto Brandt has it. I will call Otto Brandt on Monday."),
]
Talk = Callable[[Client], Awaitable[None]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("acts")
    talk = {
        "id": "c1", "owner": "Mara", "title": "The boat's paint", "created_at": "2026-01-05T10:00:00Z",
        "messages": [
            {"id": one, "role": role, "created_at": f"2026-01-05T10:0{at}:00Z", "text": text}
            for at, (one, role, text) in enumerate(ROWS)
        ],
    }  # fmt: skip
    (folder / "boat.transcript.jsonl").write_text(json.dumps(talk) + "\n", encoding="utf-8")
    root = let_pass(folder / "vault")
    archive = str(folder / "boat.transcript.jsonl")
    assert main(["ingest", archive, "--account", OWNER, "--vault", str(root)]) == 0
    return root


@pytest.fixture
def memory(made: Path, tmp_path: Path) -> Iterator[Memory]:
    copy_tree(made, tmp_path / "vault")
    opened = Memory(tmp_path / "vault", OWNER)
    yield opened
    opened.close()


def asking(memory: Memory, talk: Talk, name: str = "Claude Desktop") -> None:
    async def whole() -> None:
        server = make_server(memory, writable=True)
        async with Client(server, client_info=Implementation(name=name, version="1")) as client:
            await talk(client)

    anyio.run(whole)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert not result.is_error, content.text
    return content.text


async def notes(client: Client, **named: object) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(text_of(await client.call_tool("recent", named)))["notes"]
    return found


def test_what_the_owner_says_is_remembered_once_and_kept(memory: Memory) -> None:
    said = "I decided to call the boat Teist."

    async def talk(client: Client) -> None:
        for _ in range(2):
            asked = {"said": said, "answering": "What should the boat be called?"}
            told = text_of(await client.call_tool("remember", asked))
            assert "Teist" in told
            assert "should" not in told  # what it answers is the assistant's, and is not kept
            assert "kept" in told
        found = text_of(await client.call_tool("recall", {"query": "what is the boat called?"}))
        assert "Teist" in found
        assert sum("Teist" in one["text"] for one in await notes(client)) == 1
        assert (await client.call_tool("remember", {"said": "..."})).is_error

    asking(memory, talk)


def told_no(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert result.is_error, content.text
    return content.text


FERRY = "Shall I book the Friday ferry to Oban?"
PRIMERS = "1. A two-component epoxy primer\n2. An alkyd primer\n3. No primer at all"


@pytest.mark.parametrize(
    ("said", "answering", "note"),
    [
        ("Yes, do that.", FERRY, "Yes, do that."),
        ("Let's go with the second one.", PRIMERS, "Let's go with the second one."),
    ],
)
def test_what_cannot_stand_alone_shows_what_it_answers(
    memory: Memory, capsys: pytest.CaptureFixture[str], said: str, answering: str, note: str
) -> None:
    ids: list[str] = []

    async def talk(client: Client) -> None:
        told = text_of(await client.call_tool("remember", {"said": said, "answering": answering}))
        (line, answered, *_) = told.splitlines()[1:]
        assert line.endswith(f"kept) {note}"), "no option that the owner did not choose is put before it"
        assert answered == f"  in answer to: {' '.join(answering.split())}"
        found = json.loads(text_of(await client.call_tool("recall", {"query": answering, "output": "json"})))
        (hit,) = [one for one in found["hits"] if one["text"] == note and one["tier"] == "engram"]
        assert hit["in_answer_to"] == " ".join(answering.split())
        (fresh,) = [one for one in await notes(client) if one["text"] == note]
        assert fresh["conversation"].startswith(answering.split("\n")[0][:20])
        whole = json.loads(text_of(await client.call_tool("get", {"ids": [fresh["id"]]})))["items"][0]
        assert [one["quote"] for one in whole["record"]["context"]][-1] == answering
        ids.append(fresh["id"])

    asking(memory, talk)
    capsys.readouterr()
    assert main(["get", ids[0], "--vault", str(memory.root)]) == 0
    assert f"In answer to:\n  “{' '.join(answering.split())}”" in capsys.readouterr().out


def test_a_riddle_is_not_kept_and_says_what_is_missing(memory: Memory) -> None:
    async def talk(client: Client) -> None:
        before = await notes(client)
        for said in ("The second one.", "Yes, do that. I moved to Oban in May.", "Yes."):
            told = told_no(await client.call_tool("remember", {"said": said}))
            assert said.partition(". ")[0].rstrip(".") in told
            assert "`answering`" in told
        assert await notes(client) == before, "nothing was read in, the sentence beside the riddle neither"
        assert "kept" in text_of(await client.call_tool("remember", {"said": "I moved to Oban in May."}))

    asking(memory, talk)


def test_equal_words_that_answer_otherwise_are_two_notes(memory: Memory) -> None:
    async def talk(client: Client) -> None:
        for answering in ("The flat in Leith is free from June.", "The crane costs 300 euros a day."):
            asked = {"said": "I decided to take it.", "answering": answering}
            assert answering in text_of(await client.call_tool("remember", asked))
        asked = {"query": "what did I decide to take: flat in Leith, crane?", "states": ["kept"]}
        told = text_of(await client.call_tool("recall", asked))
        assert "free from June" in told
        assert "300 euros a day" in told

    asking(memory, talk)


def test_what_is_no_longer_remembered_is_discarded(memory: Memory) -> None:
    async def talk(client: Client) -> None:
        remembered = text_of(await client.call_tool("remember", {"said": "I moved to Oban in May."}))
        assert "Oban" in remembered
        undone = text_of(await client.call_tool("undo", {}))
        assert "mnemic forget --conversation" in undone
        assert all("Oban" not in one["text"] for one in await notes(client))
        assert "nothing of yours" in text_of(await client.call_tool("undo", {}))
        assert "kept" in text_of(await client.call_tool("remember", {"said": "I moved to Oban in May."}))
        assert any("Oban" in one["text"] for one in await notes(client))

    asking(memory, talk)
    assert main(["undo", "--vault", str(memory.root)]) == 0
    with open_vault(memory.root) as reader:
        told = reader.ledger.query("SELECT state FROM units_current WHERE contains(text, 'Oban')")
    assert {state for (state,) in told} == {"discarded"}


def test_each_act_bears_its_assistants_name_and_can_be_undone(memory: Memory) -> None:
    async def talk(client: Client) -> None:
        paint = next(one for one in await notes(client) if "green" in one["text"])
        told = await client.call_tool("correct", {"id": paint["id"], "text": "The hull becomes green."})
        assert "The hull becomes green." in text_of(told)
        text_of(await client.call_tool("discard", {"ids": [paint["id"]]}))
        assert paint["id"] not in {one["id"] for one in await notes(client)}
        assert "discard" in text_of(await client.call_tool("undo", {}))
        assert "The hull becomes green." in {one["text"] for one in await notes(client)}

    asking(memory, talk)
    with Journal(VaultLayout(memory.root).journal) as journal:
        assert {act.actor for act in journal.after(0)} == {"assistant:Claude Desktop"}

    async def stranger(client: Client) -> None:
        assert "nothing of yours" in text_of(await client.call_tool("undo", {}))

    asking(memory, stranger, name="another")
    assert main(["undo", "--vault", str(memory.root)]) == 0  # the owner takes an assistant's act back

    async def as_before(client: Client) -> None:
        assert "The hull becomes green." not in {one["text"] for one in await notes(client)}

    asking(memory, as_before)


def test_only_what_is_open_can_be_closed(memory: Memory) -> None:
    async def talk(client: Client) -> None:
        (asked,) = await notes(client, categories=["open_question"])
        text_of(await client.call_tool("close", {"ids": [asked["id"]], "reason": "answered"}))
        assert await notes(client, categories=["open_question"]) == []
        fact = next(one for one in await notes(client) if one["category"] == "fact")
        assert (await client.call_tool("close", {"ids": [fact["id"]]})).is_error

    asking(memory, talk)


def test_names_are_listed_with_their_notes(memory: Memory) -> None:
    async def talk(client: Client) -> None:
        found = json.loads(text_of(await client.call_tool("people", {"words": "brandt"})))["names"]
        assert [one["name"] for one in found] == ["Otto Brandt"]
        assert found[0]["notes"] >= 2

    asking(memory, talk)


def test_no_id_is_an_error_to_get(memory: Memory) -> None:
    async def talk(client: Client) -> None:
        ids = ["x", "", "no such id", "0" * 40, "../../etc", "a.b.c.d.e"]
        items = json.loads(text_of(await client.call_tool("get", {"ids": ids})))["items"]
        assert [one["found"] for one in items] == [False] * len(ids)

    asking(memory, talk)


@pytest.mark.parametrize("budget", [1, 2, 3, 5, 8, 13, 21, 30, 90, 400])
def test_every_answer_says_something_in_its_budget(memory: Memory, budget: int) -> None:
    async def talk(client: Client) -> None:
        some = (await notes(client))[0]["id"]
        about = {"query": "the boat's paint", "budget": budget}
        ways = [{"output": "json"}, {"output": "xml"}, {"detail": "digest"}, {"detail": "compact"}]
        calls = [
            *(("recall", {**about, **way}) for way in ways),
            *((tool, about) for tool in (
                "recall", "look_around", "recall_pair", "recall_by_path", "search_decisions",
                "search_open_questions",
                "search_threads",
            )),
            *((tool, {"budget": budget}) for tool in ("recent", "people", "summarize", "diff")),
            ("get", {"ids": [some], "budget": budget}), ("blame", {"named": some, "budget": budget}),
        ]  # fmt: skip
        for tool, arguments in calls:
            answer = text_of(await client.call_tool(tool, arguments))
            assert 0 < estimate_tokens(answer) <= budget, tool
            assert re.search(r"\w", re.sub(r"<[^>]*>|notices|hits|items", "", answer)), (tool, answer)
            nothing = tool.startswith("search") or not re.search("Nothing|none|nil", answer)
            assert nothing, "that there is no room does not read like a memory without an answer"

    asking(memory, talk)


def test_nothing_found_says_so_in_any_budget(memory: Memory) -> None:
    async def talk(client: Client) -> None:
        for budget in (1, 2, 4, 8, 30):
            for output in ("markdown", "json", "xml"):
                asked = {"query": "zygomorphic xylophones", "budget": budget, "output": output}
                answer = text_of(await client.call_tool("recall", asked))
                assert estimate_tokens(answer) <= budget
                assert answer == "nil" if budget == 1 else re.search("none|nil|Nothing", answer)

    asking(memory, talk)


def test_random_calls_keep_to_random_budgets(memory: Memory) -> None:
    async def talk(client: Client) -> None:
        chance = random.Random(24)
        held = [(one["id"], one["text"]) for one in await notes(client)]
        for _ in range(40):
            tool = chance.choice(TOOLS)
            asked = arguments_for(tool, held, chance)
            answer = text_of(await client.call_tool(tool, asked))
            assert 0 < estimate_tokens(answer) <= asked["budget"], (tool, asked)

    asking(memory, talk)


def test_threads_and_summaries_are_resources_and_prompts_are_offered(memory: Memory) -> None:
    async def talk(client: Client) -> None:
        assert {one.name for one in (await client.list_prompts()).prompts} == {
            "what_is_known", "catch_up", "open_ends",
        }  # fmt: skip
        asked = await client.get_prompt("catch_up", {"subject": "the boat"})
        assert "the boat" in str(asked.messages[0].content)
        assert "no thread yet" in str((await client.read_resource("mnemic://threads")).contents[0])
        home = (await notes(client))[0]["conversation_id"]
        summary = str((await client.read_resource(f"mnemic://summary/{home}")).contents[0])
        assert "The boat's paint" in summary
        assert "Quoted" in summary

    asking(memory, talk)


def test_an_assistants_name_is_one_plain_line() -> None:
    assert actor_of("Claude\nDesktop\x00") == "assistant:Claude Desktop"
    assert actor_of("") == "assistant:unnamed"
    assert len(actor_of("x" * 500)) < 80
