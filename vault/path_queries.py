"""What a survey asks: how much lies where, and the notes at a path. Counts are exact at any size."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from schemas.semantic_path import MAX_LEVELS
from vault.ledger import Ledger
from vault.paths import PATHS, SAMPLE_CHARACTERS, TIMELINE, PathTables

_WILD = re.compile(r"[*?\[\]]")
"""What stands for more than itself in a glob."""


@dataclass(frozen=True, slots=True)
class PathBranch:
    """A beginning of paths, and what lies there or below."""

    prefix: str
    keys: int
    notes: int
    sample: str
    """The beginning of one of the notes."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a survey is about: an account's tree, only below some first level, only paths that a glob fits."""

    account: str
    tree: str = PATHS
    below: str | None = None
    """Only paths at or below it."""
    besides: str | None = None
    """No paths at or below it."""
    globs: tuple[str, ...] = ()
    """As a shell has them, over the whole path, `*` across dots; several are a union."""

    @property
    def only_below(self) -> str | None:
        """The path that the one glob asks for everything below of, as `home.*` does."""
        above = self.globs[0].removesuffix(".*") if len(self.globs) == 1 else ""
        return above if f"{above}.*" in self.globs and not _WILD.search(above) and above else None

    def condition(self, column: str) -> tuple[str, dict[str, object]]:
        """The condition on a column of paths, and the values in it."""
        conditions = ["account = $account", "tree = $tree"]
        values: dict[str, object] = {"account": self.account, "tree": self.tree}
        branch = f"({column} = ${{name}} OR starts_with({column}, ${{name}} || '.'))"
        for name, one in (("below", self.below), ("besides", self.besides)):
            if one is not None:
                sign = "NOT " if name == "besides" else ""
                conditions.append(sign + branch.replace("{name}", name))
                values[name] = one
        if (above := self.only_below) is not None:
            # bounds of whole strings, unlike a glob, let the database skip what lies elsewhere
            conditions.append(f"{column} >= $least AND {column} < $beyond")
            values |= {"least": f"{above}.", "beyond": f"{above}/"}  # "/" comes next after "."
        elif self.globs:
            fits = [f"{column} GLOB $glob{place}" for place in range(len(self.globs))]
            conditions.append(f"({' OR '.join(fits)})")
            values |= {f"glob{place}": one for place, one in enumerate(self.globs)}
        return " AND ".join(conditions), values


def notes_of(ledger: Ledger, tables: PathTables, account: str) -> int:
    """How many notes of the account have paths."""
    ((notes,),) = ledger.query(  # on the timeline every note stands once
        f"SELECT coalesce(sum(notes), 0) FROM {tables.counts} WHERE account = ? AND tree = ? AND depth = 1",
        [account, TIMELINE],
    )
    return int(str(notes))


def notes_among(ledger: Ledger, tables: PathTables, survey: Survey) -> int:
    """How many notes lie at the surveyed paths; one at several of them counts once."""
    condition, values = survey.condition("path")
    ((notes,),) = ledger.query(
        f"SELECT count(DISTINCT unit_id) FROM {tables.notes} WHERE {condition}", values
    )
    return int(str(notes))


def branches(ledger: Ledger, tables: PathTables, survey: Survey, depth: int) -> list[PathBranch]:
    """The beginnings of the surveyed paths, cut to so many names, in order; a shorter one counts as it is."""
    depth = min(depth, MAX_LEVELS)
    if survey.globs and not _counted(ledger, tables, survey, depth):
        condition, values = survey.condition("path")
        rows = ledger.query(
            f"""
            SELECT array_to_string(list_slice(string_split(path, '.'), 1, $depth), '.') AS cut,
                   count(DISTINCT path), count(DISTINCT unit_id), left(arg_min(text, (path, unit_id)), $most)
            FROM {tables.notes} WHERE {condition} GROUP BY cut ORDER BY cut
            """,
            {**values, "depth": depth, "most": SAMPLE_CHARACTERS},
        )
    elif survey.only_below is not None and depth <= survey.only_below.count(".") + 1:
        names = survey.only_below.split(".")
        cut = ".".join(names[:depth])
        rows = ledger.query(
            f"""SELECT ?, keys, notes, sample FROM {tables.counts}
                WHERE account = ? AND tree = ? AND depth = ? AND prefix = ?""",
            [cut, survey.account, survey.tree, len(names), survey.only_below],
        )
    else:
        condition, values = survey.condition("prefix")
        rows = ledger.query(
            f"""SELECT prefix, keys, notes, sample FROM {tables.counts}
                WHERE depth = $depth AND {condition} ORDER BY prefix""",
            {**values, "depth": depth},
        )
    return [PathBranch(str(cut), int(str(keys)), int(str(n)), str(said)) for cut, keys, n, said in rows]


