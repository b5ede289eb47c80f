"""A staged batch: about fifty conversations and what each stage made of them, in one folder.

A stage writes its tables and then its manifest; a stage without its manifest did not happen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import TypeAdapter

from schemas.chunk import Chunk
from schemas.conversation import Conversation, Message, Segment
from schemas.relation import Link
from schemas.resource import Resource
from schemas.thread import Profile, SessionSummary
from schemas.unit import State, Unit, Verdict
from vault import rows
from vault.conversation_tables import conversations_table, messages_table
from vault.files import replacing
from vault.index import Vector
from vault.nouns_from_rows import conversation_from_rows, unit_from_row
from vault.sums import SUMS, has_noted_sum, note_sum

LINKS_FILE = "links.parquet"
_VERDICTS = TypeAdapter(tuple[Verdict, ...])


@dataclass(frozen=True, slots=True)
class GatedUnit:
    """A unit with the gate's word on it."""

    unit: Unit
    state: State
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """The folder of one batch."""

    folder: Path

    # manifests

    def manifest(self, stage: str) -> dict[str, str] | None:
        """What the stage recorded when it was done; None if it is not."""
        path = self.folder / f"{stage}.json"
        return cast(dict[str, str], json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None

    def finish(self, stage: str, record: Mapping[str, str]) -> None:
        """Declare the stage done."""
        path = self.folder / f"{stage}.json"
        with replacing(path) as temporary:
            temporary.write_text(json.dumps(dict(record), sort_keys=True) + "\n", encoding="utf-8")
            note_sum(path, temporary)

    def is_sound(self) -> bool:
        """Whether every file of the batch is as it was written; a torn one means the work is done again."""
        try:
            for path in self.folder.glob("*.parquet"):
                pq.read_metadata(path)
        except (pa.ArrowInvalid, OSError):
            return False
        return all(has_noted_sum(path) for path in self.folder.iterdir() if path.suffix != SUMS)

    # conversations and messages, as read

    def write_conversations(
        self,
        conversations: Sequence[Conversation],
        work_keys: Mapping[str, str],
        archive_hash: str,
        resources: Sequence[Resource] = (),
    ) -> None:
        """Store conversations, their messages, and resources."""
        rows.write_rows(
            self.folder / "resources.parquet",
            rows.RESOURCES,
            (
                {
                    **one.model_dump(),
                    "content_hash": one.content_hash,
                    "work_key": work_keys[one.id],
                    "archive_hash": archive_hash,
                }
                for one in resources
            ),
        )
        rows.write_table(
            self.folder / "conversations.parquet", conversations_table(conversations, work_keys, archive_hash)
        )
        rows.write_table(self.folder / "messages.parquet", messages_table(conversations), text="text")

    def conversations(self) -> list[Conversation]:
        """The conversations as the reader handed them over."""
        messages: dict[str, list[Mapping[str, object]]] = {}
        for row in rows.read_rows(self.folder / "messages.parquet"):
            messages.setdefault(str(row["conversation_id"]), []).append(row)
        return [
            conversation_from_rows(row, messages.get(str(row["conversation_id"]), []))
            for row in rows.read_rows(self.folder / "conversations.parquet")
        ]

    def resources(self) -> list[Resource]:
        """The resources as the reader handed them over."""
        return [
            Resource.model_validate({name: row[name] for name in Resource.model_fields})
            for row in rows.read_rows(self.folder / "resources.parquet")
        ]

    # what extraction, gate and chunking made

    def write_extracted(
        self,
        segments: Iterable[tuple[Conversation, Message, Sequence[Segment]]],
        units: Iterable[GatedUnit],
        chunks: Iterable[tuple[Conversation | Resource, Sequence[Chunk]]],
        links: Iterable[tuple[Conversation, Sequence[Link]]] = (),
    ) -> dict[str, int]:
        """Store segments, units, chunks and links; returns how many of each."""
        return {
            "segments": rows.write_rows(
                self.folder / "segments.parquet",
                rows.SEGMENTS,
                (
                    {**segment.model_dump(), "message_id": message.id, **_home(conversation)}
                    for conversation, message, found in segments
                    for segment in found
                ),
            ),
            "units": self.write_units(units),
            "chunks": rows.write_rows(
                self.folder / "chunks.parquet",
                rows.CHUNKS,
                ({**chunk.model_dump(), **_home(one)} for one, found in chunks for chunk in found),
            ),
            "links": rows.write_rows(
                self.folder / LINKS_FILE,
                rows.LINKS,
                ({**link.model_dump(), **_home(one)} for one, found in links for link in found),
            ),
        }

    def write_units(self, units: Iterable[GatedUnit]) -> int:
        """Store units with the gate's word on them, in place of those stored before; returns how many."""
        return rows.write_rows(
            self.folder / "units.parquet",
            rows.UNITS,
            (
                {
                    **gated.unit.model_dump(),
                    "gate_state": gated.state.value,
                    "verdicts": [verdict.model_dump() for verdict in gated.verdicts],
                }
                for gated in units
            ),
        )

    def gated_units(self) -> list[GatedUnit]:
        """The units with the gate's word on them."""
        return [
            GatedUnit(
                unit_from_row(row), State(str(row["gate_state"])), _VERDICTS.validate_python(row["verdicts"])
            )
            for row in rows.read_rows(self.folder / "units.parquet")
        ]

    def units(self, *, rejected: bool = True) -> list[Unit]:
        """The units, whatever the gate said of them, or without those that it rejected."""
        found = rows.read_rows(self.folder / "units.parquet")
        return [unit_from_row(row) for row in found if rejected or row["gate_state"] != State.REJECTED]

    def chunks(self) -> list[tuple[str, Chunk]]:
        """(id of conversation or resource, chunk) conversations first."""
        return [
            (
                str(row["conversation_id"]),
                Chunk.model_validate({name: row[name] for name in Chunk.model_fields if name in row}),
            )
            for row in rows.read_rows(self.folder / "chunks.parquet")
        ]

    # summaries, and what threads are found by

    def write_summaries(
        self, summaries: Iterable[SessionSummary], profiles: Iterable[Profile]
    ) -> dict[str, int]:
        """Store the conversations' summaries and profiles; returns how many of each."""
        return {
            "session_summaries": rows.write_rows(
                self.folder / "session_summaries.parquet",
                rows.SESSION_SUMMARIES,
                (one.model_dump() for one in summaries),
            ),
            "profiles": rows.write_rows(
                self.folder / "profiles.parquet", rows.PROFILES, (one.model_dump() for one in profiles)
            ),
        }

    def summaries(self) -> dict[str, SessionSummary]:
        """The summary by conversation."""
        found = rows.read_rows(self.folder / "session_summaries.parquet")
        return {str(row["conversation_id"]): SessionSummary.model_validate(row) for row in found}

    # vectors

    def write_vectors(self, vectors: Mapping[str, Vector], dimension: int) -> None:
        """Store the vectors of the points whose text is new."""
        flat = np.concatenate(list(vectors.values())) if vectors else np.zeros(0, dtype=np.float32)
        table = pa.Table.from_arrays(
            [
                pa.array(list(vectors), pa.string()),
                pa.FixedSizeListArray.from_arrays(pa.array(flat, pa.float32()), dimension),
            ],
            schema=rows.vectors_schema(dimension),
        )
        rows.write_table(self.folder / "vectors.parquet", table)

    def vectors(self) -> dict[str, Vector]:
        """Vector by point id."""
        table = pq.read_table(self.folder / "vectors.parquet", partitioning=None)
        column = table.column("vector").combine_chunks()
        dimension = column.type.list_size
        matrix = np.asarray(column.flatten(), dtype=np.float32).reshape(-1, dimension)
        return dict(zip(table.column("point_id").to_pylist(), matrix, strict=True))


def _home(source: Conversation | Resource) -> dict[str, object]:
    return {"conversation_id": source.id, "account": source.account}
