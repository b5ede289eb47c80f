"""The account of one reading: what came in, what became a message, what did not and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from archives.leaving_out import LeftOut
from archives.wellformed import well_formed
from schemas.report import ImportNote, NoteKind

SAMPLE_CHARACTERS = 2_000
"""A note's sample is cut here (schemas.report)."""

REJECTED_REMEDY = "An import keeps its bytes in quarantine and reads the rest; mend them, or export again"
LOST_REMEDY = "Copy or download it again; the rest is read"


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A record that could not be read: its bytes, for quarantine, and why."""

    where: str
    reason: str
    raw: bytes


@dataclass(slots=True)
class Tally:
    """Counts of one reading. `records == messages + resources + skipped` between any two conversations."""

    rejects: Callable[[RejectedRecord], None] | None = None
    records: int = 0
    messages: int = 0
    skipped: int = 0
    conversations: int = 0
    resources: int = 0
    complete: bool = True
    losses: int = 0
    """How often something could not be read."""
    _notes: dict[tuple[NoteKind, str], ImportNote] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[ImportNote, ...]:
        """Every note, in the order of first occurrence."""
        return tuple(self._notes.values())

    def note(
        self,
        kind: NoteKind,
        reason: str,
        where: str,
        *,
        count: int = 1,
        remedy: str = "",
        sample: object = None,
    ) -> None:
        """Count something that needs an account. Only the first occurrence keeps its place and sample."""
        reason = well_formed(reason)[0]
        known = self._notes.get((kind, reason))
        if known is not None:
            self._notes[kind, reason] = known.model_copy(update={"count": known.count + count})
            return
        self._notes[kind, reason] = ImportNote(
            kind=kind,
            reason=reason,
            where=well_formed(where)[0],
            count=count,
            remedy=remedy,
            sample=_sample(sample),
        )

    def skip(self, reason: str, where: str, *, sample: object = None, records: int = 1) -> None:
        """Count records that are left out on purpose."""
        self.skipped += records
        self.note(NoteKind.SKIPPED, reason, where, count=records, sample=sample)

    def leave_out(self, why: LeftOut, where: str, records: int) -> None:
        """Count records that the caller does not want, with nothing of what they hold."""
        self.skipped += records
        place = "" if why.nameless else where
        self.note(NoteKind.SKIPPED, why.reason, place, count=records, remedy=why.remedy)

    def hush(self, first: int) -> None:
        """Take the samples out of the notes from number `first` on: they are of something left out."""
        for key in list(self._notes)[first:]:
            self._notes[key] = self._notes[key].model_copy(update={"sample": ""})

    @property
    def noted(self) -> int:
        """How many notes there are."""
        return len(self._notes)

    def reject(self, reason: str, where: str, raw: bytes, *, records: int = 1, remedy: str = "") -> None:
        """Count an unreadable record and hand its bytes to whoever keeps the quarantine."""
        self.records += records
        self.skipped += records
        self.complete = False
        self.losses += 1
        sample = raw[: 4 * SAMPLE_CHARACTERS].decode(errors="replace")
        self.note(
            NoteKind.REJECTED, reason, where, count=records, remedy=remedy or REJECTED_REMEDY, sample=sample
        )
        if self.rejects is not None:
            self.rejects(RejectedRecord(where, reason, raw))

    def lose(self, reason: str, where: str, *, remedy: str = "") -> None:
        """Note a part of the archive that could not be read at all."""
        self.complete = False
        self.losses += 1
        self.note(NoteKind.REJECTED, reason, where, remedy=remedy or LOST_REMEDY)

    def hole(self, reason: str, where: str, *, remedy: str = "", breaks: bool = False) -> None:
        """Note something the archive names and does not hold; `breaks` if conversations may be missing."""
        self.complete = self.complete and not breaks
        self.note(NoteKind.HOLE, reason, where, remedy=remedy)

    def unknown(self, reason: str, where: str, *, sample: object = None, count: int = 1) -> None:
        """Count something the reader does not know, or had to bend to store it."""
        self.note(NoteKind.UNKNOWN, reason, where, sample=sample, count=count)


def as_bytes(value: object) -> bytes:
    """A JSON value as the bytes that quarantine keeps."""
    try:
        return json.dumps(value, ensure_ascii=True).encode()
    except RecursionError:
        return repr(type(value)).encode()


def _sample(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else as_bytes(value).decode()
    return well_formed(text[:SAMPLE_CHARACTERS])[0]
