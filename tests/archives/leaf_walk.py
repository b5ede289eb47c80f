"""Every text of a raw archive, found with the standard library alone, beside what reading it came to.

    python tests/archives/leaf_walk.py

prints how many texts the fixtures, the sample and the shared samples hold, by format, and their fates.
"""

from __future__ import annotations

import html
import json
import re
import sqlite3
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

from archive_reading import FIXTURES
from sample_report import FORCED, SAMPLES

from archives import RejectedRecord, open_archive
from archives.keys import Keys, Use, is_text, strings_of
from archives.registry import FORMATS
from schemas.errors import DamagedArchive, UnrecognisedArchive
from schemas.report import ImportReport, NoteKind

OWN_SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"
WHOLE_RECORDS = (
    "a marker of a shared link", "a row of another Google product", "an act that is no prompt",
    "a line copied from another session's file", "a line that repeats another one",
    "a line of the program", "a part whose message is missing", "an earlier state of a message",
    "a message that the chat's latest state",
)  # fmt: skip
"""Reasons for which a record is skipped as a whole: its texts are accounted for by them."""
_TAGS = re.compile(r"<[^<>]{1,300}>|[\ue200-\ue206]|【[^】]{0,400}】")
_WORDS = re.compile(r"\w+")


class Leaf(NamedTuple):
    """A text of the raw archive."""

    path: str
    """Its keys, without a mark for lists."""
    key: str
    text: str


@dataclass(slots=True)
class Walk:
    """What became of an archive's texts."""

    format: str
    fates: Counter[str] = field(default_factory=Counter)
    unexplained: list[Leaf] = field(default_factory=list)


def leaves_of(value: object) -> Iterator[Leaf]:
    """Every text in a JSON value with its path."""
    waiting: list[tuple[str, str, object]] = [("", "", value)]
    while waiting:
        path, key, one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend((f"{path}.{inner}".lstrip("."), inner, held) for inner, held in one.items())
        elif isinstance(one, list):
            waiting.extend((path, key, held) for held in one)
        elif isinstance(one, str):
            yield Leaf(path, key, one)


def raw_leaves(path: Path, files: tuple[str, ...]) -> Iterator[Leaf]:
    """Every text of the files of an archive."""
    for name in files:
        if path.is_dir():
            data = (path / name).read_bytes()
        elif zipfile.is_zipfile(path):
            data = zipfile.ZipFile(path).read(name)
        else:
            data = path.read_bytes()
        if data.startswith(b"SQLite format 3"):
            yield from _database_leaves(path if path.is_file() else path / name)
            continue
        text = data.decode("utf-8-sig", errors="surrogateescape")
        if text.lstrip()[:1] in ("{", "["):
            yield from _json_leaves(text)
        elif text.lstrip()[:1] == "<":
            yield from _page_leaves(text)
        else:
            header = text.partition("\n")[0].count(",") == 3 and text.lower().startswith("conversation,")
            lines = text.splitlines()
            yield from (
                Leaf("header" if header and not n else "line", "line", one) for n, one in enumerate(lines)
            )


def _json_leaves(text: str) -> Iterator[Leaf]:
    try:
        whole = json.loads(text)
    except ValueError:
        for line in text.splitlines():
            try:
                yield from leaves_of(json.loads(line))
            except ValueError:
                continue  # the reader rejects it, or it is no JSON at all
        return
    yield from leaves_of(whole)


def _database_leaves(path: Path) -> Iterator[Leaf]:
    with closing(sqlite3.connect(path)) as connection:
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        for table in tables:
            for row in connection.execute(f'SELECT * FROM "{table}"'):
                for cell in row:
                    value = cell.decode(errors="replace") if isinstance(cell, bytes) else cell
                    if isinstance(value, str) and value[:1] in "{[":
                        yield from _json_leaves(value)


