from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chatgpt_export import chatgpt_conversation
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from flows.upkeep.forgetting import forget, plan_forgetting
from interfaces.main import main
from vault.erasing import Erasure

TALKS = {
    "Dog food": [("user", "Milo tolerates chicken well. Milo is a beagle and four years old.")],
    "The vet": [("user", "Milo doesn't tolerate chicken. He scratched all night after the chicken.")],
    "The mast": [("user", "The mast of the boat is eleven metres tall. It is made of spruce.")],
}

Told = Callable[..., Any]


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("two")
    root = let_pass(folder / "vault")
    path = folder / "mara.json"
    made = [chatgpt_conversation(name, turns) for name, turns in TALKS.items()]
    path.write_text(json.dumps(made), encoding="utf-8")
    assert ingested(IngestRequest(root, (path,), account="mara")).published
    return root


@pytest.fixture
def told(vault: Path, capsys: pytest.CaptureFixture[str]) -> Told:
    def tell(*arguments: str, code: int = 0) -> Any:
        capsys.readouterr()
        assert main([*arguments, "--json", "--vault", str(vault)]) == code
        out, err = capsys.readouterr()
        return json.loads(out) if out else err

    return tell


def test_a_session_goes_on_and_is_shown(told: Told, vault: Path) -> None:
    asked = (
        "recall",
        "does Milo tolerate chicken?",
        "--session",
        "chat-42",
        "--limit",
        "1",
        "--kind",
        "unit",
    )
    first, second = told(*asked, "--why", "dinner"), told(*asked)
    assert {one["id"] for one in first["hits"]}.isdisjoint(one["id"] for one in second["hits"])
    assert (first["session"]["call"], second["session"]["call"], second["session"]["given_before"]) == (
        1,
        2,
        1,
    )
    (listed,) = told("session", "list")["sessions"]
    shown = told("session", "show", "chat-42")
    assert listed == shown
    assert [one["why"] for one in shown["calls"]] == ["dinner", ""]
    assert [one["given"][0]["ref"] for one in shown["calls"]] == [
        package["hits"][0]["id"] for package in (first, second)
    ]
    assert main(["session", "end", "chat-42", "--vault", str(vault)]) == 0
    assert "there is no session" in told("session", "show", "chat-42", code=2)


def test_a_session_takes_no_recall_by_path(told: Told) -> None:
    said = told("recall", "Milo", "--mode", "tiered", "--session", "chat-42", code=2)
    assert "does not read --session" in said


def test_diverge_names_what_stands_against_each_other(told: Told) -> None:
    found = told("diverge", "Does Milo tolerate chicken?", "--budget", "500")
    agreement = found["agreement"]
    assert agreement["diverged"]
    assert agreement["standing"] == "contested"
    pair = agreement["pairs"][0]
    assert {found["texts"][pair["older"]], found["texts"][pair["newer"]]} == {
        "Milo tolerates chicken well.", "Milo doesn't tolerate chicken.",
    }  # fmt: skip
    assert max(found["depth"]["tokens"], found["breadth"]["tokens"]) <= 500
    calm = told("diverge", "How tall is the mast of the boat?", "--intent", "boats")
    assert not calm["agreement"]["diverged"]
    assert calm["altitude"] == {"domain": "boats", "by": "given"}


def test_an_explanation_states_the_altitude(told: Told) -> None:
    asked = ("recall", "Does Milo the dog tolerate chicken?")
    assert told(*asked, "--explain")["altitude"]["by"].startswith("taxonomy")
    assert told(*asked, "--explain", "--intent", "dogs")["altitude"] == {"domain": "dogs", "by": "given"}
    assert told(*asked)["altitude"] is None


def test_an_explanation_names_the_ways_that_were_searched(told: Told) -> None:
    asked = ("recall", "Does Milo the dog tolerate chicken?", "--decompose")
    ways = told(*asked, "--explain")["ways"]
    assert [way.partition(": ")[0] for way in ways] == [
        "concept", "methodology", "session continuity", "supplemental authority",
    ]  # fmt: skip
    assert all("Milo" in way for way in ways)
    chats = told(*asked, "--explain", "--tier", "chat")["ways"]
    assert "supplemental authority" not in {way.partition(": ")[0] for way in chats}
    assert told(*asked)["ways"] == told(*asked[:2], "--explain")["ways"] == []


def test_what_is_forgotten_takes_the_sessions_with_it(told: Told, vault: Path) -> None:
    told("recall", "the mast of the boat", "--session", "chat-9")
    forget(vault, plan_forgetting(vault, Erasure(match="spruce")))
    assert told("session", "list")["sessions"] == []
