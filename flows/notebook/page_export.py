"""Kept notes, summaries and thread maps as a folder of Markdown pages; what a person edited is left alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from flows.notebook.name_index import named_notes
from flows.notebook.note_pages import (
    NamedNotes,
    Page,
    PageKind,
    conversation_page,
    name_id,
    name_page,
    note_page,
    page_path,
    thread_page,
)
from flows.notebook.page_folder import (
    Record,
    WrittenPage,
    page_file,
    read_page,
    read_record,
    write_page,
    write_record,
    written,
)
from flows.notebook.page_masking import (
    masked_conversation,
    masked_map,
    masked_note,
    masked_thread,
    masked_tie,
)
from flows.notebook.transcript_pages import transcript_id, transcript_page
from inference.secret_cover import uncovered
from schemas.base import Noun, sha256_text
from schemas.errors import UsageError
from schemas.thread import Thread, ThreadMap
from schemas.unit import State
from vault.engrams import Summarised, Tie, ToldNote, notes_to_tell, summaries_to_tell, ties
from vault.ledger import Ledger
from vault.reader import VaultReader
from vault.threads import thread_maps_of, threads_of
from vault.tombstones import remember_folder


class MarkdownExport(Noun):
    """What an export came to; the paths are below its folder."""

    folder: str
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    """Of what is no longer kept, or no longer there."""
    unchanged: int = 0
    edited: tuple[str, ...] = ()
    """Changed by a person and left as they are; the vault says of them what it said before."""
    outdated: tuple[str, ...] = ()
    """Changed by a person and left as they are, though the vault says something new of them."""
    deleted: tuple[str, ...] = ()
    """Deleted by a person since the last export: they stay so, and are told this once."""


def export_markdown(
    reader: VaultReader,
    account: str,
    folder: Path,
    states: Sequence[State] = (State.KEPT,),
    *,
    replace_edits: bool = False,
    transcripts: bool | None = None,
) -> MarkdownExport:
    """Bring the folder up to date; a page is written only where its content changed. `transcripts`: whole
    conversations too; None: if the folder has them.

    Raises UsageError where the folder holds another account's pages or a link leads out of it.
    """
    before = read_record(folder)
    if before is not None and before.account != account:
        raise UsageError(
            f"the folder holds the pages of {before.account!r}",
            where=str(folder),
            remedy="Export to another folder",
        )
    known = before.pages if before else {}
    if transcripts is None:
        transcripts = any(one.kind is PageKind.TRANSCRIPT for one in known.values())
    told = _told(reader.ledger, account, states, transcripts=transcripts)
    folder.mkdir(parents=True, exist_ok=True)
    remember_folder(reader.layout, folder)
    made: dict[str, list[str]] = {"written": [], "removed": [], "edited": [], "outdated": [], "deleted": []}
    now: dict[str, WrittenPage] = {}
    unchanged = 0
    for page in _pages(reader.ledger, told, known):
        before_it = known.get(page.id)
        what = _bring(folder, page, before_it, replace_edits)
        if what == "unchanged":
            unchanged += 1
        else:
            made[what].append(page.path)
        if before_it is not None and what in ("edited", "outdated"):
            now[page.id] = before_it
        else:
            now[page.id] = written(page).model_copy(update={"deleted": _is_deleted(before_it, folder)})
    for identity, one in known.items():
        if identity not in now:
            if one.deleted and _is_deleted(one, folder):
                continue
            what = _take_away(folder, one)
            made[what].append(one.path)
            if what == "outdated":
                now[identity] = one
    record = Record(account=account, pages=now)
    if record != before:
        write_record(folder, record)
    lists = {name: tuple(sorted(paths)) for name, paths in made.items()}
    return MarkdownExport(folder=str(folder), unchanged=unchanged, **lists)


def _bring(folder: Path, page: Page, known: WrittenPage | None, replace_edits: bool) -> str:
    """Write a page where it is due; returns which list it belongs to."""
    file = page_file(folder, page.path)
    found = read_page(file)
    if known is not None and found is None and not replace_edits:
        return "unchanged" if known.deleted else "deleted"
    if found is not None and found.content == page.content:
        return "unchanged"
    if found is not None and not replace_edits and (known is None or sha256_text(found.content) != known.sum):
        is_new = known is None or known.sum != sha256_text(page.content)
        return "outdated" if is_new else "edited"
    write_page(file, found.around(page.content) if found else page.content)
    return "written"


def _is_deleted(known: WrittenPage | None, folder: Path) -> bool:
    """Whether a page that was written is not there, after it was brought up to date."""
    return known is not None and not page_file(folder, known.path).exists()


def _take_away(folder: Path, known: WrittenPage) -> str:
    """Remove the page of what is not exported any more, unless a person wrote in it."""
    file = page_file(folder, known.path)
    found = read_page(file)
    if found is not None and (sha256_text(found.content) != known.sum or found.is_added_to):
        return "outdated"
    file.unlink(missing_ok=True)
    return "removed"


@dataclass(frozen=True, slots=True)
class _Told:
    """What an export tells, masked."""

    notes: list[ToldNote]
    summaries: list[Summarised]
    threads: list[Thread]
    maps: Mapping[str, ThreadMap]
    ties: Mapping[str, list[Tie]]
    names: list[NamedNotes]
    transcripts: Mapping[str, str]
    """Titles of the conversations that are told whole, by id."""

    def titles(self) -> Iterator[tuple[PageKind, str, str, str]]:
        """(kind, id of the page, id that its file is named by, title) of every page."""
        yield from ((PageKind.NOTE, one.id, one.id, one.first_text) for one in self.notes)
        yield from ((PageKind.CONVERSATION, one.id, one.id, one.title or "") for one in self.summaries)
        yield from ((PageKind.THREAD, one.id, one.id, one.label) for one in self.threads)
        for named in self.names:
            identity = name_id(named.name)
            yield PageKind.NAME, identity, identity.removeprefix("name "), named.name
        for one, title in self.transcripts.items():
            yield PageKind.TRANSCRIPT, transcript_id(one), one, title


def _told(ledger: Ledger, account: str, states: Sequence[State], *, transcripts: bool) -> _Told:
    notes = list(map(masked_note, notes_to_tell(ledger, account, states)))
    maps = {thread: masked_map(made) for thread, made in thread_maps_of(ledger, account).items()}
    linked = (one for one in threads_of(ledger, account) if len(one.conversation_ids) > 1 and one.id in maps)
    told: dict[str, list[Tie]] = {}
    for tie in map(masked_tie, ties(ledger, account)):
        for unit in {tie.unit_id, tie.other_id}:
            told.setdefault(unit, []).append(tie)
    whole = ledger.query(
        "SELECT conversation_id, title FROM conversations WHERE account = ? ORDER BY conversation_id",
        [account],
    )
    return _Told(
        notes,
        list(map(masked_conversation, summaries_to_tell(ledger, account))),
        list(map(masked_thread, linked)),
        maps,
        told,
        named_notes(ledger, account, notes),
        {str(one): uncovered(str(title or "")) for one, title in whole} if transcripts else {},
    )


def _pages(ledger: Ledger, told: _Told, known: Mapping[str, WrittenPage]) -> Iterator[Page]:
    """The pages one by one: whole conversations are as long as they are."""
    # a page keeps the name that it was written under, whatever its title became
    paths = {
        identity: known[identity].path if identity in known else page_path(kind, named_by, title)
        for kind, identity, named_by, title in told.titles()
    }
    yield from (note_page(one, told.ties.get(one.id, ()), paths) for one in told.notes)
    yield from (conversation_page(one, paths) for one in told.summaries)
    yield from (thread_page(one, told.maps[one.id], paths) for one in told.threads)
    yield from (name_page(one, paths) for one in told.names)
    for one in told.transcripts:
        if conversation := ledger.conversation(one):
            yield transcript_page(conversation, paths)