class _Page(HTMLParser):
    """Text nodes, less those that Google puts under each row."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Leaf] = []
        self._divs: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "div":
            self._divs.append(dict(attrs).get("class") or "")
        self._silent += tag in ("style", "script", "title", "head")

    def handle_endtag(self, tag: str) -> None:
        if tag == "div" and self._divs:
            self._divs.pop()
        self._silent -= tag in ("style", "script", "title", "head")

    def handle_data(self, data: str) -> None:
        around = " ".join(self._divs)
        if "mdl-typography--caption" not in around and self._silent <= 0:
            key = "header" if "header-cell" in around else "text"
            self.found.append(Leaf(key, key, data))


def _page_leaves(text: str) -> Iterator[Leaf]:
    page = _Page()
    page.feed(text)
    return iter(page.found)


def walk(path: Path, format_id: str | None = None) -> Walk | None:
    """Read the archive and look for each of its texts; None where nothing in it is an archive."""
    rejected: list[RejectedRecord] = []
    texts: list[str] = []
    try:
        with open_archive(path, format_id=format_id, rejects=rejected.append) as archive:
            for conversation in archive.conversations():
                texts += _texts(conversation.model_dump(mode="json"))
            for resource in archive.resources():
                texts += _texts(resource.model_dump(mode="json"))
            report, files = archive.report(), archive.files
    except (UnrecognisedArchive, DamagedArchive):
        return None
    texts += [one.raw.decode(errors="replace") for one in rejected]
    texts += [note.sample for note in report.notes]
    keys = next(row.keys for row in FORMATS if row.id == report.format)
    found = Walk(report.format)
    told = _Told(texts, keys, report)
    for leaf in raw_leaves(path, files):
        fate = told.fate(leaf)
        found.fates[fate or "unexplained"] += 1
        if fate is None:
            found.unexplained.append(leaf)
    return found


def _texts(value: Any) -> Iterator[str]:
    for text in strings_of(value):
        yield text
        if text[:1] in ("{", "[", '"'):
            try:
                yield from strings_of(json.loads(text))
            except ValueError:
                continue


class _Told:
    """What was kept and said of an archive."""

    def __init__(self, texts: list[str], keys: Keys, report: ImportReport) -> None:
        self._whole = "\x00".join(map(_plain, texts))
        self._words = set(_WORDS.findall(self._whole.casefold()))
        self._keys = keys
        told = (note.reason for note in report.notes if note.kind is NoteKind.UNREAD)
        self._unread = [re.compile(re.escape(one.replace("[]", "")).replace(r"\*", r"[^.]+")) for one in told]
        self._skips = any(note.reason.startswith(WHOLE_RECORDS) for note in report.notes)

    def fate(self, leaf: Leaf) -> str | None:
        if not is_text(leaf.key, leaf.text):
            return "no text"
        use, _ = self._keys.use_of(leaf.path)
        if use is None:
            use, _ = self._keys.use_of(leaf.path.partition(".")[2])
        if use in (Use.USED, Use.OMITTED):
            return use.name.lower()
        if any(self._is_kept(form(leaf.text.strip())) for form in (str, *self._keys.forms)):
            return "kept"
        forms = (leaf.path, leaf.path.partition(".")[2])  # a record may stand in a list under a key
        if any(pattern.fullmatch(path) for pattern in self._unread for path in forms):
            return "unread"
        return "skipped" if self._skips else None

    def _is_kept(self, text: str) -> bool:
        """It stands somewhere as it is, or line by line; a line of a text file has its time before it."""
        plain = _plain(text)
        if not plain or plain in self._whole:
            return True
        lines = [_plain(line) for part in _TAGS.split(text) for line in part.splitlines()]
        if all(line in self._whole for line in lines):
            return True
        words = _WORDS.findall(plain.casefold())
        return all(word in self._words for word in words)


def _plain(text: str) -> str:
    return " ".join(html.unescape(_TAGS.sub(" ", text)).split())


def paths() -> list[tuple[Path, str | None]]:
    """Every archive at hand with the format that has to be named for it."""
    found: list[tuple[Path, str | None]] = [(one, None) for one in sorted(FIXTURES.glob("*/*"))]
    found.append((OWN_SAMPLE, None))
    samples = (one for one in sorted(SAMPLES.glob("*/*")) if one.is_file())
    for one in samples:
        forced = one.parent.name if f"{one.parent.name}/{one.name}" in FORCED else None
        found.append((one, forced))
    return found


def main() -> None:
    """Print the account."""
    by_format: dict[str, Counter[str]] = {}
    lost: list[tuple[Path, Leaf]] = []
    for path, forced in paths():
        walked = walk(path, forced)
        if walked is not None:
            by_format.setdefault(walked.format, Counter()).update(walked.fates)
            lost += [(path, leaf) for leaf in walked.unexplained]
    total: Counter[str] = Counter()
    files = sum(1 for _ in paths())
    for name, fates in sorted(by_format.items()):
        total.update(fates)
        sys.stdout.write(f"{name}: {sum(fates.values()):,} {dict(fates)}\n")
    sys.stdout.write(
        f"{files} files and folders, {len(by_format)} formats, {sum(total.values()):,} texts: {dict(total)}\n"
    )
    sys.stdout.write(f"unexplained: {len(lost)}\n")
    for path, leaf in lost[:40]:
        sys.stdout.write(f"{path.name}: {leaf.path}: {leaf.text[:80]!r}\n")


if __name__ == "__main__":
    main()
