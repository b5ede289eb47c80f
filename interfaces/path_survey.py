"""What lies where in a memory, without a model: survey the paths, then get what is at some of them.

The command line and the MCP server answer with the same JSON; every answer is of one account, its namespace.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from chunking import estimate_tokens
from inference.secret_cover import masked_throughout
from interfaces.cli.lookup import account_of
from schemas.errors import AccountNeeded, UsageError
from schemas.semantic_path import UNDATED, UNSORTED, checked_path
from vault.path_queries import PathBranch, Survey, branches, keys_of, notes_among, notes_at, notes_of
from vault.paths import PATHS, TIMELINE, PathTables
from vault.paths_now import path_tables
from vault.queries import Row
from vault.reader import VaultReader

PLACES = "places"
"""The first level that a survey of places is about."""
TAXONOMY_DEPTH = 2
"""What a survey of the taxonomy counts by where no depth was given."""
NOT_FILED = (
    "the vault was last written by a version that knew no paths: the next `mnemic ingest` files its notes"
)
SAMPLES = 1_000
"""Prefixes that are told with the beginning of a note; counts are told of all."""
NO_NOTE_THERE = "no note lies at this path"
"""Why a path is not found."""
GLOB_MOST = 200
"""Characters of a glob."""

_TUPLE = re.compile(r"""\(\s*["']user["']\s*,\s*["'](.+)["']\s*\)""")
_IDS = re.compile(r"[0-9a-f-]+", re.IGNORECASE)
"""What can be the beginning of an id."""
_DAY = re.compile(r"\d{4}\.\d\d\.\d\d")


class SurveyKind(StrEnum):
    """What a survey is about."""

    ALL = "all"
    """Every path."""
    TAXONOMY = "taxonomy"
    """The paths of the taxonomy, without what is unsorted."""
    TIMELINE = "timeline"
    """Years, months and days on which notes were said."""
    PLACES = "places"
    """What is filed under places."""


def namespace_of(reader: VaultReader, named: str | None) -> str:
    """The account that a namespace names: `alice`, `user:alice` and `("user","alice")` are one.

    Raises AccountNeeded where the vault has several accounts and none was named, or none of that name.
    """
    if named is None or named in reader.generation.accounts:
        return account_of(reader, named)
    as_tuple = _TUPLE.fullmatch(named.strip())
    plain = as_tuple.group(1) if as_tuple else named.removeprefix("user:")
    return account_of(reader, plain)


def asked_namespace(reader: VaultReader, namespace: str | None, account: str | None) -> str | None:
    """The account that --namespace or --account names, however it is written; None where neither was given.

    Raises UsageError where they name two.
    """
    asked = {namespace_of(reader, one) for one in (namespace, account) if one is not None}
    if len(asked) > 1:
        raise UsageError("--namespace and --account name two", remedy="Give one of them")
    return next(iter(asked), None)


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What a survey found."""

    kind: SurveyKind
    account: str
    keys: int
    """Of the whole tree, whatever the globs."""
    notes: int
    """At those keys, one at several of them counted once; all that the account has where no path is left
    out."""
    depth: int | None
    branches: tuple[PathBranch, ...]
    """In order; none where no depth was asked for."""
    matching: tuple[str, ...] | None
    """The keys that the globs fit, in order; None where none was given."""
    notices: tuple[str, ...]

    def as_json(self) -> Row:
        """The shape that programs and assistants get; `lines` has the same in parts."""
        told = self._head()
        if self.matching is not None:
            told["matching_keys"] = {self.account: list(self.matching)}
        if self.depth is not None:
            sampled = self.branches[:SAMPLES]
            told["depth"] = self.depth
            told["prefix_counts"] = {self.account: {one.prefix: one.keys for one in self.branches}}
            told["note_counts"] = {self.account: {one.prefix: one.notes for one in self.branches}}
            told["samples"] = {self.account: {one.prefix: masked_throughout(one.sample) for one in sampled}}
        return told

    def lines(self) -> Iterator[Row]:
        """One line after another: what it is, a line a prefix or key, and last that it is whole."""
        yield self._head() | ({} if self.depth is None else {"depth": self.depth})
        for one in self.branches:
            sample = masked_throughout(one.sample)
            yield {
                "namespace": self.account,
                "prefix": one.prefix,
                "keys": one.keys,
                "notes": one.notes,
                "sample": sample,
            }
        for key in self.matching or ():
            yield {"namespace": self.account, "key": key}
        yield {"done": True}

    def _head(self) -> Row:
        head: Row = {
            "mode": "[mode=flat]" if self.matching is None else "[mode=drill]",
            "success": True,
            "type": self.kind.value,
            "namespace_filter": self.account,
            "total_namespaces": 1,
            "total_memories": self.keys,
            "total_notes": self.notes,
            "namespaces": {self.account: self.keys},
        }
        return head | ({"notices": list(self.notices)} if self.notices else {})


def surveyed(
    reader: VaultReader,
    account: str,
    kind: SurveyKind = SurveyKind.ALL,
    depth: int | None = None,
    globs: Sequence[str] = (),
    as_of: tuple[PathTables, Sequence[str]] | None = None,
) -> Surveyed:
    """How many keys (paths with notes) the account has, and below which prefixes they lie; exact at any size.

    `as_of`: where notes lay in an earlier generation, and what has to be said of that. Raises UsageError for
    a depth below 1, and for a glob that is none.
    """
    if depth is not None and depth < 1:
        raise UsageError(f"a depth of {depth} has no paths", remedy="Give 1, 2 or 3")
    ledger = reader.ledger
    tables, notices = (path_tables(reader), ()) if as_of is None else as_of
    whole = _survey(account, kind)
    survey = replace(whole, globs=_checked_globs(globs))
    if depth is None and not globs and kind is not SurveyKind.ALL:
        depth = TAXONOMY_DEPTH
    every = kind in (SurveyKind.ALL, SurveyKind.TIMELINE)
    keys = sum(one.keys for one in branches(ledger, tables, whole, 1))
    unfiled = not keys and ledger.setting("filed_by") is None
    return Surveyed(
        kind=kind,
        account=account,
        keys=keys,
        notes=notes_of(ledger, tables, account) if every else notes_among(ledger, tables, whole),
        depth=depth,
        branches=() if depth is None else tuple(branches(ledger, tables, survey, depth)),
        matching=tuple(keys_of(ledger, tables, survey)) if globs else None,
        notices=(*notices, *([NOT_FILED] if unfiled else [])),
    )


def _survey(account: str, kind: SurveyKind) -> Survey:
    return {
        SurveyKind.ALL: Survey(account, PATHS),
        SurveyKind.TAXONOMY: Survey(account, PATHS, besides=UNSORTED),
        SurveyKind.TIMELINE: Survey(account, TIMELINE),
        SurveyKind.PLACES: Survey(account, PATHS, below=PLACES),
    }[kind]


def _checked_globs(globs: Sequence[str]) -> tuple[str, ...]:
    for one in globs:
        if not one.strip() or len(one) > GLOB_MOST or not one.isprintable():
            raise UsageError(
                f"{one[:40]!r} is not a glob",
                why=f"1 to {GLOB_MOST} printable characters",
                remedy="Try 'home.*'",
            )
    return tuple(globs)


def as_key(reader: VaultReader, named: str, account: str | None) -> tuple[str, str] | None:
    """(account, path) where a path was named, with or without its namespace; None for what cannot be a key of
    the account, or of any where None is given.

    Raises AccountNeeded where it is a path of one of several accounts, and nothing says of which.
    """
    namespace, colon, path = named.rpartition(":")
    try:
        path = path if _DAY.fullmatch(path) or path == UNDATED else checked_path(path)
        whose = namespace_of(reader, namespace) if colon else None
    except UsageError:
        return None
    if whose is None:
        try:
            whose = namespace_of(reader, account)
        except AccountNeeded:
            if _IDS.fullmatch(named):  # an id needs no account
                return None
            raise
    return None if account is not None and whose != account else (whose, path)


def keys_below(
    reader: VaultReader, named: str, account: str | None, tables: PathTables | None = None
) -> list[str]:
    """The paths with notes below what was named, where that is the beginning of some; `tables`: where they
    lay, if not where they lie now."""
    key = as_key(reader, named, account)
    if key is None:
        return []
    return keys_of(reader.ledger, tables or path_tables(reader), Survey(key[0], globs=(f"{key[1]}.*",)))


def at_keys(
    reader: VaultReader, named: Sequence[str], account: str | None, tables: PathTables | None = None
) -> dict[str, Row]:
    """By what was named, the item of each that is a key with notes, or can be nothing but a key.

    `tables`: where they lay, if not where they lie now.
    """
    keys = {one: key for one in named if (key := as_key(reader, one, account)) is not None}
    found = {
        whose: notes_at(
            reader.ledger,
            tables or path_tables(reader),
            whose,
            sorted(path for w, path in keys.values() if w == whose),
        )
        for whose in sorted({whose for whose, _ in keys.values()})
    }
    items = {one: _at_key(one, *key, found[key[0]].get(key[1])) for one, key in keys.items()}
    return {one: item for one, item in items.items() if item["found"] or not _IDS.fullmatch(one)}


def _at_key(named: str, account: str, key: str, notes: list[Row] | None) -> Row:
    """An item as `mnemic get` tells it. One note or many at a path have the same shape."""
    value = None
    if notes:
        entries: list[Row] = masked_throughout(notes)
        value = {
            "key": key,
            "namespace": account,
            "content": "\n".join(str(one["text"]) for one in entries),
            "timestamp": max(filter(None, (one["said_at"] for one in notes)), key=str, default=None),
            "entries": entries,
        }
    tokens = estimate_tokens(json.dumps(value, ensure_ascii=False, default=str)) if value else 0
    return {
        "id": named, "key": key, "namespace": account, "full_key": f"{account}:{key}",
        "found": value is not None, "kind": "path" if value else None, "tokens": tokens, "record": None,
        "value": value, "why": None if value else NO_NOTE_THERE,
    }  # fmt: skip


def entries_of(item: Row) -> list[Row]:
    """The notes of an item that is a path."""
    value = item["value"]
    return list(value["entries"]) if isinstance(value, dict) else []


def milliseconds_since(start: float) -> float:
    """Since a moment of `time.perf_counter`."""
    return round((time.perf_counter() - start) * 1000, 1)
