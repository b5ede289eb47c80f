"""Where secrets travel: planted in two conversations, looked for in everything that is made of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chatgpt_export import chatgpt_conversation
from model_server import ModelServer, user_text
from open_gate import let_pass
from planted_secrets import Planted, drawn, planted

from flows.engines.engine_choice import BY_RULES, EngineChoice
from flows.ingest.steps import IngestRequest, ingest
from flows.notebook.page_export import export_markdown
from flows.upkeep.full_verification import verify
from flows.upkeep.index_rebuild import rebuild
from interfaces.main import main
from schemas.act import ActKind
from schemas.unit import State
from vault.integrity import differences
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault

PLANTED = tuple(planted())
DAY = 86_400.0
IN_TITLE = drawn(3000)
TOLD_LATER = drawn(3001)
"""Said alone in a message, after another that asked for it and one that tells it with its name."""
TALK = (
    "I want a hedge of hornbeam along the garden fence. I decided to plant the hornbeam hedge in March.",
    "Hornbeam grows 30 cm a year. Plant four hornbeam plants to the metre of hedge.",
)


def conversation(name: str, day: int) -> dict[str, Any]:
    """A talk of a hedge with secrets in it, five to a message, and one repeated by the assistant.

    Every secret is in one of the two talks, and a third of them in both, as what a thread is labelled by.
    """
    turns = [("user", TALK[0]), ("assistant", TALK[1])]
    here = [one for place, one in enumerate(PLANTED) if place % 3 != day]
    for start in range(0, len(here), 5):
        told = "\n\n".join(one.text for one in here[start : start + 5])
        turns += [("user", f"The hedge again.\n\n{told}"), ("assistant", "The hornbeam hedge is noted.")]
    turns += [
        ("user", f"GARDEN_TOKEN={TOLD_LATER}"),
        ("assistant", f"I use {TOLD_LATER} for the hedge from now on."),
    ]
    made = chatgpt_conversation(name, turns, 1_767_225_600.0 + DAY * day)
    return {**made, "title": f"Hornbeam hedge, API_KEY={IN_TITLE}"}


def telling(body: dict[str, Any]) -> dict[str, object]:
    """A model that repeats whatever it is shown."""
    asked = user_text(body)
    numbered = re.findall(r"^(\d+) (.+)$", asked, re.M)
    if "You map a line of thinking" in body["system"][0]["text"]:
        return {"lines": [f"G|{number}|{said}" for number, said in numbered[:5]]}
    if "You retell" in body["system"][0]["text"]:
        return {"lines": [f"T|{number}|{said}" for number, said in numbered[:60]]}
    if "prefix" in json.dumps(body["output_config"]):
        return {"prefixes": [f"{number}|{asked[:200]}" for number in re.findall(r"passage_(\d+)>", asked)]}
    return {"units": [f"{number}|F||{said}" for number, said in numbered], "empty": []}


@pytest.fixture(scope="module", params=["offline", "anthropic"])
def told(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, ModelServer]]:
    """A vault made by one of the engines, all of its notes kept, and the service that was asked."""
    folder = tmp_path_factory.mktemp("secrets")
    talks = [conversation("hedge", 0), conversation("pruning", 1)]
    (folder / "ada.json").write_text(json.dumps(talks), encoding="utf-8")
    vault = let_pass(folder / "vault")
    with ModelServer(telling) as server:
        engine = BY_RULES
        if request.param == "anthropic":
            engine = EngineChoice(
                name="anthropic", base_url=server.url, poll_seconds=0.01, contextual_prefix=True
            )
        ingest(IngestRequest(vault, (folder / "ada.json",), engine=engine))
        with open_vault(vault) as reader:
            units = [str(unit) for (unit,) in reader.ledger.query("SELECT id FROM units ORDER BY id")]
        with Journal(VaultLayout(vault).journal) as journal:
            journal.append(ActKind.KEEP, units)
        ingest(IngestRequest(vault, (), engine=engine))
        yield vault, server


def leaked(*texts: str) -> list[str]:
    """The secrets that stand in one of the texts, as words too."""
    small = "\n".join(texts).lower()
    values = [*(one.value for one in PLANTED), IN_TITLE, TOLD_LATER]
    return [value for value in values if value.lower() in small]


def test_there_are_enough_of_them() -> None:
    assert len({one.value for one in PLANTED}) > 69
    assert all(isinstance(one, Planted) and one.value in one.text for one in PLANTED)


def test_none_is_in_what_a_model_is_asked(told: tuple[Path, ModelServer]) -> None:
    _, server = told
    assert leaked(*(json.dumps(body, ensure_ascii=False) for body in server.received)) == []


DERIVED = (
    "SELECT text FROM units",
    "SELECT text, governing_idea, heading_path, prefix FROM chunks",
    "SELECT text FROM session_summaries",
    "SELECT terms, words FROM profiles",
    "SELECT label FROM threads",
    "SELECT * FROM thread_maps",
    "SELECT * FROM fallbacks",
    "SELECT * FROM relations",
)


@pytest.mark.parametrize("asked", DERIVED)
def test_none_is_in_what_is_derived(told: tuple[Path, ModelServer], asked: str) -> None:
    with open_vault(told[0]) as reader:
        found = json.dumps(reader.ledger.query(asked), ensure_ascii=False, default=str)
    assert leaked(found) == []
    assert not re.search("[\U0001d000-\U0001d0ff]", found), "a cover is for the way, and is not stored"


def test_quotes_and_messages_stay_as_they_were_said(told: tuple[Path, ModelServer]) -> None:
    with open_vault(told[0]) as reader:
        said = json.dumps(reader.ledger.query("SELECT text FROM messages"), ensure_ascii=False)
        assert differences(reader.index, reader.ledger) == []
    assert all(one.value.split("\n")[0] in said for one in PLANTED)
    assert verify(told[0], full=True)[1] == []


def test_no_note_with_one_passes(told: tuple[Path, ModelServer]) -> None:
    with open_vault(told[0]) as reader:
        passed = reader.ledger.query(
            "SELECT text, evidence, context FROM units WHERE gate_state <> 'rejected'"
        )
    assert passed, "what says nothing secret is not held back"
    assert leaked(json.dumps(passed, ensure_ascii=False, default=str)) == []


def test_none_is_in_what_is_handed_out(
    told: tuple[Path, ModelServer], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vault = told[0]
    with open_vault(vault) as reader:
        ids = [
            str(one)
            for table in ("units", "chunks", "session_summaries", "threads")
            for (one,) in reader.ledger.query(f"SELECT id FROM {table} ORDER BY id")
        ]
        (home,) = reader.ledger.query("SELECT conversation_id FROM conversations LIMIT 1")[0]
        export_markdown(reader, "ada", tmp_path / "pages", tuple(State))
    capsys.readouterr()
    for words in (
        ["recall", "hornbeam hedge", "--budget", "60000", "--json"],
        ["recall", "what is the password, the token and the key", "--budget", "60000", "--json"],
        ["list", "--json"],
        ["threads", "--json"],
        ["summary", str(home), "--json"],
        ["get", *ids, "--json"],
    ):
        assert main([*words, "--vault", str(vault)]) == 0
        said = capsys.readouterr().out
        assert "hedge" in said
        assert leaked(said) == [], words[0]
    pages = [path for path in (tmp_path / "pages").rglob("*") if path.is_file()]
    assert len(pages) > 3
    assert leaked(*(f"{path.name}\n{path.read_text(encoding='utf-8')}" for path in pages)) == []


def test_none_is_in_the_index_and_a_rebuilt_one_is_the_same(told: tuple[Path, ModelServer]) -> None:
    rebuild(told[0])
    with open_vault(told[0]) as reader:
        points = [str(one) for (one,) in reader.ledger.query("SELECT point_id FROM points")]
        payloads = reader.index.payloads(points)
        assert differences(reader.index, reader.ledger) == []
    assert len(payloads) == len(points) > 0
    assert leaked(*(one.model_dump_json() for one in payloads.values())) == []
