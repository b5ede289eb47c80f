"""The account of one reading: what came in, what became a message, what did not and why."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from archives.leaving_out import LeftOut
from archives.wellformed import well_formed
from schemas.errors import HostileArchive
from schemas.report import PLAIN_UNKNOWN_TYPE, UNKNOWN_TYPE, ImportNote, NoteKind

SAMPLE_CHARACTERS = 2_000
"""A note's sample is cut here (schemas.report)."""

REJECTED_REMEDY = "An import keeps its bytes in quarantine and reads the rest; mend them, or export again"
SAMPLES = 3
"""Records of one reason whose bytes are handed over. The archive itself stays, and has the others."""
REASONS = 100
"""Reasons of a kind that are told apart: some name a place or a type, and an archive can make up any."""
OTHER_REASONS = f"other reasons than the first {REASONS}"
MOST_LOSSES = 1_000_000
"""Records that could not be read after which reading ends: a zip of 60 kB can list 20 million."""
_HELD_BYTES = 1 << 26
"""Bytes of a conversation's unreadable parts that wait; one takes at most half of the room that is left."""
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
    kept: list[str] = field(default_factory=list)
    """Every text of what was kept since the last look at what was not (`archives/leaves.py`)."""
    _notes: dict[tuple[NoteKind, str], ImportNote] = field(default_factory=dict)
    _plain: dict[tuple[NoteKind, str], str] = field(default_factory=dict)
    """How a note says the same without the archive's own words, where it holds any."""
    _cuts: set[tuple[NoteKind, str]] = field(default_factory=set)
    """Notes on a file that breaks off."""
    _held: list[RejectedRecord] = field(default_factory=list)
    """Parts of the conversation that is being read: they wait until it is known whether that stays."""
    _waiting: Counter[str] = field(default_factory=Counter)
    """How many of them have a reason."""
    _given: Counter[str] = field(default_factory=Counter)
    """How many records of a reason were handed over."""

    @property
    def notes(self) -> tuple[ImportNote, ...]:
        """Every note, in the order of first occurrence. One on a file that breaks off says what was kept."""
        kept = f"; kept: {self.conversations:,} conversations, {self.messages:,} messages"
        return tuple(
            note.model_copy(update={"reason": note.reason + kept}) if key in self._cuts else note
            for key, note in self._notes.items()
        )

    def note(
        self,
        kind: NoteKind,
        reason: str,
        where: str,
        *,
        count: int = 1,
        remedy: str = "",
        sample: object = None,
        plain: str = "",
    ) -> None:
        """Count something that needs an account. Only the first occurrence keeps its place and sample.
        `plain` says the reason without the archive's own words, if it holds any."""
        reason, plain = self._told_apart(kind, well_formed(reason)[0], plain)
        if plain:
            self._plain[kind, reason] = plain
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

    def _told_apart(self, kind: NoteKind, reason: str, plain: str = "") -> tuple[str, str]:
        known = (kind, reason) in self._notes
        if known or sum(told is kind for told, _ in self._notes) < REASONS:
            return reason, plain
        return OTHER_REASONS, ""

    def skip(
        self, reason: str, where: str, *, sample: object = None, records: int = 1, plain: str = ""
    ) -> None:
        """Count records that are left out on purpose."""
        self.skipped += records
        self.note(NoteKind.SKIPPED, reason, where, count=records, sample=sample, plain=plain)

    def leave_out(self, why: LeftOut, where: str, records: int) -> None:
        """Count records that the caller does not want, with nothing of what they hold."""
        self.skipped += records
        place = "" if why.nameless else where
        self.note(NoteKind.SKIPPED, why.reason, place, count=records, remedy=why.remedy)

    def hush(self, first: int) -> None:
        """Leave no words of a conversation that is left out: what it held back is let go of, and the notes
        from number `first` on lose their samples, places inside it, and reasons that quote it."""
        self._let_go()
        for kind, reason in list(self._notes)[first:]:
            told = self._notes.pop((kind, reason))
            remedy = "" if told.remedy == REJECTED_REMEDY else told.remedy
            self.note(
                kind,
                self._plain.get((kind, reason), reason),
                told.where.partition(", ")[0],
                count=told.count,
                remedy=remedy,
            )

    def settle(self) -> None:
        """The conversation that was read stays: hand over what of it could not be read."""
        for rejected in self._held:
            self._hand_over(rejected)
        self._let_go()

    def _let_go(self) -> None:
        self._held.clear()
        self._waiting.clear()

    def absorb(self, other: Tally) -> None:
        """Count what another tally counted of a conversation that was gathered apart from the others."""
        self.records += other.records
        self.messages += other.messages
        self.skipped += other.skipped
        self.losses += other.losses
        self.complete = self.complete and other.complete
        for rejected in other._held:
            self._hold(rejected)
        for (kind, reason), told in other._notes.items():
            plain = other._plain.get((kind, reason), "")
            self.note(
                kind, reason, told.where, count=told.count, remedy=told.remedy, sample=told.sample or None,
                plain=plain,
            )  # fmt: skip

    def knows(self, kind: NoteKind, reason: str) -> bool:
        """Whether there is such a note already."""
        return (kind, reason) in self._notes

    @property
    def noted(self) -> int:
        """How many notes there are."""
        return len(self._notes)

    def reject(
        self,
        reason: str,
        where: str,
        raw: bytes,
        *,
        records: int = 1,
        remedy: str = "",
        held: bool = False,
        cuts: bool = False,
    ) -> None:
        """Count an unreadable record and hand its bytes to whoever keeps the quarantine; `held` until the
        conversation it belongs to is known to stay. `cuts` where the file breaks off in it.

        Raises HostileArchive where there are more than MOST_LOSSES.
        """
        self.records += records
        self.skipped += records
        self.complete = False
        self.losses += 1
        if cuts:
            self._cuts.add((NoteKind.REJECTED, reason))
        sample = raw[: 4 * SAMPLE_CHARACTERS].decode(errors="replace")
        self.note(
            NoteKind.REJECTED, reason, where, count=records, remedy=remedy or REJECTED_REMEDY, sample=sample
        )
        rejected = RejectedRecord(where, self._told_apart(NoteKind.REJECTED, well_formed(reason)[0])[0], raw)
        if held:
            self._hold(rejected)
        else:
            self._hand_over(rejected)
        if self.losses > MOST_LOSSES:
            raise HostileArchive(
                f"more than {MOST_LOSSES:,} of its records cannot be read", remedy="Export it again"
            )

    def _hold(self, rejected: RejectedRecord) -> None:
        self._waiting[rejected.reason] += 1
        if self._waiting[rejected.reason] <= SAMPLES:
            room = _HELD_BYTES - sum(len(held.raw) for held in self._held)
            self._held.append(replace(rejected, raw=rejected.raw[: room // 2]))

    def _hand_over(self, rejected: RejectedRecord) -> None:
        self._given[rejected.reason] += 1
        if self.rejects is not None and self._given[rejected.reason] <= SAMPLES:
            self.rejects(rejected)

    def lose(self, reason: str, where: str, *, remedy: str = "", cuts: bool = False) -> None:
        """Note a part of the archive that could not be read at all; `cuts` where the file breaks off."""
        if cuts:
            self._cuts.add((NoteKind.REJECTED, reason))
        self.complete = False
        self.losses += 1
        self.note(NoteKind.REJECTED, reason, where, remedy=remedy or LOST_REMEDY)

    def hole(self, reason: str, where: str, *, remedy: str = "", breaks: bool = False) -> None:
        """Note something the archive names and does not hold; `breaks` if conversations may be missing."""
        self.complete = self.complete and not breaks
        self.note(NoteKind.HOLE, reason, where, remedy=remedy)

    def unknown(
        self, reason: str, where: str, *, sample: object = None, count: int = 1, plain: str = ""
    ) -> None:
        """Count something the reader does not know, or had to bend to store it."""
        self.note(NoteKind.UNKNOWN, reason, where, sample=sample, count=count, plain=plain)

    def unknown_type(self, kind: str, where: str, sample: object) -> None:
        """Count content of a type that the reader does not know; the archive named the type."""
        reason = f"{UNKNOWN_TYPE} {kind[:80]}"
        self.unknown(reason, where, sample=sample, plain=PLAIN_UNKNOWN_TYPE)


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
