"""What a format module gives, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo

from archives.aside import Aside
from archives.drafts import Head, outline
from archives.glimpse import Glimpse, Kind
from archives.instants import Moment, moment
from archives.json_stream import lines, records
from archives.json_window import BadRecord, JsonWindow
from archives.keys import Keys, strings_of
from archives.leaves import Leaves
from archives.leaving_out import Rules, keep_all
from archives.record_bounds import width
from archives.sources import Member
from archives.tally import Tally, as_bytes
from schemas.conversation import Conversation
from schemas.resource import Resource

SIDE_BYTES = 1 << 26
TEXT_COSTS = 1 << 29
"""Bytes that the lines of one text file may take in memory: its conversation or table is held as a whole."""
_LINE_COST = 64
"""Bytes of memory for a line beside its characters."""


class OwnFormat(str):
    """Id of the format of a program's own folder: what another reader claims there, or none, is told and
    left. A plain id has its reader try whatever there is."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A file of the archive together with what a look at its beginning showed."""

    member: Member
    glimpse: Glimpse

    @property
    def name(self) -> str:
        """Its path inside the archive."""
        return self.member.name

    def whole(self) -> Iterator[object]:
        """The records of a side file (names, users), up to SIDE_BYTES: they are there to be kept in memory.
        Damage to it is not the conversations' damage."""
        with self.member.open() as stream:
            window = JsonWindow(stream)
            for record in records(window, self.name, Tally()):
                if window.size > SIDE_BYTES:
                    return
                yield record


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of one archive by one format."""

    parts: tuple[Part, ...]
    """The files that the format claims, in the archive's order."""
    others: tuple[Part, ...]
    """The files that it does not."""
    account: str
    tally: Tally
    owner: str | None = None
    """The owner's name in chats between people, if the caller gave one."""
    zone: tzinfo | None = None
    """The zone that local times without one are in, if the caller gave it; else they are taken as UTC."""
    aside: Aside = field(default_factory=Aside)
    """Takes the documents that the conversations turn out to hold."""
    rules: Rules = keep_all
    """What the caller wants left out."""
    beside: list[tuple[str, dict[str, object]]] = field(default_factory=list)
    """What stood in a file beside its list of records, with the file's name."""
    leaves: Leaves = field(default_factory=Leaves)
    """Holds every text of the records against what is kept."""

    def leaves_out(self, head: Head, records: int) -> bool:
        """Whether a conversation is left out by what is known before its messages are read. A format that
        knows a conversation's head first asks here, and then does not read on; its records are counted."""
        known = outline(head) if self.rules is not keep_all else None
        why = self.rules(known) if known is not None else None
        if why is None:
            return False
        self.leaves.forgo()
        self.tally.records += records
        self.tally.leave_out(why, head.where, records)
        return True

    def moment(self, value: object) -> Moment:
        """Read a time."""
        when = moment(value, self.zone or UTC)
        return self.told(when) if when.zone_assumed else when

    def told(self, when: Moment) -> Moment:
        """The time, no longer a guess where the caller named the zone."""
        return when._replace(zone_assumed=False) if when.zone_assumed and self.zone is not None else when

    def records(
        self, part: Part, *, under: tuple[str, ...] = (), plausible: Callable[[object], bool]
    ) -> Iterator[tuple[str, object]]:
        """The records of a JSON file with where each stands; see `json_stream.records`."""
        with part.member.open() as stream:
            rest: list[dict[str, object]] = []
            found = records(
                JsonWindow(stream),
                part.name,
                self.tally,
                under=under,
                plausible=plausible,
                beside=rest.append,
            )
            yield from self._watched((f"{part.name}, record {n}", one) for n, one in enumerate(found, 1))
            for one in rest:
                self.beside.append((part.name, one))
                self.takes(one, f"{part.name}, beside its records")

    def lines(self, part: Part) -> Iterator[tuple[str, object]]:
        """The values of a JSON Lines file (a single object counts as one) with where each stands."""
        if part.glimpse.kind is not Kind.LINES:
            yield from self.records(part, plausible=lambda value: isinstance(value, dict))
            return
        with part.member.open() as stream:
            found = lines(JsonWindow(stream), part.name, self.tally)
            yield from self._watched((f"{part.name}, line {number}", value) for number, value in found)

    def _watched(self, found: Iterator[tuple[str, object]]) -> Iterator[tuple[str, object]]:
        """The same records, their texts gathered."""
        leaves = self.leaves
        leaves.opens(self.tally)
        try:
            for where, record in found:
                leaves.hands_over(record, where)
                yield where, record
                leaves.comes_back(self.tally)
        finally:
            leaves.ends()

    def takes(self, value: object, where: str) -> None:
        """Gather the texts of a value that came from no file of records: a database's row."""
        self.leaves.takes(value, where, self.tally)

    def passes_over(self, value: object) -> None:
        """The texts of a record that is skipped, with a reason in the tally, are accounted for by that."""
        self.tally.kept.extend(strings_of(value))

    def text_lines(self, part: Part) -> Iterator[str]:
        """The lines of a text file, each with its line feed."""
        with part.member.open() as stream:
            window, costs = JsonWindow(stream), 0
            while (line := self._text_line(window, part)) is not None:
                costs += len(line) * width(line) + _LINE_COST
                if costs > TEXT_COSTS:
                    why = f"a text file whose lines take more than {TEXT_COSTS >> 20} MiB"
                    self.tally.lose(why, part.name, remedy="Cut it into several files", cuts=True)
                    return
                yield line + "\n"
            if window.failure is not None:
                why = window.failure.why or window.failure.what
                self.tally.lose(why, part.name, remedy=window.failure.remedy)
            window.remark(self.tally, part.name)

    def _text_line(self, window: JsonWindow, part: Part) -> str | None:
        while True:
            try:
                return window.line()
            except BadRecord as error:
                self.tally.reject(f"a line is refused: {error.why}", part.name, window.pass_line())

    def reject(self, record: object, reason: str, where: str, *, alone: bool = False) -> None:
        """Give up a record whose JSON is good and whose meaning is not. It belongs to the conversation that
        is given next, and goes where that goes, unless it stands `alone`."""
        self.passes_over(record)
        self.tally.reject(reason, where, as_bytes(record), held=not alone)

    def apart(self) -> Reading:
        """The same reading with a tally of its own: for a conversation that is gathered while others are.
        `together` counts what it counted, right before the conversation is given."""
        return replace(self, tally=Tally(kept=self.tally.kept))

    def together(self, apart: Reading) -> None:
        """Count what a reading that was taken apart has counted."""
        self.tally.absorb(apart.tally)


