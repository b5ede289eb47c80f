"""Secrets in text, found by what gives them away, and masked before the text leaves the machine.

    issued    a prefix that its issuer documents                       (issued_secrets)
    named     a name that says so, assigned in any syntax              (named_secrets)
    placed    before an `@`, in a header, a block, a column            (placed_secrets)
    told      as people tell each other a password or a PIN            (told_secrets)

Entropy alone judges nothing, since in prose that fires on nearly every line: it is asked of what stands
beside a name. How what is derived from a text is kept free of them is in `inference.secret_cover`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from inference import issued_secrets, named_secrets, placed_secrets, spoken_secrets
from inference.secret_marks import FIRST_COVER, LAST_COVER, Found, folded, is_placeholder

SECRETS_VERSION = "2"
"""Raise it when what is found changes: what was derived from a conversation is then derived again."""

FORMS = tuple(
    dict.fromkeys(
        (
            *issued_secrets.FORMS,
            issued_secrets.DETECTED,
            named_secrets.FORM,
            *placed_secrets.FORMS,
            *spoken_secrets.FORMS,
        )
    )
)
"""What a secret can be called."""
MASKED = re.compile(r"\[masked: (?P<form>[a-z0-9 ()-]{1,60})\]")
"""What stands in a secret's place."""
_HIDDEN = re.compile(rf"{MASKED.pattern}|[{chr(FIRST_COVER)}-{chr(LAST_COVER)}]+")


@dataclass(frozen=True, slots=True)
class Secret:
    """A run `[start, end)` of a text that looks like a secret."""

    start: int
    end: int
    form: str


def find_secrets(text: str) -> Iterator[Secret]:
    """Secrets of a text, in order and apart. Placeholders such as `<your key>` are none."""
    # every stage asks of the same notes and messages again; a very long one is not held on to
    if len(text) <= _NOTE:
        yield from _known_note(text)
    elif len(text) <= _REMEMBERED:
        yield from _known(text)
    else:
        yield from _found(text)


_NOTE, _REMEMBERED = 256, 16_000
"""Characters of a note or its quote, of which there are ten times as many, and of a message."""


@lru_cache(maxsize=32_768)
def _known_note(text: str) -> tuple[Secret, ...]:
    return _found(text)


@lru_cache(maxsize=2048)
def _known(text: str) -> tuple[Secret, ...]:
    return _found(text)


def _found(text: str) -> tuple[Secret, ...]:
    # what is masked or covered already is none, and no part of one
    text = _HIDDEN.sub(lambda hidden: "\n" * len(hidden[0]), text)
    small = folded(text)
    lot = [
        *issued_secrets.issued_secrets(text, small),
        *issued_secrets.detected_secrets(text),
        *named_secrets.named_secrets(text, small),
        *placed_secrets.placed_secrets(text, small),
        *spoken_secrets.told_secrets(text, small),
    ]
    # of two that are equally long, the first finder's form stands
    return tuple(_apart(text, sorted(lot, key=lambda one: one[:2])))


def _apart(text: str, lot: list[Found]) -> Iterator[Secret]:
    """Overlapping finds as one, which has the form of the longest: `password: ghp_...` is a token."""
    place = 0
    while place < len(lot):
        start, end, form = lot[place]
        longest = end - start
        place += 1
        while place < len(lot) and lot[place][0] < end:
            other_start, other_end, other_form = lot[place]
            if other_end - other_start > longest:
                longest, form = other_end - other_start, other_form
            end = max(end, other_end)
            place += 1
        if not is_placeholder(text[start:end]):
            yield Secret(start, end, form)


def mask_secrets(text: str) -> str:
    """The text with every secret replaced by `[masked: <form>]`; masked again, it stays as it is."""
    while secrets := list(find_secrets(text)):
        pieces: list[str] = []
        done = 0
        for secret in secrets:
            pieces += [text[done : secret.start], f"[masked: {secret.form}]"]
            done = secret.end
        text = "".join([*pieces, text[done:]])
    return text
