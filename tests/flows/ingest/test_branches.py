"""Branches: a second line of generations, out of sight until it is merged, at once or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chatgpt_export import chatgpt_conversation
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.merging import Merged, fork, merge
from flows.ingest.steps import IngestRequest, ingest
from flows.upkeep.forgetting import forget, plan_forgetting
from flows.upkeep.full_verification import verify
from interfaces.main import main
from schemas.act import ActKind
from schemas.errors import UsageError
from vault.branches import branch_layout, branches, half_made
from vault.erasing import Erasure
from vault.files import copy_tree, files_below, has_shared_files, tree_size
from vault.generations import drop_all_but, finished_numbers, published_number
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault
from vault.sums import file_sum
from vault.tombstones import copies, remember_copy

GARDEN = [("user", "I planted tomatoes and basil on the balcony. The hedge in the garden needs cutting.")]
BOAT = [("user", "We decided to paint the boat dark blue in the spring. The boat lies in Kiel.")]


@pytest.fixture
def layout(tmp_path: Path, export: Callable[..., Path]) -> VaultLayout:
    root = let_pass(tmp_path / "vault")
    assert ingested(
        IngestRequest(root, (export("alice", {"the-balcony": GARDEN}),), account="alice")
    ).published
    return VaultLayout(root)


@pytest.fixture
def branch(layout: VaultLayout) -> VaultLayout:
    fork(layout.root, "trial")
    return branch_layout(layout, "trial")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault whose branch has read one conversation more: made once, copied for each test."""
    folder = tmp_path_factory.mktemp("model")
    root = let_pass(folder / "vault")
    for name, talks in (
        ("main", {"the-balcony": GARDEN}),
        ("trial", {"the-balcony": GARDEN, "the-boat": BOAT}),
    ):
        archive = folder / f"{name}.json"
        made = [chatgpt_conversation(one, turns) for one, turns in talks.items()]
        archive.write_text(json.dumps(made), encoding="utf-8")
        where = root if name == "main" else branch_layout(VaultLayout(root), name).root
        assert ingested(IngestRequest(where, (archive,), account="alice")).published
        if name == "main":
            fork(root, "trial")
    return root


@pytest.fixture
def grown(model: Path, tmp_path: Path) -> VaultLayout:
    copy_tree(model, tmp_path / "grown")
    return VaultLayout(tmp_path / "grown")


def read_in(layout: VaultLayout, export: Callable[..., Path]) -> None:
    archive = export("alice", {"the-balcony": GARDEN, "the-boat": BOAT})
    assert ingest(IngestRequest(layout.root, (archive,), account="alice")).published


def notes(layout: VaultLayout) -> dict[str, tuple[str, str]]:
    """State and text of every note, acts that no generation has folded laid over."""
    with open_vault(layout.root) as reader:
        rows = reader.ledger.query("SELECT id, state, text FROM units_current ORDER BY id")
    return {str(one): (str(state), str(text)) for one, state, text in rows}


def one_note(layout: VaultLayout, word: str = "hedge") -> str:
    (found,) = [one for one, (_, text) in notes(layout).items() if word in text]
    return found


def act(layout: VaultLayout, kind: ActKind, *subjects: str) -> None:
    with Journal(layout.journal) as journal:
        journal.append(kind, subjects, reason="a test's")


def sound(layout: VaultLayout) -> bool:
    return verify(layout.root, full=True)[1] == []


def sums_of(folder: Path) -> dict[Path, str]:
    """Sums of what the files hold; the holes of a shard, 122 MB, are not read."""
    return {path: file_sum(folder / path) for path in files_below(folder)}


def test_a_branch_costs_no_blocks_of_its_own(layout: VaultLayout, branch: VaultLayout) -> None:
    number = published_number(layout)
    assert number is not None
    assert published_number(branch) == number
    first, own = layout.generation(number), branch.generation(number)
    linked = {path for path in files_below(own) if (own / path).samefile(first / path)}
    assert {path.name for path in set(files_below(own)) - linked} == {"generation.json"}
    assert sum((own / path).stat().st_blocks for path in linked) * 512 > 0.9 * tree_size(own)


def test_what_is_read_into_a_branch_stays_there(
    layout: VaultLayout, branch: VaultLayout, export: Callable[..., Path]
) -> None:
    before, first = notes(layout), sums_of(layout.generations)
    read_in(branch, export)
    act(branch, ActKind.DISCARD, one_note(branch))
    assert any("boat" in text for _, text in notes(branch).values())
    assert notes(layout) == before
    assert sums_of(layout.generations) == first
    assert sound(branch)
    assert sound(layout)


def test_no_generation_is_written_into_shared_files(layout: VaultLayout, branch: VaultLayout) -> None:
    shared = sums_of(branch.generations)
    unit = one_note(layout)
    for kind in (ActKind.KEEP, ActKind.DISCARD) * 2:
        act(layout, kind, unit)
        assert ingest(IngestRequest(layout.root, ())).published
    assert len(finished_numbers(layout)) == 3
    assert layout.spare.exists()
    assert not has_shared_files(layout.spare)
    assert sums_of(branch.generations) == shared


