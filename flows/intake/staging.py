"""First step: archives in, staged batches of conversations out, with every record accounted for."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from typing import TypeVar

from archives import Archive, Limits, open_archive
from archives.contract import OwnFormat
from archives.union import beside, union
from flows.batches.batch_stages import READ, failed_in
from flows.intake.exclusions import Exclusion
from flows.intake.last_seen import Sightings
from flows.intake.naming import Naming, at_home, learn_name
from flows.intake.quarantine import Quarantine
from flows.intake.sieve import Sieve, forgotten_of, without_names
from flows.reports.progress import Progress
from flows.reports.run_summary import ArchiveOutcome, ArchiveResult
from schemas.act import Act
from schemas.base import Instant, sha256_text
from schemas.conversation import Conversation
from schemas.errors import InputError
from schemas.report import ImportReport
from schemas.resource import Resource
from vault.account_book import AccountBook
from vault.batch import Batch
from vault.layout import VaultLayout
from vault.sightings import Sighting
from vault.tombstones import Burial

_Read = TypeVar("_Read", Conversation, Resource)

BATCH_SIZE = 50
"""Conversations a batch: large enough that a Prefect task's 6-80 ms do not count."""
BATCH_CHARACTERS = 1 << 25
"""Characters after which a batch is full whatever it holds: memory stays flat with messages of 100 MB."""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How to read, where the archive does not say it itself."""

    account: str | None = None
    format_id: str | None = None
    owner: str | None = None
    """The owner's name in chats between people."""
    zone: tzinfo | None = None
    """Where times without a zone were written; None: not said, and UTC is taken."""
    exclusions: Sequence[Exclusion] = ()
    forgotten: Mapping[str, Burial] = field(default_factory=dict)
    """What the owner had erased, by the id of conversation or document."""
    limits: Limits | None = None
    """What an archive may unfold to; None: as the settings say."""
    apart: bool = False
    """Where no account is said, each archive is one of its own."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the published ledger has."""

    done: Mapping[str, tuple[str, Instant | None]]
    """(work key, time of last update) by conversation id."""
    imported: frozenset[tuple[str, str, str]]
    """(archive hash, account, work) of every archive that was read to its end."""
    conversation: Callable[[str], Conversation | None]
    """A stored conversation by its id."""
    forgotten: Mapping[tuple[str, str, str], tuple[str, int]] = field(default_factory=dict)
    """Of the imported archives, when something that they hold was erased, and how much else they hold."""
    standing: Sequence[Mapping[str, str]] = ()
    """Other versions whose work stays where the content is the same (`flows.batches.engine_precedence`)."""
    book: AccountBook = field(default_factory=AccountBook)


@dataclass(slots=True)
class ReadingPlan:
    """What the archives of a run come to."""

    pipeline: str
    """Hash of every version that the work depends on."""
    batches: list[Batch] = field(default_factory=list)
    """In the order in which they are to be loaded: a later one holds the newer form of a conversation."""
    wanted: dict[str, str] = field(default_factory=dict)
    """Work key by conversation id: of a batch that an interrupted run left, only these are loaded."""
    results: list[ArchiveResult] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    """What those archives hold, whether it is new or not."""
    brought: dict[str, frozenset[str]] = field(default_factory=dict)
    """Ids of the conversations and resources to load that an archive holds, by archive."""

    failed: dict[str, str] = field(default_factory=dict)
    """Why the work on conversations failed, by id: they are set aside
    (`flows.intake.failed_conversations`)."""
    acts: tuple[Act, ...] = ()
    """The owner's acts on a branch, numbered, that the journal gets once the generation has them."""
    reports_of_branch: tuple[tuple[ImportReport, str], ...] = ()
    """What was read into a branch, each with the hash of the work on it."""

    forgotten: Mapping[str, str] = field(default_factory=dict)
    """Hash of the ids that were erased, by account."""
    now: Callable[[str], str] = str
    """The account of what comes under a name."""

    def work(self, reader: str, account: str) -> str:
        """What reading an archive comes to depends on this pipeline, on the reader's version, and on what the
        account's owner had erased since."""
        erased = self.forgotten.get(self.now(account))
        return sha256_text("\n".join(filter(None, (self.pipeline, reader, erased))))

    @property
    def reports(self) -> list[ImportReport]:
        """Of archives that the ledger has no report of yet and all of whose work is in the batches."""
        return [
            one.report
            for one in self.results
            if one.report is not None and one.outcome is not ArchiveOutcome.WAITING
        ]

    def to_load(self, batch: Batch) -> list[str]:
        """Ids of the batch's conversations and resources that are still the newest form of their work, less
        those on which it failed."""
        failed, read = failed_in(batch), batch.manifest(READ) or {}
        return [one for one, key in read.items() if self.wanted.get(one) == key and one not in failed]

    def postpone(self, waiting: Sequence[Batch]) -> None:
        """Leave batches to a later run: they stay staged, and their archives count as not imported yet."""
        held = {one for batch in waiting for one in self.to_load(batch)}
        self.batches = [batch for batch in self.batches if batch not in waiting]
        self.results = [
            one.model_copy(update={"outcome": ArchiveOutcome.WAITING})
            if self.brought.get(one.archive, frozenset()) & held
            else one
            for one in self.results
        ]


