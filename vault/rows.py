"""Typed rows as Parquet: the form in which batches wait to be loaded, here or on another machine.

A batch is a folder. Each stage adds its tables and, last, a manifest `<stage>.json`; a stage without its
manifest did not happen. Names are temporary until the bytes are durable: no half-written file is ever read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from vault.files import replacing
from vault.sums import note_sum

_TIME = pa.timestamp("us", tz="UTC")
_TEXTS = pa.list_(pa.string())
_SPAN = [("start", pa.int64()), ("end", pa.int64())]
_EVIDENCE = pa.list_(
    pa.struct([("message_id", pa.string()), *_SPAN, ("quote", pa.string()), ("text_hash", pa.string())])
)
_SEGMENT = pa.struct([*_SPAN, ("origin", pa.string()), ("label", pa.string())])
_ATTACHMENT = pa.struct(
    [
        ("name", pa.string()),
        ("media_type", pa.string()),
        ("size", pa.int64()),
        ("native_id", pa.string()),
    ]
)
_RAW = pa.struct([("content_type", pa.string()), ("json_text", pa.string())])
_ESTIMATE = pa.struct(
    [("good", pa.float64()), ("whose", pa.string()), ("own", pa.float64()), ("whole", pa.bool_())]
)
_VERDICT = pa.struct([("criterion", pa.string()), ("outcome", pa.string()), ("reason", pa.string())])

CONVERSATIONS = pa.schema(
    [
        ("conversation_id", pa.string()),
        ("account", pa.string()),
        ("provider", pa.string()),
        ("native_id", pa.string()),
        ("title", pa.string()),
        ("created_at", _TIME),
        ("updated_at", _TIME),
        ("active_leaf", pa.string()),
        ("active_leaf_stated", pa.bool_()),
        ("owner", pa.string()),
        ("model", pa.string()),
        ("project", pa.string()),
        ("messages", pa.int64()),
        ("content_hash", pa.string()),
        ("work_key", pa.string()),
        ("archive_hash", pa.string()),
    ]
)
MESSAGES = pa.schema(
    [
        ("message_id", pa.string()),
        ("conversation_id", pa.string()),
        ("account", pa.string()),
        ("position", pa.int64()),
        ("native_id", pa.string()),
        ("parent", pa.string()),
        ("role", pa.string()),
        ("author", pa.string()),
        ("created_at", _TIME),
        ("time_as_given", pa.string()),
        ("text", pa.string()),
        ("text_hash", pa.string()),
        ("hidden", pa.bool_()),
        ("gone", pa.bool_()),
        ("on_active_branch", pa.bool_()),
        ("attachments", pa.list_(_ATTACHMENT)),
        ("raw", pa.list_(_RAW)),
        ("segments", pa.list_(_SEGMENT)),
    ]
)
RESOURCES = pa.schema(
    [
        ("id", pa.string()),
        ("account", pa.string()),
        ("provider", pa.string()),
        ("native_id", pa.string()),
        ("title", pa.string()),
        ("text", pa.string()),
        ("created_at", _TIME),
        ("project", pa.string()),
        ("content_hash", pa.string()),
        ("work_key", pa.string()),
        ("archive_hash", pa.string()),
    ]
)
SEGMENTS = pa.schema(
    [
        ("message_id", pa.string()),
        ("conversation_id", pa.string()),
        ("account", pa.string()),
        *_SPAN,
        ("origin", pa.string()),
        ("label", pa.string()),
    ]
)
UNITS = pa.schema(
    [
        ("id", pa.string()),
        ("account", pa.string()),
        ("conversation_id", pa.string()),
        ("category", pa.string()),
        ("text", pa.string()),
        ("speaker", pa.string()),
        ("speaker_name", pa.string()),
        ("evidence", _EVIDENCE),
        ("context", _EVIDENCE),
        ("said_at", _TIME),
        ("active_branch", pa.bool_()),
        ("extractor", pa.string()),
        ("estimate", _ESTIMATE),
        ("gate_state", pa.string()),
        ("verdicts", pa.list_(_VERDICT)),
    ]
)
LINKS = pa.schema(
    [
        ("conversation_id", pa.string()),
        ("account", pa.string()),
        ("unit_id", pa.string()),
        ("kind", pa.string()),
        ("other_id", pa.string()),
        ("reason", pa.string()),
    ]
)
CHUNKS = pa.schema(
    [
        ("id", pa.string()),
        ("account", pa.string()),
        ("conversation_id", pa.string()),
        ("source_id", pa.string()),
        *_SPAN,
        ("text", pa.string()),
        ("level", pa.int64()),
        ("heading_path", _TEXTS),
        ("governing_idea", pa.string()),
        ("parent", pa.string()),
        ("children", _TEXTS),
        ("replies_to", pa.string()),
        ("replies", _TEXTS),
        ("flags", _TEXTS),
        ("prefix", pa.string()),
        ("content_hash", pa.string()),
    ]
)

SESSION_SUMMARIES = pa.schema(
    [
        ("id", pa.string()),
        ("account", pa.string()),
        ("conversation_id", pa.string()),
        ("text", pa.string()),
        ("short", pa.bool_()),
        ("unit_ids", _TEXTS),
        ("writer", pa.string()),
    ]
)
PROFILES = pa.schema(
    [
        ("conversation_id", pa.string()),
        ("account", pa.string()),
        ("terms", _TEXTS),
        ("words", _TEXTS),
        ("counts", pa.list_(pa.int64())),
    ]
)
_LINES = pa.list_(
    pa.struct(
        [("text", pa.string()), ("conversation_id", pa.string()), ("said_at", _TIME), ("unit_ids", _TEXTS)]
    )
)
THREADS = pa.schema(
    [
        ("id", pa.string()),
        ("account", pa.string()),
        ("label", pa.string()),
        ("conversation_ids", _TEXTS),
        ("aliases", _TEXTS),
        ("run", pa.string()),
    ]
)
THREAD_MAPS = pa.schema(
    [
        ("id", pa.string()),
        ("thread_id", pa.string()),
        ("account", pa.string()),
        *(
            (part, _LINES)
            for part in (
                "goal", "arc", "turning_points", "in_force", "superseded", "open_questions", "next_steps",
            )
        ),
        ("text", pa.string()),
        ("unit_ids", _TEXTS),
        ("written_for", _TIME),
        ("writer", pa.string()),
        ("run", pa.string()),
    ]
)  # fmt: skip


def vectors_schema(dimension: int) -> pa.Schema:
    """One row a point whose embedding changed; `vector` has unit length."""
    return pa.schema([("point_id", pa.string()), ("vector", pa.list_(pa.float32(), dimension))])


def write_rows(path: Path, schema: pa.Schema, rows: Iterable[dict[str, object]]) -> int:
    """Write rows durably; returns how many."""
    table = pa.Table.from_pylist(list(rows), schema=schema)
    write_table(path, table)
    return int(table.num_rows)


def write_table(path: Path, table: pa.Table, *, text: str | None = None) -> None:
    """Write an Arrow table durably. `text` names a column that holds most of it and nothing twice: then only
    what repeats gets a dictionary, and the table is packed lightly: it is read again within the hour."""
    with replacing(path) as temporary:
        pq.write_table(
            table,
            temporary,
            compression="lz4" if text else "zstd",
            use_dictionary=_REPEATING if text else True,
            write_statistics=not text,
        )
        note_sum(path, temporary)


_REPEATING = ["conversation_id", "account", "role", "author"]


def read_rows(path: Path, columns: Sequence[str] | None = None) -> list[dict[str, object]]:
    """Every row of a Parquet file as a dictionary of its columns."""
    rows: list[dict[str, object]] = pq.read_table(path, columns=columns, partitioning=None).to_pylist()
    return rows
