"""The checks of `mnemic doctor`: a list, each with what it found and the remedy."""

from __future__ import annotations

import importlib.metadata
import os
import shlex
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from flows.upkeep.full_verification import verify
from flows.upkeep.leftovers import leftovers
from inference.weights import cache_folder, find_weights, hash_file
from schemas.errors import MnemicError
from vault.branches import branch_layout, branch_names, read_branch
from vault.files import tree_size
from vault.generations import SPARE_BYTES, finished_numbers, published_number, read_manifest
from vault.layout import VaultLayout
from vault.migrations import MIGRATIONS
from vault.opening import open_ledger
from vault.tombstones import buried

USAGE_QUEUE = "Microsoft/DeveloperTools/.onnxruntime"
"""Below the user's cache folder: what any program's onnxruntime has not sent yet, and the machine's id."""

LIBRARIES = ("duckdb", "qdrant-edge-py", "numpy", "onnxruntime", "pyarrow", "pydantic", "prefect")


@dataclass(frozen=True, slots=True)
class Symptom:
    """What one check found."""

    what: str
    well: bool
    said: str
    remedy: str = ""


Look = Callable[[VaultLayout], Iterator[Symptom]]


def _installation(_: VaultLayout) -> Iterator[Symptom]:
    missing = []
    found = []
    for name in LIBRARIES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    python = ".".join(map(str, sys.version_info[:3]))
    said = f"Python {python}, {', '.join(found)}" + (f"; missing: {', '.join(missing)}" if missing else "")
    yield Symptom("installation", not missing, said, "Install mnemic again" if missing else "")


def _model(layout: VaultLayout) -> Iterator[Symptom]:
    try:
        weights = hash_file(find_weights().weights)
    except MnemicError as error:
        yield Symptom("model", False, error.what, error.remedy)
        return
    number = published_number(layout) if layout.generations.exists() else None
    bound = read_manifest(layout.generation(number)).embedder.weights_hash if number is not None else weights
    said = f"weights {weights[:12]}"
    if bound != weights:
        yield Symptom("model", False, f"{said}, the vault's are {bound[:12]}", "Run `mnemic vault rebuild`")
    else:
        yield Symptom("model", True, said)


def _disk(layout: VaultLayout) -> Iterator[Symptom]:
    place = layout.root if layout.root.exists() else layout.root.absolute().parent
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    have = finished_numbers(layout)
    wanted = SPARE_BYTES + (tree_size(layout.generation(have[-1])) if have else 0)
    said = f"{free // 2**20:,} MiB free, a publication wants {wanted // 2**20:,}"
    yield Symptom(
        "disk", free >= wanted, said, "" if free >= wanted else "Free some space; `mnemic vault prune`"
    )
    if layout.root.exists() and not os.access(layout.root, os.W_OK):
        yield Symptom("permission", False, "the vault's folder cannot be written", "Mend its owner or mode")


def _usage_events(_: VaultLayout) -> Iterator[Symptom]:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    left = [str(one) for one in (cache / USAGE_QUEUE, Path(tempfile.gettempdir()) / ".ses") if one.exists()]
    if left:
        said = "onnxruntime, run by another program or by mnemic until it refused, queued reports on its use"
        # no illness: a program of the owner's may queue again whenever it runs
        yield Symptom("usage events", True, said, f"Nothing of mnemic needs them: rm -r {shlex.join(left)}")


def _cache(_: VaultLayout) -> Iterator[Symptom]:
    folder = cache_folder()
    held = f"{tree_size(folder) // 2**20:,} MiB" if folder.is_dir() else "nothing yet"
    yield Symptom("cache", True, f"{folder} holds {held}, computed from the weights; it may be deleted")


def _no_vault(layout: VaultLayout) -> Iterator[Symptom]:
    remedy = "Run `mnemic ingest ARCHIVE`, or name another with --vault or MNEMIC_VAULT"
    yield Symptom("vault", True, f"there is no vault at {layout.root}", remedy)


