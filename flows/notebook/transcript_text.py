"""What was said, with its lists, tables, code and links, and with nothing that an editor fetches or runs.

A note is one line, and is shown as its words alone (`markdown_escaping`). A message may be pages long, so its
shape stays: headings become bold lines, code stays code without the name of a language (some editors run
code by that name), a picture becomes a link to it. Links lead to the web and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flows.notebook.markdown_escaping import escaped

_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})")
_ITEM = re.compile(r"(?P<indent>\s{0,12})(?P<mark>[-+*]|\d{1,9}[.)])\s+(?P<rest>\S.*)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?P<rest>\S.*)")
_QUOTED = re.compile(r"\s{0,3}>\s?(?P<rest>.*)")
_ROW = re.compile(r"\s{0,3}\|.*\|\s*")
_MARKS_OF_A_TABLE = frozenset("|:- \t")
_LINK = re.compile(
    r"!?\[(?P<label>[^\[\]\n]{0,300})\]\(<?(?P<goal>https?://[^\s<>()]{1,2000})>?(?:\s+\"[^\"\n]{0,300}\")?\)"
    r"|(?P<bare>https?://[^\s<>\"'`()\[\]\\]{1,2000})"
)
_RULE = re.compile(r"\s{0,3}(?:-\s*){3,}|\s{0,3}(?:\*\s*){3,}")
_AT_ITS_END = ".,;:!?*_"
_WITHIN_A_LINE = re.compile(r"[\\`\[\]<>&#$~^]|[%=](?=[%=])|(?<=[%=])[%=]")
"""As for a note, but for emphasis and the bars of tables: neither fetches, runs nor hides anything."""


def shown_text(text: str) -> str:
    """A message as Markdown."""
    return "\n".join(_lines(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))).strip("\n")


def _lines(lines: list[str]) -> Iterator[str]:
    place = 0
    while place < len(lines):
        opening = _FENCE.match(lines[place])
        if opening is None:
            yield _line(lines[place])
            place += 1
            continue
        end = next(
            (at for at in range(place + 1, len(lines)) if _closes(lines[at], opening["marks"])), len(lines)
        )
        yield from _code(lines[place + 1 : end])
        place = end + 1


def _closes(line: str, marks: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(marks) and not bare.strip(marks[0])


def _code(lines: list[str]) -> Iterator[str]:
    longest = max((len(run) for line in lines for run in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    # the line that ends a page's own part is not to be had from an archive
    yield from (fence, *(line.replace("<!--", "<! --") for line in lines), fence)


def _line(line: str) -> str:
    if _RULE.fullmatch(line):
        return "* * *"  # which makes no heading of the line above
    if found := _ITEM.fullmatch(line):
        mark = found["mark"] if found["mark"][0].isdigit() else "-"
        return f"{found['indent']}{mark} {_inline(found['rest'])}"
    if found := _HEADING.fullmatch(line):
        return f"**{_inline(found['rest'].rstrip('# ').replace('*', ''))}**"
    if found := _QUOTED.fullmatch(line):
        return f"> {_inline(found['rest'])}"
    if _ROW.fullmatch(line):
        is_rule = "-" in line and _MARKS_OF_A_TABLE.issuperset(line)
        return line.strip() if is_rule else _inline(line.strip())
    words = _inline(line.strip())
    # a line of marks alone would make a heading of the line above
    return f"\\{words}" if words and not words.strip("-=_* ") else words


def _inline(text: str) -> str:
    pieces: list[str] = []
    done = 0
    for found in _LINK.finditer(text):
        pieces.append(_escaped(text[done : found.start()]))
        done = found.end()
        if bare := found["bare"]:
            goal = bare.rstrip(_AT_ITS_END)
            pieces.append(f"<{goal}>{_escaped(bare[len(goal) :])}")
        else:
            goal = found["goal"]
            pieces.append(f"[{escaped(found['label']) or escaped(goal)}](<{goal}>)")
    return "".join([*pieces, _escaped(text[done:])])


def _escaped(text: str) -> str:
    return _WITHIN_A_LINE.sub(r"\\\g<0>", text)
