"""To forget: found, listed, then removed from everywhere the vault has it.

bury       ids and files on record, so that nothing brings them back and an interruption is noticed
clear      processed and quarantined files, exports, acts, answers of models, staging, reports, sessions;
           saved pages and the log of the web of an account of which nothing is left
rewrite    ledger and index without them, published as the next generation; older ones go
finish     the record says that it is done
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import duckdb
from pydantic import ValidationError

from archives import open_archive
from flows.generation.loading import units_as_points
from flows.generation.thread_linking import LINKED_BY
from flows.intake.inbox import NOTE
from flows.notebook.page_folder import pages_about, strike_pages
from flows.reports.run_summary import ArchiveResult
from flows.upkeep.refused_records import refused_of
from flows.upkeep.remaining_mentions import archive_names, names_of, own_words, prefect_records, saved_pages
from inference.store import FILE, Store
from schemas.errors import InputError, UnknownId, UsageError
from schemas.unit import UnitEvent
from vault.account_book import names_now
from vault.branches import branch_names, clear_half_made, require_main_line, require_no_branches
from vault.deep_log import drop_deep_log
from vault.erasing import (
    Erased,
    Erasure,
    erase_rows,
    find,
    part_from,
    restate_points,
    rewrite_index,
    rewrite_ledger,
    texts_of,
    threads_of,
    units_of,
)
from vault.files import files_below
from vault.generations import (
    building,
    drop_all_but,
    finished_numbers,
    published_number,
    read_manifest,
    recover,
)
from vault.layout import INDEX_FOLDER, LEDGER_FILE, VaultLayout
from vault.ledger import Ledger
from vault.lock import writer_lock
from vault.opening import require_whole
from vault.outside import clear_parts
from vault.reader import open_vault
from vault.sessions import drop_sessions
from vault.sums import file_sum
from vault.tombstones import buried, bury, condemned, copies, erase_acts, finish
from vault.web_pages import erase_pages_of

NEEDLE, STRIDE, LEAST_NEEDLE = 40, 200, 12
"""Characters of a message that are looked for in files which no reader understands, whatever their case: so
many at every so many, and none of a text so short that it says nothing of where it is from."""
_COPIED = {"export": "an export", "trace": "a trace of recalls"}


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """Everything that forgetting comes to; shown before it is done."""

    erased: tuple[Erased, ...]
    generations: tuple[int, ...]
    """Older generations, dropped whole: they hold it too."""
    files: tuple[Path, ...]
    """In the vault and exported: removed whole, whatever else they hold."""
    still_there: tuple[str, ...]
    """Where it stays, named: backups, changed exports, archives that cannot be read, and what
    `flows/upkeep/remaining_mentions.py` finds."""


def plan_forgetting(vault: Path, wanted: Erasure) -> ForgetPlan:
    """Find what is meant, and where it lies. Nothing is changed.

    Raises UnknownId where nothing is meant.
    """
    layout = VaultLayout(vault)
    with open_vault(vault) as reader:  # held: no writer takes a generation apart meanwhile
        older = [one for one in finished_numbers(layout) if one != reader.generation.number]
        meant: dict[str, Erased] = {}
        needles: set[bytes] = set()
        units: set[str] = set()
        for ledger in _ledgers(layout):
            meant |= {one.owner: one for one in find(ledger, wanted) if _is_whose(one, reader.ledger, wanted)}
        for ledger in _ledgers(layout):
            needles |= _needles(ledger, list(meant), wanted.match)
            units |= set(units_of(ledger, meant))
        names = names_of(wanted, meant.values())
        named = list(archive_names(layout, _ledgers(layout), names))
        refused, stays = _refused(layout, wanted, reader.ledger)
        named.extend(stays)
    if not meant:
        whole = wanted.match is not None and not wanted.inside_words
        remedy = "`--inside-words` looks inside words too" if whole else "`mnemic list` shows what there is"
        raise UnknownId("nothing in the vault is meant by that", remedy=remedy)
    owners, erased = set(meant), tuple(meant.values())
    files = list(refused)
    for path, holds in _archives(layout, owners, needles):
        if holds is None:
            named.append(f"{path}: cannot be read to its end, look yourself")
        elif holds and path.is_relative_to(layout.inbox):
            named.append(f"{path}: an archive that waits; what is forgotten will be left out of it")
        elif holds and path not in refused:
            files.append(path)
    for copy in copies(layout.journal):
        if copy.kind == "markdown":
            plain, stays = _exported_pages(Path(copy.path), owners)
            files.extend(plain)
            named.extend(stays)
            continue
        unchanged = file_sum(Path(copy.path), copy.sum) == copy.sum
        if copy.kind != "backup" and unchanged:
            files.append(Path(copy.path))
        else:
            what = "a backup" if copy.kind == "backup" else f"{_COPIED[copy.kind]} that was changed since"
            named.append(f"{copy.path}: {what} of {copy.at:%Y-%m-%d}")
    named.extend(own_words(layout, names, units))
    if not _is_a_whole_account(wanted):  # of which the pages go too
        named.extend(saved_pages(layout))
    named.extend(
        f"{layout.branches / name}: a branch; delete it before anything is forgotten"
        for name in branch_names(layout)
    )
    archives = [path.name for path in files if path.parent == layout.processed]
    named.extend(prefect_records(names, archives))
    return ForgetPlan(erased, tuple(older), tuple(files), tuple(named))


def _is_a_whole_account(wanted: Erasure) -> bool:
    return wanted.account is not None and wanted == Erasure(account=wanted.account)


def _refused(layout: VaultLayout, wanted: Erasure, published: Ledger) -> tuple[list[Path], list[str]]:
    """What quarantine has of an account of which everything is to go."""
    if wanted.account is None or not _is_a_whole_account(wanted):
        return [], []
    return refused_of(layout, _ledgers(layout), wanted.account, names_now(layout, published).now)


def _is_whose(found: Erased, published: Ledger, wanted: Erasure) -> bool:
    """Whether a record of any generation is of the account that is to be forgotten, as accounts are now."""
    if wanted.account is None:
        return True
    now = find(published, Erasure(conversations=(found.owner,)))
    return any(one.account == wanted.account for one in now) or not now


def _exported_pages(folder: Path, owners: Collection[str]) -> tuple[list[Path], list[str]]:
    """(pages that go, a line on each that stays) of a folder with exported Markdown."""
    try:
        plain, added_to, edited = pages_about(folder, owners)
    except (UsageError, OSError) as error:
        # whatever became of the folder must not keep the vault from forgetting
        return [], [f"{folder}: exported pages that cannot be told apart, look yourself ({error})"]
    lines = [f"{page}: your own lines in an exported page, whose other words go" for page in added_to]
    return plain, [*lines, *(f"{page}: an exported page that was edited since" for page in edited)]


def _needles(ledger: Ledger, owners: Sequence[str], match: str | None) -> set[bytes]:
    """What gives a text away in a file that no reader understands: parts of it, plain and in JSON."""
    texts = [part for text in texts_of(ledger, owners) for part in _parts(text.strip())]
    texts.extend([match] if match else [])
    forms = {form for text in texts if text for form in (text, json.dumps(text)[1:-1])}
    return {form.lower().encode("utf-8", "replace") for form in forms}


def _parts(text: str) -> Iterator[str]:
    starts = range(0, max(1, len(text)), STRIDE)
    return (part for start in starts if len(part := text[start : start + NEEDLE]) >= LEAST_NEEDLE)


def _ledgers(layout: VaultLayout) -> Iterator[Ledger]:
    """The ledger of every generation that is there: what a rollback left behind is remembered too."""
    for number in finished_numbers(layout):
        try:
            ledger = Ledger.open(layout.generation(number) / LEDGER_FILE, read_only=True)
        except duckdb.Error:
            continue  # a damaged one can give nothing away, and is dropped with the others
        with ledger:
            yield ledger


def _archives(
    layout: VaultLayout, owners: set[str], needles: Collection[bytes]
) -> Iterator[tuple[Path, bool | None]]:
    """Each archive or file in the vault's folders, and whether it holds an owner; None: nobody can tell."""
    for folder in (layout.processed, layout.inbox):
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if not path.name.endswith(NOTE):
                yield path, _reads_as(path, owners)
    for path in _holding(layout.quarantine, needles):
        yield path, True


