"""Text that every later stage can store: valid Unicode, without NUL."""

from __future__ import annotations

import re

from schemas.conversation import Attachment

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def well_formed(text: str) -> tuple[str, int]:
    """The text with NUL and every lone surrogate replaced by U+FFFD, and how many there were.

    The length in code points stays, so offsets that the archive states still hold.
    """
    if "\x00" not in text:
        if text.isascii():
            return text, 0
        try:
            text.encode("utf-16-le")  # refuses the same as UTF-8 does, at half the cost
        except UnicodeEncodeError:
            pass
        else:
            return text, 0
    return _UNSTORABLE.subn("�", text)


def well_formed_file(file: Attachment) -> Attachment:
    """The attachment with each word as `well_formed` has it; itself where nothing is to be replaced."""
    said = {"name": file.name, "media_type": file.media_type, "native_id": file.native_id}
    bent = {name: well_formed(word)[0] for name, word in said.items() if word and well_formed(word)[1]}
    return file.model_copy(update=bent) if bent else file
