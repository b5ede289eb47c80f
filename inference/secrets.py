"""Secrets in text, found by their form, and masked before the text leaves the machine.

The forms are those that their issuers publish; a value after a word such as "password" is one by its place.
Nothing is judged by its entropy: in prose that fires on nearly every line. How people tell each other a
secret is in `inference.told_secrets`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from inference.secret_marks import Marks, folded
from inference.told_secrets import Found, detected_secrets, told_secrets

_FORMS: tuple[tuple[str, str], ...] = (
    (
        "private key",
        r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,8000}?(?:-----END [A-Z ]{0,30}-----|\Z)",
    ),
    ("model key", r"\bsk-[A-Za-z0-9_-]{16,200}"),
    ("cloud key", r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}\b"),
    ("google key", r"\bAIza[A-Za-z0-9_-]{35}"),
    ("google token", r"\bya29\.[A-Za-z0-9_-]{20,400}"),
    ("github token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})"),
    ("gitlab token", r"\bglpat-[A-Za-z0-9_-]{20,64}"),
    ("slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,250}"),
    ("slack hook", r"https://hooks\.slack\.com/services/[A-Za-z0-9/_-]{20,120}"),
    ("payment key", r"\b[rsp]k_(?:live|test)_[A-Za-z0-9]{16,128}"),
    ("package token", r"\b(?:npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,300}|dop_v1_[a-f0-9]{64})"),
    ("mail key", r"\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}"),
    ("hub token", r"\bhf_[A-Za-z0-9]{30,64}"),
    ("bot token", r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    ("web token", r"\beyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,1000}"),
    ("password in a link", r"(?<=://)[^\s/:@]{1,100}:[^\s/@]{1,200}(?=@)"),
    ("bearer token", r"(?i:(?<=bearer )|(?<=bearer: ))[A-Za-z0-9._~+/=-]{20,2000}"),
    (
        "stated secret",
        r"(?i:\b(?:password|passwort|passwd|pwd|passphrase|contraseña|mot de passe|kennwort|api[ _-]?key"
        r"|(?:secret|access|auth)[ _-]?(?:key|token)|client[ _-]?secret"
        r"|(?:token|secret)(?=\W{1,8}\S{0,60}[\d#$%&*+@^_~]))\b[\"']?"
        r"(?:\s{0,3}(?:=|:)\s{0,3}|\s(?:is|ist|es|est)\s(?=\S{0,60}[\d!#$%&*+?@^_~])))"
        r"(?P<value>[\"'`]?[^\s\"'`,;]{6,200})",
    ),
)
_SECRET = re.compile("|".join(f"(?P<form{number}>{pattern})" for number, (_, pattern) in enumerate(_FORMS)))
_MARKS = Marks(
    "private key", "sk-", "akia", "asia", "agpa", "aida", "aroa", "aiza", "ya29.", "ghp_", "gho_", "ghu_",
    "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "hooks.slack", "k_live_", "k_test_", "npm_", "pypi-",
    "dop_v1_", "sg.", "hf_", ":aa", "eyj", "://", "bearer ", "bearer: ", "passw", "pwd", "passphrase",
    "contraseña", "mot de passe", "kennwort", "secret", "token",
    *(f"{what}{joint}key" for what in ("api", "access", "auth") for joint in ("", " ", "_", "-")),
)  # fmt: skip
"""What a text must hold, in small letters, for any of the forms to be in it: to search it for all of them
takes fifteen times as long as to look for these."""
_MASK = re.compile(r"\[masked: [a-z0-9 ()-]{1,60}\]")
_PLACEHOLDER = re.compile(
    r"[\"'`]?(?:<[^>]*>?|\$?\{.*|\[.*|\*+|x+|\.+|your[\W_].*|my[_-].*|example\w*|changeme|null|none|true|false)[.!?]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Secret:
    """A run `[start, end)` of a text that looks like a secret."""

    start: int
    end: int
    form: str


def find_secrets(text: str) -> Iterator[Secret]:
    """Secrets of a text, in order and apart. Placeholders such as `<your key>` are none."""
    # what is masked already is none, and no part of one
    text = _MASK.sub(lambda mask: "\n" * len(mask[0]), text)
    found = sorted([*_by_form(text), *told_secrets(text), *detected_secrets(text)], key=lambda one: one[0])
    end = 0
    for start, stop, form in _joined(found):
        if start >= end and not _PLACEHOLDER.fullmatch(text[start:stop]):
            yield Secret(start, stop, form)
            end = stop


def _joined(found: list[Found]) -> Iterator[Found]:
    """Overlapping finds as one, which has the form of the longest: `password: ghp_...` is a token."""
    lot: list[Found] = []
    for one in found:
        if lot and one[0] >= max(stop for _, stop, _ in lot):
            yield _whole(lot)
            lot = []
        lot.append(one)
    if lot:
        yield _whole(lot)


def _whole(lot: list[Found]) -> Found:
    form = max(lot, key=lambda one: one[1] - one[0])[2]
    return min(start for start, _, _ in lot), max(stop for _, stop, _ in lot), form


def _by_form(text: str) -> Iterator[Found]:
    if not _MARKS.any_in(folded(text)):
        return
    for found in _SECRET.finditer(text):
        name = found.lastgroup or ""
        # the last group that took part is the form itself, or the value inside it
        if name == "value" or found["value"] is not None:
            yield found.start("value"), found.end("value"), "stated secret"
        else:
            yield found.start(), found.end(), _FORMS[int(name.removeprefix("form"))][0]


@lru_cache(maxsize=20_000)
def mask_secrets(text: str) -> str:
    """The text with every secret replaced by `[masked: <form>]`; masked again, it stays as it is."""
    while secrets := list(find_secrets(text)):
        pieces, done = [], 0
        for secret in secrets:
            pieces += [text[done : secret.start], f"[masked: {secret.form}]"]
            done = secret.end
        text = "".join([*pieces, text[done:]])
    return text
