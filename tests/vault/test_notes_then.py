"""What all notes were in each generation, what changed between two, and who did it: as a log has it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest, ingest
from flows.upkeep.index_rebuild import rebuild
from interfaces.main import main
from schemas.act import ActKind, Deed
from vault.files import copy_tree
from vault.history import generation_of
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.notes_then import NOTES_THEN, recall_notes
from vault.reader import open_vault

FIRST = [("user", "I planted tomatoes and basil on the balcony. The hedge in the garden needs cutting.")]
LATER = [("user", "I am allergic to penicillin. My doctor prescribed a cream for my eczema.")]
BEECH = "The beech hedge in the garden needs cutting."

Notes = dict[str, tuple[str, str]]
Told = Callable[..., Any]


def standing(vault: Path) -> Notes:
    """Every note's text and state, as the published generation has them."""
    with open_vault(vault) as reader:
        found = reader.ledger.query("SELECT id, text, state FROM units_current")
    return {str(unit): (str(text), str(state)) for unit, text, state in found}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Notes], dict[str, str]]:
    """A vault of six generations, the notes of each as they were written down then, and ids by word."""
    from chatgpt_export import chatgpt_conversation

    folder = tmp_path_factory.mktemp("then")
    vault, log = let_pass(folder / "vault"), []

    def exported(name: str, **talks: Any) -> Path:
        path = folder / f"{name}.json"
        path.write_text(json.dumps([chatgpt_conversation(*one) for one in talks.items()]), encoding="utf-8")
        return path

    ingested(IngestRequest(vault, (exported("one", balcony=FIRST),), account="alice"))
    log.append(standing(vault))
    ids = {word: unit for unit, (text, _) in log[0].items() for word in ("tomatoes", "hedge") if word in text}
    ingest(IngestRequest(vault, (exported("two", doctor=LATER),), account="alice"))
    log.append(standing(vault))
    with Journal(VaultLayout(vault).journal) as journal:
        for deeds in (
            [Deed(ActKind.KEEP, ids["tomatoes"])],
            [Deed(ActKind.CORRECT, ids["hedge"], BEECH), Deed(ActKind.DISCARD, ids["tomatoes"])],
        ):
            journal.record(deeds, reason="so it is")
            rebuild(vault)
            log.append(standing(vault))
        journal.undo(journal.standing(ActKind.DISCARD, [ids["tomatoes"]]))
        journal.record([Deed(ActKind.PATH_MOVE, ids["hedge"], "food.herbs")])
        rebuild(vault)
        log.append(standing(vault))
    return vault, log, ids


@pytest.fixture
def told(made: tuple[Path, list[Notes], dict[str, str]], capsys: pytest.CaptureFixture[str]) -> Told:
    def tell(*arguments: str, code: int = 0, vault: Path = made[0]) -> Any:
        capsys.readouterr()
        assert main([*arguments, "--json", "--vault", str(vault)]) == code
        out = capsys.readouterr().out
        return json.loads(out) if out else None

    return tell


def test_each_generation_is_as_the_log_has_it(made: tuple[Path, list[Notes], dict[str, str]]) -> None:
    vault, log, _ = made
    with open_vault(vault) as reader:
        for number, notes in enumerate(log, 1):
            recall_notes(reader.ledger, generation_of(reader.ledger, number))
            found = reader.ledger.query(f"SELECT id, text, state FROM {NOTES_THEN}")
            assert {str(unit): (text, state) for unit, text, state in found} == notes, number
    assert not (vault / "generations" / "1").exists()  # pruned long since


def test_list_and_summarize_tell_the_memory_as_it_was(
    made: tuple[Path, list[Notes], dict[str, str]], told: Told
) -> None:
    _, log, ids = made
    for number, notes in enumerate(log, 1):
        shown = {unit: text for unit, (text, state) in notes.items() if state in ("passed", "review", "kept")}
        listed = told("list", "--as-of", str(number))
        assert {one["id"]: one["text"] for one in listed["notes"]} == shown
        survey = told("summarize", "--depth", "3", "--as-of", str(number))
        paths = survey["prefix_counts"]["alice"]
        assert any(path.startswith("health.medical") for path in paths) == (number > 1)
        assert ("food.herbs" in paths) == (number == 5)
    items = told("get", "food.herbs", "--as-of", "5")["items"]
    assert [one["id"] for one in items[0]["value"]["entries"]] == [ids["hedge"]]
    assert not told("get", "food.herbs", "--as-of", "4", code=1)["items"][0]["found"]
    told("list", "--as-of", "99", code=2)
    told("threads", "--as-of", "1")


