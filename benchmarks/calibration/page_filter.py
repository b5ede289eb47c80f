"""The weights of the relevance filter for pages, and what they are worth on questions that they did not see.

    .venv/bin/python -m benchmarks.calibration.page_filter [--write]

`data/web/funnel-web.jsonl` has sixty questions, written for this, each with a note of the memory, a page that
answers and two that share the question's words and are about something else. The first thirty are learned
from, the others are scored: contaminants kept, and answering pages kept. `--write` stores the weights.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.calibration.web_router import chances, fitted
from evals.funnel import FunnelRow
from evals.ranking import read_rows
from inference import load_embedder
from schemas.provenance import Tier
from web.pages.page_filter import PageFilterWeights, PagePassage, measured

ROOT = Path(__file__).resolve().parents[2]
ROWS = ROOT / "data" / "web" / "funnel-web.jsonl"
WEIGHTS = ROOT / "web" / "pages" / "data" / "page_filter.json"
LEARNED = 30
SCALE = 3.0
"""The parts are cosines and shares: as large as this, one penalty suits them and the bias."""
PENALTY = 0.1
LEAST = 0.35
"""Seen on both halves before it was set: where the rows to learn from keep .97 of what answers."""

Rows = npt.NDArray[np.float64]


def main() -> None:
    """Fit on the first rows, print both parts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    embedder = load_embedder()
    parts, answers, number = [], [], []
    for place, row in enumerate(read_rows(ROWS, FunnelRow)):
        pages = [one for one in row.candidates if one.tier is Tier.WEB]
        vectors = embedder.embed([f"{one.conversation_title}\n{one.text}" for one in pages])
        cosines = vectors @ embedder.embed_query(row.query)
        passages = [
            PagePassage(one.conversation_title, one.text, float(cosine))
            for one, cosine in zip(pages, cosines, strict=True)
        ]
        parts.append(measured(row.query, passages, embedder) * [SCALE, SCALE, SCALE, 1.0])
        answers += [float(one.id in row.relevant) for one in pages]
        number += [place] * len(pages)
    values, live, seen = np.vstack(parts), np.array(answers), np.array(number) < LEARNED
    weights = fitted(values[seen], live[seen], PENALTY)
    learned, others = told(values[seen], live[seen], weights), told(values[~seen], live[~seen], weights)
    run = f"learned from: {learned}; others: {others}"
    print(run)
    if asked.write:
        cosine, title, shared, bias = (round(float(one), 4) for one in weights * [SCALE, SCALE, SCALE, 1.0])
        made = PageFilterWeights(
            embedder=embedder.binding.name,
            cosine=cosine,
            title=title,
            shared=shared,
            bias=bias,
            least=LEAST,
            run=run,
        )
        WEIGHTS.write_text(made.model_dump_json() + "\n", encoding="utf-8")


def told(values: Rows, answers: Rows, weights: Rows) -> str:
    """Contaminants kept and answers kept."""
    kept = chances(values, weights) >= LEAST
    return f"contamination {np.mean(kept[answers == 0]):.3f}, retention {np.mean(kept[answers == 1]):.3f}"


if __name__ == "__main__":
    main()
