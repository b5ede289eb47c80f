"""Every text of an archive is in what mnemic keeps, or is named: what went in is held against what came out.

While records are handed to a reader, the texts in them are gathered with their paths; when the conversation
of a record was given, each text is looked for in what was kept of it. What is not there, and not declared as
used or left out (`archives/keys.py`), stands in the report as unread: by path, with a count and an example.
Nothing is parsed for that a second time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from archives.keys import Keys, Use, is_text, strings_of
from archives.tally import Tally
from archives.wellformed import well_formed
from schemas.deferred import deferred
from schemas.report import NoteKind

if TYPE_CHECKING:
    from inference import secrets
else:
    secrets = deferred("inference.secrets")


EXAMPLE = 120
"""Characters of an example in the report."""
LONGEST_PATH = 160
MOST_LOOKS = 100
"""Sets of keys that are remembered of one path's objects: a service has a few, an archive may make up any."""
MOST_PATHS = 2_000
"""Paths that are told apart; an archive may have a new key in every record."""
OTHER_PATHS = f"(other paths than the first {MOST_PATHS:,})"
SIBLINGS = 150
"""Keys of one object past which they are ids rather than names: they are told as `*`."""
HELD_CHARACTERS = 1 << 26
HELD_TEXTS = 1 << 20
"""Texts that wait for their conversation, and the characters of them; what is more is not held against it."""
LOST_AFTER = 8
"""Texts of a path that were looked for word by word and never found: further ones are not looked for so."""
PLAIN = "text under a key that is not read"
NOT_COMPARED = "text that was not held against what was kept, there was too much of it"

_QUIET = (Use.WHOLE, Use.USED, Use.OMITTED)
_IS_ID = re.compile(r"(?=.*\d)[0-9a-zA-Z_:.-]{16,}|\d+")
"""A key that is an id and no name: `*` in paths."""
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
_FEW = 4
"""Keys below a path up to which it is quicker to ask for each than to go through the object."""
_WORD = re.compile(r"\w+")


class Node:
    """A path of the archive, and what is known of it."""

    __slots__ = (
        "above",
        "anywhere",
        "children",
        "inner",
        "key",
        "known",
        "listed",
        "looked_for",
        "looks",
        "quiet",
        "star",
        "use",
    )

    def __init__(self, key: str, use: Use | None, above: Node | None, anywhere: Mapping[str, Use]) -> None:
        self.key, self.use, self.above = key, use, above
        self.anywhere = anywhere
        """Uses of keys by their name alone, at whatever depth."""
        self.children: dict[str, Node] = {}
        self.star: Node | None = None
        self.listed = False
        """A list was seen here."""
        self.looked_for = 0
        """Texts in a row that were looked for word by word, and not found."""
        self.known: frozenset[str] = frozenset(name for name, use in anywhere.items() if use in _QUIET)
        """Keys that need no look: those declared, less what `inner` lists."""
        self.quiet = self.known
        """Keys that are passed over."""
        self.inner: tuple[tuple[str, Node], ...] = ()
        self.looks: dict[tuple[str, ...], tuple[tuple[str, Node], ...]] = {}
        """Where to look in objects with these keys, of those met so far."""

    @property
    def path(self) -> str:
        """Keys with dots between them, `[]` behind what is a list."""
        steps: list[str] = []
        node: Node | None = self
        while node is not None and node.key:
            steps.append(node.key + "[]" * node.listed)
            node = node.above
        return ".".join(reversed(steps))[:LONGEST_PATH]

    def child(self, key: str) -> Node:
        """The node below, made where there is none."""
        if key == "*":
            self.star = self.star or Node("*", None, self, self.anywhere)
            return self.star
        if key not in self.children:
            self.children[key] = Node(key, None, self, self.anywhere)
        return self.children[key]

    def seal(self) -> None:
        """Once all declared paths are in: what a walk may pass over, and where it has to look."""
        for node in self.children.values():
            node.seal()
        if self.star is not None:
            self.star.seal()
        quiet = frozenset(key for key, node in self.children.items() if node.use in _QUIET)
        self.quiet = self.known | quiet
        self.inner = tuple((key, node) for key, node in self.children.items() if key not in quiet)
        self.known = frozenset() if self.star is not None else self.known | frozenset(self.children)

    def looks_at(self, value: dict[str, object]) -> tuple[tuple[str, Node], ...] | None:
        """The keys of an object that need a look, each with its node; None where some key is not declared."""
        keys = value.keys()
        if keys <= self.quiet:
            looks: tuple[tuple[str, Node], ...] = ()
        elif not keys <= self.known:
            return None
        elif len(self.inner) <= _FEW:
            looks = tuple((key, node) for key, node in self.inner if key in keys)
        else:
            inner = dict(self.inner)
            looks = tuple((key, inner[key]) for key in value if key in inner)
        if len(self.looks) < MOST_LOOKS:
            self.looks[tuple(value)] = looks
        return looks


