"""Opening an archive and reading it through."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import tzinfo
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias, TypeVar

from archives.collector import collecting_rarely
from archives.contract import Format, OwnFormat, Part, Reading
from archives.counting import Census, Counts
from archives.documents import DOCUMENT, is_document
from archives.glimpse import Kind, glimpse
from archives.guarded_stream import Limits
from archives.leaves import Leaves
from archives.leaving_out import Rules, keep_all
from archives.limits_in_settings import stated_limits
from archives.registry import FORMATS, format_of, plausible
from archives.sources import Source, open_source, source_hash
from archives.tally import RejectedRecord, Tally
from archives.unclaimed import unclaimed
from archives.wellformed import well_formed
from schemas.conversation import Conversation
from schemas.errors import DamagedArchive, InputError, MnemicError, UsageError
from schemas.report import ImportReport, NoteKind
from schemas.resource import Resource

READER_FAILED = "the reader failed on it"
_GENERIC = re.compile(
    r"(conversations?|messages?|result|chats?|history|export|my[ _]?activity|index)([-_ ]?\d+)?",
    re.IGNORECASE,
)
_EXTENSIONS = re.compile(
    r"(\.transcript)?\.(jsonl?|ndjson|zip|csv|html?|txt|md|db|vscdb|sqlite3?)$", re.IGNORECASE
)


_LOOKS = 1 << 26
"""Bytes of looks at files that no format claims: a million files may each begin with 2 MB of records. Past it
they are kept in outline."""

_OUTLINE = 2_000
"""Characters of a text that no format claims, kept in outline."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Look:
    """A file of the archive, and the format that claims it by its beginning."""

    part: Part
    format: Format | None


@dataclass(frozen=True, slots=True)
class _Choice:
    format: Format
    claimed: tuple[Part, ...]
    others: tuple[Part, ...]
    formats: tuple[Format | None, ...] = ()
    """Those that claim the others."""


class Archive:
    """An open archive: a context manager; iterate `conversations()` and `resources()` once each, then ask
    for `report()`."""

    def __init__(
        self,
        source: Source,
        choice: _Choice,
        tally: Tally,
        *,
        account: str,
        owner: str | None,
        zone: tzinfo | None,
        rules: Rules = keep_all,
    ) -> None:
        self._source, self._choice, self._tally = source, choice, tally
        self.account = account
        self.format = choice.format.id
        self.reader = choice.format.reader
        self.local_times = choice.format.local_times
        leaves = Leaves(choice.format.keys)
        self._reading = Reading(
            choice.claimed, choice.others, account, tally, owner, zone, rules=rules, leaves=leaves
        )
        self._before = tally.noted, self._reading.aside.mark
        """Where notes and documents stood before the conversation that is being read."""
        self._hash: str | None = None
        self._census = Census()
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._open.enter_context(collecting_rarely())
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self._open.close()
        self._source.close()
        self._reading.aside.close()

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files that hold its conversations."""
        return tuple(part.name for part in self._choice.claimed)

    @property
    def is_whole_account(self) -> bool:
        """Whether it is the service's own export of the whole account, as far as was read: see `Format`."""
        whole = self._choice.format.whole_account
        return whole is not None and self._tally.complete and whole(self._choice.others)

    @property
    def archive_hash(self) -> str:
        """SHA-256 in hex of the file's bytes; of a folder, over its files' names and hashes. Read once."""
        if self._hash is None:
            self._hash = source_hash(self._source.path)
        return self._hash

    def conversations(self) -> Iterator[Conversation]:
        """Every conversation, as the archive lists them, one in memory at a time.

        Bad records and missing parts do not raise: they are in the report. A conversation that the archive
        holds twice is given once; if the copies differ, each is given, and the later update counts.
        """
        tally, reading = self._tally, self._reading
        given: dict[str, set[str]] = {}
        for conversation in self._as_far_as_it_goes(self._choice.format.read(reading)):
            why = reading.rules(conversation)
            reading.leaves.given(left_out=why is not None)
            if why is not None:
                self._hush()
                tally.leave_out(why, f"conversation {conversation.native_id}", len(conversation.messages))
            tally.settle()
            self._before = tally.noted, reading.aside.mark
            if why is not None:
                continue
            known = given.setdefault(conversation.id, set())
            if conversation.content_hash in known:
                tally.skip(
                    "a message of a conversation that the archive holds twice",
                    conversation.native_id,
                    records=len(conversation.messages),
                )
                continue
            if known:
                tally.unknown("a conversation in several versions", conversation.native_id)
            known.add(conversation.content_hash)
            tally.conversations += 1
            tally.messages += len(conversation.messages)
            self._census.add(conversation)
            yield conversation
        tally.settle()
        if not reading.beside:  # `resources` may know what stands beside the conversations
            reading.leaves.settle(tally)

    def resources(self) -> Iterator[Resource]:
        """Every document of the archive, one in memory at a time. Does not raise, as `conversations`.

        Documents that stand inside conversations are given once those were read.
        """
        reading, tally = self._reading, self._tally
        documents = chain(self._choice.format.resources(reading), reading.aside.documents())
        for resource in self._as_far_as_it_goes(documents):
            tally.records += 1
            why = reading.rules(resource)
            reading.leaves.given(left_out=why is not None)
            if why is not None:
                tally.leave_out(why, f"document {resource.native_id}", 1)
                continue
            tally.resources += 1
            yield resource
        reading.leaves.settle(tally)

    def _hush(self) -> None:
        """Keep no words and no documents of the conversation that was read last."""
        noted, put = self._before
        self._tally.hush(noted)
        self._reading.aside.drop_since(put)

    def _as_far_as_it_goes(self, given: Iterator[T]) -> Iterator[T]:
        """What a reader gives up to where it fails, if it does: that stands in the report, what came before
        stays, and other archives are read."""
        try:
            with _as_damage(self._source.path.name):
                yield from given
        except InputError as error:
            tally = self._tally
            self._reading.leaves.forgo()
            self._reading.leaves.given(left_out=True)  # what was not finished is not held against anything
            if self._reading.rules is not keep_all:
                self._hush()  # nobody has seen yet whether it is to be left out
            where = error.where or self._source.path.name
            tally.lose(error.why or error.what, where, remedy=error.remedy, cuts=True)
            lost = tally.records - tally.messages - tally.resources - tally.skipped
            if lost:
                tally.skip("a record that was being read when reading ended", where, records=lost)

    def counts(self) -> Counts:
        """What the conversations given so far hold."""
        return self._census.counts()

    def report(self) -> ImportReport:
        """The account of what was read so far: of everything, once the iteration has ended."""
        tally = self._tally
        return ImportReport(
            archive=well_formed(self._source.path.name)[0],
            archive_hash=self.archive_hash,
            account=self.account,
            format=self.format,
            reader=self.reader,
            conversations=tally.conversations,
            messages=tally.messages,
            resources=tally.resources,
            records=tally.records,
            records_skipped=tally.skipped,
            complete=tally.complete,
            notes=tally.notes,
        )