def _lock(layout: VaultLayout) -> Iterator[Symptom]:
    if not layout.lock.exists() or not os.access(layout.lock, os.W_OK):
        return
    lock = FileLock(layout.lock)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        yield Symptom("lock", True, "a process is writing to the vault now; what follows may be its work")
        return
    if layout.building.exists():
        said = "a run was interrupted while it built a generation"
        yield Symptom("building", False, said, "Run `mnemic vault prune`, or any ingest")
    names = leftovers(layout)
    if names:
        said = f"{len(names)} leftovers of interrupted runs, such as {names[0]}"
        yield Symptom("leftovers", False, said, "Run the ingest again, or `mnemic vault prune`")
    lock.release()
    yield Symptom("lock", True, "nobody is writing")


def _erasures(layout: VaultLayout) -> Iterator[Symptom]:
    try:
        unfinished = buried(layout.journal, unfinished_only=True) if os.access(layout.root, os.W_OK) else {}
    except sqlite3.DatabaseError:
        return  # the journal's own check names it
    if unfinished:
        said = f"forgetting {len(unfinished)} conversations was interrupted"
        yield Symptom("erasures", False, said, "Run any `mnemic ingest`: it finishes first what was begun")


def _branches(layout: VaultLayout) -> Iterator[Symptom]:
    for name in branch_names(layout):
        try:
            began = read_branch(branch_layout(layout, name))
            number = published_number(branch_layout(layout, name))
            said = f"{name}, begun at generation {began.generation}, is at {number}; `--branch` looks into it"
            yield Symptom("branch", True, said)
        except MnemicError as error:
            yield Symptom("branch", False, f"{name}: {error.what}", error.remedy)


def _versions(layout: VaultLayout) -> Iterator[Symptom]:
    number = published_number(layout)
    if number is None:
        yield Symptom("vault", True, "nothing is published yet", "Run `mnemic ingest ARCHIVE`")
        return
    with open_ledger(layout, read_manifest(layout.generation(number))) as ledger:
        ((version,),) = ledger.query("SELECT max(version) FROM migrations")
    known = MIGRATIONS[-1].version
    newer = int(str(version)) > known
    said = f"the ledger has schema {version}, this mnemic writes {known}"
    yield Symptom("versions", not newer, said, "Upgrade mnemic" if newer else "")


def _privacy(layout: VaultLayout) -> Iterator[Symptom]:
    """Whether others on this machine can enter the vault: it was made private, and its mode changed since, or
    another's folder could not be made so."""
    mode = layout.root.stat().st_mode & 0o777
    closed = not mode & 0o077
    remedy = "" if closed else f"Run `chmod 700 {shlex.quote(str(layout.root))}`, unless you share it"
    yield Symptom("privacy", closed, f"the vault's folder has mode {mode:o}", remedy)


def _integrity(layout: VaultLayout) -> Iterator[Symptom]:
    checks, found = verify(layout.root, full=False)
    for one in found:
        yield Symptom(f"integrity: {one.check}", False, f"{one.where}: {one.what}", one.remedy)
    if not found:
        said = f"{len(checks)} checks; `mnemic vault verify --full` reads every file, row and point"
        yield Symptom("integrity", True, said)


MACHINE: tuple[Look, ...] = (_installation, _disk, _cache, _usage_events)
STORE: tuple[Look, ...] = (_model, _privacy, _lock, _erasures, _branches, _versions, _integrity)


def examine_all(vault: Path) -> list[Symptom]:
    """Every check that applies; one that cannot run says why, and the others go on."""
    layout = VaultLayout(vault)
    symptoms: list[Symptom] = []
    for look in (*MACHINE, *(STORE if layout.root.exists() else (_model, _no_vault))):
        try:
            symptoms.extend(look(layout))
        except MnemicError as error:
            symptoms.append(Symptom(look.__name__.strip("_"), False, str(error), error.remedy))
    return symptoms
