from __future__ import annotations

import json
from pathlib import Path

from evals.funnel import run_funnel_eval

CANDIDATE = {"tier": "chat", "similarity": 0.5, "heading_path": [], "created_at": "2026-01-01T00:00:00Z"}
ROW = {
    "id": "r1",
    "query": "What did I note on empty space in a Japanese garden, the raked gravel and its stones?",
    "intent": "Japanese garden design.",
    "relevant": ["gravel"],
    "contaminants": ["hubble"],
    "candidates": [
        CANDIDATE
        | {
            "id": "hubble",
            "tier": "engram",
            "text": "Galaxies recede because the empty space between them is expanding.",
            "conversation_title": "Cosmology lecture",
            "conversation_summary": "Expansion of the universe and redshift.",
        },
        CANDIDATE
        | {
            "id": "gravel",
            "text": "The raked gravel is the active part; fifteen stones only punctuate it.",
            "conversation_title": "Visit to Ryoan-ji",
            "conversation_summary": "A dry landscape garden in Kyoto.",
        },
    ],
}


def test_a_row_is_scored_with_and_without_its_intent(tmp_path: Path) -> None:
    path, dump = tmp_path / "funnel.jsonl", tmp_path / "dump.jsonl"
    path.write_text(json.dumps(ROW) + "\n", encoding="utf-8")
    score = run_funnel_eval(path, dump=dump)
    assert (score.contamination, score.retention) == (0.0, 1.0)
    assert (score.contamination_without_intent, score.retention_without_intent) == (0.0, 1.0)
    assert (score.outranked, score.outranked_without_gate) == (0.0, 1.0)
    lines = [json.loads(line) for line in dump.read_text(encoding="utf-8").splitlines()]
    assert [(one["candidate"], one["label"], one["kept"]) for one in lines] == [
        ("hubble", "contaminant", False),
        ("gravel", "relevant", True),
    ]


def test_the_gate_reaches_its_bars_on_the_shared_set(shared: Path) -> None:
    score = run_funnel_eval(shared / "evals" / "funnel.jsonl")
    assert score.contamination <= 0.15
    assert score.retention >= 0.85
    assert score.contamination_without_intent <= 0.15
    assert score.retention_without_intent >= 0.85
