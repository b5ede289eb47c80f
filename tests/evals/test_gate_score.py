from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.gate import run_gate_eval
from schemas.errors import InputError

WIFI = "The wifi password is Tr0ub4dor&3"
ROWS = [
    ("pass", "", "The hull is dry.", "the hull is dry"),
    ("pass", "", "They are dry.", "they are dry"),
    ("reject", "numbers", "The hull costs 800 euros.", "the hull costs 300 euros"),
    ("reject", "tone", "The hull is dry.", "the hull is dry"),
    ("reject", "secret", WIFI, WIFI),
    ("review", "", "The hull is dry.", "the hull is dry"),
]


def write(path: Path, rows: list[tuple[str, str, str, str]]) -> Path:
    lines = [
        json.dumps(
            {
                "id": str(number),
                "unit": {
                    "text": text, "category": "fact", "speaker": "user", "quote": quote, "message": quote,
                    "previous": "",
                },
                "label": label, "criterion": criterion, "why": "",
            }
        )
        for number, (label, criterion, text, quote) in enumerate(rows)
    ]  # fmt: skip
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_the_score_counts_what_passes_and_what_is_refused(tmp_path: Path) -> None:
    dump = tmp_path / "dump.jsonl"
    score = run_gate_eval(write(tmp_path / "gate.jsonl", ROWS), "offline", dump)
    outcomes = [json.loads(line)["outcome"] for line in dump.read_text(encoding="utf-8").splitlines()]
    assert score.rows == len(outcomes) == 6
    assert outcomes[2] == outcomes[4] == "rejected"
    assert outcomes[0] == outcomes[3] == outcomes[5]
    assert score.passes_refused == outcomes[:2].count("rejected") / 2
    assert score.passes_held == outcomes[:2].count("review") / 2
    assert score.rejects_let_through == round((outcomes[3] == "passed") / 3, 4)
    assert score.credentials_let_through == 0


def test_a_row_of_another_kind_is_named(tmp_path: Path) -> None:
    path = tmp_path / "gate.jsonl"
    path.write_text('{"id": "1"}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"gate\.jsonl:1"):
        run_gate_eval(path, "offline", None)


def test_the_bars_hold(shared: Path) -> None:
    score = run_gate_eval(shared / "evals" / "gate.jsonl", "offline", None)
    assert score.rejects_let_through <= 0.10
    assert score.passes_refused <= 0.06
    # judged as the offline reader's notes: a model's are rejected for less
    assert score.outcomes["reject"]["rejected"] >= 27
    assert score.credentials_let_through == 0
