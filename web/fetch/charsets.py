"""Charsets in which pages are written: of what Python knows besides, some decode nothing and some (punycode)
take minutes for a page."""

from __future__ import annotations

import codecs

_WRITTEN_IN = (
    *("ascii", "utf-8", "utf-16", "iso8859", "cp125", "cp866", "cp874", "cp932", "cp949", "cp936", "koi8"),
    *("mac-", "gb", "big5", "euc", "shift_jis", "iso2022_jp", "hz", "tis-620", "johab"),
)
"""How the names of the encodings of pages begin (https://encoding.spec.whatwg.org), as `codecs` has them."""


def page_charset(said: str | None) -> str | None:
    """The charset as Python knows it; None where no page is written in it."""
    try:
        return said if said and codecs.lookup(said).name.startswith(_WRITTEN_IN) else None
    except (LookupError, ValueError):
        return None