def test_a_merge_brings_archives_and_acts_at_once(grown: VaultLayout) -> None:
    layout, branch = grown, branch_layout(grown, "trial")
    act(branch, ActKind.DISCARD, one_note(branch))
    act(branch, ActKind.KEEP, one_note(branch, "Kiel"))
    wanted, before = notes(branch), published_number(layout) or 0
    merged = merge(layout.root, "trial", "skip")
    assert (merged.conversations, merged.acts, merged.conflicts) == (1, 2, ())
    assert published_number(layout) == before + 1
    assert notes(layout) == wanted
    with Journal(layout.journal) as ours, Journal(branch.journal) as theirs:
        told = [[(one.id, one.actor, one.reason, one.at) for one in line.after(0)] for line in (ours, theirs)]
    assert told[0] == told[1]
    assert not merge(layout.root, "trial", "skip").published
    with open_vault(layout.root) as reader:
        assert len(reader.ledger.query("FROM imports")) == 2
    assert main(["undo", "--vault", str(layout.root)]) == 0
    assert notes(layout)[one_note(layout, "Kiel")][0] == "passed"


@pytest.mark.parametrize(("strategy", "state"), [("ours", "kept"), ("skip", "kept"), ("theirs", "discarded")])
def test_a_conflict_is_decided_by_the_strategy(
    layout: VaultLayout, branch: VaultLayout, strategy: Any, state: str
) -> None:
    unit, other = one_note(layout), one_note(layout, "basil")
    act(layout, ActKind.KEEP, unit)
    act(branch, ActKind.DISCARD, unit)
    act(branch, ActKind.DISCARD, other)
    merged = merge(layout.root, "trial", strategy)
    (conflict,) = merged.conflicts
    assert (conflict.subject, conflict.ours, conflict.theirs) == (unit, ("keep",), ("discard",))
    assert notes(layout)[unit][0] == state
    assert notes(layout)[other][0] == "discarded"
    again: Merged = merge(layout.root, "trial", strategy)
    assert not again.published
    assert again.acts == 0
    assert notes(layout)[unit][0] == state


def test_theirs_takes_what_the_main_line_took_back(layout: VaultLayout) -> None:
    unit = one_note(layout)
    act(layout, ActKind.KEEP, unit)
    fork(layout.root, "trial")
    branch = branch_layout(layout, "trial")
    with Journal(layout.journal) as journal:
        journal.undo(journal.last_lot())
    with Journal(branch.journal) as journal:
        journal.append(ActKind.DISCARD, [unit])
        journal.undo(journal.last_lot())
    assert notes(branch)[unit][0] == "kept"
    assert notes(layout)[unit][0] == "passed"
    assert len(merge(layout.root, "trial", "theirs").conflicts) == 1
    assert notes(layout)[unit][0] == "kept"
    assert not merge(layout.root, "trial", "theirs").published


def test_the_same_act_on_both_lines_is_no_conflict(layout: VaultLayout, branch: VaultLayout) -> None:
    unit = one_note(layout)
    act(layout, ActKind.KEEP, unit)
    act(branch, ActKind.KEEP, unit)
    merged = merge(layout.root, "trial", "theirs")
    assert (merged.acts, merged.conflicts) == (0, ())


def test_what_both_lines_have_read_is_not_worked_on(grown: VaultLayout, export: Callable[..., Path]) -> None:
    read_in(grown, export)
    assert not merge(grown.root, "trial", "skip").conversations


class Killed(BaseException):
    """Stands in for kill -9: nothing after it runs, and no handler takes it for an error."""


