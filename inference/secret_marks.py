"""What every finder of secrets shares: what a find is, a quick look before a slow one, what is no value."""

from __future__ import annotations

import math
import re
from collections import Counter

Found = tuple[int, int, str]
"""(start, end, form) of a secret in a text."""

FIRST_COVER, LAST_COVER = 0x1D000, 0x1D0F5
"""The 246 Byzantine musical symbols, one for each form: what covers a secret in `inference.secret_cover`.
Nobody writes them, they are part of no word, and a tokenizer reads them as something that it does not know; a
private character it would not see at all."""

_LEAST_RANDOM, _LEAST_BITS = 12, 3.0
"""Characters of a value, and bits of entropy each, from which on it is taken for random. Asked of nothing but
what stands where a secret would: in prose nearly every line has such a run."""
_PLACEHOLDER = re.compile(
    r"[\"'`]?(?:<[^>]*>?|\$?[{(].*|%\w{1,60}%|\$[A-Za-z_]+|\[.*|[*•●xX#_-]+|\.+|your[\W_].*|"
    r"my[_-].*|example\w*|"
    r"change[_-]?(?:me|it|this)|redacted|null|none|nil|undefined|true|false|yes|no)[.!?]*",
    re.IGNORECASE,
)
_TYPES = frozenset(
    [
        *("str", "string", "text", "bytes", "int", "integer", "number", "bool", "boolean", "any", "object"),
        *(
            "secretstr",
            "varchar",
            "char",
            "uuid",
            "void",
            "auto",
            "default",
            "optional",
            "required",
            "unknown",
        ),
        *("empty", "missing", "invalid", "expired", "wrong"),
    ]
)
"""What stands after a name that says of what kind its value is, and is no value."""
_WORDS_OF_NAMES = re.compile(
    r"(?:(?:the|my|db|user|root|admin|new|old|test|dummy|fake|super)?[\s_-]?"
    r"(?:password|passwort|passwd|pass|pwd|secret|token|api[\s_-]?key|key|credentials?))+\d{0,3}",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"[A-Za-z_$][\w$]{0,80}(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]{0,80}){0,8}(?P<called>[(\[)}\]].*)?", re.DOTALL
)
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_WORD_LETTERS = 3.5
"""Letters or digits in a row, on average, from which on a run is made of words (`StreamManager2024`): of a
drawn one they are about two."""


def folded(text: str) -> str:
    """The text in small letters; what a pattern that ignores case takes for a Latin letter is that letter."""
    # folding leaves the dotless i alone, and makes two characters of the dotted capital
    return text.casefold().replace("ı", "i").replace("i̇", "i")


class Marks:
    """Literals: a text that holds a secret of the forms that they stand for holds one of them."""

    def __init__(self, *literals: str) -> None:
        self._literals = tuple(folded(one) for one in literals)

    def any_in(self, small: str) -> bool:
        """Whether one of them is in a text that was `folded`."""
        return any(one in small for one in self._literals)


def is_placeholder(value: str) -> bool:
    """Whether a value only says that one belongs there: `<your key>`, `${TOKEN}`, `string`, `password`."""
    bare = value.strip("\"'`")
    return (
        _PLACEHOLDER.fullmatch(value) is not None
        or bare.rstrip(".,;:!?").casefold() in _TYPES
        or _WORDS_OF_NAMES.fullmatch(bare) is not None
    )


def is_reference(value: str) -> bool:
    """Whether a value is program text that names another: `config.token`, `getpass()`, `auth_token`."""
    found = _REFERENCE.fullmatch(value)
    if found is None:
        return False
    return found["called"] is not None or any(map(value.__contains__, ".>:")) or _is_of_words(value, "_")


def looks_random(value: str) -> bool:
    """Whether a run of characters is one that a machine drew: letters with digits or both cases, no words."""
    if len(value) < _LEAST_RANDOM or value.count("/") > len(value) // 8 or "://" in value:
        return False
    digits = any(map(str.isdigit, value))
    cased = any(map(str.islower, value)) and any(map(str.isupper, value))
    if not (any(map(str.isalpha, value)) and (digits or (cased and len(value) >= 2 * _LEAST_RANDOM))):
        return False
    pieces = _PIECE.findall(value)
    if sum(map(len, pieces)) >= _WORD_LETTERS * len(pieces):
        return False
    counts = Counter(value)
    bits = -sum(one / len(value) * math.log2(one / len(value)) for one in counts.values())
    return bits >= _LEAST_BITS


def _is_of_words(value: str, joint: str) -> bool:
    return joint in value and all(part.isalpha() or not part for part in value.split(joint))
