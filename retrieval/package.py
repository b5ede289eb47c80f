"""What a recall hands over: hits in order, what was dropped and why, and the account of the tokens."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from retrieval.rendering import LAYOUTS, PackageFormat
from schemas.base import Instant, Noun
from schemas.provenance import Tier
from schemas.unit import Category, Speaker, State
from vault.points import PointKind, PointSpan


class PackagePart(StrEnum):
    """How firmly a hit belongs to the package: peripheral hits are the first to go, core hits the last."""

    CORE = "core"
    STRUCTURAL = "structural"
    PERIPHERAL = "peripheral"


class Hit(Noun):
    """A note that answers, with where it comes from."""

    id: str
    """Id of the unit, chunk or conversation."""
    short: str
    """What the package calls it and every command takes: the beginning of its id, where that is its alone."""
    kind: PointKind
    part: PackagePart
    text: str
    """The note's text, or the beginning of it where `cut`."""
    cut: bool = False
    tokens: int
    """What the hit takes in the rendered package, estimated."""
    category: Category | None
    tier: Tier
    state: State
    speaker: Speaker | None
    speaker_name: str | None
    said_at: Instant | None
    conversation_id: str
    conversation_title: str | None
    provider: str
    message_id: str | None
    heading_path: tuple[str, ...] = ()
    evidence: tuple[PointSpan, ...] = ()
    """Where it was said, verbatim, first occurrence first; the evidence of exact duplicates included."""
    also: tuple[str, ...] = ()
    """Ids of the exact duplicates that this hit stands for."""
    superseded_by: str | None = None
    """Id of the note that takes this one's place, where a sweep found one and the owner has not decided."""
    successor: str | None = None
    """The same as the package calls it."""
    answers: str = ""
    """What the note's words answer, where they are not understood without it: shown with them."""
    similarity: float
    """Cosine of the note's vector to the query's."""
    relevance: float
    """Words and meaning, the note's own and its surroundings', 0-1; see `retrieval.search.hybrid`."""
    recency: float
    weight: float
    novelty: float
    """Less than 1 where better notes of the same conversation come before it."""
    score: float
    """Relevance x weight x recency x novelty: the order of the hits."""
    found_by: str = ""
    """How deep search came to it; empty of what recall found itself."""
    source_link: str | None = None
    """The page of its conversation at its service, or its file on this machine, where who asks has a ledger
    that tells it."""


class Dropped(Noun):
    """A candidate that is not in the package, the stage that dropped it, and why."""

    id: str
    kind: PointKind
    text: str
    stage: str
    reason: str
    similarity: float
    relevance: float


class Escalation(Noun):
    """A deep search that a package was given (`retrieval.deep`)."""

    by: str = ""
    """Who compared: `offline`, or the language model."""
    pool: int = 0
    """Notes that were compared."""
    questions: int = 1
    """How many shared the comparison: tokens and milliseconds are those of all of them."""
    tokens: int = 0
    """Estimated, of the comparison by a language model."""
    milliseconds: float = 0.0
    added: tuple[str, ...] = ()
    """Ids of the hits that recall alone did not have."""
    contradictions: tuple[tuple[str, str], ...] = ()
    """Ids of notes that the comparison says cannot both hold."""
    timed_out: bool = False
    """The comparison failed or took too long: the package is recall's own."""
    refused: bool = False
    """The session had no deep search left: the package is recall's own."""


class WebPageRead(Noun):
    """A page that was asked for, and what came of it."""

    url: str
    standing: str
    outcome: str
    reason: str = ""


class WebReport(Noun):
    """What the web brought to a package, and what left the machine for it (`web`)."""

    live: bool
    """Whether the live web was asked."""
    reason: str
    """Why, or why not."""
    provider: str = ""
    sent: tuple[str, ...] = ()
    """The queries as they left: without secrets and names of the memory's people."""
    results: int = 0
    standings: dict[str, int] = Field(default_factory=dict)
    """Results by standing, those that were excluded included."""
    skipped: dict[str, int] = Field(default_factory=dict)
    """Results whose pages were not fetched, by reason."""
    pages: tuple[WebPageRead, ...] = ()
    failures: dict[str, int] = Field(default_factory=dict)
    """Pages that were not kept, by outcome: `not found`, `found but thin`, `behind interaction`, …"""
    folded: int = 0
    """Passages of the live web that the relevance filter let through."""
    saved: int = 0
    """Passages of saved pages that it let through."""
    problem: str = ""
    """What went wrong: the package is then the memory's own."""
    milliseconds: float = 0.0


class Altitude(Noun):
    """The subject domain that a prompt belongs to, not its narrow angle."""

    domain: str
    by: str
    """Who says so: `given`, `taxonomy`, or the name of a language model."""


class SessionShare(Noun):
    """What a package is of its session (`retrieval.supplement`)."""

    id: str
    call: int
    """Which of its calls made the package, from 1 on; 0 of a call that was refused."""
    calls_left: int
    tokens_left: int
    given_before: int
    """Notes that it had been handed before."""
    refused: str = ""
    """Why nothing was looked for, where that is so."""


class StepTime(Noun):
    """What a step of the funnel did, and for how long."""

    step: str
    milliseconds: float
    kept: int
    """Candidates that it handed on."""


class Package(Noun):
    """The answer to a query. `tokens`, what `render` takes, never exceeds `budget`."""

    query: str
    account: str
    as_of: Instant
    format: PackageFormat = PackageFormat.MARKDOWN
    budget: int
    tokens: int
    confidence: float
    """0-1: how likely the package holds the answer (`retrieval.relevance.confidence`); of an empty one, how
    likely what it came from did."""
    hits: tuple[Hit, ...]
    left_out: int = 0
    """Notes that came through and have no room in the budget."""
    notices: tuple[str, ...] = ()
    """What the reader of the package has to know of it: that nothing was found, what was cut or left out."""
    dropped: tuple[Dropped, ...] = ()
    """Where it was asked for, as is `steps`."""
    deep: Escalation | None = None
    """What a deep search did, where one was made."""
    web: WebReport | None = None
    """What the web brought, where it or saved pages were looked at."""
    altitude: Altitude | None = None
    """Where an explanation was asked for and anybody can say."""
    ways: tuple[str, ...] = ()
    """How the prompt was put beside its own words, `aim: text` each, where that was asked for as well."""
    session: SessionShare | None = None
    """Where it was asked for in a session."""
    steps: tuple[StepTime, ...] = ()
    """How long each step of the funnel took, in order."""

    def render(self) -> str:
        """The package as text for a prompt; notices first, where the budget has room for them. Where nothing
        else has room, the shortest that is true."""
        return LAYOUTS[self.format].written(self.notices, self.hits, self.budget, self.briefly)

    @property
    def briefly(self) -> tuple[str, ...]:
        """What is to be said of a package without hits where notices have no room, the longest first."""
        if self.session is not None and self.session.refused:
            return "Nothing was looked for.", "over", "cut"
        if self.left_out:
            return (
                f"{self.left_out} found; a budget of {self.budget} is too small",
                f"{self.left_out} left out",
                "cut",
            )
        return "Nothing found.", "none", "nil"
