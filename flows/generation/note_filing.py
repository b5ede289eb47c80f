"""Filing while a generation is built: notes that recall tells get their paths, by their own vectors.

A note for which the engine's language model named paths lies there, as far as the taxonomy has their first
levels and the owner did not correct its words; the labelled examples file the others.
A note is filed again where its words, its conversation or the taxonomy changed, and else stays where it is.
What the owner did about a path lies over this and is never undone by it (`vault/paths.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from curation.filing.filer import Filer, filer_for, in_its_place, version_of, with_topic
from curation.filing.labelled_notes import OPENING_CHARACTERS
from curation.filing.model_filing import standing_path
from curation.filing.taxonomy import Taxonomy, read_taxonomy
from inference.embedder import Embedder
from inference.secrets import mask_secrets
from vault.generations import Building
from vault.index import Index
from vault.layout import VaultLayout
from vault.ledger import Ledger
from vault.paths import FILED_BY, FILED_STATES
from vault.queries import Row

FILED_AT_ONCE = 5_000


def is_filed(layout: VaultLayout, ledger: Ledger | None, embedder: Embedder) -> bool:
    """Whether the ledger's notes were filed by today's version and by the taxonomy that holds now."""
    if ledger is None:
        return True
    return ledger.setting(FILED_BY) == version_of(read_taxonomy(layout.taxonomy), embedder)


def file_notes(building: Building, embedder: Embedder, run: str) -> int:
    """File every note that has none of its paths, or was filed by other words; returns how many.

    Raises UsageError where the vault's own taxonomy cannot be read.
    """
    ledger = building.ledger
    taxonomy = read_taxonomy(building.layout.taxonomy)
    version = version_of(taxonomy, embedder)
    if ledger.setting(FILED_BY) != version:
        _file_all_again(ledger)
    count = _list_due(ledger, run)
    filer = filer_for(taxonomy, embedder) if count else None
    for start in range(0, count, FILED_AT_ONCE):
        part = ledger.rows("SELECT * FROM temp.due WHERE no > ? AND no <= ?", [start, start + FILED_AT_ONCE])
        homes = _homes(ledger, part)
        found = _found(filer, taxonomy, part, homes, building.index, embedder) if filer else []
        rows = [
            row
            for note, paths in zip(part, found, strict=True)
            for row in _rows(note, paths, homes[str(note["conversation_id"])].title, run)
        ]
        ledger.query(
            "DELETE FROM filed_paths WHERE unit_id IN (SELECT unnest(?))",
            [[note["unit_id"] for note in part]],
        )
        ledger.insert("INSERT INTO filed_paths BY NAME SELECT * FROM new_rows", rows)
    ledger.query("DROP TABLE temp.due")
    ledger.settle(FILED_BY, version)
    return count


def _file_all_again(ledger: Ledger) -> None:
    """Have every note filed again, once recall tells it. One that it does not tell now keeps its paths until
    then: it lay there in earlier generations, and nothing else says where."""
    told = [state.value for state in FILED_STATES]
    ledger.query(
        """DELETE FROM filed_paths WHERE unit_id IN (
               SELECT unit_id FROM unit_states WHERE state IN (SELECT unnest(?)))""",
        [told],
    )
    ledger.query("UPDATE filed_paths SET content_hash = ''")


def _list_due(ledger: Ledger, run: str) -> int:
    """Write the notes to file into the temporary table `due`, numbered from 1; returns how many."""
    ledger.query(
        """
        CREATE OR REPLACE TEMP TABLE due AS
        SELECT row_number() OVER (ORDER BY u.id) AS no, u.id AS unit_id, u.account, p.point_id,
               p.content_hash, u.conversation_id, m.named
        FROM units u
        JOIN unit_states s ON s.unit_id = u.id AND s.state IN (SELECT unnest($states))
        JOIN points p ON p.kind = 'unit' AND p.ref = u.id
        JOIN conversations c ON c.conversation_id = u.conversation_id
        LEFT JOIN (
            SELECT unit_id, any_value(content_hash) AS content_hash FROM filed_paths GROUP BY unit_id
        ) f ON f.unit_id = u.id
        LEFT JOIN (
            SELECT unit_id, list(path ORDER BY place) AS named FROM model_paths
            WHERE unit_id NOT IN (SELECT unit_id FROM corrections) GROUP BY unit_id
        ) m ON m.unit_id = u.id
        WHERE f.content_hash IS DISTINCT FROM p.content_hash OR c.run = $run
        """,
        {"states": [state.value for state in FILED_STATES], "run": run},
    )
    ((count,),) = ledger.query("SELECT count(*) FROM temp.due")
    return int(str(count))


class _Home(NamedTuple):
    """The conversation of a note: its title and what it began with, secrets masked."""

    title: str | None
    opening: str | None


def _homes(ledger: Ledger, notes: Sequence[Row]) -> dict[str, _Home]:
    """The homes of the notes, by conversation. What the owner said first, or whoever did where the owner says
    nothing, is its opening."""
    found = ledger.query(
        """SELECT c.conversation_id, any_value(c.title),
                  arg_min(left(m.text, $most), (m.role <> 'user', m.position)) FILTER (trim(m.text) <> '')
           FROM conversations c LEFT JOIN messages m
                ON m.conversation_id = c.conversation_id AND NOT m.hidden AND m.on_active_branch
           WHERE c.conversation_id IN (SELECT unnest($homes)) GROUP BY c.conversation_id""",
        {
            "homes": sorted({str(note["conversation_id"]) for note in notes}),
            "most": 2 * OPENING_CHARACTERS,  # a secret that a shorter cut would break is masked whole
        },
    )
    return {
        str(home): _Home(
            mask_secrets(str(title)) if title else None,
            mask_secrets(str(opening or ""))[:OPENING_CHARACTERS].strip() or None,
        )
        for home, title, opening in found
    }


def _found(
    filer: Filer,
    taxonomy: Taxonomy,
    notes: Sequence[Row],
    homes: Mapping[str, _Home],
    index: Index,
    embedder: Embedder,
) -> list[list[tuple[str, float | None]]]:
    """The paths of each note, the likest first, with how like it is; None where a model named the path."""
    vectors = index.vectors([str(note["point_id"]) for note in notes])
    texts = sorted({text for home in homes.values() for text in home if text})
    said = dict(zip(texts, embedder.embed(texts), strict=True)) if texts else {}
    told, named = [], [_named(note, taxonomy) for note in notes]
    for note, paths in zip(notes, named, strict=True):
        if paths:
            continue
        title, opening = homes[str(note["conversation_id"])]
        vector = vectors[str(note["point_id"])]
        told.append(in_its_place(vector, said.get(title or ""), said.get(opening or "")))
    filed = iter(filer.file_all(told))
    return [
        [(path, None) for path in paths] or [(one.path, one.likeness) for one in next(filed)]
        for paths in named
    ]


def _rows(note: Row, found: Sequence[tuple[str, float | None]], title: str | None, run: str) -> list[Row]:
    filed_at = {with_topic(path, title): likeness for path, likeness in reversed(found)}
    return [
        {
            "unit_id": note["unit_id"],
            "account": note["account"],
            "path": path,
            "likeness": likeness,
            "content_hash": note["content_hash"],
            "run": run,
        }
        for path, likeness in reversed(filed_at.items())
    ]


def _named(note: Row, taxonomy: Taxonomy) -> list[str]:
    """The paths that a model named for the note, as far as the taxonomy has their first levels."""
    named = note["named"]
    standing = [standing_path(str(path), taxonomy) for path in named] if isinstance(named, list) else []
    return [path for path in dict.fromkeys(standing) if path]
