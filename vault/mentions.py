"""Where something was said: the passages that an erasure by words is about, for a person to judge."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from vault.ledger import Ledger

AROUND = 45
"""Characters of context on each side of what was found."""

_TEXTS = """
    SELECT conversation_id AS owner, 'title' AS place, created_at AS said_at, title AS text FROM conversations
    UNION ALL SELECT conversation_id, role, created_at, text FROM messages
    UNION ALL SELECT id, 'title', created_at, title FROM resources
    UNION ALL SELECT id, 'document', created_at, text FROM resources
"""


@dataclass(frozen=True, slots=True)
class Mention:
    """One passage in which it stands."""

    place: str
    """`title`, `document`, or the role that said it."""
    at: datetime | None
    snippet: str
    """What was found with its context, in one line; an ellipsis where text was left out."""


def mentions(ledger: Ledger, said: str, *, inside_words: bool) -> dict[str, list[Mention]]:
    """The passages that have `said`, whatever its case, by conversation or resource; each message's first.

    Unless `inside_words`, no letter or digit may join it: "ann" is not said in "planning".
    """
    pattern = _pattern(said, inside_words)
    found: dict[str, list[Mention]] = {}
    for owner, place, at, text in ledger.query(
        f"""SELECT owner, place, said_at, text FROM ({_TEXTS})
            WHERE contains(lower(text), lower(?)) ORDER BY said_at""",
        [said],
    ):
        if there := pattern.search(str(text)):
            mention = Mention(str(place), at if isinstance(at, datetime) else None, _snippet(there))
            found.setdefault(str(owner), []).append(mention)
    return found


def _pattern(said: str, inside_words: bool) -> re.Pattern[str]:
    before = r"(?<!\w)" if not inside_words and re.match(r"\w", said) else ""
    after = r"(?!\w)" if not inside_words and re.search(r"\w\Z", said) else ""
    return re.compile(f"{before}{re.escape(said)}{after}", re.IGNORECASE)


def _snippet(there: re.Match[str]) -> str:
    text, start, end = there.string, max(0, there.start() - AROUND), there.end() + AROUND
    shown = " ".join(text[start:end].split())
    return f"{'… ' if start else ''}{shown}{' …' if end < len(text) else ''}"
