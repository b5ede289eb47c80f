from __future__ import annotations

from pathlib import Path

from evals.duplicates import run_duplicates_eval
from evals.pairs import PairOutcome, PairRow, score_pairs
from evals.supersession import run_supersession_eval


def outcome(acts: bool, right: bool) -> PairOutcome:
    return PairOutcome(PairRow(id="1", kind="k", label="l", acts=acts, reason=""), right)


def test_precision_counts_wrong_actions_and_recall_missed_ones() -> None:
    score = score_pairs("s", "e", [outcome(True, True), outcome(True, False), outcome(False, True)])
    assert (score.precision, score.recall, score.f1, score.wrong_actions) == (0.5, 0.5, 0.5, 1)
    assert (score.by_kind["l/k"].rows, score.by_kind["l/k"].right) == (3, 1)
    nothing = score_pairs("s", "e", [outcome(False, True)])
    assert (nothing.precision, nothing.recall, nothing.f1) == (1.0, 0.0, 0.0)


def test_duplicates_keep_what_docs_reading_reports(shared: Path, tmp_path: Path) -> None:
    score = run_duplicates_eval(shared / "evals" / "duplicates.jsonl", dump=tmp_path / "rows.jsonl")
    assert score.precision >= 0.92
    assert score.recall >= 0.58
    assert len((tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()) == score.rows


def test_supersession_keeps_what_docs_reading_reports(shared: Path) -> None:
    score = run_supersession_eval(shared / "evals" / "supersession.jsonl")
    assert score.precision >= 0.93
    assert score.recall >= 0.50
