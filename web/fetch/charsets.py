"""Charsets in which pages are written: of what Python knows besides, some decode nothing and some (punycode)
take minutes for a page. A name means what it means to browsers (https://encoding.spec.whatwg.org)."""

from __future__ import annotations

import codecs

_WRITTEN_IN = (
    *("ascii", "utf-8", "utf-16", "iso8859", "cp125", "cp866", "cp874", "cp932", "cp949", "cp936", "koi8"),
    *("mac-", "gb", "big5", "euc", "shift_jis", "iso2022_jp", "hz", "tis-620", "johab"),
)
"""How the names of the encodings of pages begin, as `codecs` has them."""
_WIDER = {
    **{"ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874"},
    **{"tis-620": "cp874", "gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030"},
    **{"shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs"},
}
"""What pages hold that name the narrower one: dashes and the euro sign are in no ISO 8859-1."""
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def page_charset(said: str | None) -> str | None:
    """The charset as a page says it; None where no page is written in it."""
    return said if said and _codec(said) else None


def decoded(body: bytes, charset: str) -> str:
    """The text of a body in a charset of `page_charset`; what it begins with, if that names one, is right
    about itself. Bytes that are none of its letters are replaced."""
    begins = next((codec for mark, codec in _BOMS if body.startswith(mark)), None)
    return body.decode(begins or _codec(charset) or "utf-8", "replace")


def _codec(said: str) -> str | None:
    """Python's name for it."""
    # Python knows windows-1252, but not windows-949 and x-sjis
    for name in (
        said,
        said.lower().removeprefix("x-").replace("windows-31j", "cp932").replace("windows-", "cp"),
    ):
        try:
            known = codecs.lookup(name).name
        except (LookupError, ValueError):
            continue
        return _WIDER.get(known, known) if known.startswith(_WRITTEN_IN) else None
    return None
