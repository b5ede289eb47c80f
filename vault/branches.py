"""Branches: a second line of generations beside the main one, for what may or may not be wanted later.

    branches/<name>/    a vault of its own: its first generation is the main line's published one
        branch.json     when it began, at which generation, after which act

A published generation never changes, so the branch's first one is made of hard links to the main line's
files and takes no blocks of its own; the manifest, which readers lock, and the owner's settings and journal
are copied. Where the file system has no hard links, files are copied (as clones where it shares blocks).
Everything that holds of a vault's generations holds of a branch, because it is one.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from schemas.base import Instant, Noun
from schemas.errors import IntegrityError, UnknownId, UsageError
from vault.current import write_current
from vault.files import copy_file, files_below, sync_folder, sync_tree, write_text_durably
from vault.generations import require_published
from vault.journal import Journal
from vault.layout import BRANCH_FILE, MANIFEST_FILE, VaultLayout
from vault.readonly import copy_database
from vault.tombstones import carry_copies

MAIN = "main"
"""What the main line is called; no new branch has this name."""
PART = ".part"
"""Ends the name of a branch that is being made or removed; such a name begins with a full stop."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Branch(Noun):
    """Where a branch left the main line."""

    name: str
    made_at: Instant
    generation: int
    """The main line's generation that is the branch's first."""
    act: int
    """`seq` of the newest act that both lines share; 0 where there was none."""


def branch_layout(layout: VaultLayout, name: str) -> VaultLayout:
    """The vault that is the branch. Raises UnknownId where there is none of this name, UsageError for a
    name that none can have, IntegrityError for a branch whose record is lost."""
    found = branch_folder(layout, name)
    if not (found.root / BRANCH_FILE).exists():
        raise _without_record(found)
    return found


def branch_folder(layout: VaultLayout, name: str) -> VaultLayout:
    """The same, its record there or lost: for what removes it."""
    found, have = VaultLayout(layout.branches / _checked(name)), branch_names(layout)
    if name in have:
        return found
    alike = _alike(name, have)
    raise UnknownId(
        f"there is no branch {name}",
        where=str(layout.root),
        why=f"there are: {', '.join(have)}" if have else "there is none",
        remedy=f"The one that is alike is called {alike}" if alike else f"`mnemic branch {name}` makes it",
    )


def _alike(name: str, have: Iterable[str]) -> str | None:
    """The branch whose folder some file systems would not tell from one of this name."""
    return next((one for one in have if one.casefold() == name.casefold()), None)


def _without_record(branch: VaultLayout) -> IntegrityError:
    name = branch.root.name
    return IntegrityError(
        f"the branch {name} has lost its record",
        where=str(branch.root / BRANCH_FILE),
        why="where it began is not known, so it cannot be read or merged",
        remedy=f"`mnemic branch --delete {name}` removes what is left of it",
    )


def read_branch(branch: VaultLayout) -> Branch:
    """Where the branch began. Raises IntegrityError where its record cannot be read, or is lost."""
    path = branch.root / BRANCH_FILE
    if not path.exists():
        raise _without_record(branch)
    try:
        return Branch.model_validate_json(path.read_text(encoding="utf-8", errors="replace"))
    except ValidationError as error:
        raise IntegrityError(
            "the branch's record is damaged",
            where=str(path),
            why=f"{error.error_count()} of its fields cannot be read",
            remedy=f"Export what you need with --branch {branch.root.name}, then `mnemic branch --delete` it",
        ) from error


def branches(layout: VaultLayout) -> list[Branch]:
    """The branches of a vault, by name. Raises IntegrityError where the record of one is damaged or lost."""
    return [read_branch(VaultLayout(layout.branches / name)) for name in branch_names(layout)]


def branch_names(layout: VaultLayout) -> list[str]:
    """Names of the branches, those with a damaged or lost record too."""
    if not layout.branches.is_dir():
        return []
    folders = (one for one in layout.branches.iterdir() if not one.name.startswith("."))
    return sorted(one.name for one in folders if one.is_dir())


