from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from flows.sweeps.clean_duplicates import clean_duplicates
from flows.sweeps.clean_superseded import IN_CONVERSATION, clean_superseded
from flows.sweeps.decisions import Decision, accept, undo
from flows.sweeps.sweep import SweepRequest
from inference import load_embedder
from interfaces.main import main
from schemas.act import ActKind
from schemas.errors import UnknownId, VaultEmpty
from schemas.unit import State
from tests.asking import recall
from tests.conftest import chatgpt_conversation
from vault.generations import published_number
from vault.integrity import differences
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.points import PointKind
from vault.reader import open_vault

DAY = 86_400.0
SPRING = 1_772_000_000.0

Talk = tuple[str, Sequence[tuple[str, str]]]
HEDGE: list[Talk] = [
    ("hedge", [("user", "The garden hedge costs 1,200 euros.")]),
    ("budget", [("user", "The garden hedge costs €1200.")]),
    ("price", [("user", "The garden hedge costs 1,300 euros for the neighbour.")]),
]
OSLO: list[Talk] = [
    ("home", [("user", "The garden meeting is on 3 May.")]),
    ("move", [("user", "The garden meeting has moved to 17 May.")]),
]


def write_archive(path: Path, talks: Sequence[Talk], began: float = SPRING) -> Path:
    made = [
        chatgpt_conversation(name, turns, began + place * DAY) for place, (name, turns) in enumerate(talks)
    ]
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return let_pass(tmp_path / "vault")


def states(vault: Path) -> dict[str, tuple[str, State]]:
    """(id, state) by text."""
    with open_vault(vault) as reader:
        found = reader.ledger.query("SELECT text, id, state FROM units_current ORDER BY said_at")
    return {str(text): (str(unit), State(str(state))) for text, unit, state in found}


def whole(vault: Path) -> bool:
    with open_vault(vault) as reader:
        return differences(reader.index, reader.ledger) == []


def shown(vault: Path, query: str) -> list[tuple[str, str | None, int]]:
    """(text, superseded by, pieces of evidence) of what recall answers."""
    with open_vault(vault) as reader:
        package = recall(query, index=reader.index, embedder=load_embedder(), account="ada")
    hits = [one for one in package.hits if one.category is not None]
    return [(one.text, one.superseded_by, len(one.evidence)) for one in hits]


def test_duplicates_become_one_note_with_the_evidence_of_both_and_back(vault: Path, tmp_path: Path) -> None:
    ingested(IngestRequest(vault, (write_archive(tmp_path / "ada.json", HEDGE),), account="ada"))
    before = states(vault)
    assert len(before) == 3
    dry = clean_duplicates(SweepRequest(vault, dry_run=True))
    assert (dry.effects, states(vault)) == ({"applied": 1}, before)
    summary = clean_duplicates(SweepRequest(vault))
    (change,) = summary.changes
    after = states(vault)
    assert sorted(state for _, state in after.values()) == [State.ARCHIVED, State.PASSED, State.PASSED]
    assert after[change.other_text] == (change.other_id, State.ARCHIVED)
    assert (change.text, None, 2) in shown(vault, "what does the garden hedge cost?")
    assert whole(vault)

    again = clean_duplicates(SweepRequest(vault))
    assert (again.judged, again.new) == (0, 0)
    with pytest.raises(UnknownId):
        undo(Decision(vault, (before["The garden hedge costs 1,300 euros for the neighbour."][0],)))
    undone = undo(Decision(vault, run=summary.run))
    assert undone.restored == (change.other_id,)
    assert states(vault) == before
    assert clean_duplicates(SweepRequest(vault)).judged == 0
    assert states(vault) == before
    assert whole(vault)


def test_what_an_ingest_reads_again_keeps_the_united_evidence(vault: Path, tmp_path: Path) -> None:
    ingested(IngestRequest(vault, (write_archive(tmp_path / "ada.json", HEDGE),), account="ada"))
    (change,) = clean_duplicates(SweepRequest(vault)).changes
    longer = [(name, [*turns, ("assistant", "Hornbeam grows slowly.")]) for name, turns in HEDGE]
    ingested(IngestRequest(vault, (write_archive(tmp_path / "more.json", longer),), account="ada"))
    assert states(vault)[change.other_text][1] is State.ARCHIVED
    assert (change.text, None, 2) in shown(vault, "what does the garden hedge cost?")
    assert whole(vault)


def test_a_newer_note_retires_an_older_one_and_the_pair_does_not_come_up_again(
    vault: Path, tmp_path: Path
) -> None:
    ingested(IngestRequest(vault, (write_archive(tmp_path / "ada.json", OSLO),), account="ada"))
    (change,) = clean_superseded(SweepRequest(vault)).changes
    older, newer = states(vault)[change.other_text], states(vault)[change.text]
    assert (older, newer) == ((change.other_id, State.ARCHIVED), (change.unit_id, State.PASSED))
    assert [text for text, _, _ in shown(vault, "when is the garden meeting?")] == [change.text]
    undo(Decision(vault, (change.other_id,)))
    assert states(vault)[change.other_text][1] is State.PASSED
    assert clean_superseded(SweepRequest(vault)).judged == 0
    assert whole(vault)


