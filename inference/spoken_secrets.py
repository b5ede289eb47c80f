"""Secrets as people tell them to each other: `the wifi password is ...`, a PIN, a card."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inference.secret_marks import Found, Marks, is_placeholder, is_reference

FORMS = ("stated secret", "code", "card number", "bank account")

_PASSWORD = (
    r"pass(?:word|code|phrase|wd)|pwd|pw|psw|kennwort|passwort|contraseña|clave(?:\s+de\s+acceso)?|"
    r"mot\s+de\s+passe|mdp|senha|parola|wachtwoord|has[łl]o|lösenord|adgangskode|salasana|şifre|пароль|api[\s_-]?key|secret[\s_-]?key|access[\s_-]?(?:key|token)|auth[\s_-]?token|token|"
    r"(?:client[\s_-]?)?secret|private[\s_-]?key|recovery[\s_-]?(?:key|code|phrase)|login|credentials?"
)
_CODE = (
    r"pin(?:[\s-]?code|[\s-]?number)?|puk|cvv2?|cvc|(?:door|gate|alarm|entry|access|security|lock(?:er)?|safe|"
    r"unlock|garage|keypad|lock\s?box|padlock|bike\s+lock|2fa|otp|verification|backup|wi-?fi|building|key\s?safe)"
    r"\s*(?:code|pin|combination|combo)|türcode|código\s+de\s+(?:acceso|la\s+puerta|seguridad)|code\s+d'entrée|"
    r"code\s+de\s+la\s+porte"
)
_AT_MOST = r"(?:[^\S\n]+[\w'’.@-]{1,40}){0,5}?"
"""Up to five words between what a secret is called and its value: `the password for the guest wifi is`."""
_SAYS = (
    r"[^\S\n]*(?:=|:|：|→|->|\b(?:is|was|are|to|as|now|lautet|ist|es|sera|est|became|por|auf|zu|è|é|är)\b|(?=[\"'`“«])|"
    r"(?<=\s))[^\S\n]*[\"'`“«(]?"
)
_TOLD = re.compile(
    rf"(?i:\b(?:{_PASSWORD})\b)(?:['’]s\b)?{_AT_MOST}{_SAYS}"
    r"(?P<value>(?=[^\s\"'`“”«»,;]{0,80}(?:[\d#$%&*+@^_~]|[!?]\w))[^\s\"'`“”«»,;]{5,200})"
)
_TOLD_CODE = re.compile(
    rf"(?i:\b(?:{_CODE})\b){_AT_MOST}{_SAYS}(?P<value>[*#]?\d(?:[\s-]?\d){{2,11}}[*#]?(?![\w.,]*\d)|(?=[A-Z]*\d)"
    r"[A-Z0-9]{4,12}\b)"
)
_TOLD_UNSPACED = re.compile(
    r"(?:パスワード|暗証番号|密码|密碼|口令|密钥|验证码)[^\s!-~]{0,8}(?:は|是|为|為|:|：)?\s*(?P<value>[!-~]{4,200})"
)
_PASSWORD_MARKS = Marks(
    "pass", "pwd", "pw", "psw", "kennwort", "contraseña", "clave", "mdp", "key", "secret", "token", "login",
    "credential", "phrase", "code", "senha", "parola", "wachtwoord", "hasł", "haslo", "lösenord",
    "adgangskode", "salasana", "şifre", "пароль",
)  # fmt: skip
_CODE_MARKS = Marks("pin", "puk", "cvv", "cvc", "code", "comb", "código")
_DIGIT = re.compile(r"\d")
"""Codes, cards and account numbers have one: most texts are done with at that."""
_PLAIN = re.compile(r"(?:[^\W\d_]|[-_*~:./'’()])+|\d{1,3}-[a-z]+|[A-Z]{2,6}-\d{1,2}")
"""Words, also with markup round them and joined: `tap **Done**`, `well-known`, `4-byte`, `UTF-8`."""
_CARD = re.compile(r"(?<![\w.+-])\d(?:[ -]?\d){12,18}(?![\w.-]*\d)")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b")


def told_secrets(text: str, small: str) -> Iterator[Found]:
    """Passwords, codes, cards and account numbers, in any order; they may overlap. `small` is the text
    `folded`."""
    numbered = _DIGIT.search(text) is not None
    asked = (
        ("stated secret", _TOLD, _PASSWORD_MARKS.any_in(small)),
        ("code", _TOLD_CODE, numbered and _CODE_MARKS.any_in(small)),
        ("stated secret", _TOLD_UNSPACED, not text.isascii()),
    )
    for form, pattern, likely in asked:
        for match in pattern.finditer(text) if likely else ():
            value = match["value"].rstrip(".!?)")
            plain = pattern is _TOLD and (_PLAIN.fullmatch(value) is not None or is_reference(value))
            if len(value) >= 3 and not plain and not _is_time(value) and not is_placeholder(value):
                yield match.start("value"), match.start("value") + len(value), form
    if not numbered:
        return
    for match in _CARD.finditer(text):
        if _luhn([int(digit) for digit in match[0] if digit.isdigit()]):
            yield match.start(), match.end(), "card number"
    for match in _IBAN.finditer(text):
        if _iban(match[0].replace(" ", "")):
            yield match.start(), match.end(), "bank account"


def _is_time(value: str) -> bool:
    return (
        re.fullmatch(r"\d{1,2}[:.]\d{2}(?:[ap]m)?|(?:19|20)\d\d-\d\d-\d\d|\d+(?:st|nd|rd|th|%|€|\$)", value)
        is not None
    )


def _luhn(digits: list[int]) -> bool:
    """The check digit of card numbers (ISO/IEC 7812-1)."""
    if len(set(digits)) == 1:
        return False
    doubled = [one if at % 2 == 0 else sum(divmod(one * 2, 10)) for at, one in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0


def _iban(value: str) -> bool:
    """The check digits of an account number (ISO 13616)."""
    moved = value[4:] + value[:4]
    return int("".join(str(int(character, 36)) for character in moved)) % 97 == 1