Naming: TypeAlias = Callable[[str, str | None, str], str]
"""From an archive's format, the account that the export names, and the archive's own name, to the account."""


def open_archive(
    path: Path,
    *,
    account: str | Naming | None = None,
    format_id: str | None = None,
    rejects: Callable[[RejectedRecord], None] | None = None,
    owner: str | None = None,
    zone: tzinfo | None = None,
    limits: Limits | None = None,
    rules: Rules = keep_all,
) -> Archive:
    """Find out what `path` (a file or a folder) is and open it for reading.

    The account, when none is given, is what the export itself names (e-mail in lower case, else user id);
    else the archive's own name: of a file its stem (`.transcript.jsonl` is an extension), of a folder its
    name, and for a name that says nothing, such as conversations.json, the name of the folder around it.
    Who knows more hands over a `Naming`.
    `format_id` skips detection (see `OwnFormat`). `rejects` is handed the first few records of each reason
    why one could not be read. `owner` is the owner's name in chats between people; `zone` is where times
    without a zone were written (else UTC is taken, and the report says so). `rules` says what is left out: it
    is counted and not given.
    `limits` are, by default, those of the settings.

    Raises:
        PathMissing: nothing is there.
        UnrecognisedArchive: no reader claims it.
        DamagedArchive: it breaks off before anything could be read.
        HostileArchive: nothing is left once what would do harm is refused.
        UsageError: `format_id` names no format.
    """
    source = open_source(Path(path), limits or stated_limits())
    tally = Tally(rejects)
    with ExitStack() as failure, _as_damage(str(path)):
        failure.callback(source.close)
        choice = _choose(source, format_id)
        _report_source(source, choice, tally)
        if account is None or isinstance(account, str):
            named = account or choice.format.account(choice.others) or account_from_name(Path(path))
        else:
            named = account(
                choice.format.id, choice.format.account(choice.others), account_from_name(Path(path))
            )
        failure.pop_all()
    return Archive(source, choice, tally, account=well_formed(named)[0], owner=owner, zone=zone, rules=rules)


