"""Backups and restores that are killed, and who can read what is written outside the vault."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation
from filelock import FileLock
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from flows.intake.exclusions import keep_rules, parse_rule
from flows.upkeep.checkup import examine_all
from flows.upkeep.full_verification import verify
from flows.upkeep.leftovers import clear_leftovers, leftovers
from interfaces.main import main
from schemas.act import ActKind
from schemas.errors import UsageError, VaultLocked
from vault.backup import back_up
from vault.files import copy_tree
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.outside import beside, clear_parts
from vault.reader import open_vault
from vault.restoring import INSIDE, restore
from vault.tombstones import copies, remember_part

REPOSITORY = Path(__file__).resolve().parents[2]
SAID = [
    ("user", "=1+1 is what I typed. The garden is 40 square metres."),
    ("assistant", "+49 is the code."),
    ("user", "@odile, -3 degrees are enough. I decided to plant a hedge of hornbeam."),
]


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("backups")
    (folder / "ada.json").write_text(json.dumps([chatgpt_conversation("garden", SAID)]), encoding="utf-8")
    vault = let_pass(folder / "vault")
    assert ingested(IngestRequest(vault, (folder / "ada.json",))).published
    with open_vault(vault) as reader, Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.KEEP, [str(reader.ledger.query("SELECT min(id) FROM units")[0][0])])
    back_up(vault, folder / "backup.zip")
    return folder


@pytest.fixture
def layout(pristine: Path, tmp_path: Path) -> VaultLayout:
    copy_tree(pristine / "vault", tmp_path / "vault")
    return VaultLayout(tmp_path / "vault")


def killed(code: str, *arguments: object) -> None:
    """Run the code in a process that kills itself at the call of `die`."""
    head = "import os, signal, sys\ndef die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)\n"
    called = [sys.executable, "-c", head + code, *map(str, arguments)]
    done = subprocess.run(called, cwd=REPOSITORY, check=False)
    assert done.returncode == -signal.SIGKILL


def dying(module: str, name: str, call: str) -> str:
    return (
        f"import {module} as module\nfrom pathlib import Path\nmodule.{name} = die\n"
        f"module.{call}(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    )


RESTORES = [
    dying("vault.restoring", name, "restore") for name in ("sync_tree", "write_current", "sync_folder")
]


@pytest.mark.parametrize("code", RESTORES)
@pytest.mark.parametrize("is_there", [False, True])
def test_a_restore_that_was_killed_is_run_again(
    pristine: Path, tmp_path: Path, code: str, is_there: bool
) -> None:
    root = tmp_path / "restored"
    if is_there:
        root.mkdir(mode=0o755)
    killed(code, pristine / "backup.zip", root)
    if "sync_folder" not in code:  # that is called when the folder has its name
        assert not root.exists() or not list(root.iterdir())
        restore(pristine / "backup.zip", root)
    assert verify(root, full=True)[1] == []
    assert root.stat().st_mode & 0o777 == 0o700
    left = [path.name for path in tmp_path.iterdir()]
    assert left == ["restored"] or "sync_folder" in code


@pytest.mark.parametrize("code", RESTORES)
def test_a_restore_into_a_folder_that_cannot_be_replaced_is_run_again(
    pristine: Path, tmp_path: Path, code: str
) -> None:
    root = tmp_path / "volume"
    root.mkdir()
    inside = "import vault.restoring\nvault.restoring._irreplaceable = lambda _: True\n"
    killed(inside + code, pristine / "backup.zip", root)
    assert not (root / "CURRENT").exists()
    again = f"{inside}from pathlib import Path\nvault.restoring.restore(*map(Path, sys.argv[1:]))\ndie()\n"
    killed(again, pristine / "backup.zip", root)
    assert verify(root, full=True)[1] == []
    assert not (root / INSIDE).exists()
    with pytest.raises(UsageError, match="not empty"):
        restore(pristine / "backup.zip", root)


def test_a_restore_spares_what_is_there(pristine: Path, tmp_path: Path) -> None:
    root = tmp_path / "mine"
    (root / INSIDE).mkdir(parents=True)
    (root / "diary.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="not empty"):
        restore(pristine / "backup.zip", root)
    assert (root / "diary.txt").read_text(encoding="utf-8") == "mine"


def test_of_two_restores_to_one_folder_one_waits_outside(pristine: Path, tmp_path: Path) -> None:
    aside = tmp_path / f".restored{INSIDE}"
    aside.mkdir()
    with FileLock(aside / "lock"), pytest.raises(VaultLocked):
        restore(pristine / "backup.zip", tmp_path / "restored")


def test_what_a_killed_backup_left_goes_with_the_next(layout: VaultLayout, tmp_path: Path) -> None:
    code = dying("vault.backup", "put_in_place", "back_up")
    killed(code, layout.root, tmp_path / "one.zip")
    (left,) = [path for path in tmp_path.iterdir() if path.suffix == ".part"]
    assert left.stat().st_mode & 0o777 == 0o700
    assert leftovers(layout) == [str(left)]
    assert str(left) not in [one.path for one in copies(layout.journal)]
    back_up(layout.root, tmp_path / "elsewhere" / "two.zip")
    assert not left.exists()
    assert [path.suffix for path in (tmp_path / "elsewhere").iterdir()] == [".zip"]
    killed(code, layout.root, tmp_path / "three.zip")
    assert clear_leftovers(layout)
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".part"]
    assert leftovers(layout) == []


def test_a_part_that_is_being_written_or_is_none_of_ours_stays(layout: VaultLayout, tmp_path: Path) -> None:
    with beside(layout, tmp_path / "backup.zip") as part:
        assert clear_parts(layout) == []
        assert part.exists()
    assert not part.exists()
    foreign = [tmp_path / name for name in ("notes", ".a.zip.01234567.part", ".b.zip.01234567.part")]
    (foreign[0]).mkdir()
    (foreign[1] / "folder").mkdir(parents=True)
    foreign[2].symlink_to(foreign[0])
    for one in foreign:
        remember_part(layout, one)
    assert clear_parts(layout) == []
    assert all(one.exists() for one in foreign)


FILES: dict[str, Callable[[Path], list[str]]] = {
    "backup": lambda path: ["vault", "backup", str(path)],
    "jsonl": lambda path: ["export", "units", "--to", str(path)],
    "parquet": lambda path: ["export", "units", "--format", "parquet", "--to", str(path)],
    "trace": lambda path: ["recall", "hedge", "--trace", str(path)],
    "markdown": lambda path: ["export", "markdown", "--state", "passed", "--to", str(path)],
}


@pytest.mark.parametrize("what", FILES)
def test_what_is_written_outside_is_for_its_owner_alone(
    layout: VaultLayout, tmp_path: Path, what: str
) -> None:
    target = tmp_path / "out"
    before = os.umask(0o022)
    try:
        assert main([*FILES[what](target), "--vault", str(layout.root)]) == 0
    finally:
        os.umask(before)
    files = [path for path in (target.rglob("*") if target.is_dir() else [target]) if path.is_file()]
    assert files
    assert {oct(path.stat().st_mode & 0o777) for path in files} == {"0o600"}


def test_no_cell_of_a_csv_is_a_formula(layout: VaultLayout, tmp_path: Path) -> None:
    for what in ("conversations", "units"):
        target = tmp_path / f"{what}.csv"
        assert (
            main(["export", what, "--format", "csv", "--to", str(target), "--vault", str(layout.root)]) == 0
        )
        with target.open(encoding="utf-8", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [one for one in cells if one.startswith(("=", "+", "@", "\t", "\r", "\n"))]
        assert not [one for one in cells if one.startswith("-") and not one[1:].isdigit()]
    plain = tmp_path / "conversations.jsonl"
    assert main(["export", "conversations", "--to", str(plain), "--vault", str(layout.root)]) == 0
    assert "=1+1 is what I typed" in plain.read_text(encoding="utf-8")


def test_a_backup_has_the_settings_of_the_gate(layout: VaultLayout, tmp_path: Path) -> None:
    keep_rules(layout, [parse_rule("project:Work")])
    settings = layout.gate.read_bytes()
    back_up(layout.root, tmp_path / "backup.zip")
    restore(tmp_path / "backup.zip", tmp_path / "restored")
    restored = VaultLayout(tmp_path / "restored")
    assert restored.gate.read_bytes() == settings
    assert restored.exclusions.read_bytes() == layout.exclusions.read_bytes()


def test_a_folder_that_becomes_a_vault_is_private(tmp_path: Path) -> None:
    layout = VaultLayout(tmp_path / "vault")
    layout.inbox.mkdir(parents=True)
    layout.root.chmod(0o755)
    layout.create()
    assert layout.root.stat().st_mode & 0o777 == 0o700
    layout.root.chmod(0o750)  # the owner shares it with a group
    layout.create()
    assert layout.root.stat().st_mode & 0o777 == 0o750


def test_doctor_says_where_others_can_enter_the_vault(layout: VaultLayout) -> None:
    def said() -> list[str]:
        return [one.remedy for one in examine_all(layout.root) if one.what == "privacy" and not one.well]

    layout.root.chmod(0o755)
    assert [one for one in said() if "chmod 700" in one]
    layout.root.chmod(0o700)
    assert said() == []
