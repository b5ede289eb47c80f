"""Where notes lie: what filing said, what the owner did about it, and the counts that a survey reads.

filed_paths    one to three paths a note, by its own words or as a model named them (model_paths); a note
               that no run has filed yet, such as one that was kept out of the rejected ones, is unsorted
  + acts       moves of notes, renames and merges of branches, in the order in which they were done
  = note_paths the notes that recall tells, at the paths where they lie, and at the day they were said
path_counts    keys (paths with notes) and notes below every beginning of a path

Nothing of the last two is decided here: they follow from the first two, the notes' states and texts, and are
settled with every publication. A reader settles them for itself where acts are not folded yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from schemas.act import ON_BRANCHES, ON_PATHS, Act, ActKind
from schemas.semantic_path import MAX_LEVELS, UNDATED, UNSORTED, name_of, unsorted_path
from schemas.unit import RECALLED_STATES
from vault.accounts import names_of_accounts
from vault.derived_rows import replace_rows
from vault.ledger import Ledger

FILED_STATES = RECALLED_STATES
"""States of the notes that have paths: what is found by words and meaning is found by path too."""
FILED_BY = "filed_by"
"""The setting that says which version of filing, by which taxonomy, filed the ledger's notes."""
PATHS, TIMELINE = "paths", "timeline"
"""The two trees: by what a note is about, and by the day it was said."""
SAMPLE_CHARACTERS = 100
_BY_PATH = "note_paths_by_path"
"""The index by which the notes at a path are found: without it, a lookup among a million reads them all (the
database's own bounds of strings know their first eight bytes alone)."""


@dataclass(frozen=True, slots=True)
class PathTables:
    """Where a survey reads: the published tables, or those that a reader settled for itself."""

    notes: str
    counts: str


PUBLISHED = PathTables("note_paths", "path_counts")
SETTLED = PathTables("temp.settled_notes", "temp.settled_counts")


def standing_path_acts(ledger: Ledger) -> list[Act]:
    """The folded acts on paths that were not taken back, oldest first."""
    found = ledger.rows(
        "SELECT * EXCLUDE (run) FROM standing_acts WHERE kind IN (SELECT unnest(?)) ORDER BY seq",
        [[kind.value for kind in ON_PATHS]],
    )
    return [Act.model_validate(row, strict=False) for row in found]


def publish_paths(ledger: Ledger) -> None:
    """Bring `note_paths` and `path_counts` up to date with everything that they follow from."""
    settle_paths(ledger, standing_path_acts(ledger))
    replace_rows(ledger, PUBLISHED.notes, SETTLED.notes, "account, tree, path, unit_id", _BY_PATH)
    ledger.query(f"CREATE INDEX IF NOT EXISTS {_BY_PATH} ON {PUBLISHED.notes} (path)")
    replace_rows(ledger, PUBLISHED.counts, SETTLED.counts, "account, tree, depth, prefix")
    for table in ("settled_notes", "settled_counts"):
        ledger.query(f"DROP TABLE temp.{table}")


def settle_paths(ledger: Ledger, acts: Sequence[Act], notes: str = "units_current") -> None:
    """Make the tables `SETTLED` on this connection, with these acts in force, oldest first.

    `notes`: a table of notes with their states, such as `vault.notes_then.NOTES_THEN`.
    """
    ledger.query(
        f"""
        CREATE OR REPLACE TEMP TABLE placeable AS
        SELECT id AS unit_id, account, text, category, state, said_at, conversation_id, conversation AS title
        FROM {notes} WHERE state IN (SELECT unnest(?))
        """,
        [[state.value for state in FILED_STATES]],
    )
    ledger.query(
        """
        CREATE OR REPLACE TEMP TABLE placed AS
        SELECT f.unit_id, f.account, f.path FROM filed_paths f SEMI JOIN placeable n ON n.unit_id = f.unit_id
        """
    )
    _place_unfiled(ledger)
    for moves, found in groupby(acts, key=lambda act: act.kind is ActKind.PATH_MOVE):
        if moves:
            _move_notes(ledger, found)
        else:
            _rename_branches(ledger, found)
    ledger.query(
        f"""
        CREATE OR REPLACE TEMP TABLE settled_notes AS
        SELECT account, '{PATHS}' AS tree, path, unit_id, text, category, state, said_at
        FROM (SELECT DISTINCT unit_id, path FROM placed) JOIN placeable USING (unit_id)
        UNION ALL
        SELECT account, '{TIMELINE}', coalesce(strftime(said_at AT TIME ZONE 'UTC', '%Y.%m.%d'), '{UNDATED}'),
               unit_id, text, category, state, said_at
        FROM placeable
        """
    )
    ledger.query("DROP TABLE temp.placed")
    ledger.query("DROP TABLE temp.placeable")
    _count(ledger)


