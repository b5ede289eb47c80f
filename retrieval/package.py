"""What a recall hands over: hits in order, what was dropped and why, and the account of the tokens."""

from __future__ import annotations

from enum import StrEnum

from chunking import estimate_tokens
from inference.sparse import encode_query
from schemas.base import Instant, Noun
from schemas.provenance import Tier
from schemas.unit import Category, Speaker, State
from vault.points import PointKind, Source


class Part(StrEnum):
    """How firmly a hit belongs to the package: peripheral hits are the first to go, core hits the last."""

    CORE = "core"
    STRUCTURAL = "structural"
    PERIPHERAL = "peripheral"


class Hit(Noun):
    """A note that answers, with where it comes from."""

    id: str
    """Id of the unit, chunk or conversation."""
    kind: PointKind
    part: Part
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
    evidence: tuple[Source, ...] = ()
    """Where it was said, verbatim, first occurrence first; the evidence of exact duplicates included."""
    also: tuple[str, ...] = ()
    """Ids of the exact duplicates that this hit stands for."""
    superseded_by: str | None = None
    """Id of the note that takes this one's place, where a sweep found one and the owner has not decided."""
    similarity: float
    """Cosine of the note's vector to the query's."""
    relevance: float
    """Words and meaning, the note's own and its surroundings', 0-1; see `retrieval.candidates`."""
    recency: float
    weight: float
    novelty: float
    """Less than 1 where better notes of the same conversation come before it."""
    score: float
    """Relevance x weight x recency x novelty: the order of the hits."""


class Dropped(Noun):
    """A candidate that is not in the package, the stage that dropped it, and why."""

    id: str
    kind: PointKind
    text: str
    stage: str
    reason: str
    similarity: float
    relevance: float


class Package(Noun):
    """The answer to a query. `tokens`, what `render_markdown` takes, never exceeds `budget`."""

    query: str
    account: str
    as_of: Instant
    budget: int
    tokens: int
    confidence: float
    """The best cosine among all candidates, before any rescaling; 0 where there was no candidate."""
    hits: tuple[Hit, ...]
    notices: tuple[str, ...] = ()
    """What the reader of the package has to know of it: that nothing was found, what was cut or left out."""
    dropped: tuple[Dropped, ...] = ()

    def render_markdown(self) -> str:
        """The package as text for a prompt; notices first, where the budget has room for them."""
        body = "".join(rendered(one) for one in self.hits)
        whole = "".join(rendered_notice(one) for one in self.notices) + body
        return whole if estimate_tokens(whole) <= self.budget else body


def rendered_notice(notice: str) -> str:
    """A notice as one Markdown line."""
    return f"_{notice}_\n"


def rendered(hit: Hit) -> str:
    """A hit as a Markdown list item: kind, date and origin; its text; its quote where that adds words."""
    lines = [f"- **{hit.category or hit.kind}** · {origin_line(hit)}"]
    lines += [f"  {line}" for line in hit.text.splitlines() if line.strip()]
    quote = " ".join(hit.evidence[0].quote.split()) if hit.evidence else ""
    if _says_more(quote, hit.text):
        lines.append(f"  > {quote}")
    return "\n".join(lines) + "\n"


def _says_more(quote: str, text: str) -> bool:
    """Whether a quote has a word of substance that the note's own sentence lacks."""
    return bool(quote) and not set(encode_query(quote).indices) <= set(encode_query(text).indices)


def origin_line(hit: Hit) -> str:
    """Tier, date, speaker, conversation, and the beginning of the id that fetches the whole note."""
    title = " ".join((hit.conversation_title or "untitled").split())
    who = hit.speaker_name or hit.speaker
    parts = [hit.tier, hit.said_at.date().isoformat() if hit.said_at else "undated", who, title, hit.id[:8]]
    return " · ".join(part for part in parts if part)
