"""Generation: one published state of ledger and index together."""

from __future__ import annotations

from pydantic import Field

from schemas.base import Instant, Noun, sha256_text


class EmbedderBinding(Noun):
    """What ties vectors to the model that made them. Two indexes mix only if the bindings are equal."""

    name: str
    dimension: int
    weights_hash: str
    """SHA-256 of the weights file."""
    tokenizer_hash: str
    """SHA-256 of the tokenizer file."""
    graph_version: int
    """Version of the graph that mnemic builds from the weights."""


class Generation(Noun):
    """The manifest of a published generation."""

    number: int
    """Counts up from 1 and is never reused."""
    published_at: Instant
    run: str
    journal_seq: int
    """The last act of the journal that is folded into the ledger."""
    embedder: EmbedderBinding
    points: int
    points_digest: str
    """SHA-256 over the sorted (point id, payload hash) pairs."""
    accounts: tuple[str, ...]
    """Accounts that have conversations or resources, sorted."""
    rows: dict[str, int]
    """Row counts by ledger table."""
    source: int | None = None
    """The generation that it was built from, where that is not the one before it: of a rollback."""
    shared_ids: tuple[str, ...] = ()
    """Beginnings, as long as `schemas.ids.SHORT_ID`, that the ids of several records share, sorted."""
    files: dict[str, str] = Field(default_factory=dict)
    """Sum of every stored file by its path in the generation's folder; none in one of version 0.1."""
    seal: str = ""
    """Sum of everything else in the manifest; empty in one of version 0.1."""

    def sealed(self) -> Generation:
        """The manifest with its seal."""
        return self.model_copy(update={"seal": self.expected_seal()})

    def expected_seal(self) -> str:
        """SHA-256 of the manifest without its seal, in hex."""
        # version 0.1 knows no shared ids, and what it sealed stays sealed
        beside = {"seal"} if self.shared_ids else {"seal", "shared_ids"}
        return sha256_text(self.model_dump_json(exclude=beside))
