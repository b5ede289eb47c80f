"""Notes, summaries and thread maps as Markdown pages: front matter, words, links.

Equal content gives an equal page: no page says when it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from archives.local_source import way_back
from flows.notebook.markdown_escaping import escaped, front_matter, slug
from schemas.base import sha256_text
from schemas.relation import RelationKind
from schemas.thread import MapLine, Thread, ThreadMap
from vault.engrams import Summarised, Tie, ToldNote

YOURS = "<!-- yours: what you write below this line stays -->"
"""What follows this line in a page is the person's, and is never changed."""
ID_CHARACTERS = 12
"""Hexadecimal digits of an id in a file's name: among ten million records the odds of a clash are 1 in 6."""


class PageKind(StrEnum):
    """What a page tells of; its value is the folder that it lies in."""

    NOTE = "notes"
    CONVERSATION = "conversations"
    THREAD = "threads"
    NAME = "names"
    TRANSCRIPT = "transcripts"


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it is to be written."""

    kind: PageKind
    id: str
    path: str
    """Below the folder of the export, with `/`."""
    content: str
    """Up to the line that says what is the person's, that line included."""
    holds: tuple[str, ...]
    """Conversations whose words the page has."""
    text_sum: str = ""
    """SHA-256 of a note's sentence."""
    state: str = ""
    """A note's."""


_SAYS = {
    RelationKind.SUPERSEDES: ("supersedes", "superseded_by"),
    RelationKind.DERIVED_FROM: ("derived_from", "source_of"),
    RelationKind.CONTRADICTS: ("contradicts", "contradicts"),
}
"""What a relation is called on the page of its first note, and on that of the other."""


def page_path(kind: PageKind, identity: str, title: str) -> str:
    """Where a page lies that was never written before."""
    return f"{kind}/{slug(title)}-{identity.replace('-', '')[:ID_CHARACTERS]}.md"


def note_page(note: ToldNote, told: Sequence[Tie], paths: Mapping[str, str]) -> Page:
    """The page of a note; `paths` has where the pages of notes and conversations lie, by id."""
    links: dict[str, list[tuple[str, str]]] = {}
    holds = {note.conversation_id}
    for tie in told:
        forth, back = _SAYS[tie.kind]
        if tie.unit_id == note.id:
            links.setdefault(forth, []).append((tie.other_id, tie.other_text))
            holds.add(tie.other_conversation)
        else:
            links.setdefault(back, []).append((tie.unit_id, tie.unit_text))
            holds.add(tie.unit_conversation)
    head = front_matter(
        {
            "mnemic": "note",
            "id": note.id,
            "state": note.state.value,
            "category": note.category.value,
            "speaker": note.speaker_name or note.speaker.value,
            "said_at": moment(note.said_at),
            "provider": note.provider,
            "source": way_back(note.provider, note.native_id),
            "conversation": wiki_link(note.conversation_id, paths),
            **{name: [wiki_link(one, paths) or one for one, _ in found] for name, found in links.items()},
        }
    )
    quotes = "\n\n".join(f"> {escaped(quote)}" for quote in note.quotes)
    body = [
        escaped(note.text),
        quotes,
        link_to(note.conversation or "the conversation", note.conversation_id, paths)
        + _where_it_came_from(note.provider, note.native_id),
    ]
    for name, found in links.items():
        body += [
            f"{name.replace('_', ' ').capitalize()}:",
            *(f"- {link_to(text, one, paths)}" for one, text in found),
        ]
    return Page(
        PageKind.NOTE,
        note.id,
        paths[note.id],
        as_page(head, _blocks(body)),
        tuple(sorted(holds)),
        sha256_text(note.text),
        note.state.value,
    )


def conversation_page(one: Summarised, paths: Mapping[str, str]) -> Page:
    """The page of a conversation's summary."""
    head = front_matter(
        {
            "mnemic": "conversation",
            "id": one.id,
            "provider": one.provider,
            "source": way_back(one.provider, one.native_id),
            "began": moment(one.began),
        }
    )
    said = [escaped(part) for part in one.text.split("\n\n")]
    body = "\n\n".join([f"# {escaped(one.title or 'Untitled')}", *said])
    if (whole := f"transcript {one.id}") in paths:
        body += f"\n\n{link_to('The whole talk', whole, paths)}"
    return Page(PageKind.CONVERSATION, one.id, paths[one.id], as_page(head, body), (one.id,))


