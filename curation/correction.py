"""What a note's text may be corrected to: the sentence rule holds for the owner's words too."""

from __future__ import annotations

from schemas.errors import UsageError
from schemas.unit import MAX_WORDS
from schemas.words import count_words


def corrected(text: str) -> str:
    """The text as it will stand: one line, valid Unicode.

    Raises UsageError where it is empty or longer than a note may be.
    """
    line = " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
    if not any(character.isalnum() for character in line):
        raise UsageError("the corrected text has no word in it", remedy="Give the sentence that should stand")
    if (words := count_words(line)) > MAX_WORDS:
        raise UsageError(
            f"the corrected text has {words} words",
            why=f"a note is one sentence of at most {MAX_WORDS}",
            remedy="Shorten it, or correct the note to one claim and leave the rest to others",
        )
    return line
