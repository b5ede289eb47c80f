"""`CURRENT`: one line with the number of the published generation and a sum of that number.

A turned bit makes a digit into another one, and the older generation that it then names is mostly still
there: without the sum a reader would answer from it. The first vaults have the number alone.
"""

from __future__ import annotations

import re

from schemas.base import sha256_text
from vault.files import write_text_durably
from vault.layout import VaultLayout

SUM_LENGTH = 16
"""Hexadecimal digits, 64 bits: against accidents, not against a forger."""
_NUMBER = re.compile(r"[0-9]{1,18}")


def write_current(layout: VaultLayout, number: int) -> None:
    """Name the published generation; durable on return, and never seen half."""
    write_text_durably(layout.current, said_of(number))


def said_of(number: int) -> str:
    """The line that names a generation."""
    return f"{number} {sha256_text(str(number))[:SUM_LENGTH]}\n"


def current_text(layout: VaultLayout) -> str | None:
    """What `CURRENT` says; None where there is none."""
    try:
        return layout.current.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None


def number_said(text: str | None) -> int | None:
    """The generation that a text names; None where it is not, to the letter, what was once written."""
    digits = _NUMBER.match(text or "")
    if digits is None:
        return None
    number = int(digits[0])
    return number if text in (said_of(number), f"{number}\n") else None
