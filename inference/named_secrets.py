"""Values by the name that they are given to: `DB_PASSWORD=…`, `"refreshToken": "…"`, `<password>…`.

A name is one by its last words, in any convention (`DB_PASSWORD`, `dbPassword`, `db-password`, `pgpassword`);
what comes between name and value is one of the ways in which programs, files and tables assign. Whether the
value is one is asked of it: a reference, a type, a placeholder and a plain word are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from inference.secret_marks import Found, Marks, is_placeholder, is_reference, looks_random

FORM = "stated secret"

_PASSWORD = (
    r"pass(?:[_-]?(?:word|code|phrase|key)|wort|wd)?|pwd|psw|pw|kennwort|contrase(?:ñ|n)a|clave|senha|mot[_-]?de[_-]?passe|mdp|"
    r"wachtwoord|has[łl]o|lösenord|пароль"
)
_TOKEN = r"(?<!max_)(?<!max-)token|secret|jwt|mnemonic|seed[_ -]?phrase|recovery[_ -]?(?:code|phrase)"
_WEAK = (
    r"key|credentials?|creds?|auth(?:orization|entication)?|cookie|session(?:[_-]?id)?|sid|sig(?:nature)?|salt|pepper|seed|"
    r"bearer|hmac|dsn|psk"
)
_CODE = r"pin|puk|cvv2?|cvc2?|otp|totp"
_QUALIFIED = re.compile(
    r"(?:^|[^a-z]|(?=api|secret|private|access))(?:api|app(?:lication)?|access|secret|private|auth|encryption|decrypt(?:ion)?|signing|sign|master|account|storage|"
    r"service|shared|deploy|license|licence|session|web\s?hook|hmac|jwt|aes|server|consumer|client|admin|"
    r"bot|cipher|crypto|vault|ssh|subscription|recovery|backup|root|user|wallet|security)[_.\s-]?$"
)
"""What a key must be called to be a secret by its name alone: there are primary, foreign and sort keys."""
_PUBLIC = re.compile(r"(?:public|publishable|primary|foreign|sort|partition|hot|short ?cut)[_.\s-]?$")

_CLOSES = r"(?:\\?[\"'`\]*)»”]){0,4}"
_ASSIGNS = (
    # a type first: `password: str = "..."`
    r"[^\S\n]{0,3}\??:[^\S\n]{0,2}[A-Za-z_][\w.\[\]|]{0,30}[^\S\n]{0,2}=[^\S\n]{0,3}(?=[\"'])|"
    # alone on a line of its own, or in a block of code, below the name
    r"[^\S\n]{0,2}[:：][*_]{0,3}[^\S\n]*\n{1,2}[^\S\n]{0,8}(?:```\w{0,12}\n)?(?=(?P<below>[^\s]{4,200})[^\S\n]*(?:\n|\Z))|"
    r"[^\S\n]{0,8}(?::=|=>|->|→|⇒|={1,3}|\?=|\+=|\?:|::?|：|＝|\|)[*_]{0,3}[^\S\n]{0,8}[*_]{0,2}|"
    # the value in an element, an attribute, or beside the name in a list of pairs
    r"(?:\s[^<>\n]{0,100})?>\s{0,3}(?:<!\[CDATA\[)?(?=[^\s<])|"
    r"\s{0,3},?\s{0,20}(?:\\?[\"'])?(?:default_?)?value(?:\\?[\"'])?\s{0,3}[:=]\s{0,3}|"
    r"[^\S\n]{0,2}[,(]\s{0,3}(?=[\"'`])|"
    r"(?P<blank>[^\S\n]{1,3})(?=\S)"
)
_NAMED = re.compile(
    rf"(?i:(?P<word>(?P<password>{_PASSWORD})|(?P<token>{_TOKEN})|(?P<code>{_CODE})|(?P<weak>{_WEAK})))"
    rf"(?P<suffix>(?:[_-]?\d{{1,3}})?(?:[_-][A-Za-z0-9]{{1,16}}){{0,2}})(?![A-Za-z0-9_]){_CLOSES}(?:{_ASSIGNS})"
)
_MARKS = Marks(
    "pass", "pwd", "psw", "pw", "kennwort", "contrase", "clave", "senha", "mdp", "wachtwoord", "hasł",
    "haslo", "lösenord", "пароль", "token", "secret", "jwt", "mnemonic", "phrase", "code", "key", "cred",
    "auth", "cookie", "session", "sid", "sig", "salt", "pepper", "seed", "bearer", "hmac", "dsn", "psk",
    "log", "pin", "puk", "cv", "otp",
)  # fmt: skip
_DRAWN = re.compile(r"(?<![\w/.@+=~-])[\w+/=.~-]{12,200}(?![\w@])")
_DIGEST = re.compile(
    r"(?:[0-9a-f]{7,128}|[0-9A-F]{7,128}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"
)
"""Hashes and record ids: beside such words they are what talk of programs is full of."""
_WORD_NEAR = re.compile(
    r"(?<![^\W_])(?:password|passwort|passwd|passphrase|pwd|pw|pass|contraseña|mot de passe|secrets?|token|"
    r"api[ _-]?key|(?:access|private|master|signing|licen[cs]e)[ _-]?key|credentials?|login|logged in|log in|"
    r"jwt|hmac|auth)(?![^\W_])",
    re.IGNORECASE,
)
_NEAR_BEFORE, _NEAR_AFTER = 60, 24
"""Characters of its line on which a drawn value has such a word."""
_NAME = 60
"""Characters before a word of secrets that are looked at: no name is longer."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDS_OF_WORDS = frozenset({"pass", "pw", "clave"})
_WHOLE_NAME = re.compile(r"[\w.-]{0,60}\Z")
_OPENS = re.compile(r"(?:[fbru]{0,2})(?P<mark>\\{0,3}[\"'`]|[“«„])", re.IGNORECASE)
_ENDS = {"“": "”", "„": "“", "«": "»"}
_BARE = re.compile(r"(?:(?!</)[^\s\"'`])+")
_CUTS = re.compile(r"&[\w.-]{1,60}=|;(?=[\w ]{1,40}=)|[;,](?=\Z)|[|](?=\Z)|\\[nrt\"']|\]\]>|</")
_LONGEST = 1000
_PLAIN = re.compile(r"[^\W\d_]+(?:[-_'’/.][^\W\d_]+)*")
_MIXED = re.compile(r"\d|[^\w./:@-]")
_OPTION = re.compile(r"(?:^|\s)(?:--?|/)[\w.-]{0,60}\Z")
_SET = re.compile(
    r"(?:^|\n|[;&|]\s?)[^\S\n]*(?:ENV|ARG|setx?|export|login|machine)\b[^\n]{0,100}\Z", re.IGNORECASE
)
_BESIDE = re.compile(r"\b(?:login|user(?:name)?|machine|account)[:=]?\s[^\n]{1,80}\Z", re.IGNORECASE)