def _counted(ledger: Ledger, tables: PathTables, survey: Survey, depth: int) -> bool:
    """Whether the counts made with the publication answer: all of a path's branches lie below it, and at the
    path itself or higher where no note lies at the path itself, which the glob leaves out."""
    above = survey.only_below
    if above is None or above.count(".") + 1 >= MAX_LEVELS or survey.below or survey.besides:
        return False
    return depth > above.count(".") + 1 or not ledger.query(
        f"SELECT 1 FROM {tables.notes} WHERE path = ? AND account = ? AND tree = ? LIMIT 1",
        [above, survey.account, survey.tree],
    )


def keys_of(ledger: Ledger, tables: PathTables, survey: Survey) -> list[str]:
    """The surveyed paths at which notes lie, in order."""
    condition, values = survey.condition("prefix")
    found = ledger.query(
        f"""SELECT prefix FROM {tables.counts} WHERE depth = {MAX_LEVELS} AND {condition} ORDER BY prefix""",
        values,
    )
    return [str(key) for (key,) in found]


def notes_at(
    ledger: Ledger, tables: PathTables, account: str, keys: Sequence[str]
) -> dict[str, list[dict[str, object]]]:
    """The notes at each of the keys that has some, in the order in which they were said.

    Each has id, text, category, state and said_at. A key is a whole path, of either tree.
    """
    if not keys:
        return {}
    found = ledger.rows(
        f"""
        SELECT path, unit_id AS id, text, category, state, said_at FROM {tables.notes}
        WHERE path IN ({", ".join("?" * len(keys))}) AND account = ?
        ORDER BY path, said_at NULLS LAST, unit_id
        """,
        [*keys, account],
    )
    notes: dict[str, list[dict[str, object]]] = {}
    for row in found:
        notes.setdefault(str(row.pop("path")), []).append(row)
    return notes


def paths_of_notes(
    ledger: Ledger, tables: PathTables, account: str, units: Sequence[str]
) -> dict[str, list[str]]:
    """The paths of each of the notes that has some, in order."""
    found = ledger.query(
        f"""SELECT unit_id, path FROM {tables.notes} WHERE tree = ? AND account = ?
            AND unit_id IN (SELECT unnest(?)) ORDER BY unit_id, path""",
        [PATHS, account, list(units)],
    )
    paths: dict[str, list[str]] = {}
    for unit, path in found:
        paths.setdefault(str(unit), []).append(str(path))
    return paths


def notes_below(ledger: Ledger, tables: PathTables, account: str, path: str) -> Iterator[tuple[str, str]]:
    """(note, path) of everything at the path or below it."""
    condition, values = Survey(account, below=path).condition("path")
    rows = ledger.query(f"SELECT unit_id, path FROM {tables.notes} WHERE {condition} ORDER BY ALL", values)
    return ((str(unit), str(where)) for unit, where in rows)


MEMBERS = 20
"""Notes that speak for a branch."""


def sampled_members(
    ledger: Ledger, tables: PathTables, account: str, prefixes: Sequence[str]
) -> dict[str, list[str]]:
    """Ids of at most MEMBERS notes at or below each of the paths, always the same ones."""
    found = ledger.query(
        f"""
        WITH named AS (SELECT unnest($prefixes) AS prefix), placed AS (
            SELECT unit_id, string_split(path, '.') AS names FROM {tables.notes}
            WHERE account = $account AND tree = $tree
        ), cut AS (
            SELECT array_to_string(list_slice(names, 1, depth), '.') AS prefix, unit_id
            FROM placed, (SELECT DISTINCT len(string_split(prefix, '.')) AS depth FROM named)
            WHERE len(names) >= depth
        )
        SELECT prefix, unit_id FROM cut SEMI JOIN named USING (prefix)
        QUALIFY row_number() OVER (PARTITION BY prefix ORDER BY unit_id) <= {MEMBERS} ORDER BY prefix, unit_id
        """,
        {"prefixes": list(prefixes), "account": account, "tree": PATHS},
    )
    members: dict[str, list[str]] = {}
    for prefix, unit in found:
        members.setdefault(str(prefix), []).append(str(unit))
    return members


def notes_under(
    ledger: Ledger, tables: PathTables, account: str, paths: Sequence[str], *, below: bool
) -> list[dict[str, object]]:
    """The notes at the paths, or `below` them too, each once: id, path, text, category, state, said_at."""
    deeper = "OR starts_with(n.path, k.path || '.')" if below else ""
    return ledger.rows(
        f"""
        SELECT n.unit_id AS id, min(n.path) AS path, any_value(n.text) AS text,
               any_value(n.category) AS category, any_value(n.state) AS state, any_value(n.said_at) AS said_at
        FROM {tables.notes} n JOIN (SELECT unnest($paths) AS path) k ON n.path = k.path {deeper}
        WHERE n.account = $account AND n.tree = $tree GROUP BY n.unit_id ORDER BY path, id
        """,
        {"paths": list(paths), "account": account, "tree": PATHS},
    )