def test_a_recall_as_of_a_generation_has_its_words(
    made: tuple[Path, list[Notes], dict[str, str]], told: Told
) -> None:
    _, log, ids = made
    for number in (1, 3, 4, 5):
        package = told("recall", "the hedge in the garden", "--no-funnel", "--as-of", str(number))
        texts = {hit["ref"] if "ref" in hit else hit["id"]: hit["text"] for hit in package["hits"]}
        assert log[number - 1][ids["hedge"]][0] in texts.values()
        assert ("penicillin" in " ".join(texts.values())) == (number > 1)
        assert ("tomatoes" in " ".join(texts.values())) == (number != 4)
    early = told("recall", "hedge", "--as-of", "2001-01-01")
    assert any("before the first generation" in one for one in early["notices"])


def test_a_diff_tells_what_was_added_removed_and_changed(
    made: tuple[Path, list[Notes], dict[str, str]], told: Told
) -> None:
    _, log, ids = made
    assert told("diff", "1", "2", "--stat")["stat"] == {
        "added": len(log[1]) - len(log[0]),
        "removed": 0,
        "changed": 0,
    }
    said = told("diff", "3", "4")
    by_key = {one["key"]: one for one in said["changes"]}
    assert by_key[ids["tomatoes"]]["operation"] == "removed"
    hedge = by_key[ids["hedge"]]
    assert (hedge["operation"], hedge["new"]["text"]) == ("changed", BEECH)
    assert hedge["old"]["text"] == log[2][ids["hedge"]][0]
    back = told("diff", "4", "3")
    assert {one["key"]: one["operation"] for one in back["changes"]}[ids["tomatoes"]] == "added"
    assert told("diff")["from"] == 4
    assert told("diff", "5", "5")["changes"] == []
    assert told("diff", "1", datetime.now(UTC).isoformat())["to"] == 5


def test_blame_is_newest_first_and_says_who(
    made: tuple[Path, list[Notes], dict[str, str]], told: Told, tmp_path: Path
) -> None:
    vault, _, ids = made
    entries = told("blame", ids["hedge"])["entries"]
    filed = [one for one in entries if one["message"].startswith("filed at ")]
    assert [one["author"].partition(":")[0] for one in filed] == ["filing"]
    assert entries.index(filed[0]) == 1, "by its corrected words, in the run that folded them"
    entries.remove(filed[0])
    messages = [one["message"] for one in entries]
    assert messages[:2] == ["path_move", "correct: so it is"]
    assert (entries[1]["author"], entries[1]["generation"], entries[1]["detail"]) == ("user", 4, BEECH)
    assert [one["date"] for one in entries] == sorted((one["date"] for one in entries), reverse=True)
    assert [one["message"] for one in told("blame", ids["hedge"], "-l", "1")["entries"]] == ["path_move"]
    of_path = told("blame", "food.herbs")
    assert of_path["notes"] == [ids["hedge"]]
    assert not any(one["message"].startswith("filed at ") for one in of_path["entries"])
    discarded = [one["message"] for one in told("blame", ids["tomatoes"])["entries"]]
    assert discarded[0] == "undo of discard"
    assert "discard, undone later: so it is" in discarded
    assert told("blame", "no.such.path")["entries"] == []
    told("blame", "ffffffff", code=2)
    copy_tree(vault, tmp_path / "vault")
    assert main(["keep", ids["hedge"], "--vault", str(tmp_path / "vault")]) == 0
    newest = told("blame", ids["hedge"], vault=tmp_path / "vault")["entries"][0]
    assert (newest["message"], newest["generation"]) == ("keep, not folded yet", None)