def named_secrets(text: str, small: str) -> Iterator[Found]:
    """Values by the names that they are given to or stand beside, in any order; they may overlap.

    `small` is the text `folded`.
    """
    if not _MARKS.any_in(small):
        return
    yield from _drawn_beside(text)
    place = 0
    while found := _NAMED.search(text, place):
        place = found.end("word")
        kind = _kind(text, found)
        if kind is None or not _assigned(text, found, kind):
            continue
        start, end, quoted = _value(text, found.end())
        if end > start and _is_value(text, found, kind, start, end, quoted):
            yield start, end, FORM
            place = max(place, end)


class Named(Enum):
    """What a name promises of its value."""

    PASSWORD = "password"
    TOKEN = "token"
    CODE = "code"
    WEAK = "weak"


def kind_of_name(name: str) -> Named | None:
    """What a name says by its last words, as `Root password` and `api_key` do; None where it says nothing."""
    for found in _NAMED.finditer(f"{name}= "):
        if found.end("suffix") == len(name):
            return _kind(name, found)
    return None


def _drawn_beside(text: str) -> Iterator[Found]:
    """What a machine drew, on a line and near a word for a secret, however the two are joined."""
    for found in _DRAWN.finditer(text):
        value = found[0].strip("._-/=+~")
        if not looks_random(value) or _DIGEST.fullmatch(value):
            continue
        start = found.start() + found[0].index(value)
        before = text[max(0, start - _NEAR_BEFORE) : start].rsplit("\n", 1)[-1]
        after = text[start + len(value) : start + len(value) + _NEAR_AFTER].split("\n", 1)[0]
        if _WORD_NEAR.search(before) or _WORD_NEAR.search(after):
            yield start, start + len(value), FORM


