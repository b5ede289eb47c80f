"""What a finding says is to be done, done."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.faults.drill import run
from flows.upkeep.full_verification import verify
from inference.store import FILE
from vault.generations import finished_numbers
from vault.layout import VaultLayout

ROUNDS = 4
"""Remedies that one damage may need, one after the other."""


def mended(vault: Path, backup: Path, published: int) -> list[str]:
    """Do what the first finding says until `verify --full` finds nothing; returns what was done, in order.

    Raises AssertionError where a remedy is none of those that are known, or they do not help.
    """
    done: list[str] = []
    for _ in range(ROUNDS):
        _, found = verify(vault, full=True)
        if not found:
            return done
        done.append(_follow(vault, backup, published, found[0].remedy))
    raise AssertionError(f"{done} did not help: {found[0].where}: {found[0].what}")


def _follow(vault: Path, backup: Path, published: int, remedy: str) -> str:
    layout = VaultLayout(vault)
    if named := re.search(r"vault rollback (\d+)", remedy):
        return _command(vault, "vault", "rollback", named[1])
    remedies: dict[str, Callable[[], str]] = {
        "vault rebuild": partial(_command, vault, "vault", "rebuild"),
        "vault prune --keep 1": partial(_command, vault, "vault", "prune", "--keep", "1"),
        "vault prune": partial(_command, vault, "vault", "prune"),
        "Move journal.sqlite away": partial(_from_backup, backup, layout.journal, layout.journal.name),
        f"Move cache/{FILE} away": partial(_from_backup, backup, layout.cache / FILE, f"cache/{FILE}"),
        "Mend the file": partial(_from_backup, backup, layout.exclusions, layout.exclusions.name),
        "vault rollback`": partial(_to_another, vault, published),
    }
    for words, do in remedies.items():
        if words in remedy:
            return do()
    raise AssertionError(f"nobody knows this remedy: {remedy}")


def _command(vault: Path, *arguments: str) -> str:
    code, said = run(vault, *arguments)
    if code:
        raise AssertionError(f"`mnemic {' '.join(arguments)}` failed: {said}")
    return " ".join(arguments)


def _to_another(vault: Path, published: int) -> str:
    others = [number for number in finished_numbers(VaultLayout(vault)) if number != published]
    return _command(vault, "vault", "rollback", str(others[-1])).rpartition(" ")[0]


def _from_backup(backup: Path, target: Path, member: str) -> str:
    for old in target.parent.glob(f"{target.name}*"):
        old.unlink()
    with zipfile.ZipFile(backup) as packed:
        target.write_bytes(packed.read(member))
    return f"{target.name} from a backup"
