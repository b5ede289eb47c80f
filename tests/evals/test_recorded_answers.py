"""What a careful model's recorded answers come to: a change of a guard or a prompt shows here at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.extraction import run_extraction_eval
from evals.faithfulness import run_faithfulness_eval
from inference.provider_choice import Asked
from schemas.errors import InputError

DATA = Path(__file__).parents[2] / "data"


def test_recorded_answers_keep_what_they_reached() -> None:
    """Floors a little under what docs/extraction.md reports."""
    found = run_extraction_eval(DATA / "recorded" / "extraction.jsonl", Asked(replay=DATA / "recorded"))
    assert found.model is not None
    assert found.engine == "anthropic recorded-2026-11-22+recorded-2026-11-26+recorded-2026-11-27"
    assert found.model.accepted >= 0.96
    assert found.coverage >= 0.93
    assert found.precision >= 0.89
    assert found.category_accuracy >= 0.86
    assert found.false_decisions <= 2
    assert found.long == found.ungrounded == 0


def test_a_second_reading_keeps_what_guards_refuse() -> None:
    path, asked = DATA / "recorded" / "extraction.jsonl", Asked(replay=DATA / "recorded")
    found = run_extraction_eval(path, asked, proofread=True)
    assert found.model is not None
    assert found.model.accepted >= 0.985
    assert found.coverage >= 0.93
    assert found.precision >= 0.89
    assert found.false_decisions == 0


def test_the_shared_set_is_read_well(shared: Path) -> None:
    path = shared / "evals" / "extraction.jsonl"
    if not path.is_file():
        pytest.skip(f"no evaluation set at {path}")
    found = run_extraction_eval(path, Asked(replay=DATA / "recorded"))
    assert found.model is not None
    assert found.model.accepted >= 0.985
    assert found.coverage >= 0.92
    assert found.precision >= 0.915
    assert found.category_accuracy >= 0.92
    assert found.text_f1 >= 0.7
    assert found.false_decisions == 0


def test_guards_stop_what_they_stopped(tmp_path: Path) -> None:
    dump = tmp_path / "dump.jsonl"
    found = run_faithfulness_eval(DATA / "faithfulness" / "development.jsonl", dump)
    assert (found.notes.true, found.notes.false, found.lines.true, found.lines.false) == (220, 220, 60, 60)
    assert len(dump.read_text(encoding="utf-8").splitlines()) == 560
    assert found.notes.stopped >= 0.67
    assert found.notes.refused <= 0.065
    assert found.lines.stopped >= 0.38
    assert found.lines.refused <= 0.07


@pytest.mark.parametrize("half", ["development", "final"])
def test_a_second_reading_tells_true_from_false(half: str) -> None:
    path = DATA / "faithfulness" / f"{half}.jsonl"
    found = run_faithfulness_eval(path, asked=Asked(replay=DATA / "recorded"))
    assert found.notes.stopped == found.lines.stopped == 1
    assert found.notes.refused <= 0.015
    assert found.lines.refused <= 0.035


def test_a_row_that_is_none_says_where(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"conversation": {}}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"broken\.jsonl:1"):
        run_faithfulness_eval(broken)
