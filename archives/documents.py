"""Resources from what a reader found: documents beside the conversations, and single text files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from archives.contract import Format, Part, Reading
from archives.glimpse import Kind
from archives.instants import Moment
from archives.wellformed import well_formed
from schemas.ids import resource_id
from schemas.resource import Resource

_EXTENSIONS = (".md", ".markdown", ".txt")
LONGEST_DOCUMENT = 1 << 25
"""Characters; a longer text file is a log or a dump, and is refused."""

_NO_MOMENT = Moment()


def resource(
    reading: Reading,
    provider: str,
    native_id: str,
    title: str,
    text: str,
    *,
    created: Moment = _NO_MOMENT,
    project: str | None = None,
) -> Resource | None:
    """Build a resource; None, and a note in the report, for one without words."""
    reading.tally.kept.extend((text, title, native_id, project or ""))
    clean, bent = well_formed(text)
    native = well_formed(native_id)[0]
    if bent:
        reading.tally.unknown("characters that cannot be stored, replaced by U+FFFD", native, count=bent)
    if not clean.strip():
        reading.tally.records += 1
        reading.tally.skip("a document without words", native)
        return None
    return Resource(
        id=resource_id(reading.account, provider, native),
        account=reading.account,
        provider=provider,
        native_id=native,
        title=well_formed(title)[0],
        text=clean,
        created_at=created.at,
        project=well_formed(project)[0] if project else None,
    )


def is_document(part: Part) -> bool:
    """A text file that its name calls a document. Asked only when no format claims a file."""
    return part.glimpse.kind is Kind.TEXT and part.name.lower().endswith(_EXTENSIONS)


def _resources(reading: Reading) -> Iterator[Resource]:
    for part in reading.parts:
        lines: list[str] = []
        length = 0
        for line in reading.text_lines(part):
            length += len(line)
            if length > LONGEST_DOCUMENT:
                reading.tally.lose(f"a document longer than {LONGEST_DOCUMENT:,} characters", part.name)
                break
            lines.append(line)
        if length > LONGEST_DOCUMENT:
            continue
        name = PurePosixPath(part.name)
        text = "".join(lines).removeprefix("\ufeff")
        headings = (line[2:].strip() for line in lines if line.startswith("# "))
        found = resource(reading, "document", name.name, next(headings, name.stem), text)
        if found is not None:
            yield found


DOCUMENT = Format(
    id="document",
    version=1,
    title="Markdown or text file",
    reads="a file named .md, .markdown or .txt that is no transcript: a resource, cut by its headings",
    absent="conversations; a file that is handed over inside a folder or zip of another format",
    evidence="plain text",
    claims=lambda _seen: False,  # by its name, and only where no format claims anything: archive.py
    read=lambda _reading: iter(()),
    resources=_resources,
)
