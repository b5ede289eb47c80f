"""A real, small index: a real embedder's vectors in a real shard."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from flows.batches.search_points import AVERAGE_TERMS
from inference.embedder import Embedder
from inference.sparse import encode_document
from schemas.base import sha256_text
from schemas.ids import point_id
from schemas.provenance import TIER_WEIGHTS, Tier
from schemas.unit import Category, State
from vault.edge import EdgeIndex
from vault.index import IndexedPoint
from vault.ledger import Ledger
from vault.name_graph import NameGraph, publish_names
from vault.points import Payload, PointKind, PointSpan, SparseVector

ACCOUNT = "mara"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def note(
    ref: str,
    text: str,
    kind: PointKind = PointKind.UNIT,
    *,
    account: str = ACCOUNT,
    conversation: str = "talk",
    message: str | None = None,
    span: tuple[int, int] = (0, 10_000),
    tier: Tier = Tier.CHAT,
    state: State = State.PASSED,
    category: Category | None = Category.FACT,
    said_at: datetime | None = NOON,
    quote: str = "",
) -> Payload:
    return Payload(
        kind=kind,
        ref=ref,
        account=account,
        text=text,
        tier=tier,
        weight=TIER_WEIGHTS[tier],
        state=state,
        category=category if kind is PointKind.UNIT else None,
        conversation_id=conversation,
        conversation_title=f"About {conversation}",
        provider="transcript",
        message_id=message or f"message of {ref}",
        said_at=said_at,
        conversation_at=said_at,
        evidence=(
            PointSpan(message_id=message or f"message of {ref}", start=span[0], end=span[1], quote=quote),
        )
        if kind is not PointKind.CONVERSATION
        else (),
        content_hash=sha256_text(text),
    )


def make_index(folder: Path, embedder: Embedder, notes: Sequence[Payload]) -> EdgeIndex:
    """Index the notes, and a conversation point for every conversation they name."""
    whole: dict[tuple[str, str], list[Payload]] = {}
    for one in notes:
        whole.setdefault((one.account, one.conversation_id), []).append(one)
    talks = [
        note(
            conversation,
            " ".join(one.text for one in members),
            PointKind.CONVERSATION,
            account=account,
            conversation=conversation,
            said_at=members[0].said_at,
        )
        for (account, conversation), members in whole.items()
    ]
    payloads = [*notes, *talks]
    vectors = embedder.embed([one.text for one in payloads])
    index = EdgeIndex.create(folder, embedder.dimension)
    index.upsert(
        IndexedPoint(
            point_id(one.kind, one.ref),
            one,
            vector,
            SparseVector(*encode_document(one.text, AVERAGE_TERMS[one.kind])),
        )
        for one, vector in zip(payloads, vectors, strict=True)
    )
    index.flush()
    return index


def make_names(folder: Path, notes: Sequence[Payload]) -> NameGraph:
    """The graph of what the units among the notes name, from a real ledger."""
    ledger = Ledger.open(folder / "ledger.duckdb", read_only=False)
    units = [one for one in notes if one.kind is PointKind.UNIT]
    ledger.insert(
        """INSERT INTO units (id, account, conversation_id, category, text, speaker, active_branch, extractor,
                              evidence, context, verdicts, gate_state, run)
           SELECT id, account, conversation_id, 'fact', text, 'owner', true, 't', [], [], [], state, 'r'
           FROM new_rows""",
        [
            {"id": one.ref, "account": one.account, "conversation_id": one.conversation_id, "text": one.text,
             "state": str(one.state)} for one in units
        ],
    )  # fmt: skip
    ledger.query(
        """INSERT INTO unit_events (event_no, unit_id, state, actor, reason, "at", run)
           SELECT row_number() OVER (), id, gate_state, 'gate', '', now(), 'r' FROM units"""
    )
    publish_names(ledger)
    return NameGraph(ledger)