class StagingRun:
    """Reads archives one after the other against what is already done."""

    def __init__(
        self, layout: VaultLayout, versions: Mapping[str, str], known: Known, options: ReadingOptions
    ) -> None:
        # how an archive is read changes what it comes to, so it is part of the pipeline
        told = {
            **versions,
            "excluded": " ".join(sorted(map(str, options.exclusions))),
            "owner": options.owner or "",
            "zone": str(options.zone or "UTC"),
        }
        self.plan = ReadingPlan(
            sha256_text(json.dumps(told, sort_keys=True)),
            forgotten=_by_account(options.forgotten, known.book.names.now),
            now=known.book.names.now,
        )
        self._versions = versions
        self._layout = layout
        self._known = known
        self._options = options
        self._done = dict(known.done)
        self._staged = _staged_work(layout, known)
        self._waiting: dict[str, Conversation] = {}
        self._characters = 0
        """Of the messages that wait."""
        self._documents: dict[str, Resource] = {}
        self._keys: dict[str, str] = {}

    def read(self, path: Path, progress: Progress, format_id: str | None = None) -> None:
        """Stage what is new in the archive; a bad archive is reported and does not stop the others.
        `format_id` is that of the program whose own files these are, where that is known beforehand."""
        named = os.fsencode(path).decode("utf-8", "replace")
        quarantine = Quarantine(self._layout, Path(named))
        options, sightings = self._options, Sightings()
        naming = Naming(self._known.book, options.account, options.apart)
        try:
            if named != str(path):
                raise InputError(
                    "the archive's name is not UTF-8",
                    where=named,
                    remedy="Rename it, and its folder if need be",
                )
            with open_archive(
                path,
                account=naming,
                format_id=options.format_id or (OwnFormat(format_id) if format_id else None),
                rejects=quarantine.record,
                owner=options.owner,
                zone=options.zone,
                limits=options.limits,
                rules=Sieve(options.exclusions, options.forgotten, sightings),
            ) as archive:
                self._read(archive, path, progress, quarantine, sightings, naming)
            learn_name(self._layout, naming)
        except InputError as error:
            quarantine.archive(error)
            self.plan.results.append(
                ArchiveResult(archive=named, outcome=ArchiveOutcome.FAILED, error=str(error))
            )

    def _read(
        self,
        archive: Archive,
        path: Path,
        progress: Progress,
        quarantine: Quarantine,
        sightings: Sightings,
        naming: Naming,
    ) -> None:
        work = self.plan.work(archive.reader, archive.account)
        key = (archive.archive_hash, archive.account, work)
        if key in self._known.imported:
            remark, kept = self._known.forgotten.get(key, ("", 0))
            outcome = ArchiveOutcome.FORGOTTEN if remark and not kept else ArchiveOutcome.UNCHANGED
            self.plan.results.append(
                ArchiveResult(archive=str(path), outcome=outcome, account=naming.account, forgotten=remark)
            )
            return
        counts: Counter[str] = Counter()
        brought: set[str] = set()
        for read in archive.conversations():
            progress.advance(1)
            conversation, verdict = self._compare(read, again=read.id in brought)
            counts[verdict] += 1
            if verdict in ("new", "updated"):
                self._take(conversation)
            brought.add(conversation.id)
            if len(self._waiting) >= BATCH_SIZE or self._characters >= BATCH_CHARACTERS:
                self._stage(archive.archive_hash)
        for document in archive.resources():
            self._take_document(document)
            brought.add(document.id)
            if len(self._waiting) + len(self._documents) >= BATCH_SIZE:
                self._stage(archive.archive_hash)
        self._stage(archive.archive_hash)
        report = without_names(archive.report())
        quarantine.account(report)
        outcome = ArchiveOutcome.IMPORTED if report.complete else ArchiveOutcome.PARTLY
        forgotten = forgotten_of(report)
        if forgotten and report.complete and not report.conversations and not report.resources:
            outcome = ArchiveOutcome.FORGOTTEN
        self.plan.sightings.extend(sightings.of(archive))
        self.plan.brought[str(path)] = frozenset(brought & self.plan.wanted.keys())
        self.plan.results.append(
            ArchiveResult(
                archive=str(path),
                outcome=outcome,
                report=report,
                account=naming.account,
                remark=naming.remark,
                counts=archive.counts(),
                forgotten=forgotten,
                **counts,
            )
        )

    def _take(self, conversation: Conversation) -> None:
        key = self._work_key(conversation)
        self._done[conversation.id] = (key, conversation.updated_at)
        self.plan.wanted[conversation.id] = key
        if not self._resume(key):
            self._waiting[conversation.id] = conversation
            self._characters += sum(len(message.text) for message in conversation.messages)
            self._keys[conversation.id] = key

    def _take_document(self, document: Resource) -> None:
        """Stage a document that is new or changed; of two dated forms the newer one stays."""
        key = self._work_key(document)
        known_key, known_time = self._done.get(document.id, ("", None))
        if self._is_done(known_key, document) or (
            known_time and document.created_at and document.created_at < known_time
        ):
            return
        self._done[document.id] = (key, document.created_at)
        self.plan.wanted[document.id] = key
        if not self._resume(key):
            self._documents[document.id] = document
            self._keys[document.id] = key

    def _at_home(self, read: _Read) -> _Read:
        """What was read, with the account that it is of. Until here it has the name that it came under: its
        content is compared as it came."""
        return at_home(self._known.book.names, read)

    def _work_key(self, conversation: Conversation | Resource) -> str:
        """What the work on a record depends on: its content, and every version upstream of the load."""
        return work_key_of(conversation.content_hash, self._versions)

    def _is_done(self, known_key: str, found: Conversation | Resource) -> bool:
        """Whether a known key names work on this very content that stands."""
        if known_key == self._work_key(found):
            return True
        return any(known_key == work_key_of(found.content_hash, made) for made in self._known.standing)

    def _compare(self, read: Conversation, *, again: bool) -> tuple[Conversation, str]:
        """What the conversation comes to with its known form, and how it stands to that form. `again`: this
        archive has given it before."""
        done = self._done.get(read.id)
        if done is None:
            return read, "new"
        known_key, known_update = done
        if self._is_done(known_key, read):
            return read, "unchanged"
        newest = self._newest(read.id)
        if newest is not None and newest.account != read.account:
            newest = newest.model_copy(update={"account": read.account})  # as it came
        if newest is None:
            merged = read
        elif again and newest.updated_at == read.updated_at:
            merged = beside(newest, read)
        else:
            merged = union(newest, read)
        if self._is_done(known_key, merged):
            is_older = known_update and read.updated_at and read.updated_at < known_update
            return merged, "older" if is_older else "unchanged"
        return merged, "updated"

    def _newest(self, conversation: str) -> Conversation | None:
        """The newest form there is: of this run, else of the published ledger."""
        if conversation in self._waiting:
            return self._waiting[conversation]
        for batch in reversed(self.plan.batches):
            if conversation in (batch.manifest(READ) or {}):
                return next(one for one in batch.conversations() if one.id == conversation)
        return self._known.conversation(conversation)

    def _resume(self, key: str) -> bool:
        """Use the batch of an earlier, interrupted run if it holds this very work."""
        batch = self._staged.get(key)
        if batch is None:
            return False
        if batch not in self.plan.batches:
            self.plan.batches.append(batch)
        return True

    def _stage(self, archive_hash: str) -> None:
        if not self._waiting and not self._documents:
            return
        work = {one: self._keys[one] for one in (*self._waiting, *self._documents)}
        batch = Batch(self._layout.staging / batch_name(work.values()))
        batch.folder.mkdir(exist_ok=True)
        batch.write_conversations(
            list(map(self._at_home, self._waiting.values())),
            work,
            archive_hash,
            list(map(self._at_home, self._documents.values())),
        )
        batch.finish(READ, work)
        self.plan.batches.append(batch)
        self._waiting.clear()
        self._characters = 0
        self._documents.clear()