@contextmanager
def _as_damage(where: str) -> Iterator[None]:
    """Whatever fails while an archive is read is that archive's damage: no archive stops the others.

    Errors of mnemic's own and of the machine stay what they are. `MNEMIC_DEBUG` lets everything through.
    """
    try:
        yield
    except (MnemicError, OSError):
        raise
    except MemoryError:
        raise DamagedArchive(
            "it takes more memory than there is", where=where, remedy="Read it on a larger machine"
        ) from None
    except Exception as error:
        if os.environ.get("MNEMIC_DEBUG"):
            raise
        # the error's own text may quote the archive
        raise DamagedArchive(
            f"{READER_FAILED} ({type(error).__name__})", where=where, remedy="Please report it"
        ) from error


def account_from_name(path: Path) -> str:
    """The account that a path stands for when nothing inside it says; docs/accounts.md has the rule.

    Ids are made of it, so the names that say nothing stay those that they are.
    """
    whole = path.resolve()
    stem = whole.name if whole.is_dir() else _EXTENSIONS.sub("", whole.name)
    if not whole.is_dir() and _GENERIC.fullmatch(stem):
        stem = whole.parent.name or stem
    return stem or "archive"


def _choose(source: Source, format_id: str | None) -> _Choice:
    forced = next((row for row in FORMATS if row.id == format_id), None)
    if format_id is not None and forced is None:
        known = ", ".join(row.id for row in FORMATS)
        raise UsageError(f"there is no format {format_id}", remedy=f"Name one of: {known}")
    looks, only_own = _look(source, forced), isinstance(format_id, OwnFormat)
    choice = _claim(looks, forced, only_own)
    if choice is None and source.inner_zips:
        source.unfold()
        looks = _look(source, forced)
        choice = _claim(looks, forced)
    parts = tuple(look.part for look in looks)
    # the file that was named itself: one found in a zip or folder is not what its owner meant
    if choice is None and [part.name for part in parts] == [source.path.name] and is_document(parts[0]):
        choice = _Choice(DOCUMENT, parts, ())
    if choice is None:
        raise unclaimed(source, parts)
    return choice


def _look(source: Source, forced: Format | None) -> list[_Look]:
    looks: list[_Look] = []
    held = 0
    for member in source.members:
        seen = glimpse(member, plausible)
        found = forced if forced is not None and forced.claims(seen) else format_of(seen)
        if found is not None:
            seen = seen.slim()
        elif held < _LOOKS:
            held += seen.weight()
        else:
            seen = replace(seen.slim(), text=seen.text[:_OUTLINE])
        looks.append(_Look(Part(member, seen), found))
    return looks


def _claim(looks: list[_Look], forced: Format | None, only_own: bool = False) -> _Choice | None:
    """The first format of the registry that claims a file has the archive; its files are those it claims."""
    claiming = {id(look.format) for look in looks}
    found = forced or next((row for row in FORMATS if id(row) in claiming), None)
    if found is None:
        return None
    claimed = [look for look in looks if look.format is found]
    claimed = claimed if claimed or only_own else looks
    taken = set(map(id, claimed))  # two members may share a name
    others = [look for look in looks if id(look) not in taken]
    parts = tuple(look.part for look in claimed)
    return _Choice(found, parts, tuple(look.part for look in others), tuple(look.format for look in others))


def _report_source(source: Source, choice: _Choice, tally: Tally) -> None:
    if source.damage:
        tally.lose(source.damage, source.path.name, remedy="Download the export again")
    for refusal in source.refusals:
        if refusal.reason == "two members with this name":
            tally.unknown(refusal.reason, refusal.name)
        else:
            tally.lose(f"a member was refused: {refusal.reason}", refusal.name, remedy=refusal.remedy)
    for inner in source.inner_zips:
        tally.note(NoteKind.SKIPPED, "a zip beside the conversations", inner.name)
    for part, other in zip(choice.others, choice.formats, strict=True):
        if choice.format.accounts_for(part.glimpse):
            continue
        if other is not None:
            remedy = "Ingest that file by itself"
            tally.note(NoteKind.SKIPPED, f"a file in another format, {other.id}", part.name, remedy=remedy)
        elif part.glimpse.damage:  # what it is was not seen, so it may be one of ours
            tally.lose(part.glimpse.damage, part.name, remedy=part.glimpse.remedy)
        elif part.glimpse.kind is not Kind.EMPTY:
            tally.note(NoteKind.SKIPPED, "a file without conversations", part.name)
