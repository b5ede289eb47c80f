"""The contextual header: where a chunk stands, who said it and when. For embedding and display only."""

from __future__ import annotations

from schemas.base import Instant
from schemas.chunk import Chunk

SEPARATOR = " › "


def contextual_header(
    chunk: Chunk,
    *,
    title: str | None,
    said_at: Instant | None,
    speaker: str | None,
    about: str | None = None,
) -> str:
    """Up to three lines: title and heading path; speaker and date (UTC); what the conversation is about.

    What is unknown is left out, a title that repeats the first heading too; the answer may be empty.
    It ends without a line end.
    """
    path = [_one_line(part) for part in chunk.heading_path]
    heading = _one_line(title or "")
    if heading and path[:1] != [heading]:
        path.insert(0, heading)
    where = SEPARATOR.join(part for part in path if part)
    day = said_at.date().isoformat() if said_at else ""
    who = ", ".join(part for part in (_one_line(speaker or ""), day) if part)
    return "\n".join(line for line in (where, who, _one_line(about or "")) if line)


def embedding_text(header: str, body: str) -> str:
    """What the embedder reads for a chunk or window: its header, a blank line, its words."""
    return f"{header}\n\n{body}" if header else body


def _one_line(text: str) -> str:
    return " ".join(text.split())