def _holding(folder: Path, needles: Collection[bytes]) -> list[Path]:
    """What lies in a folder and has one of the texts in its bytes."""
    return [path for path in sorted(folder.iterdir()) if _has_bytes(path, needles)] if folder.is_dir() else []


def _has_bytes(path: Path, needles: Collection[bytes]) -> bool:
    files = [path / one for one in files_below(path)] if path.is_dir() else [path]
    contents = (one.read_bytes().lower() for one in files)
    return any(needle in content for content in contents for needle in needles)


def _reads_as(path: Path, owners: set[str]) -> bool | None:
    """Whether an archive holds one of the conversations or documents."""
    note = path.with_name(path.name + NOTE)
    account = None
    try:
        if note.exists():
            report = ArchiveResult.model_validate_json(note.read_bytes()).report
            account = report.account if report else None
        with open_archive(path, account=account) as archive:
            # both to the end: an archive's documents come after its conversations
            found = [one.id in owners for one in archive.conversations()]
            holds = any(found) or any(one.id in owners for one in archive.resources())
            return holds or (False if archive.report().complete else None)
    except (InputError, ValidationError):  # without its note nobody knows the account that ids are made of
        return None


def forget(vault: Path, plan: ForgetPlan) -> dict[str, int]:
    """Do what the plan says; returns how many rows went, by table. The next run finishes an interrupted one.

    Raises UsageError in a branch, and where there are branches: they share files with the main line.
    VaultLocked, DiskFull.
    """
    layout = VaultLayout(vault)
    require_main_line(layout, "things are forgotten")
    with writer_lock(layout):
        require_no_branches(layout)
        clear_half_made(layout)
        recover(layout)
        bury(layout, [(one.owner, one.account) for one in plan.erased], plan.files)
        return finish_forgetting(layout)


