"""What the suites of note pairs share: a verdict a row, and the score of the one label that acts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from schemas.base import Noun


class KindScore(Noun):
    """The rows of one kind."""

    label: str
    rows: int
    right: int


class PairScore(Noun):
    """The score of a suite of pairs; `by_kind` counts the rows that were judged rightly."""

    suite: str
    engine: str
    rows: int
    precision: float
    recall: float
    f1: float
    wrong_actions: int
    """Pairs that were acted on and should not have been."""
    by_kind: dict[str, KindScore]


class PairRow(Noun):
    """One judged row, for `--dump`."""

    id: str
    kind: str
    label: str
    acts: bool
    reason: str


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """A row's label and kind, whether acting is right, and what the engine did."""

    row: PairRow
    should_act: bool


def score_pairs(suite: str, engine: str, outcomes: Iterable[PairOutcome]) -> PairScore:
    """Precision, recall and F1 of acting. Precision is 1 where nothing is acted on: nothing is lost."""
    table = list(outcomes)
    hits = sum(one.row.acts and one.should_act for one in table)
    acted = sum(one.row.acts for one in table)
    wanted = sum(one.should_act for one in table)
    precision, recall = (hits / acted if acted else 1.0), (hits / wanted if wanted else 1.0)
    kinds = Counter((one.row.label, one.row.kind) for one in table)
    right = Counter((one.row.label, one.row.kind) for one in table if one.row.acts == one.should_act)
    return PairScore(
        suite=suite,
        engine=engine,
        rows=len(table),
        precision=round(precision, 4),
        recall=round(recall, 4),
        f1=round(2 * precision * recall / (precision + recall), 4) if precision + recall else 0.0,
        wrong_actions=acted - hits,
        by_kind={
            f"{label}/{kind}": KindScore(label=label, rows=rows, right=right[label, kind])
            for (label, kind), rows in sorted(kinds.items())
        },
    )


def dump_rows(path: Path | None, outcomes: Iterable[PairOutcome]) -> None:
    """Write what was said of every row as JSON Lines, where a path is given."""
    if path is not None:
        lines = (one.row.model_dump_json() + "\n" for one in outcomes)
        path.write_text("".join(lines), encoding="utf-8")
