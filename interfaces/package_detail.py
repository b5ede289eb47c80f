"""How much of a package is shown: everything, what to decide by, or only what to ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from chunking import estimate_tokens
from interfaces.record_items import item_of
from retrieval import QUOTED, Hit, Package
from retrieval.assembly import NOTICE_SHARE
from retrieval.deep.expansion import Neighbour
from vault.queries import Row
from vault.reader import VaultReader

GLANCE = 160
"""Characters of a note that is only glanced at."""

DIGEST_TITLE = 24
"""Characters of a title that a digest shows: an id and this are about ten tokens."""


class Detail(StrEnum):
    """How much of a package is shown."""

    FULL = "full"
    COMPACT = "compact"
    DIGEST = "digest"


def digest(package: Package, reader: VaultReader) -> list[Row]:
    """Of each hit, in order: a short id that every command takes, and where it was said."""
    return [
        {"id": reader.short_id(hit.id), "where": _title(hit)[:DIGEST_TITLE].rstrip()} for hit in package.hits
    ]


def compact(package: Package, reader: VaultReader) -> list[Row]:
    """Of each hit, in order, what is known of it, and the tokens that `mnemic get ID --json` would cost."""
    return [
        {
            "id": reader.short_id(hit.id),
            "kind": hit.kind.value,
            "part": hit.part.value,
            "category": hit.category.value if hit.category else None,
            "tier": hit.tier.value,
            "date": hit.said_at.date().isoformat() if hit.said_at else None,
            "where": _title(hit),
            "score": hit.score,
            "source_link": hit.source_link,
            "tokens": item_of(reader, hit.id)["tokens"],
        }
        for hit in package.hits
    ]


def glances(pool: Sequence[Neighbour], reader: VaultReader) -> list[Row]:
    """Of each note of a deep search's pool: a short id, when and where it was said, and how it begins."""
    return [
        {
            "id": reader.short_id(note.ref),
            "date": note.said_at.date().isoformat() if note.said_at else None,
            "where": note.conversation_title,
            "begins": " ".join(note.text.split())[:GLANCE],
            "near": one.why or None,
        }
        for one in pool
        for note in (one.candidate.payload,)
    ]


ROWS: dict[Detail, Callable[[Package, VaultReader], list[Row]]] = {
    Detail.DIGEST: digest,
    Detail.COMPACT: compact,
}


def listed(detail: Detail, package: Package, reader: VaultReader) -> list[Row]:
    """The package's hits in that detail, as many of the first as its budget holds."""
    rows, room = [], package.budget - estimate_tokens(_heading(package))
    for row in ROWS[detail](package, reader):
        room -= estimate_tokens(line(row))
        if room < 0:
            break
        rows.append(row)
    return rows


def shown_as(package: Package, hits: list[Row]) -> Row:
    """The package with these in place of its hits; the same keys as in full, whatever was found."""
    whole: Row = package.model_dump(mode="json", exclude={"hits"})
    return {**whole, "tokens": estimate_tokens(text_of(package, hits)), "hits": hits}


def text_of(package: Package, hits: list[Row]) -> str:
    """A digest or a compact list as text, marked as quoted where its budget has room for that.

    Where nothing was found or fits it says so, as the package in full does.
    """
    if not hits:
        said = "".join(f"{notice}\n" for notice in package.notices if notice != QUOTED)
        return said if said and estimate_tokens(said) <= package.budget else package.render()
    return "".join((_heading(package) if hits else "", *map(line, hits)))


def _heading(package: Package) -> str:
    heading = f"{QUOTED}\n"
    return heading if estimate_tokens(heading) <= NOTICE_SHARE * package.budget else ""


def line(hit: Row) -> str:
    """A hit of a digest or a compact list as one line."""
    return "  ".join(str(value) for value in hit.values() if value is not None) + "\n"


def _title(hit: Hit) -> str:
    return " ".join((hit.conversation_title or "untitled").split())
