"""What leaves the machine for a search: the query without secrets and without names of the memory's people.

People are those who say something in the vault, and the accounts. A name goes whole or in part, whatever its
case and its accents, written together or in the plural (`web.routing.name_patterns`); a part that is an
ordinary word (`Will`, `May`) goes only where it is written as a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from chunking.language import content_words
from inference.secrets import MASKED, mask_secrets
from web.routing.folded_text import folded, plainly_written
from web.routing.name_patterns import places_of_names

SOMEONE = "someone"
MOST_CHARACTERS = 400
"""Of a query; what is longer says more than a search needs."""
_LOOKED_AT = 2 * MOST_CHARACTERS
"""Characters in which names are looked for: masked they may be shorter, and what comes after moves up."""


def leaving(query: str) -> str:
    """The part of the query of which something may leave: plainly written, without secrets, in one line."""
    text = " ".join(MASKED.sub(" ", mask_secrets(plainly_written(query))).split())
    if len(text) <= _LOOKED_AT:
        return text
    # no word is torn: half a name would not be known as one
    return text[:_LOOKED_AT].rpartition(" ")[0] or text[:_LOOKED_AT]


def outgoing(query: str, names: Iterable[str]) -> str:
    """The query as it may leave, in one line. Empty where nothing is left that could be searched."""
    plain = leaving(query)
    kept, done = [], 0
    for start, end in places_of_names(map(plainly_written, names), plain, folded(plain)):
        kept += [plain[done:start], SOMEONE]
        done = end
    text = "".join([*kept, plain[done:]])
    text = re.sub(rf"{SOMEONE}(?:\s{SOMEONE})++", SOMEONE, text)
    text = text[:MOST_CHARACTERS].rstrip()
    return text if content_words(text.replace(SOMEONE, "")) else ""


def otherwise(query: str) -> str:
    """The same question in other words, for a second search: its content words alone."""
    return " ".join(content_words(query))
