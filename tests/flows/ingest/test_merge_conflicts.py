"""What a merge holds to be in conflict: acts about one matter, done on both lines to a different end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from flows.generation.merged_acts import Strategy
from flows.ingest.merging import Merged, fork, merge
from flows.ingest.steps import IngestRequest
from schemas.act import ActKind, Deed
from schemas.policy import KeepPolicy
from vault.branches import branch_layout
from vault.journal import Journal, live
from vault.layout import VaultLayout
from vault.queries import Row
from vault.reader import open_vault

GARDEN = [("user", "I planted tomatoes and basil on the balcony. The hedge in the garden needs cutting.")]
RULE = KeepPolicy(account="alice", categories=("decision",)).model_dump_json()


@pytest.fixture
def lines(tmp_path: Path, export: Callable[..., Path]) -> tuple[VaultLayout, VaultLayout]:
    """The main line and a branch that begins as it is."""
    root = let_pass(tmp_path / "vault")
    archive = export("alice", {"the-balcony": GARDEN})
    assert ingested(IngestRequest(root, (archive,), account="alice")).published
    fork(root, "trial")
    return VaultLayout(root), branch_layout(VaultLayout(root), "trial")


def did(line: VaultLayout, *deeds: Deed) -> None:
    with Journal(line.journal) as journal:
        for deed in deeds:
            journal.record([deed])


def standing(line: VaultLayout) -> set[tuple[str, str, str]]:
    with Journal(line.journal) as journal:
        return {(act.kind.value, act.subject, act.detail) for act in live(journal.after(0))}


def note(line: VaultLayout) -> Row:
    with open_vault(line.root) as reader:
        (found,) = reader.ledger.rows("FROM units_current WHERE text LIKE '%hedge%'")
    return found


def rename(before: str, after: str, account: str = "alice") -> Deed:
    return Deed(ActKind.PATH_RENAME, before, f"{after} {account}")


def join(before: str, after: str) -> Deed:
    return Deed(ActKind.PATH_MERGE, before, f"{after} alice")


def told(merged: Merged) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return [(one.subject, one.ours, one.theirs) for one in merged.conflicts]


@pytest.mark.parametrize("strategy", ["ours", "theirs", "skip"])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (rename("leisure", "sparetime"), rename("leisure", "bobtime", "bob")),
        (Deed(ActKind.POLICY_ON, "leisure", RULE), rename("leisure", "fun")),
        (Deed(ActKind.KEEP, "NOTE"), Deed(ActKind.PATH_MOVE, "NOTE", "home.odd")),
        (Deed(ActKind.DISCARD, "NOTE"), Deed(ActKind.CORRECT, "NOTE", "The hedge is cut.")),
    ],
)
def test_two_matters_are_never_in_conflict(
    lines: tuple[VaultLayout, VaultLayout], ours: Deed, theirs: Deed, strategy: Strategy
) -> None:
    layout, branch = lines
    unit = str(note(layout)["id"])
    ours, theirs = (Deed(one.kind, one.subject.replace("NOTE", unit), one.detail) for one in (ours, theirs))
    did(layout, ours)
    did(branch, theirs)
    merged = merge(layout.root, "trial", strategy)
    assert (merged.acts, merged.conflicts) == (1, ())
    assert standing(layout) == {(one.kind.value, one.subject, one.detail) for one in (ours, theirs)}


def test_an_undo_is_about_what_it_takes_back(lines: tuple[VaultLayout, VaultLayout]) -> None:
    layout, branch = lines
    unit = str(note(layout)["id"])
    did(layout, Deed(ActKind.KEEP, unit))
    did(branch, Deed(ActKind.PATH_MOVE, unit, "home.odd"))
    with Journal(branch.journal) as journal:
        journal.undo(journal.last_lot())
    assert merge(layout.root, "trial", "theirs").conflicts == ()
    assert note(layout)["state"] == "kept"


def test_an_account_is_one_by_every_name_it_had(lines: tuple[VaultLayout, VaultLayout]) -> None:
    layout, branch = lines
    did(layout, Deed(ActKind.ACCOUNT_RENAME, "alice", "ally"), rename("leisure", "fun", "ally"))
    did(branch, rename("leisure", "play"), rename("health", "body"))
    merged = merge(layout.root, "trial", "skip")
    assert told(merged) == [("leisure", ("path_rename fun ally",), ("path_rename play ally",))]
    assert merged.acts == 1


def test_two_default_accounts_are_in_conflict(lines: tuple[VaultLayout, VaultLayout]) -> None:
    layout, branch = lines
    did(layout, Deed(ActKind.ACCOUNT_DEFAULT, "alice"))
    did(branch, Deed(ActKind.ACCOUNT_DEFAULT, "bob"))
    (conflict,) = merge(layout.root, "trial", "theirs").conflicts
    assert (conflict.ours, conflict.theirs) == (("account_default alice",), ("account_default bob",))
    assert standing(layout) == {("account_default", "bob", "")}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (rename("leisure", "fun"), rename("leisure.arts", "crafts")),
        (rename("leisure.arts", "crafts"), rename("leisure", "fun")),
        (rename("finance", "misc"), rename("health", "misc")),
        (rename("finance", "misc.money"), rename("health", "misc")),
        (join("finance", "leisure"), rename("leisure", "fun")),
        (rename("leisure", "fun"), join("finance", "leisure.arts")),
        (rename("finance", "misc"), join("health", "misc")),
        (Deed(ActKind.ACCOUNT_RENAME, "a", "me"), Deed(ActKind.ACCOUNT_RENAME, "b", "me")),
    ],
)
@pytest.mark.parametrize("strategy", ["theirs", "skip"])
def test_renames_that_touch_each_other_are_one_matter(
    lines: tuple[VaultLayout, VaultLayout], ours: Deed, theirs: Deed, strategy: Strategy
) -> None:
    layout, branch = lines
    later = rename(theirs.detail.partition(" ")[0], "anew")
    did(layout, ours)
    did(branch, theirs, later)
    merged = merge(layout.root, "trial", strategy)
    assert merged.conflicts
    wanted = {later, theirs} if strategy == "theirs" else {ours}
    if theirs.kind is ActKind.ACCOUNT_RENAME:
        wanted.add(later)  # a path: another matter
    assert standing(layout) == {(one.kind.value, one.subject, one.detail) for one in wanted}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (join("finance", "misc"), join("health", "misc")),
        (rename("finance", "misc.money"), rename("health", "misc.body")),
        (rename("leisure.arts", "crafts"), rename("leisure.music", "songs")),
        (rename("home", "house"), rename("homework", "school")),
    ],
)
def test_renames_apart_from_each_other_both_hold(
    lines: tuple[VaultLayout, VaultLayout], ours: Deed, theirs: Deed
) -> None:
    layout, branch = lines
    did(layout, ours)
    did(branch, theirs)
    assert told(merge(layout.root, "trial", "skip")) == []
    assert len(standing(layout)) == 2


def test_a_conflict_of_renames_names_both_paths(lines: tuple[VaultLayout, VaultLayout]) -> None:
    layout, branch = lines
    did(layout, rename("leisure", "fun"))
    did(branch, rename("leisure.arts", "crafts"))
    assert told(merge(layout.root, "trial", "ours")) == [
        ("leisure", ("path_rename fun alice",), ("path_rename leisure.arts crafts alice",))
    ]