def _kind(text: str, found: re.Match[str]) -> Named | None:
    """What the name is, by its last words; a short word that other words end in is a weak one (`compass`)."""
    start, word = found.start(), found["word"]
    before = text[max(0, start - _NAME) : start].rsplit("\n", 1)[-1]
    hump = word[0].isupper() and (before[-1:].islower() or word[1:].islower())
    glued = before[-1:].isalpha() and not hump
    lead = _HUMP.sub("_", before).lower()
    if found["suffix"].strip("_-0123456789") or _PUBLIC.search(lead):
        return None if glued or _PUBLIC.search(lead) else Named.WEAK
    if found["password"]:
        return Named.WEAK if glued and word.lower() in _ENDS_OF_WORDS else Named.PASSWORD
    if found["token"] or (word.lower() == "key" and _QUALIFIED.search(lead)):
        return Named.TOKEN
    if found["code"]:
        return None if glued else Named.CODE
    return Named.WEAK


def _assigned(text: str, found: re.Match[str], kind: Named) -> bool:
    """Whether a blank between name and value assigns: after an option, in a line that sets, by a login."""
    if found["blank"] is None:
        return True
    before = text[max(0, found.start() - 160) : found.start()]
    name = _WHOLE_NAME.search(before)
    lead = before[: name.start()] if name else before
    if name is not None and name[0].startswith("-"):
        return _OPTION.search(before) is not None
    if kind is Named.PASSWORD and _BESIDE.search(lead.rsplit("\n", 1)[-1]):
        return True
    if found["word"].isupper() and text[found.end() : found.end() + 1] == "'":
        return True  # SQL: `CREATE USER ada PASSWORD '...'`
    return found["word"].isupper() and _SET.search(lead) is not None


def _value(text: str, at: int) -> tuple[int, int, bool]:
    """(start, end, quoted) of the value that begins at a place."""
    opened = _OPENS.match(text, at)
    if opened:
        start, mark = opened.end(), opened["mark"]
        closed = text.find(_ENDS.get(mark, mark), start, start + _LONGEST)
        line = text.find("\n", start, start + _LONGEST)
        if closed >= 0 and not (0 <= line < closed):
            return start, closed, True
        at = start
    bare = _BARE.match(text, at, at + _LONGEST)
    if bare is None:
        return at, at, False
    cut = _CUTS.search(bare[0])
    value = bare[0][: cut.start()] if cut else bare[0]
    return at, at + len(_without_end(value)), False


def _without_end(value: str) -> str:
    """The value without a full stop, and without a bracket that closes what was opened before it."""
    end = len(value)
    while end and (
        value[end - 1] in ".,;:!?*"
        or any(value[end - 1] == two and one not in value[:end] for one, two in ("()", "[]", "{}", "<>"))
    ):
        end -= 1
    return value[:end]


def _is_value(text: str, found: re.Match[str], kind: Named, start: int, end: int, quoted: bool) -> bool:
    value = text[start:end]
    if len(value) < 3 or is_placeholder(value) or (not quoted and is_reference(value)):
        return False
    if kind is Named.CODE:
        return re.fullmatch(r"\d(?:[\s-]?\d){2,7}", value) is not None
    spaced = any(map(str.isspace, value))
    if kind is Named.WEAK:
        return not spaced and looks_random(value)
    if value.replace(".", "").replace("_", "").isdigit():
        return "_" not in value and len(value) >= (4 if kind is Named.PASSWORD else 8)
    if spaced:
        # a phrase, and not a label or a message
        return found["word"].lower().endswith(("phrase", "mnemonic")) or (
            value.count(" ") < 4 and looks_random(value)
        )
    if _PLAIN.fullmatch(value) is None:
        return len(value) >= 4 and (kind is Named.PASSWORD or _MIXED.search(value) is not None)
    if looks_random(value) or (kind is Named.PASSWORD and quoted and len(value) >= 6):
        return True
    return len(value) >= 6 and not found["below"] and _stands_alone(text, found, end)


def _stands_alone(text: str, found: re.Match[str], end: int) -> bool:
    """Whether a plain word is assigned by the form of its line: nothing but name and value is on it."""
    line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
    after = text[end : end + 60].split("\n", 1)[0].strip(" \t\"'`;,|*")
    return (
        not after and re.fullmatch(r"[\s>*•+|`\"'-]*(?:export\s+|set\s+|ENV\s+)?[\w.$-]*", line) is not None
    )
