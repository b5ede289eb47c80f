"""A first ingest with which many tests begin: made once, copied for the others.

The first test of a process that asks for it has it made by the flow itself; what the others get is a copy of
that vault. So are ingests that come straight after it, into a vault that nobody touched since it was left
here. A test on an ingest itself calls `flows.ingest.steps.ingest`.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from flows.engines.engine_choice import BY_RULES
from flows.ingest.steps import IngestRequest, ingest
from flows.reports.run_summary import RunSummary
from vault.current import current_text
from vault.files import copy_file, copy_tree, files_below
from vault.layout import VaultLayout

KEPT = 16
"""Vaults kept for copying, some 2 MB each: those of the last test files."""

MODEL = "vault"
"""What the vault is called that is copied, whatever its copies are called."""


class _Made(NamedTuple):
    folder: tempfile.TemporaryDirectory[str]
    summary: RunSummary


_MADE: OrderedDict[object, _Made] = OrderedDict()


_LEFT: dict[Path, tuple[object, object]] = {}
"""By vault: the key of what it was left as, and the stamps of its files then."""


def ingested(request: IngestRequest) -> RunSummary:
    """`flows.ingest.steps.ingest`, or a copy of what the same archives came to, in a vault that holds nothing
    yet or that is as this function left it.

    The same are archives of one name and content under the same options, in vaults with the same settings and
    the same ingests before. Without effect on ingests by a language model: those are made each time.
    """
    if request.engine != BY_RULES or not all(path.exists() for path in request.archives):
        return ingest(request)
    first = not request.vault.is_dir() or current_text(VaultLayout(request.vault)) is None
    before, stamps = _LEFT.get(request.vault, ((), None))
    if first:
        key = _key(request, _content(request.vault) if request.vault.is_dir() else ())
        made = _copied(key, request.vault, lambda vault: ingest(replace(request, vault=vault)))
    elif stamps is not None and stamps == _stamps(request.vault):
        key = _key(request, before)
        made = _copied_over(key, request)
    else:
        return ingest(request)
    _LEFT[request.vault] = key, _stamps(request.vault)
    return made.model_copy(update={"vault": str(request.vault)})


def _key(request: IngestRequest, before: object) -> object:
    archives = tuple((path.name, _content(path)) for path in request.archives)
    return archives, before, repr(replace(request, vault=Path(), archives=()))


def _stamps(vault: Path) -> object:
    """What changes with every write to a file of the vault, and with every new one."""
    files = ((path, (vault / path).stat()) for path in files_below(vault))
    return [(path, stat.st_ino, stat.st_size, stat.st_mtime_ns) for path, stat in files]


def _content(path: Path) -> object:
    if path.is_dir():
        return tuple((one.as_posix(), (path / one).read_bytes()) for one in files_below(path))
    return path.read_bytes()


def _copied(key: object, vault: Path, make: Callable[[Path], RunSummary]) -> RunSummary:
    if key not in _MADE:
        folder = tempfile.TemporaryDirectory(prefix="mnemic-prepared-")
        model = Path(folder.name) / MODEL
        if vault.is_dir():
            copy_tree(vault, model)
        _keep(key, _Made(folder, make(model)))
    return _copy_of(key, vault)


def _copied_over(key: object, request: IngestRequest) -> RunSummary:
    """The same where a generation is there already: the first is made in place, later ones take its place."""
    if key in _MADE:
        shutil.rmtree(request.vault)
        return _copy_of(key, request.vault)
    folder = tempfile.TemporaryDirectory(prefix="mnemic-prepared-")
    summary = ingest(request)
    copy_tree(request.vault, Path(folder.name) / MODEL)
    _keep(key, _Made(folder, summary))
    return summary


def _copy_of(key: object, vault: Path) -> RunSummary:
    _MADE.move_to_end(key)
    folder, summary = _MADE[key]
    shutil.copytree(Path(folder.name) / MODEL, vault, copy_function=_copy, dirs_exist_ok=True)
    return summary


def _keep(key: object, made: _Made) -> None:
    _MADE[key] = made
    if len(_MADE) > KEPT:
        _MADE.popitem(last=False)[1].folder.cleanup()


def _copy(one: str, other: str) -> None:
    copy_file(Path(one), Path(other))
