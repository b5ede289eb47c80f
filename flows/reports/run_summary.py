"""What a run did, in numbers that a person and a script can read."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from archives import Counts
from schemas.base import Instant, Noun
from schemas.report import ImportReport


class ArchiveOutcome(StrEnum):
    """How reading one archive ended."""

    IMPORTED = "imported"
    PARTLY = "imported in part"
    WAITING = "waits for a model's answers"
    """Read and staged; what waits is loaded by the run that finds it answered."""
    UNCHANGED = "already imported"
    FORGOTTEN = "forgotten"
    """Everything that it holds was erased, and stays so."""
    FAILED = "not readable"


class ArchiveResult(Noun):
    """One archive: how it ended, and the account of its records."""

    archive: str
    outcome: ArchiveOutcome
    report: ImportReport | None = None
    error: str = ""
    account: str = ""
    """Whose what it holds is; the report has the name under which it came."""
    remark: str = ""
    """What the owner should know of whose it is."""
    counts: Counts | None = None
    """What its conversations hold, as `mnemic inspect` counts."""
    forgotten: str = ""
    """When something that it holds was erased, in a sentence."""
    new: int = 0
    """Conversations that the vault did not have."""
    updated: int = 0
    """Conversations that the vault had in another form, or made by other versions of the stages."""
    unchanged: int = 0
    older: int = 0
    """Conversations that the vault has in a newer form."""


class ModelUse(Noun):
    """What a run asked a language model, and what it cost."""

    model: str
    mode: str
    """`messages` or `batch`."""
    questions: int
    answered_before: int
    """Questions whose answer was stored: nothing was paid for them."""
    expected_usd: float
    """The estimate before anything was asked."""
    spent_usd: float
    under_way: int = 0
    """Questions whose batch has not ended."""
    unsent: int = 0
    """Questions that the budget did not allow."""
    stopped: str = ""
    """Why not all are answered, and what to do; "" if they are."""


class RunSummary(Noun):
    """One run of the ingest."""

    run: str
    vault: str
    started_at: Instant
    archives: tuple[ArchiveResult, ...]
    made: dict[str, int]
    """Rows made by this run: messages, segments, units, chunks, points, vectors embedded."""
    units_by_category: dict[str, int]
    units_by_state: dict[str, int]
    dropped: dict[str, int]
    """Candidates for units that extraction refused, by reason."""
    failed: dict[str, str] = Field(default_factory=dict)
    """Why the work on conversations failed, by id: they were set aside, and the others went on."""
    generation: int | None
    """The published generation after the run; None if the vault is empty."""
    published: bool
    """False when nothing had changed."""
    rows: dict[str, int]
    """Rows of the published ledger, by table."""
    gone: int = 0
    """Conversations of the published ledger that the newest whole export of their account lacks."""
    accounts: tuple[str, ...] = ()
    """Accounts of the published generation."""
    seconds: dict[str, float]
    """Wall time by stage."""
    model_use: ModelUse | None = None
    """None where the engine asks no model."""

    @property
    def exit_code(self) -> int:
        """0 done or under way, 1 nothing readable, 3 done with a part quarantined or left by the budget."""
        outcomes = {result.outcome for result in self.archives}
        if outcomes == {ArchiveOutcome.FAILED}:
            return 1
        in_part = outcomes & {ArchiveOutcome.FAILED, ArchiveOutcome.PARTLY}
        return 3 if in_part or self.failed or (self.model_use and self.model_use.unsent) else 0
