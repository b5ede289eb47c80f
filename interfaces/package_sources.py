"""Where the notes of a package were said: links to the conversations at their services, or to files here."""

from __future__ import annotations

from chunking import estimate_tokens
from interfaces.ways_back import ways_back
from retrieval import Package, PackageFormat
from vault.reader import VaultReader

_HEADING = "Sources:\n"


def with_links(package: Package, reader: VaultReader) -> Package:
    """The package with each hit's link to its conversation, where it has one."""
    pages = ways_back(reader.ledger, (hit.conversation_id for hit in package.hits))
    if not pages:
        return package
    hits = tuple(
        hit.model_copy(update={"source_link": pages.get(hit.conversation_id)}) for hit in package.hits
    )
    return package.model_copy(update={"hits": hits})


def rendered(package: Package) -> str:
    """The package as text; in Markdown with the links of its conversations, as many as its budget still has
    room for, those of the first hits first."""
    text = package.render()
    if package.format is not PackageFormat.MARKDOWN or not text:
        return text
    told: dict[str, str] = {}
    for hit in package.hits:
        if hit.source_link is not None:
            named = f", {told[hit.source_link]}" if hit.source_link in told else ""
            told[hit.source_link] = f"{hit.short}{named}"
    lines = [f"- <{link}> {short}\n" for link, short in told.items()]
    while lines and estimate_tokens(text + _HEADING + "".join(lines)) > package.budget:
        lines.pop()
    return text + _HEADING + "".join(lines) if lines else text
