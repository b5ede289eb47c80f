"""A folder of exported Markdown pages, and the record in it of what was written: so that an edit is known."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field, ValidationError

from flows.notebook.note_pages import YOURS, Page, PageKind
from schemas.base import Noun, sha256_text
from schemas.errors import UsageError
from vault.files import write_text_durably
from vault.outside import PRIVATE

RECORD = ".mnemic.json"


def _inside(path: str) -> str:
    """A page lies in one of the folders and nowhere else, whatever somebody wrote into the record."""
    parts = PurePosixPath(path).parts
    if len(parts) != 2 or parts[0] not in set(PageKind) or parts[1] in ("..", ".") or "\\" in path:
        raise ValueError("a page's path is a folder of the export and a file's name")
    return path


class WrittenPage(Noun):
    """A page as it was written."""

    kind: PageKind
    path: Annotated[str, AfterValidator(_inside)]
    sum: str
    """SHA-256 of its content."""
    text_sum: str
    state: str
    holds: tuple[str, ...]
    deleted: bool = False
    """A person deleted the file: it is not written again."""


class Record(Noun):
    """What an export left in a folder."""

    account: str
    pages: dict[str, WrittenPage] = Field(default_factory=dict)
    """By the id of what a page tells of."""


def read_record(folder: Path) -> Record | None:
    """The record of a folder; None where nothing was exported to it.

    Raises UsageError where the record cannot be read.
    """
    path = folder / RECORD
    if not path.is_file():
        return None
    try:
        return Record.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise UsageError(
            "the record of the export cannot be read",
            where=str(path),
            why=error.errors()[0]["msg"],
            remedy="Export to another folder, or remove the record: edited pages are left alone all the same",
        ) from error


def write_record(folder: Path, record: Record) -> None:
    """Replace the record of a folder."""
    write_text_durably(folder / RECORD, record.model_dump_json(indent=1) + "\n")
    (folder / RECORD).chmod(PRIVATE)


def written(page: Page) -> WrittenPage:
    """The record of a page that stands as it should."""
    return WrittenPage(
        kind=page.kind,
        path=page.path,
        sum=sha256_text(page.content),
        text_sum=page.text_sum,
        state=page.state,
        holds=page.holds,
    )


def page_file(folder: Path, path: str) -> Path:
    """The file of a page. Raises UsageError where a link leads out of the folder."""
    file = folder / path
    if not file.parent.resolve().is_relative_to(folder.resolve()) or file.is_symlink():
        raise UsageError("a link leads out of the folder", where=str(file), remedy="Remove the link")
    return file


class PageParts(NamedTuple):
    """A page as it lies in the folder, taken apart."""

    content: str
    """What the export wrote, or what a person made of that."""
    own: str = ""
    """What stands below the line that says so."""
    properties: str = ""
    """Lines of the front matter under names that no export writes, such as `tags`."""

    @property
    def is_added_to(self) -> bool:
        """Whether a person wrote something of their own."""
        return bool(self.own.strip() or self.properties)

    def around(self, content: str) -> str:
        """The person's parts around what an export writes now."""
        front, line, body = content.partition("\n---\n")
        if self.properties and line:
            return f"{front}\n{self.properties}---\n{body}{self.own}"
        return content + self.own


NAMES = frozenset(
    [
        *("mnemic", "id", "state", "category", "speaker", "said_at", "provider", "source", "conversation"),
        *("supersedes", "superseded_by", "derived_from", "source_of", "contradicts"),
        *("began", "conversations", "summary", "name", "notes"),
    ]
)
"""Names in front matter that are the export's; every other one is the person's."""
_NAMED = re.compile(r"([A-Za-z_][\w -]*?)\s*:")


def read_page(file: Path) -> PageParts | None:
    """A page taken apart; None: no file."""
    if not file.is_file():
        return None
    text = file.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
    content, line, own = text.partition(YOURS + "\n")
    front, rule, body = content.partition("\n---\n")
    if not (front.startswith("---\n") and rule):
        return PageParts(content + line, own)
    kept = ["---\n"]
    properties: list[str] = []
    mine = False
    for each in f"{front}\n".splitlines(keepends=True)[1:]:
        if found := _NAMED.match(each):
            mine = found[1] not in NAMES
        (properties if mine else kept).append(each)
    return PageParts("".join(kept) + f"---\n{body}{line}", own, "".join(properties))


def write_page(file: Path, text: str) -> None:
    """Replace a page at once; not made durable, since another export makes it anew."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    part.touch(PRIVATE)
    part.write_text(text, encoding="utf-8", newline="\n")
    part.replace(file)


class PagesAbout(NamedTuple):
    """Files of a folder with words of conversations."""

    plain: list[Path]
    """As they were written."""
    added_to: list[Path]
    """As they were written, with lines of a person's own below."""
    edited: list[Path]
    """Changed since."""


def pages_about(folder: Path, owners: Collection[str]) -> PagesAbout:
    """The pages of a folder with words of the conversations named."""
    record = read_record(folder)
    found = PagesAbout([], [], [])
    for one in _about(record.pages if record else {}, owners).values():
        file = page_file(folder, one.path)
        page = read_page(file)
        if page is None:
            continue
        if sha256_text(page.content) != one.sum:
            found.edited.append(file)
        else:
            (found.added_to if page.is_added_to else found.plain).append(file)
    return found


def strike_pages(folder: Path, owners: Collection[str]) -> None:
    """Remove the pages with words of the conversations, from the record all of them. A person's own lines
    stay, without what stood above them; so do pages that were edited."""
    record = read_record(folder)
    if record is None:
        return
    about = pages_about(folder, owners)
    for file in about.plain:
        file.unlink()
    for file in about.added_to:
        page = read_page(file)
        if page is not None:
            write_page(
                file, page.around(f"---\n---\n{YOURS}\n") if page.properties else f"{YOURS}\n{page.own}"
            )
    gone = _about(record.pages, owners)
    left = {identity: one for identity, one in record.pages.items() if identity not in gone}
    write_record(folder, record.model_copy(update={"pages": left}))


def _about(pages: Mapping[str, WrittenPage], owners: Collection[str]) -> dict[str, WrittenPage]:
    wanted = frozenset(owners)
    return {identity: one for identity, one in pages.items() if wanted.intersection(one.holds)}
