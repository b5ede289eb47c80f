"""Why nothing in a source is a conversation archive."""

from __future__ import annotations

from collections import Counter

from archives.contract import Part
from archives.glimpse import Kind
from archives.registry import FORMATS
from archives.sources import Source
from schemas.errors import DamagedArchive, UnrecognisedArchive


def unclaimed(source: Source, parts: tuple[Part, ...]) -> Exception:
    """The error that says what it holds, or what is wrong with it."""
    where = str(source.path)
    if source.refusals:
        first = source.refusals[0]
        return first.error(
            "nothing in it can be read", where=where, why=f"{first.name}: {first.reason}", remedy=first.remedy
        )
    broken = [part for part in parts if part.glimpse.damage]
    if source.damage or broken:
        why = source.damage or f"{broken[0].name}: {broken[0].glimpse.damage}"
        return DamagedArchive(
            "it breaks off before a conversation could be read",
            where=where,
            why=why,
            remedy=(broken and not source.damage and broken[0].glimpse.remedy) or "Download the export again",
        )
    kinds = Counter(part.glimpse.kind.value for part in parts)
    held = ", ".join(f"{kind} x {count}" for kind, count in kinds.most_common(3)) or "no files"
    for part in parts:
        if part.glimpse.kind is Kind.TEXT and part.name.lower().endswith(".json"):
            held += f"; {part.name} is called JSON, and is none"
            break
    return UnrecognisedArchive(
        "this is no conversation archive that mnemic knows",
        where=where,
        why=f"it holds {held}",
        remedy="Give the export as it was downloaded;"
        f" docs/formats.md lists the {len(FORMATS)} formats that are read",
    )
