"""What leaves the machine for a search: the query without secrets and without names of the memory's people.

People are those who say something in the vault, and the accounts. A name goes whole or in part, whatever its
case and its accents, written together or in the plural; a part that is a stop word (`Will`, `May`) goes only
as it is written in the name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from chunking.language import content_words
from inference.secrets import MASKED, mask_secrets

SOMEONE = "someone"
MOST_CHARACTERS = 400
"""Of a query; what is longer says more than a search needs."""
LEAST_PART = 2
"""Letters of a part of a name: initials are none."""

_PARTS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def outgoing(query: str, names: Iterable[str]) -> str:
    """The query as it may leave, in one line. Empty where nothing is left that could be searched."""
    text = MASKED.sub(" ", mask_secrets(_plainly_written(query)))
    for pattern in _patterns(_without_accents(_plainly_written(name)) for name in names):
        text = _masked(pattern, text)
    text = re.sub(rf"{SOMEONE}(?:\s+{SOMEONE})+", SOMEONE, " ".join(text.split()))
    text = text[:MOST_CHARACTERS].rstrip()
    return text if content_words(text.replace(SOMEONE, "")) else ""


def _plainly_written(text: str) -> str:
    """The text in one way of writing: composed letters, no marks that are not seen, one apostrophe. Keyboards
    differ in these, and what is masked is found by its letters."""
    seen = (one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
    return "".join(seen).replace("’", "'")


def _without_accents(text: str) -> str:
    """The text with each letter's base in its place, so that places in both are the same."""
    return "".join(unicodedata.normalize("NFD", one)[0] for one in text)


def _masked(pattern: re.Pattern[str], text: str) -> str:
    """The text with what the pattern finds, accents or none, replaced."""
    kept, end = [], 0
    for found in pattern.finditer(_without_accents(text)):
        kept += [text[end : found.start()], SOMEONE]
        end = found.end()
    return "".join([*kept, text[end:]])


def otherwise(query: str) -> str:
    """The same question in other words, for a second search: its content words alone."""
    return " ".join(content_words(query))


def _patterns(names: Iterable[str]) -> list[re.Pattern[str]]:
    """Whole names first, longest first, then their parts."""
    whole = sorted({" ".join(name.split()) for name in names if name.strip()}, key=len, reverse=True)
    parts = sorted({part for name in whole for part in _PARTS.findall(name) if len(part) >= LEAST_PART})
    whole_ones = [_pattern(name, re.IGNORECASE if content_words(name) else re.NOFLAG) for name in whole]
    return whole_ones + [
        _pattern(part, re.IGNORECASE if content_words(part) else re.NOFLAG) for part in parts
    ]


def _pattern(name: str, flags: re.RegexFlag) -> re.Pattern[str]:
    # digits and low lines part words in names of accounts and files: mara_lindqvist, Mara2024, MaraLindqvist
    together = r"[\s\d_.-]*".join(map(re.escape, name.split()))
    return re.compile(rf"(?<![^\W\d_]){together}(?:'?s|s')?(?![^\W\d_])", flags)
