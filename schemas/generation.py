"""Generation: one published state of ledger and index together."""

from __future__ import annotations

from schemas.base import Instant, Noun


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
