"""Secrets as people tell them to each other, and those whose forms well-kept detectors know.

`The wifi password is ...`, a PIN, a door code, a card, an account number have rules here. The forms of keys
and tokens come from detect-secrets; its entropy and keyword detectors are left out, since they fire on nearly
every line of prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from inference.secret_marks import Marks, folded

if TYPE_CHECKING:
    from detect_secrets.plugins.base import BasePlugin

_PASSWORD = (
    r"pass(?:word|code|phrase|wd)|pwd|pw|psw|kennwort|passwort|contraseña|clave(?:\s+de\s+acceso)?|"
    r"mot\s+de\s+passe|mdp|api[\s_-]?key|secret[\s_-]?key|access[\s_-]?(?:key|token)|auth[\s_-]?token|token|"
    r"client[\s_-]?secret|private[\s_-]?key|recovery[\s_-]?(?:key|code|phrase)|login|credentials?"
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
    r"[^\S\n]*(?:=|:|：|→|->|\b(?:is|was|are|to|as|now|lautet|ist|es|sera|est|became|por|auf|zu)\b|(?=[\"'`“«])|"
    r"(?<=\s))[^\S\n]*[\"'`“«(]?"
)
_TOLD = re.compile(
    rf"(?i:\b(?:{_PASSWORD})\b){_AT_MOST}{_SAYS}"
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
    "credential", "phrase", "code",
)  # fmt: skip
_CODE_MARKS = Marks("pin", "puk", "cvv", "cvc", "code", "comb", "código")
_DIGIT = re.compile(r"\d")
"""Codes, cards and account numbers have one: most texts are done with at that."""
_CARD = re.compile(r"(?<![\w.+])\d(?:[ -]?\d){12,18}(?![\w.]*\d)")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b")
_SUSPECT = re.compile(r"[\w/+=.-]{20}")
"""Without a run of this length no form of a key is in the text, and the detectors need not be asked."""
_LONGEST_LINE = 2000
_DETECTORS = (
    "artifactory:ArtifactoryDetector", "aws:AWSKeyDetector", "azure_storage_key:AzureStorageKeyDetector",
    "cloudant:CloudantDetector", "discord:DiscordBotTokenDetector", "github_token:GitHubTokenDetector",
    "gitlab_token:GitLabTokenDetector", "ibm_cloud_iam:IbmCloudIamDetector",
    "ibm_cos_hmac:IbmCosHmacDetector", "jwt:JwtTokenDetector", "mailchimp:MailchimpDetector",
    "npm:NpmDetector", "openai:OpenAIDetector", "pypi_token:PypiTokenDetector",
    "sendgrid:SendGridDetector", "slack:SlackDetector", "softlayer:SoftlayerDetector",
    "square_oauth:SquareOAuthDetector", "stripe:StripeDetector", "telegram_token:TelegramBotTokenDetector",
    "twilio:TwilioKeyDetector",
)  # fmt: skip

Found = tuple[int, int, str]
"""(start, end, form) of a secret in a text."""


def told_secrets(text: str) -> Iterator[Found]:
    """Passwords, codes, cards and account numbers, in any order; they may overlap."""
    small, numbered = folded(text), _DIGIT.search(text) is not None
    asked = (
        ("stated secret", _TOLD, _PASSWORD_MARKS.any_in(small)),
        ("code", _TOLD_CODE, numbered and _CODE_MARKS.any_in(small)),
        ("stated secret", _TOLD_UNSPACED, not text.isascii()),
    )
    for form, pattern, likely in asked:
        for match in pattern.finditer(text) if likely else ():
            value = match["value"].rstrip(".!?)")
            # markup round a word is no part of it: `the password and tap **Done**`
            plain = pattern is _TOLD and value.strip("*_~").isalpha()
            if len(value) >= 3 and not plain and not _is_time(value):
                yield match.start("value"), match.start("value") + len(value), form
    if not numbered:
        return
    for match in _CARD.finditer(text):
        if _luhn([int(digit) for digit in match[0] if digit.isdigit()]):
            yield match.start(), match.end(), "card number"
    for match in _IBAN.finditer(text):
        if _iban(match[0].replace(" ", "")):
            yield match.start(), match.end(), "bank account"


def detected_secrets(text: str) -> Iterator[Found]:
    """Keys and tokens by the forms that detect-secrets knows, line by line."""
    place = 0
    for line in text.splitlines(keepends=True):
        if len(line) <= _LONGEST_LINE and _SUSPECT.search(line):
            for detector in _detectors():
                for value in sorted(set(detector.analyze_string(line))):
                    start = line.find(value) if value else -1
                    if start >= 0:
                        yield place + start, place + start + len(value), detector.secret_type.lower()
        place += len(line)


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


@lru_cache(maxsize=1)
def _detectors() -> tuple[BasePlugin, ...]:
    from importlib import import_module

    made = []
    for name in _DETECTORS:
        module, _, detector = name.partition(":")
        made.append(getattr(import_module(f"detect_secrets.plugins.{module}"), detector)())
    return tuple(made)