def _by_account(forgotten: Mapping[str, Burial], now: Callable[[str], str]) -> dict[str, str]:
    """Hash of the erased ids, by account as accounts are now."""
    ids: dict[str, list[str]] = {}
    for one, burial in forgotten.items():
        ids.setdefault(now(burial.account), []).append(one)
    return {account: sha256_text("\n".join(sorted(held))) for account, held in ids.items()}


def work_key_of(content_hash: str, versions: Mapping[str, str]) -> str:
    """Name of the work that these versions make of such content."""
    return sha256_text(f"{content_hash}\n{sha256_text(json.dumps(dict(versions), sort_keys=True))}")


def batch_name(work_keys: Iterable[str]) -> str:
    """Name of the batch that holds this work: a run that meets it again goes on with it."""
    return hashlib.sha256("\n".join(sorted(work_keys)).encode()).hexdigest()[:32]


def _staged_work(layout: VaultLayout, known: Known) -> dict[str, Batch]:
    """Batch by work key, for every batch that an interrupted run finished reading and did not publish."""
    published = {key for key, _ in known.done.values()}
    found: dict[str, Batch] = {}
    for folder in sorted(layout.staging.iterdir()):
        batch = Batch(folder)
        keys = set((batch.manifest(READ) or {}).values()) if batch.is_sound() else set()
        if keys <= published:
            # half-written, damaged, or published by a run that was killed before it could tidy up
            shutil.rmtree(folder)
            continue
        found.update(dict.fromkeys(keys - published, batch))
    return found
