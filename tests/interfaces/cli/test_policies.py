"""Standing instructions under attack: several at once, beside the owner's acts, over what may not be kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from interfaces.main import main
from vault.reader import open_vault

TALK = [
    ("user", "The garden is 40 square metres. I can only spend 200 euros."),
    ("user", "My password is hunter2-Xq9!kd72 for the seed shop. The shed has 7 windows."),
]
OTHER = [("user", "The boat is 9 metres long.")]


@pytest.fixture
def vault(tmp_path: Path, export: Callable[..., Path]) -> Path:
    root = let_pass(tmp_path / "vault")
    settings = root / "gate.json"
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "only_review": ["secret"]}))
    for account, talk in (("ada", TALK), ("ben", OTHER)):
        assert ingested(IngestRequest(root, (export(account, {account: talk}),), account=account)).published
    return root


def states(vault: Path) -> dict[str, str]:
    with open_vault(vault) as reader:
        return dict(reader.ledger.query("SELECT text, state FROM units_current"))  # type: ignore[arg-type]


def kept(vault: Path) -> set[str]:
    return {text for text, state in states(vault).items() if state == "kept"}


def noted(vault: Path, word: str) -> str:
    """The id of the one note that has the word."""
    with open_vault(vault) as reader:
        ((unit,),) = reader.ledger.query("SELECT id FROM units WHERE text LIKE ?", [f"%{word}%"])
    return str(unit)


def told(vault: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    capsys.readouterr()
    assert main([*arguments, "--json", "--vault", str(vault)]) == 0
    said: dict[str, object] = json.loads(capsys.readouterr().out)
    return said


def test_a_dry_run_says_what_is_then_done_and_no_secret_is_kept(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held = {text for text, state in states(vault).items() if state == "review"}
    assert any("password" in text for text in held)
    for rule in (
        ("--speaker", "owner"),
        ("--review",),
        ("--account", "ben"),
        ("--review", "--account", "ada"),
    ):
        planned = told(vault, capsys, "policy", "on", "one", *rule, "--dry-run")
        assert kept(vault) == set()
        told(vault, capsys, "policy", "on", "one", *rule)
        assert len(kept(vault)) == planned["keeps"]
        assert not any("password" in text or "hunter2" in text for text in kept(vault))
        if "--account" in rule:
            assert all(("boat" in text) == (rule[-1] == "ben") for text in kept(vault))
        assert told(vault, capsys, "policy", "off", "one", "--undo")["undone"] == planned["keeps"]
        assert kept(vault) == set()


def test_of_two_policies_the_one_that_is_left_keeps_what_both_would(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(vault, capsys, "policy", "on", "all", "--speaker", "owner")
    both = kept(vault)
    assert told(vault, capsys, "policy", "on", "facts", "--category", "fact")["keeps"] == 0
    assert told(vault, capsys, "policy", "off", "all", "--undo")["kept_by_others"]
    assert set() < kept(vault) < both
    told(vault, capsys, "policy", "off", "facts", "--undo")
    assert kept(vault) == set()


def test_the_owners_own_acts_stand_above_a_policy_and_its_undo(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    garden, shed = noted(vault, "garden"), noted(vault, "shed")
    told(vault, capsys, "keep", garden, "--account", "ada")
    told(vault, capsys, "policy", "on", "all", "--speaker", "owner")
    told(vault, capsys, "discard", shed, "--account", "ada")
    told(vault, capsys, "policy", "off", "all", "--undo")
    after = states(vault)
    assert {after[text] for text in after if "garden" in text} == {"kept"}
    assert {after[text] for text in after if "shed" in text} == {"discarded"}
    assert len(kept(vault)) == 1


def test_an_undo_of_a_policy_takes_back_what_it_kept(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(vault, capsys, "policy", "on", "all", "--speaker", "owner", "--account", "ada")
    count = len(kept(vault))
    assert len(told(vault, capsys, "undo", "--account", "ada")["undone"]) == count + 1  # type: ignore[arg-type]
    assert kept(vault) == set()
    assert told(vault, capsys, "policy", "list") == {"policies": []}


def test_an_undo_of_turning_a_policy_off_brings_its_keeps_back(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    garden, shed = noted(vault, "garden"), noted(vault, "shed")
    told(vault, capsys, "policy", "on", "all", "--speaker", "owner", "--account", "ada")
    told(vault, capsys, "discard", shed, "--account", "ada")
    before = states(vault)
    for _ in range(2):
        told(vault, capsys, "policy", "off", "all", "--undo")
        assert kept(vault) == set()
        told(vault, capsys, "undo", "--account", "ada")
        assert states(vault) == before
        assert told(vault, capsys, "policy", "list")["policies"]
    told(vault, capsys, "keep", garden, "--account", "ada")
    told(vault, capsys, "policy", "off", "all", "--undo")
    assert [text for text in kept(vault) if "garden" in text] == list(kept(vault)) != []
