"""Bytes of a text file to text: UTF-8, UTF-16, and Windows-1252 where a file turns out not to be UTF-8."""

from __future__ import annotations

import codecs
import re

_ESCAPE = re.compile("[\udc80-\udcff]")
_IN_A_WORD = re.compile("[A-Za-z][\udc80-\udcff]|[\udc80-\udcff](?=[A-Za-z])")
_LETTERS = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}
_UNUSED = tuple(chr(0xDC00 + byte) for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D))
"""Bytes that Windows-1252 leaves without a meaning."""


def encoding_of(head: bytes) -> str:
    """The encoding of a text file by its first bytes: UTF-8 unless a mark or a pattern says UTF-16."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if len(head) >= 4 and head[1] == 0 and head[0] != 0 and head[3] == 0:
        return "utf-16-le"
    if len(head) >= 4 and head[0] == 0 and head[1] != 0 and head[2] == 0:
        return "utf-16-be"
    return "utf-8"


class Decoder:
    """Decodes one file, piece by piece.

    Bytes that are no UTF-8 become surrogate escapes, which keep them. Where such bytes stand in words, and
    nothing before them was UTF-8 beyond ASCII, they are Windows-1252, which old exports and editors write:
    then they become the letters that they are there, to the end of the file.
    """

    def __init__(self, head: bytes) -> None:
        self._encoding = encoding_of(head)
        errors = "strict" if self._encoding == "utf-8" else "replace"
        self._decoder = codecs.getincrementaldecoder(self._encoding)(errors=errors)
        self._only_ascii = True
        self.is_legacy = False
        """Windows-1252 was found."""
        self.has_foreign_bytes = False
        """Bytes were found that are neither UTF-8 nor, as it seems, Windows-1252."""

    def decode(self, data: bytes, *, final: bool) -> str:
        """The text of the next bytes."""
        try:
            text = self._decoder.decode(data, final=final)
        except UnicodeDecodeError:
            # strict until here, which costs least; a decoder that raised still holds what it held
            lenient = codecs.getincrementaldecoder("utf-8")(errors="surrogateescape")
            lenient.setstate(self._decoder.getstate())
            self._decoder = lenient
            text = lenient.decode(data, final=final)
        if text.isascii():
            return text
        if self._encoding == "utf-8" and self._decoder.errors == "surrogateescape":
            return self._told(text)
        self._only_ascii = False
        return text

    def _told(self, text: str) -> str:
        escapes = len(_ESCAPE.findall(text))
        if not escapes:
            self._only_ascii = self._only_ascii and self.is_legacy
            return text
        if not self.is_legacy and self._only_ascii:
            own = any(ord(character) > 0x7F for character in _ESCAPE.sub("", text))
            in_words = 2 * len(_IN_A_WORD.findall(text)) >= escapes
            self.is_legacy = in_words and not own and not any(byte in text for byte in _UNUSED)
        self._only_ascii = False
        if self.is_legacy:
            return text.translate(_LETTERS)
        self.has_foreign_bytes = True
        return text

    def encode(self, text: str) -> bytes:
        """The bytes that the text was read from (exact for UTF-8 and Windows-1252)."""
        if self.is_legacy:
            return text.encode("cp1252", errors="replace")
        return text.encode(errors="surrogateescape")

    @property
    def remark(self) -> tuple[str, str]:
        """What to say of the encoding, and the remedy; "" where there is nothing to say."""
        if self.is_legacy:
            return (
                "text in Windows-1252, not UTF-8: read as such",
                "If letters look wrong, convert the file to UTF-8 and read it again",
            )
        if self.has_foreign_bytes:
            return (
                "bytes that are no UTF-8: their letters are lost",
                "If the file is in another encoding, convert it to UTF-8 (as with iconv) and read it again",
            )
        return "", ""