def test_a_decision_that_the_owner_took_back_is_retired_and_comes_back_by_an_undo(
    vault: Path, tmp_path: Path
) -> None:
    said = [
        ("user", "We will hold the garden meeting on 3 May."),
        ("assistant", "Noted."),
        ("user", "After all, we moved the garden meeting to 17 May."),
    ]
    archive = write_archive(tmp_path / "ada.json", [("meeting", said)])
    ingested(IngestRequest(vault, (archive,), account="ada"))
    (change,) = clean_superseded(SweepRequest(vault)).changes
    assert "3 May" in change.other_text
    # the conversation itself took it back: the link was there before the sweep
    with open_vault(vault) as reader:
        judges = reader.ledger.query("SELECT judge FROM judgements WHERE other_id = ?", [change.other_id])
    assert judges == [(IN_CONVERSATION,)]
    assert states(vault)[change.other_text] == (change.other_id, State.ARCHIVED)
    undo(Decision(vault, (change.other_id,)))
    assert states(vault)[change.other_text] == (change.other_id, State.PASSED)
    assert clean_superseded(SweepRequest(vault)).changes == ()


def test_the_offline_rules_only_propose_where_the_owner_says_so(
    vault: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ingested(IngestRequest(vault, (write_archive(tmp_path / "ada.json", OSLO),), account="ada"))
    summary = clean_superseded(SweepRequest(vault, archive=False))
    assert summary.effects == {"proposed": 1}
    (change,) = summary.changes
    assert states(vault)[change.other_text] == (change.other_id, State.PASSED)
    with open_vault(vault) as reader:
        found = recall(
            "when is the garden meeting?", index=reader.index, embedder=load_embedder(), account="ada"
        )
    places = {one.text: at for at, one in reversed(list(enumerate(found.hits)))}
    assert places[change.text] < places[change.other_text]
    old = found.hits[places[change.other_text]]
    assert (old.superseded_by, f"superseded by {old.successor}" in found.render()) == (change.unit_id, True)
    with open_vault(vault) as reader:
        asked = {"index": reader.index, "embedder": load_embedder(), "account": "ada"}
        for most in range(1, 4):  # in its own words the old note is the nearest
            (first, *_) = recall(change.other_text, limit=most, kinds=(PointKind.UNIT,), **asked).hits
            assert first.text == change.text
    capsys.readouterr()
    assert main(["list", "--vault", str(vault), "--json"]) == 0
    listed = {one["text"]: one.get("superseded_by") for one in json.loads(capsys.readouterr().out)["notes"]}
    assert (listed[change.other_text], listed[change.text]) == (change.unit_id, None)
    assert main(["list", "--vault", str(vault)]) == 0
    assert f"superseded by {old.successor}" in capsys.readouterr().out
    assert accept(Decision(vault, (change.other_id,))).archived == (change.other_id,)
    assert states(vault)[change.other_text][1] is State.ARCHIVED
    assert whole(vault)


def test_for_a_kept_note_a_sweep_only_proposes(vault: Path, tmp_path: Path) -> None:
    ingested(IngestRequest(vault, (write_archive(tmp_path / "ada.json", OSLO),), account="ada"))
    older = next(unit for text, (unit, _) in states(vault).items() if "3 May" in text)
    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.KEEP, [older])
    summary = clean_superseded(SweepRequest(vault))
    assert summary.effects == {"proposed": 1}
    (change,) = summary.changes
    assert states(vault)[change.other_text] == (older, State.KEPT)
    found = shown(vault, "when is the garden meeting?")
    assert [(text, by) for text, by, _ in found] == [
        (change.text, None),
        (change.other_text, change.unit_id),
    ]
    assert accept(Decision(vault, (older,))).archived == (older,)
    assert states(vault)[change.other_text] == (older, State.ARCHIVED)
    with pytest.raises(UnknownId):
        accept(Decision(vault, (older,)))
    assert whole(vault)


def test_the_owners_policy_lets_a_sweep_act_on_kept_notes(vault: Path, tmp_path: Path) -> None:
    ingested(IngestRequest(vault, (write_archive(tmp_path / "ada.json", OSLO),), account="ada"))
    older = next(unit for text, (unit, _) in states(vault).items() if "3 May" in text)
    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.KEEP, [older])
    assert clean_superseded(SweepRequest(vault, act_on_kept=True)).effects == {"applied": 1}
    with open_vault(vault) as reader:
        ((actor,),) = reader.ledger.query("SELECT actor FROM unit_states WHERE unit_id = ?", [older])
    assert actor == "policy:clean-superseded"


def test_nothing_crosses_accounts_and_a_limit_leaves_a_remainder(vault: Path, tmp_path: Path) -> None:
    for account in ("ada", "bob"):
        path = write_archive(tmp_path / f"{account}.json", HEDGE[:1])
        ingested(IngestRequest(vault, (path,), account=account))
    assert clean_duplicates(SweepRequest(vault, dry_run=True)).judged == 0
    ingested(IngestRequest(vault, (write_archive(tmp_path / "more.json", HEDGE[1:]),), account="ada"))
    first = clean_duplicates(SweepRequest(vault, account="ada", limit=1))
    assert (first.new, first.remaining, first.judged) == (1, 2, 1)
    rest = clean_duplicates(SweepRequest(vault, account="ada"))
    assert (rest.remaining, rest.judged) == (0, 0)


def test_an_empty_vault_is_refused(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    with pytest.raises(VaultEmpty):
        clean_duplicates(SweepRequest(vault))
    assert published_number(VaultLayout(vault)) is None


def test_the_flows_are_the_same_sweeps(vault: Path, tmp_path: Path) -> None:
    from flows.orchestration.sweep_flows import clean_duplicates as as_flow

    ingested(IngestRequest(vault, (write_archive(tmp_path / "ada.json", HEDGE),), account="ada"))
    assert as_flow.fn(vault) == {"applied": 1, "remaining": 0}
    assert as_flow.name == "clean-duplicates"