def finish_forgetting(layout: VaultLayout) -> dict[str, int]:
    """Finish every erasure on record that was not done. Hold the writer's lock."""
    owners = buried(layout.journal, unfinished_only=True)
    published = published_number(layout)
    if not owners or published is None:
        return {}
    units: set[str] = set()
    needles: set[bytes] = set()
    there = False
    for ledger in _ledgers(layout):
        there = there or bool(find(ledger, Erasure(conversations=tuple(owners))))
        units |= set(units_of(ledger, owners))
        needles |= _needles(ledger, list(owners), None)
    for path in condemned(layout):
        _remove(path)
    # what is found by the ledger's words goes before the words do
    erase_acts(layout.journal, units)
    if (layout.cache / FILE).exists():
        with Store(layout.cache) as store:
            store.erase_answers()
    held = (*_holding(layout.quarantine, needles), *_holding(layout.cache, needles))
    for path in (*layout.staging.iterdir(), *held):
        _remove(path)
    # a run's page names archives and what was in them
    shutil.rmtree(layout.reports, ignore_errors=True)
    drop_sessions(layout)
    drop_deep_log(layout)
    shutil.rmtree(layout.collecting, ignore_errors=True)  # of a run that was killed
    clear_parts(layout)
    for copy in copies(layout.journal):
        if copy.kind == "markdown":
            with suppress(UsageError, OSError):  # the plan named the folder
                strike_pages(Path(copy.path), owners)
    gone = _rewrite(layout, published, owners, units) if there else {}
    drop_all_but(layout, published_number(layout) or published)
    for ledger in _ledgers(layout):
        erase_pages_of(layout, ledger, owners.values())
    finish(layout.journal)
    return gone


def _rewrite(
    layout: VaultLayout, published: int, owners: Mapping[str, str], units: Collection[str]
) -> dict[str, int]:
    """Publish a generation without the owners (account by id) and all that is said of their units."""
    manifest = read_manifest(layout.generation(published))
    require_whole(layout, manifest, INDEX_FOLDER)
    run = str(uuid4())
    with building(layout, manifest.embedder, source=published, fresh_index=True) as next_generation:
        ledger = next_generation.ledger
        ledger.add_run(run, datetime.now(UTC), "forget", {})
        owners = {**owners, **threads_of(ledger, owners)}
        parted = part_from(ledger, units)
        gone = erase_rows(ledger, owners, units)
        ledger.add_events(
            UnitEvent(
                unit_id=unit, state=state, actor="sweep:forget", run=run, at=datetime.now(UTC),
                reason="what stood for it was forgotten",
            )
            for unit, state in parted.hidden.items()
        )  # fmt: skip
        changed = {one.id: one.payload for one in units_as_points(next_generation, sorted(parted.units))}
        restate_points(ledger, changed, run)
        # what is left of an erased thread is linked anew by the next run
        ledger.query("DELETE FROM settled WHERE name = ?", [LINKED_BY])
        ledger.finish_run(run, datetime.now(UTC))
        next_generation.index.close()
        source = layout.generation(published) / INDEX_FOLDER
        target = layout.building / INDEX_FOLDER
        rewrite_index(source, target, manifest.embedder.dimension, owners, changed)
        ledger.close()
        rewrite_ledger(layout.building / LEDGER_FILE)
        next_generation.reopen()
        next_generation.publish(run, datetime.now(UTC))
    return gone


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    # the note beside an archive, file or folder, has samples of it word for word
    path.with_name(path.name + NOTE).unlink(missing_ok=True)