def _trie(keys: Keys) -> Node:
    anywhere: dict[str, Use] = {}
    told = list(keys.paths())
    for path, use, _ in told:
        if path.startswith("**."):
            anywhere.setdefault(path.removeprefix("**."), use)
    root = Node("", None, None, anywhere)
    for path, use, _ in told:
        if not path.startswith("**."):
            node = root
            for step in path.split("."):
                node = node.child(step)
            node.use = use
    root.seal()
    return root


@dataclass(slots=True)
class _Found:
    """What is unread at one path, since it was last told."""

    where: str
    example: str
    count: int = 0


@dataclass(slots=True)
class Leaves:
    """The texts of one reading, from the records they stand in to the conversations they are in."""

    keys: Keys = field(default_factory=Keys)
    _root: Node | None = None
    _others: Node = field(default_factory=lambda: Node(OTHER_PATHS, None, None, {}))
    _paths: int = 0
    """Paths that are not declared."""
    _record: object = None
    _where: str = ""
    """The record that the reader has in hand, and its place."""
    _waiting: list[tuple[Node, str, str]] = field(default_factory=list)
    _characters: int = 0
    _too_much: int = 0
    _streams: int = 0
    """Files that are being read."""
    _given: bool = False
    """A conversation was given since the last texts were settled."""
    _left_out: bool = False
    """One of those was left out: then no text that waits may be told."""

    def opens(self, tally: Tally) -> None:
        """A file begins."""
        self._settle_before_next(tally)
        self._streams += 1

    def ends(self) -> None:
        """A file has no more records."""
        self._streams -= 1

    def hands_over(self, record: object, where: str) -> None:
        """The reader gets this record; its texts are gathered when it comes back for the next one."""
        self._record, self._where = record, where

    def comes_back(self, tally: Tally) -> None:
        """The reader is done with the record that it got last."""
        record, self._record = self._record, None
        if record is not None:
            # nearly all texts are the very objects that were kept: these need not wait
            self._gather(record, self._where, set(map(id, tally.kept)) if self._given else frozenset())
        if self._given:
            self.settle(tally)

    def takes(self, value: object, where: str, tally: Tally) -> None:
        """The reader took a value that is no record of a file, such as one of a database's row."""
        self._settle_before_next(tally)
        self._gather(value, where)

    def forgo(self) -> None:
        """The record in hand is left out by what the caller wants: nothing of it is told."""
        self._record = None

    def given(self, *, left_out: bool) -> None:
        """A conversation or document was given to the caller, who may leave it out."""
        self._given = True
        self._left_out = self._left_out or left_out

    def _settle_before_next(self, tally: Tally) -> None:
        if self._given and not self._streams:
            self.settle(tally)

    def settle(self, tally: Tally) -> None:
        """Tell what of the texts that wait is in nothing that was kept, and let go of them all."""
        waiting, kept = self._waiting, tally.kept
        self._waiting, self._characters = [], 0
        left_out, self._given, self._left_out = self._left_out, False, False
        if not left_out:
            same = set(map(id, kept))  # nearly all are the very object that was read: no text is hashed
            doubted = [one for one in waiting if id(one[1]) not in same]
            if doubted:
                self._tell(_missing(doubted, set(kept), self.keys), tally)
            if self._too_much:
                tally.note(NoteKind.UNREAD, NOT_COMPARED, self._where, count=self._too_much)
        self._too_much = 0
        kept.clear()

    def _tell(self, missing: Iterable[tuple[Node, str, str]], tally: Tally) -> None:
        found: dict[Node, _Found] = {}
        for node, text, where in missing:
            known = found.get(node)
            if known is None:
                known = found[node] = _Found(where, f"{node.key}: {text.strip()[: 4 * EXAMPLE]}")
            known.count += 1
        for node, one in found.items():
            told = well_formed(node.path)[0]
            example = "" if tally.knows(NoteKind.UNREAD, told) else _example(one.example)
            tally.note(NoteKind.UNREAD, told, one.where, count=one.count, sample=example, plain=PLAIN)

    def _gather(self, record: object, where: str, kept: Collection[int] = frozenset()) -> None:
        """Put the texts of the record to look for among those that wait, less the objects `kept`."""
        if self._root is None:
            self._root = _trie(self.keys)
        waiting, before = self._waiting, len(self._waiting)
        stack: list[tuple[object, Node]] = [(record, self._root)]
        while stack:
            value, node = stack.pop()
            if isinstance(value, dict):
                looks = node.looks.get(tuple(value))
                if looks is None and (looks := node.looks_at(value)) is None:
                    self._gather_object(value, node, where, stack)
                    continue
                for key, child in looks:
                    inner = value[key]
                    if inner:
                        if isinstance(inner, str):
                            if id(inner) not in kept:
                                waiting.append((child, inner, where))
                        else:
                            stack.append((inner, child))
            elif isinstance(value, list):
                node.listed = True
                for inner in value:
                    if isinstance(inner, str):
                        if id(inner) not in kept:
                            waiting.append((node, inner, where))
                    elif inner:
                        stack.append((inner, node))
        self._bound(before)

    def _bound(self, before: int) -> None:
        """Let go of the texts that were gathered since, where all together are too many."""
        waiting = self._waiting
        self._characters += sum(len(text) for _, text, _ in waiting[before:])
        if self._characters > HELD_CHARACTERS or len(waiting) > HELD_TEXTS:
            self._too_much += len(waiting) - before
            del waiting[before:]

    def _gather_object(
        self, value: dict[str, object], node: Node, where: str, stack: list[tuple[object, Node]]
    ) -> None:
        """An object with keys that are not declared, or with any."""
        children, star = node.children, node.star
        for key, inner in value.items():
            if not inner:
                continue
            child = children.get(key) or star
            if child is None:
                if not isinstance(inner, str | dict | list) or node.anywhere.get(key) in _QUIET:
                    continue
                child = self._new(node, key)
            if child.use in _QUIET:
                continue
            if isinstance(inner, str):
                self._waiting.append((child, inner, where))
            else:
                stack.append((inner, child))

    def _new(self, node: Node, key: str) -> Node:
        """A path that is not declared. Past a number of them they are told together."""
        if self._paths >= MOST_PATHS:
            return self._others
        self._paths += 1
        return node.child("*" if len(node.children) >= SIBLINGS or _IS_ID.fullmatch(key) else key)


