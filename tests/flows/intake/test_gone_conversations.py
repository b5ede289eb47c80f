"""A conversation that the newest export of the whole account lacks is marked as gone, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import permutations
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from flows.intake.exclusions import parse_rule
from flows.reports.run_summary import RunSummary
from vault.reader import open_vault

JANUARY = 1_767_225_600.0
DAY = 86_400.0


def exported(folder: Path, days: Mapping[str, int], *, user: bool = True) -> Path:
    """A folder as the service exports it, a conversation a name and day; `user` makes it the account's."""
    folder.mkdir()
    conversations = [
        chatgpt_conversation(name, [("user", f"The {name} is {day} metres long.")], JANUARY + DAY * day)
        for name, day in days.items()
    ]
    (folder / "conversations.json").write_text(json.dumps(conversations), encoding="utf-8")
    if user:
        (folder / "user.json").write_text('{"id": "user-1", "email": "ada@example.org"}', encoding="utf-8")
    return folder


def gone(vault: Path) -> set[object]:
    with open_vault(vault) as reader:
        return {title for (title,) in reader.ledger.query("SELECT title FROM gone_conversations")}


def run(vault: Path, *archives: Path) -> RunSummary:
    return ingested(IngestRequest(vault, archives, account="ada"))


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def test_what_a_newer_whole_export_lacks_is_gone_and_its_notes_stay(vault: Path, tmp_path: Path) -> None:
    run(vault, exported(tmp_path / "first", {"hedge": 1, "fence": 2, "pond": 3}))
    with open_vault(vault) as reader:
        notes = reader.ledger.query("SELECT id, state FROM units_current ORDER BY id")
    newer = run(vault, exported(tmp_path / "second", {"hedge": 1, "pond": 3, "shed": 4}))
    assert (gone(vault), newer.gone) == ({"Fence"}, 1)
    with open_vault(vault) as reader:
        after = reader.ledger.query("SELECT id, state FROM units_current ORDER BY id")
    assert notes
    assert set(notes) <= set(after)
    back = run(vault, exported(tmp_path / "third", {"hedge": 1, "fence": 2, "pond": 3, "shed": 5}))
    assert (gone(vault), back.gone) == (set(), 0)


def test_the_order_of_imports_does_not_show(tmp_path: Path) -> None:
    exports = [
        exported(tmp_path / "first", {"hedge": 1, "fence": 2, "pond": 3}),
        exported(tmp_path / "second", {"hedge": 1, "pond": 3, "shed": 4, "path": 4}),
        exported(tmp_path / "third", {"hedge": 1, "shed": 4, "path": 5}),
    ]
    for number, order in enumerate(list(permutations(exports))[::2]):
        vault = tmp_path / f"vault-{number}"
        for path in order:
            run(vault, path)
        assert gone(vault) == {"Fence", "Pond"}


@pytest.mark.parametrize(
    ("second", "user"),
    [
        ({"hedge": 1, "shed": 4}, False),  # not the whole account
        ({"pond": 3, "shed": 4}, True),  # what is older than its oldest was not asked for
        ({"gate": 1, "path": 1, "shed": 4}, True),  # the other half of an export in two files
        ({"hedge": 1, "fence": 2}, True),  # not newer than what it lacks
    ],
)
def test_absence_alone_proves_nothing(
    vault: Path, tmp_path: Path, second: dict[str, int], user: bool
) -> None:
    run(vault, exported(tmp_path / "first", {"hedge": 1, "fence": 2, "pond": 3}))
    run(vault, exported(tmp_path / "second", second, user=user))
    assert gone(vault) == set()


def test_an_export_that_breaks_off_marks_nothing(vault: Path, tmp_path: Path) -> None:
    run(vault, exported(tmp_path / "first", {"hedge": 1, "fence": 2, "pond": 3}))
    path = exported(tmp_path / "second", {"hedge": 1, "shed": 4, "path": 5}) / "conversations.json"
    path.write_text(path.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    run(vault, path.parent)
    assert gone(vault) == set()


def test_a_time_to_come_does_not_make_an_export_the_newest(vault: Path, tmp_path: Path) -> None:
    run(vault, exported(tmp_path / "first", {"hedge": 1, "fence": 2}))
    run(vault, exported(tmp_path / "second", {"hedge": 1, "shed": 30_000}))
    assert gone(vault) == set()


def test_what_a_rule_leaves_out_later_is_not_gone(vault: Path, tmp_path: Path) -> None:
    run(vault, exported(tmp_path / "first", {"hedge": 1, "fence": 2}))
    newer = exported(tmp_path / "second", {"hedge": 1, "fence": 2, "shed": 4})
    ingested(IngestRequest(vault, (newer,), account="ada", exclude=(parse_rule("conversation:Fence"),)))
    assert gone(vault) == set()


def test_accounts_do_not_speak_for_one_another(vault: Path, tmp_path: Path) -> None:
    run(vault, exported(tmp_path / "first", {"hedge": 1, "fence": 2}))
    ingested(IngestRequest(vault, (exported(tmp_path / "second", {"hedge": 1, "shed": 4}),), account="bob"))
    assert gone(vault) == set()
