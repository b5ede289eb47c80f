"""Pages that only share words with a question, and what they do to a package: sixty questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.funnel import FunnelRow, run_funnel_eval
from evals.ranking import read_rows
from inference import load_embedder
from inference.embedder import Embedder
from retrieval import Options, Package, Question, recall
from retrieval.package import WebReport
from retrieval.web_lane import WebFound
from schemas.errors import EmbedderMissing
from schemas.provenance import STANDING_WEIGHTS, Standing, Tier
from tests.retrieval.small_memory import ACCOUNT, make_index, note
from vault.index import Where
from web.passage_candidates import WebPassage, folded

MOST_ABOVE = 2
"""Rows in which a contaminant of a whitelisted site comes before the note; of any other site none does."""

ROWS = Path(__file__).resolve().parents[2] / "data" / "web" / "funnel-web.jsonl"
Told = list[tuple[FunnelRow, list[str]]]
"""Of each row the labels of its package's hits, in order: `note`, `page`, `contaminant` or `other`."""


@pytest.fixture(scope="module", params=[Standing.WHITELISTED, Standing.CORROBORATED])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Standing, Told]:
    """Every question, asked of a memory that has the notes of all sixty, beside the row's pages. All of them
    are of sites of one standing; whitelisted is the worst that a contaminant can be."""
    try:
        embedder = load_embedder()
    except EmbedderMissing as missing:
        pytest.skip(str(missing))
    rows = read_rows(ROWS, FunnelRow)
    notes = [
        note(one.id, one.text, conversation=one.conversation_title)
        for row in rows
        for one in row.candidates
        if one.tier is not Tier.WEB
    ]
    index = make_index(tmp_path_factory.mktemp("sixty"), embedder, notes)

    standing: Standing = request.param
    weight = STANDING_WEIGHTS[standing]
    asked = [(row, recall(_question(row, weight, embedder), index, embedder)) for row in rows]
    return standing, [(row, _labels(row, package)) for row, package in asked]


def _question(row: FunnelRow, weight: float, embedder: Embedder) -> Question:
    passages = [
        WebPassage(f"https://{one.id}.example/", one.conversation_title, one.text, weight)
        for one in row.candidates
        if one.tier is Tier.WEB
    ]

    def lane(question: Question, memory: object, _: Embedder | None) -> WebFound:
        kept, drops = folded(question, passages, memory, embedder)  # type: ignore[arg-type]
        return WebFound(kept, drops, WebReport(live=False, reason="a test"))

    return Question(row.query, Where(ACCOUNT), web=lane, options=Options(budget=4000))


def _labels(row: FunnelRow, package: Package) -> list[str]:
    label = {
        one.text: "contaminant" if one.id in row.contaminants else "page" if one.tier is Tier.WEB else "note"
        for one in row.candidates
    }
    # a conversation of one note has its text
    return [label.get(text, "other") for text in dict.fromkeys(hit.text for hit in package.hits)]


def test_contaminants_stay_out_and_below_the_notes(told: tuple[Standing, Told]) -> None:
    standing, rows = told
    assert len(rows) == 60
    contaminants = sum(labels.count("contaminant") for _, labels in rows)
    kept = sum(labels.count("note") + labels.count("page") for _, labels in rows)
    above = ["contaminant" in one and "note" in one[one.index("contaminant") :] for _, one in rows]
    assert contaminants / sum(len(row.contaminants) for row, _ in rows) <= 0.15
    assert kept / sum(len(row.relevant) for row, _ in rows) >= 0.85
    assert sum(above) <= (MOST_ABOVE if standing is Standing.WHITELISTED else 0)


def test_the_shared_set_keeps_its_bars_beside_it(shared: Path) -> None:
    score = run_funnel_eval(shared / "evals" / "funnel.jsonl")
    assert score.contamination <= 0.15
    assert score.retention >= 0.85