def _example(text: str) -> str:
    """A short example, its secrets masked; the key before it may be what names one."""
    return " ".join(secrets.mask_secrets(text).split())[:EXAMPLE]


def _missing(
    doubted: list[tuple[Node, str, str]], kept: set[str], keys: Keys
) -> Iterator[tuple[Node, str, str]]:
    """Those of the texts that are not kept in another form either: in a longer text, in pieces, as JSON."""
    unknown = (one for one in doubted if one[1] not in kept)
    searched = [one for one in unknown if one[0].use is not None or is_text(one[0].key, one[1])]
    if not searched:
        return iter(())
    known = set(kept)
    for text in kept:
        if text[:1] in ("{", "[", '"'):
            known.update(_strings_in(text))
    lines = {line.strip() for text in known for line in text.splitlines()}
    still = []
    for one in searched:
        if one[1] not in known and not all(line in lines for line in _lines(one[1])):
            still.append(one)
    searched = [one for one in still if one[0].looked_for < LOST_AFTER]
    told = {id(one) for one in still}
    if searched:
        forms: tuple[Callable[[str], str], ...] = (str, _untagged, *keys.forms)
        asked = [[_pairs(form(one[1])) for form in forms] for one in searched]
        present = _present({pair for forms in asked for pairs in forms for pair in pairs}, known)
        for one, pairs_of_forms in zip(searched, asked, strict=True):
            if any(_mostly(pairs, present) for pairs in pairs_of_forms):
                told.discard(id(one))
                one[0].looked_for = 0
            else:
                one[0].looked_for += 1
    return (one for one in still if id(one) in told)


def _lines(text: str) -> list[str]:
    return [line for line in map(str.strip, text.splitlines()) if line]


def _strings_in(text: str) -> Iterable[str]:
    """The texts inside one that is JSON, such as a tool's arguments."""
    try:
        return list(strings_of(json.loads(text)))
    except (ValueError, RecursionError):
        return ()


def _pairs(text: str) -> list[tuple[str, str]]:
    """The neighbouring words of each line of a text; a single word is a pair with itself."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        words = _WORD.findall(line)
        found += pairwise(words) if len(words) > 1 else [(word, word) for word in words]
    return found


def _present(wanted: set[tuple[str, str]], texts: Iterable[str]) -> set[tuple[str, str]]:
    """Those of the pairs that stand in one of the texts."""
    singles = {one for one, other in wanted if one == other}
    found: set[tuple[str, str]] = set()
    for text in texts:
        words = _WORD.findall(text)
        found.update(wanted.intersection(pairwise(words)))
        found.update((word, word) for word in singles.intersection(words))
    return found


def _mostly(pairs: list[tuple[str, str]], present: set[tuple[str, str]]) -> bool:
    """Whether nine in ten pairs are there; a text of five or more may lack one, where it was cut in two."""
    missing = sum(pair not in present for pair in pairs)
    return missing <= (max(1, len(pairs) // 10) if len(pairs) >= 5 else 0)


def _untagged(text: str) -> str:
    return _TAG.sub("\n", text)