def _place_unfiled(ledger: Ledger) -> None:
    """Put what no run has filed at `unsorted.TOPIC`: what recall tells lies somewhere at any time.

    Only in a ledger that was filed: in one of before paths nothing lies anywhere, which is said.
    """
    if ledger.setting(FILED_BY) is None:
        return
    ledger.query(
        """CREATE OR REPLACE TEMP TABLE unfiled AS
           SELECT unit_id, account, conversation_id, title FROM placeable ANTI JOIN placed USING (unit_id)"""
    )
    found = ledger.query(
        """SELECT conversation_id, any_value(title), list(DISTINCT f.path) FILTER (f.path IS NOT NULL)
           FROM temp.unfiled LEFT JOIN units u USING (conversation_id)
           LEFT JOIN filed_paths f ON f.unit_id = u.id
           GROUP BY conversation_id"""
    )
    rows = [
        {"talk": talk, "path": unsorted_path(_topic_as_filed(title, paths))} for talk, title, paths in found
    ]
    ledger.insert(
        """INSERT INTO temp.placed SELECT n.unit_id, n.account, r.path FROM temp.unfiled n
           JOIN new_rows r ON r.talk = n.conversation_id""",
        rows,
    )
    ledger.query("DROP TABLE temp.unfiled")


def _topic_as_filed(title: object, paths: object) -> str | None:
    """The topic under which filing put the conversation's other notes; None where it filed none of them.

    Filing masks what is secret in a title, and only what it wrote down is known to hold none.
    """
    known = sorted(map(str, paths)) if isinstance(paths, list) else []
    topics = {one.rpartition(".")[2] for one in known}
    unsorted = [one.partition(".")[2] for one in known if one.startswith(f"{UNSORTED}.")]
    plain = name_of(str(title or ""))
    return unsorted[0] if unsorted else plain if plain in topics else None


def _move_notes(ledger: Ledger, acts: Iterable[Act]) -> None:
    newest = {act.subject: act.detail for act in acts}
    rows = [{"unit": unit, "path": path} for unit, paths in newest.items() for path in paths.split(" ")]
    ledger.insert("CREATE OR REPLACE TEMP TABLE moved AS SELECT * FROM new_rows", rows)
    ledger.query("DELETE FROM temp.placed WHERE unit_id IN (SELECT unit FROM temp.moved)")
    ledger.query(
        """INSERT INTO temp.placed SELECT m.unit, n.account, m.path FROM temp.moved m
           JOIN temp.placeable n ON n.unit_id = m.unit"""
    )
    ledger.query("DROP TABLE temp.moved")


def _rename_branches(ledger: Ledger, acts: Iterable[Act]) -> None:
    called = names_of_accounts(ledger)
    for act in acts:
        if act.kind not in ON_BRANCHES:
            continue
        path, _, account = act.detail.partition(" ")
        account = called.now(account)
        # what would lie deeper than three levels lies at the third: its notes stay together, and none is lost
        ledger.query(
            f"""
            UPDATE temp.placed SET path = array_to_string(list_slice(
                string_split($path || substr(path, len($before) + 1), '.'), 1, {MAX_LEVELS}), '.')
            WHERE account = $account AND (path = $before OR starts_with(path, $before || '.'))
            """,
            {"path": path, "before": act.subject, "account": account},
        )


def _count(ledger: Ledger) -> None:
    ledger.query(
        f"""
        CREATE OR REPLACE TEMP TABLE settled_keys AS
        SELECT account, tree, path, string_split(path, '.') AS names, count(*) AS notes,
               left(arg_min(text, unit_id), {SAMPLE_CHARACTERS}) AS sample
        FROM settled_notes GROUP BY account, tree, path
        """
    )
    prefix = "array_to_string(list_slice(names, 1, {depth}), '.')"
    shallow = " UNION ALL ".join(
        f"""
        SELECT k.account, k.tree, {depth} AS depth, {prefix.format(depth=depth)} AS prefix,
               count(*) AS keys, any_value(n.notes) AS notes, arg_min(k.sample, k.path) AS sample
        FROM settled_keys k JOIN (
            SELECT account, tree, {prefix.format(depth=depth)} AS prefix, count(DISTINCT unit_id) AS notes
            FROM (SELECT account, tree, unit_id, string_split(path, '.') AS names FROM settled_notes)
            GROUP BY ALL
        ) n ON n.account = k.account AND n.tree = k.tree AND n.prefix = {prefix.format(depth=depth)}
        GROUP BY k.account, k.tree, {prefix.format(depth=depth)}
        """
        for depth in range(1, MAX_LEVELS)
    )
    ledger.query(
        f"""
        CREATE OR REPLACE TEMP TABLE settled_counts AS {shallow}
        UNION ALL SELECT account, tree, {MAX_LEVELS}, path, 1, notes, sample FROM settled_keys
        """
    )
    ledger.query("DROP TABLE temp.settled_keys")