@dataclass(frozen=True, slots=True)
class NamedNotes:
    """Who or what the exported notes name."""

    name: str
    notes: tuple[ToldNote, ...]
    """By when they were said."""
    beside: tuple[str, ...]
    """Other names of the same conversations that have pages, the most frequent first."""


def name_id(name: str) -> str:
    """What the record of an export calls the page of a name."""
    return f"name {sha256_text(name)}"


def name_page(told: NamedNotes, paths: Mapping[str, str]) -> Page:
    """The page of a person, place or thing: the notes that name it, oldest first, and other names."""
    head = front_matter({"mnemic": "name", "name": told.name, "notes": len(told.notes)})
    lines = [
        f"- {f'{note.said_at:%Y-%m-%d}: ' if note.said_at else ''}{link_to(note.text, note.id, paths)}"
        for note in told.notes
    ]
    body = [f"# {escaped(told.name)}", "\n".join(lines)]
    if told.beside:
        body += ["## Beside it", "\n".join(f"- {link_to(one, name_id(one), paths)}" for one in told.beside)]
    identity, holds = name_id(told.name), {note.conversation_id for note in told.notes}
    page = as_page(head, "\n\n".join(body))
    return Page(PageKind.NAME, identity, paths[identity], page, tuple(sorted(holds)))


_PARTS = (
    ("Goal", "goal"),
    ("Arc", "arc"),
    ("Turning points", "turning_points"),
    ("In force", "in_force"),
    ("Superseded", "superseded"),
    ("Open questions", "open_questions"),
    ("Next steps", "next_steps"),
)


def thread_page(thread: Thread, arc: ThreadMap, paths: Mapping[str, str]) -> Page:
    """The page of a thread: its map, each line with a link to where it comes from."""
    head = front_matter(
        {
            "mnemic": "thread",
            "id": thread.id,
            "conversations": [wiki_link(one, paths) or one for one in thread.conversation_ids],
        }
    )
    body = [f"# {escaped(thread.label)}"]
    for title, name in _PARTS:
        lines: tuple[MapLine, ...] = getattr(arc, name)
        if lines:
            body += [f"## {title}", "\n".join(_map_line(line, paths) for line in lines)]
    holds = {
        *thread.conversation_ids,
        *(one.conversation_id for _, name in _PARTS for one in getattr(arc, name)),
    }
    return Page(
        PageKind.THREAD, thread.id, paths[thread.id], as_page(head, "\n\n".join(body)), tuple(sorted(holds))
    )


def _map_line(line: MapLine, paths: Mapping[str, str]) -> str:
    day = f"{line.said_at:%Y-%m-%d}: " if line.said_at else ""
    target = next((one for one in line.unit_ids if one in paths), line.conversation_id)
    return f"- {day}{link_to(line.text, target, paths)}"


def as_page(head: str, body: str) -> str:
    """A page's own part, up to the line below which it is the person's."""
    return f"{head}\n{body}\n\n{YOURS}\n"


def _blocks(parts: Sequence[str]) -> str:
    """Paragraphs apart, the items of a list together."""
    return "".join(_joined(parts)).strip("\n")


def _joined(parts: Sequence[str]) -> Iterator[str]:
    for before, part in zip(("", *parts), parts, strict=False):
        yield ("\n" if before.startswith("- ") and part.startswith("- ") else "\n\n") + part


def moment(value: datetime | None) -> str | None:
    """A time as front matter has it."""
    return f"{value:%Y-%m-%dT%H:%M:%SZ}" if value else None


def wiki_link(identity: str, paths: Mapping[str, str]) -> str | None:
    """The link as Obsidian reads it in front matter; None where there is no page."""
    return f"[[{paths[identity].removesuffix('.md')}]]" if identity in paths else None


def _where_it_came_from(provider: str | None, native_id: str | None) -> str:
    """A link to where the conversation came from, after one to its page here; "" where there is none."""
    link = way_back(provider, native_id)
    named = "the file on this machine" if link and link.startswith("file:") else "at the service"
    return f" ([{named}](<{link}>))" if link else ""


def link_to(text: str, identity: str, paths: Mapping[str, str]) -> str:
    """A link from a page's folder to another's; the words alone where there is no page."""
    return f"[{escaped(text)}](<../{paths[identity]}>)" if identity in paths else escaped(text)