@pytest.mark.parametrize(
    "step",
    ["flows.ingest.steps.clear", "flows.ingest.steps.file_notes", "vault.generations.write_current",
     "vault.generations.sync_tree", "flows.ingest.merging.restore_merged"],
)  # fmt: skip
def test_a_merge_that_is_broken_off_is_whole_or_not(
    grown: VaultLayout, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    layout, branch = grown, branch_layout(grown, "trial")
    act(branch, ActKind.DISCARD, one_note(branch))
    before, after = notes(layout), notes(branch)

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(step, killed)
        with pytest.raises(Killed):
            merge(layout.root, "trial", "skip")
    assert notes(layout) in (before, after)
    merge(layout.root, "trial", "skip")
    assert notes(layout) == after
    assert sound(layout)
    with Journal(layout.journal) as ours, Journal(branch.journal) as theirs:
        assert [one.id for one in ours.after(0)] == [one.id for one in theirs.after(0)]
    act(layout, ActKind.KEEP, one_note(layout))
    assert notes(layout)[one_note(layout)][0] == "kept"


def test_acts_of_a_merge_that_was_killed_come_back(
    layout: VaultLayout, branch: VaultLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = one_note(layout)
    act(branch, ActKind.DISCARD, unit)
    with monkeypatch.context() as patched:
        patched.setattr("flows.ingest.merging.restore_merged", _raise_killed)
        with pytest.raises(Killed):
            merge(layout.root, "trial", "skip")
    act(layout, ActKind.CORRECT, one_note(layout, "basil"))  # must take no number of theirs
    ingest(IngestRequest(layout.root, ()))
    with Journal(layout.journal) as journal:
        assert [one.kind for one in journal.after(0)] == [ActKind.DISCARD, ActKind.CORRECT]


def _raise_killed(*_: object) -> None:
    raise Killed


def test_a_branch_that_was_half_made_is_none(layout: VaultLayout, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("vault.branches.sync_tree", _raise_killed)
        with pytest.raises(Killed):
            fork(layout.root, "trial")
    assert branches(layout) == []
    assert half_made(layout)
    fork(layout.root, "other")
    assert [one.name for one in branches(layout)] == ["other"]
    assert not half_made(layout)


def test_nothing_is_forgotten_while_a_branch_has_it(
    layout: VaultLayout, branch: VaultLayout, tmp_path: Path
) -> None:
    exported = tmp_path / "notes.jsonl"
    exported.write_text("from the branch", encoding="utf-8")
    remember_copy(branch, exported, "export")
    wanted = Erasure(match="hedge")
    plan = plan_forgetting(layout.root, wanted)
    assert any("a branch" in line for line in plan.still_there)
    with pytest.raises(UsageError, match="while there are branches"):
        forget(layout.root, plan)
    with pytest.raises(UsageError, match="on the main line"):
        forget(branch.root, plan_forgetting(branch.root, wanted))
    assert main(["branch", "--delete", "trial", "--vault", str(layout.root)]) == 0
    assert [Path(one.path) for one in copies(layout.journal)] == [exported]
    forget(layout.root, plan_forgetting(layout.root, wanted))
    assert not any(b"hedge" in (layout.root / path).read_bytes() for path in files_below(layout.root))


def test_a_branch_outlives_the_generation_it_began_with(layout: VaultLayout, branch: VaultLayout) -> None:
    wanted = notes(branch)
    act(layout, ActKind.DISCARD, one_note(layout))
    assert ingest(IngestRequest(layout.root, ())).published
    drop_all_but(layout, published_number(layout) or 0)
    assert notes(branch) == wanted
    assert sound(branch)


@pytest.fixture
def told(layout: VaultLayout, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    def tell(*arguments: str, code: int = 0) -> Any:
        capsys.readouterr()
        assert main([*arguments, "--json", "--vault", str(layout.root)]) == code
        return json.loads(capsys.readouterr().out)

    return tell


def test_commands_work_on_a_branch_by_its_name(layout: VaultLayout, told: Callable[..., Any]) -> None:
    assert told("branch", "trial")["generation"] == published_number(layout)
    assert [one["name"] for one in told("branch", "--list")["branches"]] == ["trial"]
    unit = one_note(layout)
    told("keep", "--branch", "trial", unit)
    assert [one["id"] for one in told("list", "--branch", "trial", "--state", "kept")["notes"]] == [unit]
    assert told("list", "--state", "kept")["notes"] == []
    assert told("merge", "trial")["acts"] == 1
    assert [one["id"] for one in told("list", "--state", "kept")["notes"]] == [unit]
    assert told("branch", "--delete", "trial") == {"deleted": "trial"}
    assert told("branch")["branches"] == []
    assert not list(layout.branches.iterdir())


@pytest.mark.parametrize(
    "arguments",
    [["branch", "../out"], ["branch", "-x"], ["list", "--branch", "none"], ["merge", "none"],
     ["branch", "--delete", "none"], ["branch", "a", "--delete", "b"]],
)  # fmt: skip
def test_a_wrong_name_is_refused(layout: VaultLayout, arguments: list[str]) -> None:
    assert main([*arguments, "--vault", str(layout.root)]) in (1, 2)
    assert branches(layout) == []
    assert not (layout.root / "out").exists()


def test_diff_tells_what_a_branch_holds_beside_the_main_line(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy_tree(model, tmp_path / "vault")
    asked = ["diff", "main", "trial", "--vault", str(tmp_path / "vault"), "--json"]
    capsys.readouterr()
    assert main(asked) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["from"], told["to"], told["stat"]["removed"]) == ("main", "trial", 0)
    assert any("boat" in one["new"]["text"] for one in told["changes"])
    assert main(["diff", "trial", "main", *asked[3:]]) == 0
    assert json.loads(capsys.readouterr().out)["stat"]["removed"] == told["stat"]["added"]
    assert main(["diff", "main", "nowhere", *asked[3:]]) == 2
    assert "no branch nowhere" in capsys.readouterr().err
    assert main(["diff", "1", "trial", *asked[3:]]) == 2
