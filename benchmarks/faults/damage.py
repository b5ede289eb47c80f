"""A torn write, a flipped bit and a truncation in every stored file: found and named, or without effect."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

from benchmarks.faults.ground import Drill, rows, run, some_units, write_archive
from flows.verifying import verify
from vault.files import files_below
from vault.layout import VaultLayout
from vault.sums import UNSUMMED

Damage = Callable[[bytes, random.Random], bytes]

TORN_BYTES = 512
"""A sector: what a disk writes whole or not at all."""


def _flip(whole: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(whole))
    return whole[:at] + bytes([whole[at] ^ (1 << chance.randrange(8))]) + whole[at + 1 :]


def _tear(whole: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(0, len(whole), TORN_BYTES)
    torn = bytes(byte ^ 0x5A for byte in whole[at : at + TORN_BYTES])
    return whole[:at] + torn + whole[at + TORN_BYTES :]


def _truncate(whole: bytes, chance: random.Random) -> bytes:
    return whole[: chance.randrange(len(whole))]


DAMAGES: dict[str, Damage] = {"flipped bit": _flip, "torn write": _tear, "truncated": _truncate}


def damage(folder: Path, limit: int | None, seed: int) -> Drill:
    """Damage each stored file of a vault in each way, verify, and put it back. `limit` caps the files."""
    drill = Drill("damaged files")
    chance = random.Random(seed)
    vault = folder / "vault"
    run(vault, "ingest", str(write_archive(folder / "archives", 2)))
    run(vault, "keep", some_units(vault, 1)[0])
    run(vault, "exclusions", "--add", "project:Work*")
    layout = VaultLayout(vault)
    before = rows(vault)
    stored = [path for path in files_below(vault) if _is_stored(path)]
    chance.shuffle(stored)
    for path in stored[:limit]:
        for name, change in DAMAGES.items():
            whole = (vault / path).read_bytes()
            if not whole:
                continue
            changed = change(whole, chance)
            (vault / path).write_bytes(changed)
            _, found = verify(vault, full=True)
            drill.count(name)
            harmless = path.name == layout.exclusions.name and not found
            drill.expect(bool(found) or harmless, f"{name} in {path} is found")
            drill.expect(all(one.remedy for one in found), f"{name} in {path} has a remedy")
            (vault / path).write_bytes(whole)
    drill.expect(verify(vault, full=True)[1] == [], "all is well once the files are back")
    drill.expect(rows(vault) == before, "the rows are as before")
    shutil.rmtree(vault)
    return drill


def _is_stored(path: Path) -> bool:
    """What a vault must not lose: the published generation, the journal, `CURRENT`, the owner's rules."""
    parts = path.parts
    if parts[0] == "generations":
        return "/".join(parts[2:]) not in UNSUMMED or path.name == "generation.json"
    return path.name in ("CURRENT", "journal.sqlite", "exclusions.json")
