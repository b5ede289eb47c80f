"""ChatGPT's citation marks: private-use spans and 【…†…】, taken out of the text.

A span is U+E200, a kind, fields parted by U+E202, U+E201. Most are chrome (cite, navlist, image_group);
`entity` and `url` stand in for words of the sentence, which stay. Exports before 2025 mark with
U+E203 to U+E206.
"""

from __future__ import annotations

import json
import re

from archives.shapes import mapping, objects, sequence, string

CITING = frozenset({"content_references", "citations", "_cite_metadata", "search_result_groups"})
"""Keys of a message's metadata that say what it cites."""
_SPAN = re.compile("( ?)\ue200([^\ue200\ue201]{0,4000})\ue201")
_MARKS = tuple("\ue200\ue201\ue202\ue203\ue204\ue205\ue206")
_STRAY = re.compile("[\ue200-\ue206]")
_BRACKET = re.compile(" ?【[^【】]{1,200}†[^【】]{0,400}】")


def without_citations(text: str) -> str:
    """The text as its reader saw it, less the marks."""
    if text.isascii():
        return text
    if "【" in text and "†" in text:
        text = _BRACKET.sub("", text)
    for mark in _MARKS:  # a loop of its own: a generator costs more than the search
        if mark in text:
            break
    else:
        return text
    return _STRAY.sub("", _SPAN.sub(_words, text))


def _words(span: re.Match[str]) -> str:
    kind, _, rest = span[2].partition("\ue202")
    words = ""
    if kind == "entity":
        words = _entity(rest)
    elif kind == "url":
        words = rest.split("\ue202")[0]
    return f"{span[1]}{words}" if words else ""


def _entity(field: str) -> str:
    """`["city","Paris","capital"]` names Paris."""
    try:
        parts = json.loads(field)
    except (ValueError, RecursionError):
        return ""
    named = [part for part in sequence(parts) if isinstance(part, str)]
    return named[1] if len(named) > 1 else (named[0] if named else "")


def cited_sources(metadata: dict[str, object]) -> list[dict[str, str]]:
    """Title and address of everything a message cites. Grouped references carry none at their own level."""
    found: dict[str, str] = {}
    for reference in objects(metadata.get("content_references")):
        for holder in (
            reference,
            *objects(reference.get("items")),
            *objects(reference.get("fallback_items")),
        ):
            _collect(holder, found)
    for group in objects(metadata.get("search_result_groups")):
        for entry in objects(group.get("entries")):
            _collect(entry, found)
    cited = mapping(metadata.get("_cite_metadata")).get("metadata_list")
    for citation in (*objects(metadata.get("citations")), *objects(cited)):
        _collect(citation, found)
        _collect(mapping(citation.get("metadata")), found)
    return [{"title": title, "url": url} for url, title in found.items()]


def _collect(holder: dict[str, object], found: dict[str, str]) -> None:
    url = string(holder.get("url"))
    if url is not None:
        found.setdefault(url, string(holder.get("title")) or "")