def create_branch(layout: VaultLayout, name: str) -> Branch:
    """Make a branch of the published generation and all acts so far; there whole, or not at all.

    Hold the writer's lock. Raises UsageError where the name is taken or none or the main line's, or the vault
    is a branch itself; VaultEmpty where nothing is published.
    """
    if _checked(name).casefold() == MAIN:
        raise UsageError(f"{name} is what the main line is called", remedy="Name the branch otherwise")
    require_main_line(layout, "a branch is made")
    if have := _alike(name, branch_names(layout)):
        raise UsageError(
            f"there is a branch {have} already", remedy=f"`mnemic branch --delete {have}` removes it"
        )
    number = require_published(layout)
    clear_half_made(layout)
    layout.branches.mkdir(exist_ok=True)
    made = VaultLayout(layout.branches / f".{name}{PART}")
    made.root.mkdir()
    made.root.chmod(0o700)
    made.create_folders()
    _share(layout.generation(number), made.generation(number))
    for path in (layout.exclusions, layout.gate, layout.taxonomy, layout.taught_reader, layout.scorer):
        if path.exists():
            copy_file(path, made.root / path.name)
    act = 0
    if layout.journal.exists():
        copy_database(layout.journal, made.journal)
        with Journal(made.journal) as journal:
            act = journal.last_seq()
    write_current(made, number)
    branch = Branch(name=name, made_at=datetime.now(UTC), generation=number, act=act)
    write_text_durably(made.root / BRANCH_FILE, branch.model_dump_json(indent=2) + "\n")
    sync_tree(made.root)
    made.root.rename(layout.branches / name)
    sync_folder(layout.branches)
    return branch


def _share(source: Path, target: Path) -> None:
    """A second folder of the same files. Only for files that nobody writes to any more."""
    for path in files_below(source):
        new = target / path
        new.parent.mkdir(parents=True, exist_ok=True)
        if path.name == MANIFEST_FILE:  # readers of either line hold a lock on theirs
            copy_file(source / path, new)
            continue
        try:
            os.link(source / path, new)
        except OSError:  # no hard links on this file system, or not to this file
            copy_file(source / path, new)


def delete_branch(layout: VaultLayout, name: str) -> None:
    """Remove a branch, whole or not at all as others see it. Hold the writer's lock of both lines.

    What was exported from it stays known to the main line, so that an erasure finds it.
    """
    branch = branch_folder(layout, name)
    carry_copies(branch.journal, layout)
    gone = layout.branches / f".{name}{PART}"
    if gone.exists():
        shutil.rmtree(gone)
    branch.root.rename(gone)
    sync_folder(layout.branches)
    shutil.rmtree(gone)


def half_made(layout: VaultLayout) -> list[Path]:
    """What interrupted runs left of branches that were being made or removed."""
    return sorted(layout.branches.glob(f".*{PART}")) if layout.branches.is_dir() else []


def clear_half_made(layout: VaultLayout) -> None:
    """Remove it. Hold the writer's lock."""
    for path in half_made(layout):
        shutil.rmtree(path)


def require_main_line(layout: VaultLayout, what: str) -> None:
    """Raises UsageError in a branch."""
    if layout.is_branch:
        raise UsageError(
            f"{what} on the main line",
            where=str(layout.root),
            why="this is a branch",
            remedy="Leave --branch out",
        )


def require_no_branches(layout: VaultLayout) -> None:
    """Raises UsageError where branches hold what is to be erased, or may: they share the main line's
    files."""
    if have := branch_names(layout):
        raise UsageError(
            "nothing can be forgotten while there are branches",
            where=str(layout.branches),
            why=f"{', '.join(have)} may hold the same; nothing forgotten may stay there",
            remedy="Merge what you want to keep, then `mnemic branch --delete` each",
        )


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot be the name of a branch",
            why="a name begins with a letter or digit and has up to 64 of them, full stops, - and _",
        )
    return name
