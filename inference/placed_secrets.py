"""Secrets by where they stand: before the `@` of an address, in a header, behind an option, in a block that
says what it is, in a column whose heading names them.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from inference.named_secrets import Named, kind_of_name
from inference.secret_marks import Found, Marks, is_placeholder, looks_random

HEADER, LINK, KEY, OPTION, COLUMN = (
    "secret in a header",
    "password in a link",
    "private key",
    "password of a command",
    "stated secret",
)
FORMS = (HEADER, LINK, KEY, OPTION, COLUMN)

_BLOCK = re.compile(
    r"-{4,5}[ ]?BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|STATIC KEY)[A-Z0-9 ]{0,12}-{4,5}|PuTTY-User-Key-File-\d"
)
_BLOCK_END = re.compile(r"-{4,5}[ ]?END [A-Z0-9 ]{0,60}-{4,5}|Private-MAC: ?[0-9a-f]{20,80}")
_BLOCK_LINES = re.compile(r"(?:(?:\s|\\[nr]|[>+|*\"',])*[A-Za-z0-9+/=:_.-]{12,200}(?=[\s\"',\\]|\Z))*")
"""What follows the beginning of a block whose end was cut off."""

_LINK = re.compile(
    # a blank at each seam: whoever prints an address anew may set one
    r"[a-z][a-z0-9+.-]{1,30}[ ]?:[ ]?//[ ]?(?P<who>(?P<user>[^\s/?#:@\"'`<>]{0,200})"
    r"(?:[ ]?:[ ]?(?P<password>[^\s\"'`<>]{1,300}))?)"
    r"[ ]?@(?=[ ]?[\w\[$])",
    re.IGNORECASE,
)
_CLOUD_DSN = re.compile(r"(?<![\w/])(?P<who>[\w.-]{1,60}:[^\s\"'`@/]{3,200})@(?:tcp|unix)\(")

_AUTHORIZATION = re.compile(
    r"\b(?:proxy-)?authorization\b[\"'`]?\s{0,3}[:=,]\s{0,3}[\"'`]?"
    r"(?:(?P<scheme>[A-Za-z][\w-]{1,30})[ ]{1,2})?"
    r"(?P<value>[^\s\"'`][^\n\"'`]{3,2000})",
    re.IGNORECASE,
)
_SCHEMES = frozenset(
    [
        *("basic", "bearer", "digest", "negotiate", "ntlm", "oauth", "token", "apikey", "api-key", "key"),
        *("hawk", "hmac", "mac", "signature", "dpop", "gnap", "vapid", "bot", "privatetoken"),
    ]
)
"""Schemes of HTTP authentication, those registered and those in wide use."""
_COOKIE = re.compile(
    r"\b(?:set-)?cookie2?\b[\"'`]?\s{0,3}[:=,]\s{0,3}[\"'`]?(?P<value>[\w.$-]{1,80}=[^\n\"'`]{3,4000})",
    re.IGNORECASE,
)
_BASIC = re.compile(r"\bBasic[ ]{1,2}(?P<value>[A-Za-z0-9+/]{8,400}={0,2})")

_OPTIONS = (
    # `curl -u ada:pw`, `--user ada:pw`
    re.compile(
        r"(?:^|\s)(?:-u|-U|--user|--proxy-user|--userpwd)(?:[ =]|(?=\w))[\"']?"
        r"(?P<value>[\w.@%+-]{0,80}:[^\s\"'`]{2,200})"
    ),
    # `mysql -ppw`, `sshpass -p pw`, `docker login -p pw`, `redis-cli -a pw`, `smbclient -U ada%pw`
    re.compile(
        r"\b(?:mysql\w{0,10}|mariadb\w{0,10}|sshpass|docker\s+login|podman\s+login|"
        r"mongo\w{0,10}|ldap\w{0,10}|7z|zip|unzip|sqlcmd)\b"
        r"[^\n]{0,200}?\s-(?:p|P|w)[ ]?[\"']?(?P<value>[^\s\"'`-][^\s\"'`]{2,200})"
    ),
    re.compile(r"\bredis-cli\b[^\n]{0,200}?\s(?:-a|--pass)\s{1,3}[\"']?(?P<value>[^\s\"'`]{3,200})"),
    re.compile(r"\s(?:-U|--user)[ =][\"']?[\w.\\-]{1,60}%(?P<value>[^\s\"'`]{3,200})"),
    re.compile(
        r"\bIDENTIFIED\s+(?:WITH\s+\w{1,40}\s+)?(?:BY|AS)\s+[\"'](?P<value>[^\"'\n]{3,200})", re.IGNORECASE
    ),
    # what a pipe hands over: `echo pw | sudo -S`, `echo pw | docker login --password-stdin`
    re.compile(
        r"\b(?:echo|printf)\s+(?:-n\s+)?[\"']?(?P<value>[^\s\"'`|]{3,200})[\"']?\s*\|\s*"
        r"[^\n|]{0,80}(?:sudo\s+-S|password-stdin|passwd|chpasswd)"
    ),
)
_PLACE_MARKS = Marks(
    "://",
    ": //",
    "@tcp(",
    "@unix(",
    "authorization",
    "cookie",
    "basic ",
    " -",
    "\n-",
    "identified",
    "echo ",
    "printf ",
)
_BLOCK_MARKS = Marks("private key", "static key", "putty-user-key-file")

_CLUSTER = re.compile(r"^[^\S\n]*kind:[^\S\n]*[\"']?Secret\b", re.MULTILINE)
_CLUSTER_DATA = re.compile(
    r"(?P<data>^[^\S\n]*(?:string)?data:[^\S\n]*\n)(?P<lines>(?:[^\S\n]+\S[^\n]*(?:\n|\Z)){1,200})",
    re.MULTILINE | re.IGNORECASE,
)
_CLUSTER_LINE = re.compile(
    r"^[^\S\n]+[\w.-]{1,100}:[^\S\n]*[\"']?(?P<value>[^\s\"'|>][^\s\"']{2,4000})", re.MULTILINE
)

_CELLS = ("|", "\t", ",", ";")
_LONGEST_ROW = 4000
_OF_COLUMNS = (Named.PASSWORD, Named.TOKEN)


def placed_secrets(text: str, small: str) -> Iterator[Found]:
    """Secrets by their place, in any order; they may overlap. `small` is the text `folded`."""
    if _BLOCK_MARKS.any_in(small):
        yield from _blocks(text)
    if _PLACE_MARKS.any_in(small):
        yield from _in_links(text)
        yield from _in_headers(text)
        for pattern in _OPTIONS:
            for found in pattern.finditer(text):
                if not is_placeholder(found["value"].split(":", 1)[-1]):
                    yield found.start("value"), found.end("value"), OPTION
    if "secret" in small and _CLUSTER.search(text):
        for data in _CLUSTER_DATA.finditer(text):
            for line in _CLUSTER_LINE.finditer(text, data.start("lines"), data.end("lines")):
                yield line.start("value"), line.end("value"), COLUMN
    yield from _in_columns(text)


def _blocks(text: str) -> Iterator[Found]:
    ended = True
    place = 0
    while begun := _BLOCK.search(text, place):
        end = _BLOCK_END.search(text, begun.end()) if ended else None
        ended = end is not None
        lines = None if end else _BLOCK_LINES.match(text, begun.end())
        place = end.end() if end else lines.end() if lines else begun.end()
        yield begun.start(), place, KEY


def _in_links(text: str) -> Iterator[Found]:
    for found in _LINK.finditer(text):
        password = found["password"]
        if password is None:
            # a name alone is a secret where a token is given for one
            if not looks_random(found["user"]):
                continue
        elif is_placeholder(password):
            continue
        if found["who"]:
            yield found.start("who"), found.end("who"), LINK
    for found in _CLOUD_DSN.finditer(text):
        yield found.start("who"), found.end("who"), LINK


def _in_headers(text: str) -> Iterator[Found]:
    for found in _AUTHORIZATION.finditer(text):
        scheme, value = (found["scheme"] or "").lower(), found["value"].rstrip(" ,;)}]\\")
        known = scheme in _SCHEMES or scheme.startswith(("aws4", "scram", "zoho", "sso", "splunk"))
        one = value.split()[0]
        if (known and not is_placeholder(one)) or looks_random(one):
            end = found.start("value") + (len(value) if known else len(one))
            yield found.start("value"), end, HEADER
    for found in _COOKIE.finditer(text):
        yield found.start("value"), found.end("value"), HEADER
    for found in _BASIC.finditer(text):
        if _is_pair(found["value"]):
            yield found.start("value"), found.end("value"), HEADER


def _is_pair(value: str) -> bool:
    """Whether a value is a name and a password as HTTP Basic writes them (RFC 7617)."""
    try:
        told = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    return ":" in told and told.isprintable()


def _in_columns(text: str) -> Iterator[Found]:
    """Cells below a heading that names a secret, in tables and in rows with a separator."""
    columns: dict[int, Named] = {}
    separator, width, place = "", 0, 0
    for line in text.split("\n"):
        cells = line.split(separator) if separator and len(line) <= _LONGEST_ROW else []
        if columns and len(cells) == width:
            start = place
            for number, cell in enumerate(cells):
                value = cell.strip(" \t\"'`*\r")
                if number in columns and _is_cell(value, columns[number], separator):
                    at = start + cell.find(value)
                    yield at, at + len(value), COLUMN
                start += len(cell) + 1
        else:
            separator, columns = _headings(line)
            width = line.count(separator) + 1 if separator else 0
        place += len(line) + 1


def _is_cell(value: str, kind: Named, separator: str) -> bool:
    """Whether a cell is a value: in a table for reading, a plain word is what is said of it."""
    if len(value) < 4 or not set(value) - set("-: ") or is_placeholder(value) or any(map(str.isspace, value)):
        return False
    return looks_random(value) or (kind is Named.PASSWORD and not (value.isalpha() and separator == "|"))


def _headings(line: str) -> tuple[str, dict[int, Named]]:
    """The separator of a line of column headings, and those of them that name a secret."""
    if len(line) > _LONGEST_ROW:
        return "", {}
    for separator in _CELLS:
        names = [one.strip(" \t\"'`*\r") for one in line.split(separator)]
        if len(names) < 2 or any(len(one.split()) > 3 for one in names):
            continue
        kinds = {number: kind_of_name(one) for number, one in enumerate(names)}
        found = {number: one for number, one in kinds.items() if one and one in _OF_COLUMNS}
        # a row of a table, or headings that are names and nothing else
        if found and (separator in "|\t" or all(re.fullmatch(r"[\w .-]{1,40}", one) for one in names)):
            return separator, found
    return "", {}
