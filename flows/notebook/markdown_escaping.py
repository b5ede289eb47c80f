"""Archive text inside Markdown that a person's editor shows: as words, never as markup, link or picture."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence

SLUG_CHARACTERS, SLUG_BYTES = 48, 120
"""Of a title in a file's name: with folder and id it stays below every file system's 255 bytes."""

_MARKUP = re.compile(r"[\\`*_\[\]<>&#$~|^]|[%=](?=[%=])|(?<=[%=])[%=]")
"""What Markdown, or Obsidian beyond it, reads as more than itself: there `%%` hides what follows, `==` marks
it, and ` ^name` at the end of a line is not shown."""
_LIST = re.compile(r"^(\s*)([-+]|\d{1,9}[.)])(?=\s)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")

Value = str | int | None | Sequence[str]
"""What stands behind a name in a page's front matter."""


def escaped(text: str) -> str:
    """The text as one line that shows exactly its words; `unescaped` gives the line back."""
    line = _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))
    if re.fullmatch("-{2,}|=+", line):  # a rule, or what makes a heading of the line above
        return f"\\{line}"
    return _LIST.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", line)


def unescaped(line: str) -> str:
    """What a line of Markdown without markup says."""
    return _ESCAPE.sub(r"\1", line)


def slug(title: str) -> str:
    """The title as a part of a file's name: letters and digits alone, so that it can lead nowhere."""
    words = re.findall(r"\w+", unicodedata.normalize("NFC", title).replace("_", " "))
    name = "-".join(words).lower()[:SLUG_CHARACTERS]
    return name.encode("utf-8", "ignore")[:SLUG_BYTES].decode("utf-8", "ignore").strip("-") or "untitled"


def front_matter(values: Mapping[str, Value]) -> str:
    """The values as YAML between its two lines; what is None or empty is left out."""
    lines = ["---"]
    for name, value in values.items():
        if isinstance(value, str | int):
            lines.append(f"{name}: {_scalar(value)}")
        elif value:
            lines.append(f"{name}:")
            lines.extend(f"  - {_scalar(one)}" for one in value)
    return "\n".join([*lines, "---"]) + "\n"


def _scalar(value: str | int) -> str:
    """Plain where nothing can be misread, else in double quotes with every odd character escaped."""
    if isinstance(value, int):
        return str(value)
    if re.fullmatch(r"[a-z][a-z_]*|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", value):
        return value if value not in _RESERVED else f'"{value}"'
    quoted = json.dumps(value, ensure_ascii=False)
    return "".join(one if one.isprintable() else _code(one) for one in quoted)


_RESERVED = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
"""Words that YAML reads as something else."""


def _code(character: str) -> str:
    point = ord(character)
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
