"""The funnel suite: does the fit-gate drop what only shares words with the query, and keep what fits?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evals.ranking import mean, read_rows
from retrieval.rank.scoring import recency, score
from retrieval.relevance.filter_verdict import FilterVerdict, by_rules
from retrieval.relevance.relevance_filter import PlacedNote
from schemas.base import Instant, Noun
from schemas.provenance import TIER_WEIGHTS, Tier


class FunnelCandidate(Noun):
    """A note that a search brought up."""

    id: str
    text: str
    tier: Tier
    similarity: float
    conversation_title: str
    conversation_summary: str
    heading_path: tuple[str, ...] = ()
    created_at: Instant


class FunnelRow(Noun):
    """One query with its candidates, some of which are relevant and some of which only look so."""

    id: str
    query: str
    intent: str
    candidates: tuple[FunnelCandidate, ...]
    relevant: tuple[str, ...]
    contaminants: tuple[str, ...]


class FunnelDump(Noun):
    """What the gate said of one candidate."""

    query_id: str
    candidate: str
    label: str
    kept: bool
    reason: str
    text: str


class FunnelScore(Noun):
    """Counted over all candidates of all rows."""

    rows: int
    engine: str
    contamination: float
    """Contaminants kept / contaminants."""
    retention: float
    """Relevant kept / relevant."""
    others_dropped: float
    """Dropped / candidates that are neither."""
    outranked: float
    """Share of rows where a contaminant that was kept ranks above a relevant candidate that was kept."""
    outranked_without_gate: float
    contamination_without_intent: float
    retention_without_intent: float


def placed_of(candidate: FunnelCandidate) -> PlacedNote:
    """The candidate as the gate sees it."""
    known = (candidate.conversation_title, candidate.conversation_summary, *candidate.heading_path)
    return PlacedNote(candidate.text, "\n".join(known), candidate.conversation_title)


def run_funnel_eval(
    path: Path, engine: str = "offline", dump: Path | None = None, vault: Path | None = None
) -> FunnelScore:
    """Judge every row twice, with its intent and without. Raises PathMissing where there is no such file."""
    del vault  # the rows bring their candidates
    rows = read_rows(path, FunnelRow)
    meant = [_judged(row, row.intent) for row in rows]
    plain = [_judged(row, None) for row in rows]
    if dump is not None:
        lines = [
            one.model_dump_json() + "\n"
            for row, said in zip(rows, meant, strict=True)
            for one in _dumped(row, said)
        ]
        dump.write_text("".join(lines), encoding="utf-8")
    return FunnelScore(
        rows=len(rows),
        engine=engine,
        contamination=_share_kept(rows, meant, "contaminant"),
        retention=_share_kept(rows, meant, "relevant"),
        others_dropped=round(1 - _share_kept(rows, meant, "other"), 4),
        outranked=mean([float(_outranked(row, said)) for row, said in zip(rows, meant, strict=True)]),
        outranked_without_gate=mean([float(_outranked(row, None)) for row in rows]),
        contamination_without_intent=_share_kept(rows, plain, "contaminant"),
        retention_without_intent=_share_kept(rows, plain, "relevant"),
    )


def _judged(row: FunnelRow, intent: str | None) -> list[FilterVerdict]:
    return by_rules(row.query, intent, [placed_of(one) for one in row.candidates])


def _label(row: FunnelRow, candidate: str) -> str:
    if candidate in row.relevant:
        return "relevant"
    return "contaminant" if candidate in row.contaminants else "other"


def _share_kept(rows: Sequence[FunnelRow], verdicts: Sequence[Sequence[FilterVerdict]], label: str) -> float:
    return mean(
        [
            float(verdict.kept)
            for row, said in zip(rows, verdicts, strict=True)
            for candidate, verdict in zip(row.candidates, said, strict=True)
            if _label(row, candidate.id) == label
        ]
    )


def _outranked(row: FunnelRow, verdicts: Sequence[FilterVerdict] | None) -> bool:
    """Whether a contaminant comes before a relevant note in the order that recall gives the survivors."""
    as_of = max(one.created_at for one in row.candidates)
    survivors = [one for place, one in enumerate(row.candidates) if verdicts is None or verdicts[place].kept]
    survivors.sort(
        key=lambda one: (
            -score(one.similarity, TIER_WEIGHTS[one.tier], recency(one.tier, one.created_at, as_of))
        )
    )
    labels = [_label(row, one.id) for one in survivors]
    return "contaminant" in labels and "relevant" in labels[labels.index("contaminant") :]


def _dumped(row: FunnelRow, verdicts: Sequence[FilterVerdict]) -> list[FunnelDump]:
    return [
        FunnelDump(
            query_id=row.id,
            candidate=one.id,
            label=_label(row, one.id),
            kept=verdict.kept,
            reason=verdict.reason,
            text=one.text,
        )
        for one, verdict in zip(row.candidates, verdicts, strict=True)
    ]
