"""A first ingest with which many tests begin: made once, copied for the others.

The first test of a process that asks for it has it made by the flow itself; what the others get is a copy of
that vault. A test on the first ingest itself calls `flows.ingest.steps.ingest`.
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

KEPT = 12
"""Vaults kept for copying, some 2 MB each: those of the last test files."""

MODEL = "vault"
"""What the vault is called that is copied, whatever its copies are called."""


class _Made(NamedTuple):
    folder: tempfile.TemporaryDirectory[str]
    summary: RunSummary


_MADE: OrderedDict[object, _Made] = OrderedDict()


def ingested(request: IngestRequest) -> RunSummary:
    """`flows.ingest.steps.ingest`, or, in a vault that holds nothing yet, a copy of what the same archives
    came to.

    The same are archives of one name and content under the same options, in vaults with the same settings.
    Without effect on ingests by a language model: those are made each time.
    """
    first = not request.vault.is_dir() or current_text(VaultLayout(request.vault)) is None
    if not first or request.engine != BY_RULES or not all(path.exists() for path in request.archives):
        return ingest(request)
    summary = _copied(_key(request), request.vault, lambda vault: ingest(replace(request, vault=vault)))
    return summary.model_copy(update={"vault": str(request.vault)})


def _key(request: IngestRequest) -> object:
    archives = tuple((path.name, _content(path)) for path in request.archives)
    settings = _content(request.vault) if request.vault.is_dir() else ()
    return archives, settings, repr(replace(request, vault=Path(), archives=()))


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
        _MADE[key] = _Made(folder, make(model))
        if len(_MADE) > KEPT:
            _MADE.popitem(last=False)[1].folder.cleanup()
    _MADE.move_to_end(key)
    folder, summary = _MADE[key]
    shutil.copytree(Path(folder.name) / MODEL, vault, copy_function=_copy, dirs_exist_ok=True)
    return summary


def _copy(one: str, other: str) -> None:
    copy_file(Path(one), Path(other))