@dataclass(frozen=True, slots=True)
class Format:
    """A row of the registry."""

    id: str
    version: int
    """Counts up when the same archive gives other conversations than before."""
    title: str
    """What people call it."""
    reads: str
    """What of the export becomes part of a conversation, for the table in docs/formats.md."""
    absent: str
    """What the export does not hold, or the reader leaves out."""
    evidence: str
    """What the reader was tried on beside the project's own fixtures."""
    claims: Callable[[Glimpse], bool]
    """Whether a file with this beginning holds the format's conversations. Looks at structure only."""
    read: Callable[[Reading], Iterator[Conversation]]
    """Yields conversations, holding one in memory at a time, and accounts for every record in the tally."""
    keys: Keys = field(default_factory=Keys)
    """Which keys it reads, and which it leaves out and why. What is not declared and not kept is reported."""
    account: Callable[[tuple[Part, ...]], str | None] = lambda _parts: None
    """The account that the export itself names, from the files that the format does not claim."""
    accounts_for: Callable[[Glimpse], bool] = lambda _seen: False
    """Whether a file that the format does not claim is read too: documents of its export, markers."""
    local_times: bool = False
    """Its times name no zone: the reader has to be told where they were written."""
    whole_account: Callable[[tuple[Part, ...]], bool] | None = None
    """Whether the archive is the service's own export of everything the account has, by the files that the
    format does not claim; None for a format that never is. A conversation that a newer one lacks is gone."""
    resources: Callable[[Reading], Iterator[Resource]] = lambda _reading: iter(())
    """Yields the documents of the export, one in memory at a time."""

    @property
    def reader(self) -> str:
        """Id and version, such as `chatgpt/1`."""
        return f"{self.id}/{self.version}"
